# Parses Ruby code.
require_relative "harness"
require "parser/ruby31"

measure { Parser::Ruby31.parse(RUBY_TEXT).children.size }
