# Renders a template with 500 items.
require_relative "harness"
require "mustache"

TEXT = "<ul>{{#items}}<li>{{name}} {{{html}}} {{#more}}<b>{{a}}</b>{{/more}}{{^more}}none{{/more}}</li>{{/items}}</ul>"
ITEMS = (1..500).map { |i| {name: "n<#{i}>", html: "<i>", more: i.even? ? [{a: 1}, {a: 2}] : []} }

measure { 5.times { Mustache.render(TEXT, items: ITEMS).size } }
