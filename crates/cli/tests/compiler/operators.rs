//! Operators whose methods are called, because their operands are not those that they compute themselves.

use super::check;

// Recorded from CRuby 4.1dev.
#[test]
fn methods_of_basic_classes_are_called_for_other_operands() {
    check(
        r#"def all(a, b) = [a * b, a - b, a & b, a <=> b, a < b, -a, a.bit_length, a == b]
def text(s) = [s * 2, s % [], s[/l+/], s["lo"], s =~ /l+/, s =~ /x/, $~, s <=> "help", s.size]
def list(a, b) = [a | b, a - b, a & b, a[0..1], a <=> b]
def name(s) = [s.size, s.length, s.empty?, s[0], s <=> :zz, s.to_s]
def float(f) = [-f, f % 2, f <=> 3]
r = nil
60.times do |i|
  r = [all(7**i, 3**30), all(5, 3), text("hello"), text("é"), list([1, 2, 3], [3, 4]), name(:abc),
       name("dynamic#{i % 2}".to_sym), float(1.5), float(1e300)]
end
r.each { |row| puts row.map(&:inspect) }"#,
        r#"14942456576644453290997069233719198368370170055803645083476379807
72574551534231909331741171093173785761599514310494
12375990890513
1
false
-72574551534231909331741171093173785967490646405143
166
false
15
2
1
1
false
-5
3
false
"hellohello"
"hello"
"ll"
"lo"
2
nil
nil
-1
5
"éé"
"é"
nil
nil
nil
nil
nil
1
1
[1, 2, 3, 4]
[1, 2]
[3]
[1, 2]
-1
3
3
false
"a"
-1
"abc"
8
8
false
"d"
-1
"dynamic1"
-1.5
1.5
-1
-1.0e+300
0.0
1
"#,
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn a_receiver_may_be_a_number_in_a_cell_or_not() {
    check(
        "def f(n) = [n.bit_length, n.to_s.size, n.even?, n.succ - n, n.abs == n, n.hash == n.hash]
def g(x) = [x.floor, x.to_i, x.nan?]
60.times { f(5) }
p f(2**70), f(-2**65), f(3)
60.times { f(3**50); f(-1) }
p f(2**70), f(-2**65), f(3), g(1e300) == g(1e300), g(2.5)
class Integer; def even? = :other; end
p f(2**70)[2], f(4)[2]",
        "[71, 22, true, 1, true, true]\n[65, 21, true, 1, false, true]\n[2, 1, false, 1, true, true]\n\
         [71, 22, true, 1, true, true]\n[65, 21, true, 1, false, true]\n[2, 1, false, 1, true, true]\ntrue\n\
         [2, 2, false]\n:other\n:other\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn the_extreme_of_a_literal_array() {
    check(
        "class M; attr_reader :v; def initialize(v) = @v = v; def <=>(o) = @v <=> (o.is_a?(M) ? o.v : o); end
def f(a, b) = [[a, b].max, [a, b].min, [a, 3, b].max, [a, b, 4, 5].min]
60.times { |i| f(i, 7) }
p f(9, 2), f(-1, -1), f(1.5, 2), f(2**70, 1), [f(0, M.new(5))[0].class]
p((f('a', 'b') rescue $!.class))
class Integer; def <=>(o) = 0; end
p f(1, 2)",
        "[9, 2, 9, 2]\n[-1, -1, 3, -1]\n[2, 1.5, 3, 1.5]\n[1180591620717411303424, 1, 1180591620717411303424, 1]\n\
         [M]\nArgumentError\n[1, 1, 1, 1]\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn keys_by_identity_are_the_strings_themselves() {
    check(
        "K = 'key'
def get(h, k) = h[k]
def set(h, k, v) = h[k] = v
h = {}.compare_by_identity
60.times { set(h, K, 1); get(h, K) }
p get(h, K), get(h, 'key'), h['key'], h.size
h['key'] = 2
set(h, 'key', 3)
p h.size, get(h, K)",
        "1\nnil\nnil\n1\n3\n1\n",
    );
}

// Recorded from CRuby 4.1dev.
#[test]
fn a_splat_behind_literals() {
    check(
        "def bar(*a) = a
def f(x) = [send(:bar, *x), bar(1, :b, nil, *x), [1, 2, *x], __send__(:bar, 3, *x)]
60.times { f([1, 2]) }
a = f([3])
a[2] << 9
p a, f([]), f(nil), f(1..2)",
        "[[3], [1, :b, nil, 3], [1, 2, 3, 9], [3, 3]]\n[[], [1, :b, nil], [1, 2], [3]]\n\
         [[], [1, :b, nil], [1, 2], [3]]\n[[1, 2], [1, :b, nil, 1, 2], [1, 2, 1, 2], [3, 1, 2]]\n",
    );
}

/// Expected: what CRuby 4.1dev prints.
#[test]
fn keys_that_are_constants_are_looked_up_by_their_content() {
    check(
        r#"
A = "a".freeze
B = "b" + ""
class Env
  def initialize(table) = @table = table
  def get(key) = @table[key]
  def set(key, value) = @table[key] = value
  def a = get(A)
  def b = get(B)
  def both(v) = [set(A, v), set(B, v)]
end
class Table < Hash
  def [](key) = super.to_s + "!"
end
tables = [{"a" => 1, "b" => 2}, {"b" => 3, "a" => 4}, {}, Hash.new { |_, key| key * 2 }, Table.new,
          {A => 5}.compare_by_identity, (1..30).to_h { |i| [i.to_s, i] }.merge("a" => 6)]
2.times do |turn|
  tables.each do |table|
    e = Env.new(table)
    rows = 20.times.map { |i| [e.a, e.b, (e.both(i) if turn == 1 && i > 17)] }
    p rows.values_at(0, -1)
  end
end
B << "a"
20.times { Env.new({"ba" => 7}).b }
p Env.new({"ba" => 7, "b" => 8}).b, Env.new("xba").b
p tables[5].keys, tables[0]
"#,
        r#"[[1, 2, nil], [1, 2, nil]]
[[4, 3, nil], [4, 3, nil]]
[[nil, nil, nil], [nil, nil, nil]]
[["aa", "bb", nil], ["aa", "bb", nil]]
[["!", "!", nil], ["!", "!", nil]]
[[5, nil, nil], [5, nil, nil]]
[[6, nil, nil], [6, nil, nil]]
[[1, 2, nil], [18, 18, [19, 19]]]
[[4, 3, nil], [18, 18, [19, 19]]]
[[nil, nil, nil], [18, 18, [19, 19]]]
[["aa", "bb", nil], [18, 18, [19, 19]]]
[["!", "!", nil], ["18!", "18!", [19, 19]]]
[[5, nil, nil], [18, 18, [19, 19]]]
[[6, nil, nil], [18, 18, [19, 19]]]
7
"ba"
["a", "ba"]
{"a" => 19, "b" => 19}
"#,
    );
}

/// Expected: what CRuby 4.1dev prints.
#[test]
fn what_hashes_fetch() {
    check(
        r#"
class Key
  attr_reader :n
  def initialize(n) = @n = n
  def hash = n.hash
  def eql?(other) = other.is_a?(Key) && n == other.n # hash tables may ask about keys of other classes
end
def with_default(table, key) = table.fetch(key, :none)
def with_block(table, key) = table.fetch(key) { |k| [k, :block] }
def passed(table, key, &block) = table.fetch(key, &block)
def leaves(table, key)
  table.fetch(key) { return :left }
  :there
end
def breaks(table, key) = table.fetch(key) { break :broken }
def known(table) = [table.fetch(:a) { 0 }, table.fetch("b") { |k| k << "!" }, table.fetch(7, 8)]
class Table < Hash
  def [](_) = :overridden
end
tables = [{a: 1, "b" => nil, 7 => 9}, {7 => 0}, Table[a: 2], {[1] => 3, Key.new(4) => 4, 1.5 => 5},
          {}.compare_by_identity, Hash.new { |h, k| h[k] = 1 }]
keys = [:a, "b", [1], Key.new(4), 1.5, 7, nil]
rows = 12.times.map do
  tables.map do |table|
    keys.map do |key|
      [with_default(table, key), with_block(table, key).is_a?(Array), passed(table, key) { :passed },
       leaves(table, key), breaks(table, key), (table.fetch(key) rescue $!.class)].join(" ")
    end << known(table)
  end
end
p rows.uniq.size
rows[0].each { |row| puts row.tally.map { |cell, count| [count, cell].inspect } }
begin
  tables[1].fetch("nope")
rescue KeyError => e
  p e.message, e.key, e.receiver, e.backtrace_locations[0].label
end
p tables.map(&:size), (tables[0].fetch rescue $!.message)
class Hash
  alias old_fetch fetch
  def fetch(*) = :mine
end
p with_default(tables[0], :a), with_block(tables[0], :a), tables[0].old_fetch(:a)
"#,
        r#"1
[1, "1 false 1 there 1 1"]
[1, " false  there  "]
[4, "none true passed left broken KeyError"]
[1, "9 false 9 there 9 9"]
[1, [1, nil, 9]]
[6, "none true passed left broken KeyError"]
[1, "0 false 0 there 0 0"]
[1, [0, "b!", 0]]
[1, "2 false 2 there 2 2"]
[6, "none true passed left broken KeyError"]
[1, [2, "b!", 8]]
[4, "none true passed left broken KeyError"]
[1, "3 false 3 there 3 3"]
[1, "4 false 4 there 4 4"]
[1, "5 false 5 there 5 5"]
[1, [0, "b!", 8]]
[7, "none true passed left broken KeyError"]
[1, [0, "b!", 8]]
[7, "none true passed left broken KeyError"]
[1, [0, "b!", 8]]
"key not found: \"nope\""
"nope"
{7 => 0}
"Hash#fetch"
[3, 1, 1, 3, 0, 0]
"wrong number of arguments (given 0, expected 1..2)"
:mine
:mine
1
"#,
    );
}
