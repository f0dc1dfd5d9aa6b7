//! Variables of objects and scopes, members and elements.

use super::check;

/// Expected: what CRuby 4.1dev prints.
#[test]
fn variables_of_classes_and_attributes_are_where_the_shape_says() {
    check(
        r#"
class Conf
  class << self
    attr_accessor :a, :never
    def cached(k) = (@cache ||= {})[k] ||= k * 2
    def unset = @nope
    def bump = @n = (@n || 0) + 1
  end
end
class Sub < Conf; end
class Big
  attr_accessor(*(1..20).map { |i| :"v#{i}" }, :late)
  def initialize = (1..20).each { |i| instance_variable_set("@v#{i}", i) }
end
class Text < String
  attr_accessor :x
end
class Lazy
  attr_reader :q, :r
  def r! = @r ||= 5
  def q! = @q ||= 7
end
out = []
60.times do |i|
  [Conf, Sub].each { |c| c.a = i; out << [c.a, c.never, c.cached(i % 5), c.unset, c.bump] }
  b, s, l = Big.new, Text.new("a"), Lazy.new
  b.v20 = i
  b.late = i if i.odd?
  s.x = i
  i.even? ? (l.r!; l.q!) : l.q!
  out << [b.v1, b.v20, b.late, s.x, l.q, l.r]
end
p out[0, 3], out[-3, 3]
begin
  Conf.freeze.a = 1
rescue => e
  p e.class
end
def set(o, v) = o.k[0] = v
class Box
  def k = self
  def [](i) = @v
  def []=(i, v)
    @v = v
    :ignored
  end
end
list = [Box.new, Class.new(Box).new, Class.new(Box).new]
p 60.times.map { |i| [set(list[i % 3], i), list[i % 3][0]] }.last
"#,
        r#"[[0, nil, 0, nil, 1], [0, nil, 0, nil, 1], [1, 0, nil, 0, 7, 5]]
[[59, nil, 8, nil, 60], [59, nil, 8, nil, 60], [1, 59, 59, 59, 7, nil]]
FrozenError
[59, 59]
"#,
    );
}

/// Expected: what CRuby 4.1dev prints.
#[test]
fn whether_a_variable_is_defined_is_known_by_the_shape() {
    check(
        r#"
class Memo
  def initialize(i) = (@a = i if i.odd?)
  def a? = defined?(@a)
  def twice
    return @twice if defined?(@twice)
    @twice = nil
  end
  def never = defined?(@never) ? 1 : 2
  def inside = [1].map { defined?(@a) ? :yes : :no }
  def drop = remove_instance_variable(:@a)
  class << self
    def list
      @list = [] unless defined?(@list)
      @list
    end
  end
end
class Other < Memo
  def initialize(i)
    @b = @c = i
    super
  end
end
class Integer
  def var? = defined?(@a)
end
class Text < String
  def var? = defined?(@x)
  def x! = @x = 1
end
seen = Hash.new(0)
80.times do |i|
  m, t = (i < 40 || i % 3 == 0 ? Memo : Other).new(i), Text.new("a")
  row = [m.a?, m.twice, m.twice, m.never, m.inside, Memo.list.equal?(Memo.list), i.var?, t.var?, t.x!, t.var?]
  if i.odd?
    m.drop
    row << m.a? << m.inside
  end
  seen[row] += 1
end
seen.each { |row, count| p row, count }
"#,
        r#"[nil, nil, nil, 2, [:no], true, nil, nil, 1, "instance-variable"]
40
["instance-variable", nil, nil, 2, [:yes], true, nil, nil, 1, "instance-variable", nil, [:no]]
40
"#,
    );
}

#[test]
fn bindings_see_and_set_variables() {
    check(
        "def f(n)\n i = 0\n b = binding\n while i < n\n  b.local_variable_set(:i, i + 1)\n end\n i\nend\np f(50)",
        "50\n",
    );
    check("def f\n x = 1\n 20.times { eval('x += 1') }\n x\nend\np f", "21\n");
}

// Recorded from CRuby 4.1dev.
#[test]
fn variables_are_found_by_the_shape_of_self() {
    check(
        r##"class A
  def initialize(v) = (@a = v; @b = 1)
  def get = @a
  def set(v) = @c = v
  def sum = get + @b
end
class B < A; def initialize(v) = (@x = 0; super); end
class C < A; def initialize(v) = (@y = @z = 0; super; @a = 5); end
class D < Random; def initialize(s) = (super; @b = 1; @a = s); def get = @a; def up = @a += 1; end
all = [A.new(1), B.new(2), C.new(3), D.new(4)]
60.times { all.each { |o| o.get; o.set(7) if o.is_a?(A) } }
p all.map(&:get), all[0, 3].map(&:sum), all.last.up, all.map { |o| o.instance_variables.sort }
p((all[0].freeze.set(1) rescue $!.class))"##,
        "[1, 2, 5, 4]\n\
         [2, 3, 6]\n\
         5\n\
         [[:@a, :@b, :@c], [:@a, :@b, :@c, :@x], [:@a, :@b, :@c, :@y, :@z], [:@a, :@b]]\n\
         FrozenError\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn variables_of_outer_scopes_are_set_where_they_are() {
    check(
        r##"def counter
  n = nil
  add = ->(v) { n = v; n }
  [add, -> { n }]
end
add, get = counter
80.times { |i| add.call("v#{i}"); GC.start if i % 40 == 0 }
p get.call
def run(n) = (s = nil; n.times { |i| s = [i] }; s)
p run(100)"##,
        "\"v79\"\n\
         [99]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn members_of_structs_are_read_and_set() {
    check(
        r##"S = Struct.new(:a, :b)
D = Data.define(:x)
s = S.new(1, 2)
60.times { |i| s.a = i; s.b = [s.a] }
p s, D.new(x: 3).x, (s.freeze.then { s.a = 1 } rescue $!.class)
class S; def a = 42; end
p s.a"##,
        "#<struct S a=59, b=[59]>\n\
         3\n\
         FrozenError\n\
         42\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn elements_that_are_references_are_stored_in_line() {
    check(
        r##"def swap(a, i, j) = (a[i], a[j] = a[j], a[i])
a = (0..9).map(&:to_s)
100.times { |i| swap(a, i % 10, 9); GC.start if i % 50 == 0 }
p a
b = a.dup
b[0] = +"own"
p a[0] == b[0], (a.freeze.then { swap(a, 0, 1) } rescue $!.class)"##,
        "[\"0\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\"]\n\
         false\n\
         FrozenError\n",
    );
}
