# Recorded from CRuby 4.1dev.
# The node of a location, and the columns that ErrorHighlight finds in it.
def check
  yield
rescue Exception => e
  l = e.backtrace_locations.find { |x| x.path == __FILE__ }
  id = RubyVM::AbstractSyntaxTree.node_id_for_backtrace_location(l)
  require "prism"
  n = Prism.parse_file(__FILE__).value.breadth_first_search { |x| x.node_id == id }
  s = ErrorHighlight.spot(n)
  puts "#{e.class} #{n.class} #{n&.slice&.lines&.first.inspect} #{s && s.values_at(:first_lineno, :first_column, :last_column, :snippet).inspect}"
end
foo = nil
check { foo.bar }
check { foo.bar.baz(1, 2) }
check { 1 + nil }
check { Integer("x") }
check { raise "own" }
check { foo[1] }
check { foo[1] = 2 }
check { nope }
check { Nope }
check { Object::Nope }
check { foo&.x; foo.y = 3 }
check { foo
  .bar(1)
}
check { [1].map { |x| x.nope } }
check { "a" * -1 }
check { foo[0] ||= 1 }
check { -foo }
check { !foo.zork }
p((RubyVM::AbstractSyntaxTree.node_id_for_backtrace_location(1) rescue $!))
p((RubyVM::AbstractSyntaxTree.of(proc {}) rescue $!))
p((ErrorHighlight.spot(1) rescue $!))
begin
  foo.bar
rescue => e
  p ErrorHighlight.spot(e).values_at(:first_lineno, :first_column, :last_column)
end
