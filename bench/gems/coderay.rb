# Ruby code is highlighted.
require_relative "harness"
require "coderay"

measure { CodeRay.scan(RUBY_TEXT, :ruby).html.size }
