# Parses JSON with a grammar.
require_relative "harness"
require "parslet"

class Json < Parslet::Parser
  rule(:space?) { match('\\s').repeat }
  rule(:comma) { space? >> str(",") >> space? }
  rule(:digit) { match("[0-9]") }
  rule(:whole) { str("-").maybe >> (str("0") | (match("[1-9]") >> digit.repeat)) }
  rule(:number) { (whole >> (str(".") >> digit.repeat(1)).maybe).as(:number) }
  rule(:string) { str('"') >> (str("\\\\") >> any | str('"').absent? >> any).repeat.as(:string) >> str('"') }
  rule(:array) { str("[") >> space? >> (value >> (comma >> value).repeat).maybe.as(:array) >> space? >> str("]") }
  rule(:entry) { (string.as(:key) >> space? >> str(":") >> space? >> value.as(:val)).as(:entry) }
  rule(:object) { str("{") >> space? >> (entry >> (comma >> entry).repeat).maybe.as(:object) >> space? >> str("}") }
  rule(:word) { str("true").as(:true) | str("false").as(:false) | str("null").as(:null) }
  rule(:value) { string | number | object | array | word }
  rule(:top) { space? >> value >> space? }
  root(:top)
end

ITEMS = (1..60).map { |i| %({"id": #{i}, "name": "item #{i}", "tags": ["a", "b", #{i}.5], "ok": true}) }
TEXT = "[#{ITEMS.join(", ")}]"

measure { Json.new.parse(TEXT).size }
