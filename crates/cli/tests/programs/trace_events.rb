# Events that a trace point receives, construct by construct.
def log(tp)
  extra = case tp.event
          when :return, :b_return, :c_return then tp.return_value.inspect[0, 40].sub(/ \S*\.rb:.*|0x\h+.*/, '')
          when :raise, :rescue then tp.raised_exception.inspect
          end
  $out << [tp.event, tp.lineno, tp.method_id, tp.callee_id, tp.defined_class.inspect, tp.self.class.to_s, extra]
end
def show(name, *events)
  $out = []
  events = %i[line class end call return c_call c_return raise b_call b_return rescue] if events.empty?
  tp = TracePoint.new(*events) { |t| log(t) if t.path == __FILE__ }
  begin
    tp.enable { yield }
  rescue Exception => e
    $out << e.class
  end
  puts "== #{name}"
  $out.each { |r| p r }
end
class Foo
  attr_accessor :a
  def initialize(x)
    @a = x
  end
  def plain(x, y = 2, *z, k: 1, **o, &b)
    x
  end
  define_method(:bm) { |q|
    q
  }
  def raises
    raise "oops"
  ensure
    1
  end
  def rescues
    raises
  rescue => e
    :rescued
  else
    2
  end
  def brk
    [1, 2].each { |v| break v }
  end
  def ret
    [1, 2].map { |v| return v }
  end
  def thr
    catch(:x) { throw :x, 5 }
  end
  def method_missing(n, *a) = n == :mm ? 7 : super
  def respond_to_missing?(*) = true
  alias aliased plain
  def sup(x) = x
  def multi
    a = [
      1,
      2
    ]
    if a
      3
    else
      4
    end
  end
  def loop_
    i = 0
    while i < 2
      i += 1
    end
    case i
    when 1 then 2
    when 2
      5
    end
  end
  def one; 1; end
  def empty; end
  def yielder
    yield 1
  end
end
class Bar < Foo
  def sup(x)
    super
  end
end
f = Foo.new(1)
show("plain") { f.plain(1) }
show("alias") { f.aliased(1) }
show("bm") { f.bm(3) }
show("ret") { f.ret }
show("thr") { f.thr }
show("mm") { f.mm }
show("multi") { f.multi }
show("loop") { f.loop_ }
show("one") { f.one; f.empty }
show("yield") { f.yielder { |x| x + 1 } }
show("class") {
  class Foo
    X = 1
    def self.sing
      1
    end
  end
  Foo.sing
}
show("lambda") { l = lambda { |x| return x }; l.(3); pr = proc { next 4 }; pr.call }
show("ivar attr") { f.a; f.a = 2 }
show("eval") { eval("1 + 1", binding, __FILE__, 500); f.instance_eval { @a } }
show("ops") { 1 + 2; "a" + "b"; [1][0]; {a: 1}[:a] }
show("fiber", :call, :b_call, :fiber_switch) { fb = Fiber.new { Fiber.yield 1; 2 }; fb.resume; fb.resume }
show("define", :c_call, :c_return, :line) {
  Foo.class_eval do
    def later = 1
    private :later
  end
}
show("opt args", :line, :call) {
  def opt(a, b = a + 1,
          c: b + 1)
    c
  end
  opt(1)
}
show("op assign") { h = {}; h[:a] ||= 1; x = nil; x ||= 2; f.a += 1 }
show("begin/end while", :line) { i = 0; begin; i += 1; end while i < 2 }
show("multiline call", :line) {
  [3, 1]
    .map { |x|
      x + 1
    }
    .sort
}
show("string interp", :line, :c_call) { "#{1} #{f.a}" }
show("unless/ternary", :line) {
  x = 1
  y = x ? 1 : 2
  puts "no" unless x
  x && y
}

error = RuntimeError.new("made before")
Foo.class_eval do
  define_method(:raiser) { throw :out, 1 }
end
show("thrown through a method made of a block", :call, :return, :b_call, :b_return) { catch(:out) { f.raiser } }
show("returned from a lambda", :b_call, :b_return) { -> { [1].each { |x| return x } }.call }
show("rescued", :line, :raise, :rescue) {
  begin
    raise error
  rescue StandardError
    1
  end
}
list = []
outer = TracePoint.new(:line) { list << :outer }
inner = TracePoint.new(:line) { list << :inner }
def target
  1
end
outer.enable(target: method(:target)) { inner.enable(target: method(:target)) { target } }
p list
# Redefined while calls are traced, and still redefined afterwards.
TracePoint.new(:c_call) {}.enable do
  class Integer
    alias plus +
    def +(other) = plus(other).plus(1)
  end
end
p 1 + 1
class Integer
  alias + plus
end
p 1 + 1
