# Compiles and renders a template, 20 times.
require_relative "harness"
require "slim"

TEXT = <<~'SLIM'
  doctype html
  html
    head
      title Test
    body
      #main.content
        - items.each do |i|
          .item class=(i.even? ? 'e' : 'o') id="i#{i}"
            h2 = "Item #{i}"
            p
              | Some text
              a href="/x/#{i}" link
SLIM

measure { 20.times { Slim::Template.new { TEXT }.render(Object.new, items: (1..50).to_a) } }
