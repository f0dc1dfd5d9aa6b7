# Highlights Ruby code.
require_relative "harness"
require "rouge"

measure { Rouge::Formatters::HTML.new.format(Rouge::Lexers::Ruby.new.lex(RUBY_TEXT)).size }
