# racc's runtime: recovery from errors, ends of a parse, tokens that are wrong, and what `yydebug` prints.
require "racc/static"
require "stringio"

GRAMMAR = <<~'RACC'
  class Lines
  rule
    lines: | lines line ";" { result = val[0].to_a + [val[1]] }
    line: sum | error { result = :bad } | STOP { yyaccept } | BAD { yyerror } | OK sum { yyerrok; result = val[1] }
        | RAISE { raise "from an action" }
    sum: NUMBER | sum "+" NUMBER { result = val[0] + val[2] }
  ---- inner
    attr_reader :errors
    attr_accessor :yydebug
    def parse(tokens) = (@errors = []; @tokens = tokens.dup; do_parse)
    def each_token(tokens, &) = (@errors = []; @given = tokens; yyparse(self, :tokens))
    def tokens(&) = @given.each(&)
    def two_values = yield(:NUMBER, 1)
    def next_token = @tokens.shift
    def on_error(id, value, stack) = @errors << [token_to_str(id), value, stack.dup]
    def debug_to(out) = (@racc_debug_out = out; @yydebug = true; self)
RACC

grammar = Racc::GrammarFileParser.parse(GRAMMAR, "lines.y")
states = Racc::States.new(grammar.grammar).nfa.dfa
grammar.params.debug_parser = true
Object.class_eval(Racc::ParserFileGenerator.new(states, grammar.params).generate_parser)

def words(text)
  text.split.map do |word|
    case word
    when /\A\d+\z/ then [:NUMBER, word.to_i]
    when /\A[A-Z]+\z/ then [word.to_sym, word]
    else [word, word]
    end
  end
end

def tried
  p yield
rescue ArgumentError, TypeError, RuntimeError => e
  puts "#{e.class}: #{e.message}"
end

parser = Lines.new
100.times { parser.parse(words("1 + 2 ; 3 ; 4 + 5 + 6 ;")) }
[
  "", "1 + 2 ;", "1 ; 2 + 3 ; 4 ;", "1 + ; 2 ;", "+ + + ; 2 ;", "1 2 3 ; 4 ; 5 + + ; 6 ;", "1 + ; OK 2 ; + ; 3 ;",
  "1 ; STOP ;",
  "1 ; BAD ; 2 ;", "BAD BAD BAD ; 2 ;", "1 + ; BAD ;", "1", "1 +", "? ;", "RAISE ;",
].each do |text|
  puts text
  tried { parser.parse(words(text)) }
  p parser.errors, parser.instance_variable_get(:@racc_error_status), parser.instance_variable_get(:@vstack)
  tried { parser.each_token(words(text) + [[false, "$"]]) }
  p parser.errors
end

tried { parser.parse([[:NUMBER, 1], :NUMBER]) }
tried { parser.parse([[:NUMBER, 1, 2]]) }
tried { parser.each_token([[:NUMBER, 1]]) }
tried { parser.each_token([nil, [:NUMBER, 1]]) }
tried { parser.each_token([[false, nil], [:NUMBER, 1]]) }
tried { parser.each_token([7]) }
tried { parser.yyparse(parser, :two_values) }
tried { parser.yyparse(parser, "tokens") }
tried { parser.__send__(:_racc_do_parse_c, [], false) }
tried { parser.__send__(:_racc_do_parse_c, [nil] * 13, false) }
tried { parser.__send__(:_racc_do_parse_c, 1, false) }

# The state stays usable inside of an action, and after it was left.
class Nested < Lines
  def on_error(*) = (@inner ||= Lines.new.parse(words("1 + 2 ; +")))
end
p Nested.new.parse(words("+ ; 1 ;"))
p catch(:out) { Class.new(Lines) { def next_token = throw(:out, :left) }.new.parse([]) }

out = StringIO.new
Lines.new.debug_to(out).parse(words("1 + 2 ; 3 ;"))
puts out.string
