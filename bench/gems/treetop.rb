# Parses a long formula with a grammar.
require_relative "harness"
require "treetop"

Treetop.load_from_string <<~GRAMMAR
  grammar Formula
    rule sum product space ( '+' space product space / '-' space product space )* end
    rule product term space ( '*' space term space / '/' space term space )* end
    rule term number / '(' space sum space ')' end
    rule number [0-9]+ end
    rule space ' '* end
  end
GRAMMAR
PARSER = FormulaParser.new
TEXT = (1..300).map { |i| "(#{i} + 2 * (3 - #{i})) * 4" }.join(" + ")

measure { PARSER.parse(TEXT) or raise PARSER.failure_reason }
