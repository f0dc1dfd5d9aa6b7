//! Methods that blocks define, Procs, `send`, and objects without an `initialize` of their own.

use super::{check, memory::run};

// Recorded from CRuby 4.1dev.
#[test]
fn methods_that_blocks_define() {
    check(
        r##"class A
  attr_reader :log
  def initialize = @log = []
  total = 0
  define_method(:add) { |n, by = 2| total += n * by }
  define_method(:total) { total }
  [:a, :b].each { |name| define_method(name) { |*rest, key: 3| [name, rest, key, @log.size] } }
  define_method(:early) { |x| return :small if x < 3; [1, 2, 3].each { |y| return y if y > 2 }; :none }
  define_method(:leaves) { |x| break x + 1 if x > 1; x }
  define_method(:passes) { |&b| b ? b.call(self.class) : :no }
  define_method(:keeps) { |x| -> { x += 1 } }
  define_method(:local) { |x| y = x; binding.local_variable_get(:y) }
  define_method(:const) { CONST }
  define_method(:fails) { |x| raise ArgumentError, "of #{x}" }
  CONST = 7
end
a = A.new
def all(a, i)
  [a.add(i), a.add(1, 1), a.a, a.b(1, i, key: 2), a.early(i), a.leaves(i), a.passes { |k| [k, i] }, a.passes,
   a.local(i), a.const]
end
r = nil
60.times { |i| r = all(a, i) }
p r, a.total
k = a.keeps(5)
60.times { k.call }
p k.()
def wrong(a) = a.early
p((0...40).map { wrong(a) rescue $!.message }.uniq)
def failing(a) = a.fails(3)
40.times { failing(a) rescue @e = $! }
p @e.message, @e.backtrace_locations.first(2).map { |l| [l.lineno, l.label] }
class A; define_method(:const) { :again }; end
p all(a, 1).last"##,
        "[3599, 3600, [:a, [], 3, 0], [:b, [1, 59], 2, 0], 3, 60, [A, 59], :no, 59, 7]\n\
         3600\n\
         66\n\
         [\"wrong number of arguments (given 0, expected 1)\"]\n\
         \"of 3\"\n\
         [[14, \"block in <class:A>\"], [30, \"Object#failing\"]]\n\
         :again\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn procs_that_are_called() {
    check(
        r##"def twice(f, x) = f.(f.call(x))
def more(f, *list) = f[*list]
def make(n) = proc { |x, y| [x, y, n] }
def leaving = [->(x) { return x * 2 if x > 1; x }, proc { |x| next 9 if x == 3; x }]
f, g = leaving
r = nil
60.times { |i| r = [twice(->(x) { x + i }, 1), twice(f, i % 4), g.call(i), make(i).call(1, 2), make(1).call([3, 4]),
                    make(1).(5), more(f, 3), (f === 4), g.yield(3)] }
p r
def wrong(f) = f.call
p((0...40).map { wrong(f) rescue $!.message }.uniq, wrong(g))
def away = proc { return 1 }
def out(f) = f.call
p((0...40).map { out(away) rescue $!.class }.uniq)
def inner(x) = [1].each { f = proc { |y| return y + x }; f.call(1) }
p((0...40).map { |i| inner(i) }.last)
def block(&b) = b.call(1) + b.(2)
p((0...40).map { |i| block { |x| x * i } }.last)
def other(f) = f.call(2)
p [->(x) { x }, :-@.to_proc, 3.method(:+).to_proc, proc { |x| -x }].flat_map { |f| 40.times.map { other(f) }.uniq }"##,
        "[119, 12, 59, [1, 2, 59], [3, 4, 1], [5, nil, 1], 6, 8, 9]\n\
         [\"wrong number of arguments (given 0, expected 1)\"]\n\
         nil\n\
         [LocalJumpError]\n\
         40\n\
         117\n\
         [2, -2, 5, -2]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn calls_by_send_with_a_literal_name() {
    check(
        r##"class A
  attr_accessor :v
  def two(a, b = 4, k: 0) = [a, b, k]
  def block = yield(v)
  def method_missing(name, *rest) = [name, rest]
  def respond_to_missing?(*) = true
  private def hidden(x) = x + 1
  protected def kept(x) = x + 2
end
def all(a, i)
  [a.send(:v=, i), a.send(:v), a.__send__(:two, i), a.send(:two, 1, 2, k: i), a.send(:hidden, i), a.send(:kept, i),
   a.public_send(:two, 3), a.public_send(:hidden, 3), a.send(:block) { |x| x + i }, a.send(:gone, i), a.send(:class),
   A.send(:new).v, a.send(:send, :two, i)]
end
r = nil
60.times { |i| r = all(A.new, i) }
p r
def wrong(a) = a.send(:hidden)
p((0...40).map { wrong(A.new) rescue $!.message }.uniq)
def deep(a, n) = n == 0 ? 0 : 1 + a.send(:itself).then { send(:deep, a, n - 1) }
p deep(1, 500)
class A; def hidden(x) = x * 2; end
p all(A.new, 5)[4]
class A; private :two; end
p all(A.new, 5)[6]
class B < A; end
class A; undef_method :method_missing; end
p((0...40).map { |i| (i.odd? ? A : B).new.public_send(:two, 3) rescue $!.class }.uniq)"##,
        "[59, 59, [59, 4, 0], [1, 2, 59], 60, 61, [3, 4, 0], [:hidden, [3]], 118, [:gone, [59]], A, nil, [59, 4, 0]]\n\
         [\"wrong number of arguments (given 0, expected 1)\"]\n\
         500\n\
         10\n\
         [:two, [3]]\n\
         [NoMethodError]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn elements_outside_of_the_bounds() {
    check(
        r##"def at(a, i) = a[i]
list = [1, 2, 3]
r = nil
60.times { |i| r = (-5..4).map { |k| at(list, k) } + [at([], -1), at([i], 0), at([], 0)] }
p r
60.times { r = [at({1 => :a}, 1), at("xyz", 1), at(list, 1.5), at(list, 0..1), at(5, 0), at(list, 2**62)] }
p r, (at(list, "x") rescue $!.message), (at(nil, 1) rescue $!.class)
class Array
  def [](i) = :own
end
p at(list, 0)"##,
        "[nil, nil, 1, 2, 3, 1, 2, 3, nil, nil, nil, 59, nil]\n\
         [:a, \"y\", 2, [1, 2], 1, nil]\n\
         \"no implicit conversion of String into Integer\"\n\
         NoMethodError\n\
         :own\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn objects_without_an_initialize() {
    check(
        r##"class A; attr_accessor :v; end
def make = A.new
p((0...60).map { make.v }.uniq, Object.new.instance_variables, (A.new(1) rescue $!.message))
def given(x) = A.new(*x)
p((0...40).map { given([1]) rescue $!.class }.uniq, given([]).class)
class A; def initialize = @v = 5; end
p make.v"##,
        "[nil]\n\
         []\n\
         \"wrong number of arguments (given 1, expected 0)\"\n\
         [ArgumentError]\n\
         A\n\
         5\n",
    );
}

/// The Procs of Symbols and Methods have no code: they are an exit some times, then the runtime calls them.
#[test]
fn procs_without_code() {
    let code = "def twice(x) = x * 2\n\
        def apply(proc, n)\n  i = sum = 0\n  while i < n\n    sum += proc.(i)\n    i += 1\n  end\n  sum\nend\n\
        p apply(:succ.to_proc, 20_000), apply(method(:twice).to_proc, 20_000), apply(->(x) { x + 1 }, 20_000)";
    let expected = "200010000\n399980000\n200010000\n";
    check(code, expected);
    let output = run(&["--jit-threshold=50", "--jit-stats"], code);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out, expected);
    let exits = err.lines().find_map(|line| line.strip_prefix("exits at Call ")?.trim().parse::<u32>().ok());
    assert!(exits.is_none_or(|exits| exits < 2000), "{err}");
}
