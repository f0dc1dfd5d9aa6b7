# Beni's own events: call events on the caller's side, arguments, method_added and similar events, a filter by file.
class Vector
  attr_reader :x

  def initialize(x) = @x = x
  def +(other) = Vector.new(x + other.x)
  def <(other) = x < other.x
  def scale(by, *rest, unit: :m, **more, &block) = block ? block.call(by) : by
  def optional(a, b = 2, *c, d) = [a, b, c, d]
  def fails = raise(ArgumentError, "no")
  def method_missing(name, *) = name
  def respond_to_missing?(*) = true
end

class Special < Vector
  def scale(by, ...) = super
end

def show(title, *events, **options)
  list = []
  tp = TracePoint.new(*events) do |t|
    row = [t.event, t.lineno, t.callee_id, t.defined_class]
    row << t.arguments if %i[call c_call b_call s_call].include?(t.event)
    row << t.return_value if %i[return s_return].include?(t.event)
    list << row.map { _1.is_a?(Vector) ? :vector : _1 }
  end
  tp.enable(**options)
  begin
    yield
  rescue => e
    list << e.class
  end
  tp.disable
  puts "== #{title}"
  list.each { puts _1.inspect.gsub(/#<Vector[^>]*>/, "vector") }
end

v = Vector.new(1)
w = Vector.new(2)
here = method(:show).owner.instance_method(:show)
show("calls and what they return", :s_call, :s_return, target: proc { v.scale(1) }.tap { |b| $b = b }) { $b.call }
code = proc do
  v.scale(1, 2, unit: :s, other: 3)
  v.scale(*[4, 5], **{unit: :h}) { |n| n + 1 }
  v.scale(6, &:succ)
  "text".dup.concat("ab", "c")
  v.nothing(1)
  [v + w, v < w ? 1 : 2]
  v.fails
end
show("arguments", :s_call, :s_return, target: code) { code.call }
show("super", :s_call, :s_return, target: Special.instance_method(:scale)) { Special.new(1).scale(7, unit: 1) }
show("short circuits", :s_call, :s_return, target: (c = proc { false && v.x; true && v.x; v.x if v.x > 5 })) { c.call }
show("the callee's side", :call, target: Vector.instance_method(:scale)) { v.scale(1, 2, unit: :s, other: 3) { } }
show("optional", :call, target: Vector.instance_method(:optional)) { v.optional(1, 9); v.optional(1, 2, 3, 4) }
block = proc { |a, (b, c), d = 5, k: 1| }
show("a block", :b_call, target: block) { block.call(1, [2, 3]) }
show("native", :c_call, target_thread: Thread.current) { [3].push(1, 2) }
show("methods", :method_added, :method_removed, :method_undefined) do
  class Vector
    def scale(by) = by
    alias times scale
    attr_writer :x
    define_method(:made) {}
    remove_method :times
    undef made
    def self.build = new(0)
  end
end
previous = []
TracePoint.new(:method_added, :method_removed) { |t| previous << [t.method_id, t.previous_method&.source_location&.last] }.enable do
  class Vector
    def scale(by) = by + 1
    def fresh = 1
    remove_method :fresh
  end
end
p previous

files = []
tp = TracePoint.new(:line) { |t| files << File.basename(t.path) }
eval("def elsewhere = 1\ndef again\n  2\nend", TOPLEVEL_BINDING, "/gems/one/a.rb")
tp.enable(path: "/gems") { elsewhere; again; v.x }
eval("def late\n  3\nend", TOPLEVEL_BINDING, "/gems/one/b.rb")
tp.enable(path: ["/gems/*/b.rb", /never/]) { again; late }
tp.enable(path: ->(path) { path.end_with?("c.rb") }) do
  eval("def later\n  4\nend", TOPLEVEL_BINDING, "/gems/two/c.rb")
  later
  again
end
p files
begin
  tp.enable(path: "/gems", target: method(:late))
rescue ArgumentError => e
  p e.message
end
begin
  TracePoint.new(:line) { |t| t.arguments }.enable { v.x }
rescue RuntimeError => e
  p e.message
end
p TracePoint.new(:s_call) {}.enabled?

# Only the given thread.
def two_lines
  1
end
count = Hash.new(0)
main = Thread.current
tp = TracePoint.new(:line) { count[Thread.current] += 1 }
tp.enable(target: method(:two_lines), target_thread: main) do
  two_lines
  Thread.new { two_lines }.join
end
p count.values, count.keys == [main]
