$VERBOSE = nil
$log = []
class T
  def a(x) = x + 1
  def b = yield(a(1))
  def c = raise(IndexError, "c")
  def d = begin; c; rescue IndexError; 5; end
  def e = catch(:t) { b { throw :t, 3 } }
  def f = [1, 2].each { |x| return x }
  define_method(:g) { |x = 2| b { |y| y * x } }
  def self.h = new.b { |z| break z }
  def i = Fiber.new { Fiber.yield a(1); 2 }.then { |f| [f.resume, f.resume] }
  attr_accessor :v
end
def note(t)
  extra = case t.event
          when :return, :b_return, :c_return then t.return_value
          when :raise, :rescue then t.raised_exception.class
          when :call, :b_call then t.parameters
          end
  $log << [t.event, t.method_id, t.callee_id, t.defined_class, t.lineno, extra]
end
def finish = puts($log.size)
def shown_log = ($log.map(&:itself).tap { $log.clear }).first(60)
__END__
TracePoint.new({events}) { |t| note(t) if t.path == __FILE__ && t.lineno < 22 }.enable { T.new.{act} rescue 0 }; shown_log
TracePoint.new({events}) { |t| note(t) }.enable(target: T.instance_method(:{name})) { T.new.{act} rescue 0 }; shown_log
TracePoint.new({events}) { |t| note(t); {mischief} }.enable(target: T.instance_method(:{name})) { T.new.{act} rescue $!.class }; shown_log.size
x = TracePoint.new(:line) { |t| note(t) }; x.enable(target: T.instance_method(:{name})); T.new.{act} rescue 0; x.disable; [x.enabled?, shown_log]
x = TracePoint.new({events}) { |t| note(t) }; x.enable(target_thread: Thread.current) { Thread.new { T.new.{act} rescue 0 }.join }; shown_log.reject { |l| l[4] > 21 }
x = TracePoint.trace(:call) { |t| note(t); x.disable }; T.new.{act} rescue 0; x.disable; shown_log
TracePoint.new(:class, :end) { |t| note(t) }.enable { eval("class Z{k}; class << self; end; end") }; shown_log.map { |l| l[0] }
TracePoint.new(:raise) { |t| note(t) }.enable { [Integer("x"), 1] rescue T.new.{act} rescue 0 }; shown_log.map { |l| [l[0], l[5]] }
TracePoint.new({events}) { |t| [t.return_value, t.raised_exception, t.binding, t.parameters, t.self] rescue note(t) }.enable { T.new.{act} rescue 0 }; shown_log.map(&:first).uniq.sort
class T; def {name}(*) = {k}; end; T.new.{act}
T.new.{act}
T.send(:alias_method, :z{k}, :{name}); TracePoint.new(:call, :return) { |t| note(t) if t.lineno < 22 }.enable { T.new.z{k} rescue 0 }; shown_log
TracePoint.new({events}) { |t| TracePoint.allow_reentry { T.new.a(1) } if t.method_id == :a && $log.size < 9; note(t) if t.lineno < 22 }.enable { T.new.{act} rescue 0 }; shown_log
TracePoint.stat.class
k: 0 | 1 | 2 | 3
event: :call | :return | :b_call | :b_return | :line | :raise
events: {event} | {event}, {event} | :call, :return | :b_call, :b_return | :line
name: a | b | c | d | e | f | i
act: a(1) | b { 1 } | b { break 2 } | c | d | e | f | g | g(3) | class.h | i | v = 3 | b { c } | send(:a, 2) | method(:a).call(3) | then { _1.a(1) } | b(&:succ) | instance_eval { a(1) }
mischief: raise(KeyError) | 0 | T.new.a(1) | throw(:t, 9) | eval("1", t.binding) | t.disable | break | GC.start | t.self.instance_variable_set(:@v, 1) | Thread.pass
