# A block with several parameters takes an Array apart that it alone is given, in compiled code, too.
class Pair
  def initialize(*values) = @values = values
  def to_ary = @values
  def inspect = "pair"
end

class Listed < Array
  def to_ary = raise
end

class Odd
  def to_ary = 5
end

def pass(value) = yield(value)
def pass_on(value, &block) = pass(value, &block)
def two(value) = pass(value) { |a, b| [a, b] }
def three(value) = pass_on(value) { |a, b, c| [a, b, c] }
def by_each(list) = [].tap { |all| list.each { |a, b| all << b << a } }
def by_any(list, wanted) = list.any? { |key, value| value == wanted && key }
def stopped(list) = list.each { |a, b| break b if a == 2 }
def skipped(list) = list.map { |a, b| next 0 unless b; a + b }
def nested(list) = list.map { |a, b| b.map { |c, d| [a, c, d] } }
def counted(list) = list.each_with_index.map { |a, i| [a, i] }
def keyed(table) = table.map { |key, value| [value, key] }.each { |value, key| return [key, value] if value == 2 }

PLAIN = [[1, 2], [3, 4], [2, 6, 7]]
MIXED = [[1], [], 8, nil, "ab", {a: 1}, Pair.new(1, 2), Pair.new, Listed[5, 6], [[7, 8]], [nil, false]].freeze

def all(list)
  [
    list.map { two(_1) }, list.map { three(_1) }, by_each(list), by_any(list, 4), by_any(list, 99), stopped(PLAIN),
    skipped(PLAIN + [[9]]), nested([[1, PLAIN], [2, [[3]]]]), counted(list), keyed({a: 1, b: 2}),
  ]
end

plain, mixed = all(PLAIN), nil
p plain
400.times { all(PLAIN) == plain or raise }
p mixed = all(MIXED)
400.times { all(MIXED) == mixed && all(PLAIN) == plain or raise }

400.times { |i| two(i == 399 ? Odd.new : [i, i]) } rescue p $!.class

# The variables of a block, its binding and the place of an exception.
def seen(list) = list.each { |a, b| return binding.local_variables.map { binding.local_variable_get(_1) } if b == 1 }
p 300.times.map { seen([[0, 0], [_1, 1]]) }.last
def failed(list) = list.each { |a, b| a + b }
p 300.times.map { failed([[1, 2], [1, nil]]) rescue $!.backtrace_locations.first.label }.uniq
