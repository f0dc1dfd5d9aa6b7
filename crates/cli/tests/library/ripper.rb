# Ripper: tokens, trees and events. Recorded from CRuby 3.4.11.
require "ripper"

SOURCE = <<'RUBY'
# first
def foo a, b = {}  # c
  a.b(<<~X, :"y#{1}") +
      one #{a}
    two
  X
    %w[p q
       r].size
end

alias x y
undef :p, q
a = b ? /x#{1}/m : `ls` \
  unless c # last
  # more
  .d
RUBY
Ripper.lex(SOURCE).each { |element| p element }
p Ripper.tokenize("def m(a) nil end")
p Ripper.sexp(SOURCE)
p Ripper.sexp_raw("foo(1) { |x| x }")
p Ripper.sexp("1 +"), Ripper.lex("1 + #").size
p Ripper.lex_state_name(Ripper::EXPR_BEG | Ripper::EXPR_LABEL), Ripper.dedent_string(+"\t x", 8)
p Ripper.slice("foo(1, 2)", "lparen $(int) comma")

class Words < Ripper
  attr_reader :log

  def initialize(*)
    super
    @log = []
  end

  def on_ident(name)
    @log << [:ident, name, lineno, column, state]
    name
  end

  def on_fcall(name)
    @log << [:fcall, name]
    name
  end

  def on_program(statements)
    @log << :program
    self
  end
end
words = Words.new("foo(bar)\n  baz(1)", "words.rb", 5)
p words.parse.equal?(words), words.log, words.filename, words.error?
broken = Words.new("foo(")
broken.parse
p broken.error?

class Upper < Ripper::Filter
  def on_default(event, token, data) = data << token
  def on_ident(token, data) = data << token.upcase
end
puts Upper.new("a = b + 1 # c\n").parse(+"")
lexer = Ripper::Lexer.new("a = [1")
p lexer.scan.map { |element| [element.pos, element.event, element.tok] }.first(5)
['"a', "foo(", "def a\n  b(", "1 + )", "<<A\nx", "[1, {a: ", "a( foo, b: 1 }", "1\n  "].each do |source|
  lexer = Ripper::Lexer.new(source)
  p lexer.scan.map { |element| [element.event, element.tok] }
end
p Ripper.sexp("redo")

# A mark of the byte order takes no columns.
p Ripper.sexp("\uFEFFa = [b]\nc")

# Tokens between those of the tree leave no objects until its end.
class Counted < Ripper::SexpBuilderPP
  def on_program(statements)
    GC.start
    $arrays = ObjectSpace.count_objects[:T_ARRAY] - $arrays
    super
  end
end
GC.start
$arrays = ObjectSpace.count_objects[:T_ARRAY]
Counted.new("[#{"1, " * 1000}1]").parse
p $arrays < 3000

# An object with `gets` is read by `parse`.
lines = Struct.new(:lines) { def gets = lines.shift }
parser = Ripper.new(lines.new(["a\n", 0]))
begin
  parser.parse
rescue TypeError => e
  p e.message
end
p Ripper.lex(lines.new(["a\n", "b"])).map { |token| token[2] }
p 300.times.map { Class.new(Ripper) { def on_program(_) = 1 }.new(lines.new(["1"])).parse }.uniq
p 300.times.map { Ripper.new(lines.new(["1"])).parse }.uniq

# Recorded from CRuby 4.1dev: warnings are formats and their arguments; errors replace the node that they are about.
class Warned < Ripper
  def warn(*arguments) = p([:warn, *arguments])
  def warning(*arguments) = p([:warning, *arguments])
end
[
  "{ a: 1, a: 2 }", "case a\nwhen 1\nwhen 1\nend", "if true\n  end\n", "#-*- frozen-string-literal: nottrue -*-\na",
  "a; #-*- frozen-string-literal: true -*-", "foo *a", "def x; y = 1; end"
].each { |source| Warned.new(source).parse }

class Refused < Ripper::SexpBuilder
  def on_alias_error(*arguments) = [:alias_error, *arguments]
  def on_assign_error(*arguments) = [:assign_error, *arguments]
  def compile_error(message) = p(message)
end
["self = 1", "$1 = 2", "alias $a $1"].each { |source| p Refused.new(source).parse[1] }
["@", "%w(a"].each { |source| Refused.new(source).parse }
p Ripper.sexp("$1, a = 1, 2"), Ripper.sexp("alias $a $1")
