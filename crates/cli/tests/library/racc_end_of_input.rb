# At the end of the input `on_error` gets "$" as the value of the token, also if `next_token` returns nil or false.
require "racc/static"
require "stringio"

GRAMMAR = <<~'RACC'
  class Sum
  rule
    sum: NUMBER | sum "+" NUMBER { result = val[0] + val[2] }
  end
  ---- inner
    def parse(tokens) = (@tokens = tokens; do_parse)
    def each_token(tokens, &) = (@tokens = tokens; yyparse(self, :tokens))
    def tokens(&) = @tokens.each(&)
    def next_token = @tokens.shift
    def on_error(id, value, stack) = raise(ParseError, "#{value.inspect} (#{token_to_str(id)}) behind #{stack.inspect}")
RACC

grammar = Racc::GrammarFileParser.parse(GRAMMAR, "sum.y")
states = Racc::States.new(grammar.grammar).nfa.dfa
generator = Racc::ParserFileGenerator.new(states, grammar.params)
Object.class_eval(generator.generate_parser)

def tried
  p yield
rescue Racc::ParseError => e
  puts e.message
end

parser = Sum.new
200.times { parser.parse([[:NUMBER, 1], ["+", "+"], [:NUMBER, 2]]) }
tried { parser.parse([[:NUMBER, 1], ["+", "+"], [:NUMBER, 2]]) }
tried { parser.parse([[:NUMBER, 1], ["+", "+"]]) }
tried { parser.parse([[:NUMBER, 1], ["+", "+"], [false, false]]) }
tried { parser.parse([[:NUMBER, 1], ["+", "+"], [false, "$end"]]) }
tried { parser.each_token([[:NUMBER, 1], ["+", "+"], [false, false]]) }
