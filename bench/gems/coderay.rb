# Highlights Ruby code.
require_relative "harness"
require "coderay"

measure { CodeRay.scan(RUBY_TEXT, :ruby).html.size }
