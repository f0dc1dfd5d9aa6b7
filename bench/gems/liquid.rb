# Parses and renders a template.
require_relative "harness"
require "liquid"

TEXT = <<~LIQUID * 5
  <ul>{% for p in products %}<li class="{% cycle 'a', 'b' %}">{{ p.name | upcase | escape }}
  {% if p.price > 50 %}<b>{{ p.price | times: 1.2 | round: 2 }}</b>{% else %}{{ p.price }}{% endif %}
  {{ p.tags | join: ', ' }}</li>{% endfor %}</ul>
  {% assign x = 'a,b,c' | split: ',' %}{{ x | size }}{% case x[1] %}{% when 'b' %}B{% else %}C{% endcase %}
LIQUID
DATA = {"products" => (1..60).map { |i| {"name" => "Product <#{i}>", "price" => i * 1.5, "tags" => %w[a b c]} }}

measure { 5.times { Liquid::Template.parse(TEXT).render(DATA).size } }
