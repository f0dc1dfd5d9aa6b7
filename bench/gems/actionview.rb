# Renders a template of 100 rows with helpers.
require_relative "harness"
require "logger"
require "ostruct"

# ActionView requires a sanitizer of HTML, which needs a parser in C; this program does not use it.
module Rails
  module Html
    FullSanitizer = LinkSanitizer = SafeListSanitizer = Class.new
    module Sanitizer
      def self.full_sanitizer = FullSanitizer
    end
  end
end
$LOADED_FEATURES << "rails-html-sanitizer.rb"

require "active_support"
require "active_support/core_ext"
require "action_view"

class View < ActionView::Base
  def compiled_method_container = self.class
end

TEMPLATE = <<~'HTML'
  <h1><%= title %></h1>
  <% items.each do |item| %>
    <%= content_tag(:div, link_to(item[:name], "/items/#{item[:id]}"), class: "x", data: {id: item[:id]}) %>
    <%= truncate(item[:name] * 5, length: 20) %>
  <% end %>
HTML
ITEMS = (1..100).map { |i| {id: i, name: "item #{i}"} }
VIEW = View.with_empty_template_cache.new(ActionView::LookupContext.new([]), {}, nil)

measure { VIEW.render(inline: TEMPLATE, locals: {title: "Items", items: ITEMS}).size }
