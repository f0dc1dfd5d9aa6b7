# The library prism: trees, tokens, comments, errors, options. Recorded from CRuby 3.4.11.
require "prism"

result = Prism.parse("# note: 1\nfoo(1, *a, k: 2.5) { |x| x in [Integer, *] } # end\n__END__\ndata")
puts result.value.inspect
p result.comments.map(&:slice), result.magic_comments.map { |c| [c.key, c.value] }, result.data_loc.slice
p result.success?, result.value.class

puts Prism.lex("puts <<~A, %w[a b] # c\n  x \#{1}\nA\n").value.map { |token, state| [token.type, token.value, state].inspect }

broken = Prism.parse("foo(\n")
p broken.failure?, broken.errors.map { |e| [e.type, e.level, e.location.start_line] }
p Prism.parse("p -1", version: "3.4.0").warnings.map { |w| [w.type, w.level] }
p Prism.parse_success?("1 + 1"), Prism.parse_failure?("1 +"), Prism.profile("1")

p Prism.parse("foo", scopes: [[:foo]]).value.statements.body.first.class
p Prism.parse("foo", line: 10).value.location.start_line
p Prism.parse("'a'", frozen_string_literal: true).value.statements.body.first.frozen?
p Prism.parse("__FILE__", filepath: "x.rb").value.statements.body.first.filepath
p Prism.parse("0x1_0000_0000_0000_0001; -12r").value.statements.body.map(&:value)
p Prism.parse("# encoding: EUC-JP\n'\xA4\xA2'").value.statements.body.first.unescaped.encoding
[[1], { line: "x" }, { version: "1" }, { nothing: 1 }, { scopes: 1 }, { command_line: "z" }].each do |options|
  Prism.parse(*(options.is_a?(Array) ? options : ["1"]), **(options.is_a?(Hash) ? options : {}))
rescue ArgumentError, TypeError => error
  puts "#{error.class}: #{error.message}"
end
begin
  Prism.parse_file("/nowhere.rb")
rescue SystemCallError => error
  p error
end

class Calls < Prism::Visitor
  def visit_call_node(node)
    puts node.name
    super
  end
end
Prism.parse("a(b { c }).d = 1").value.accept(Calls.new)
p Prism::Pattern.new("CallNode[name: :+]").compile.call(Prism.parse_statement("1 + 2")) if Prism.respond_to?(:parse_statement)
p Prism::Pattern.new("IntegerNode").scan(Prism.parse("[1, 2]").value).map(&:value)
p Prism::StringQuery.local?("a"), Prism::StringQuery.constant?("a"), Prism::StringQuery.method_name?("a?")
nodes, tokens = Prism.parse_lex("1").value
p nodes.class, tokens.size
require "stringio"
p Prism.parse_stream(StringIO.new("1\n2\n__END__\n3")).value.statements.body.size
p Prism.lex_compat("a b").value.map { |token| [*token[0], *token[1, 2]] }
