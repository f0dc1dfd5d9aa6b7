# Iteration by methods of the Ruby half: changes by the block, and every way to leave it.

table = { a: 1, b: 2, c: 3 }

def first_above(table, least)
  table.each { |key, value| return key if value > least }
  nil
end

p first_above(table, 1), table.each_value { |value| break value * 10 }, table.each_key { |key| next if key == :b }
begin
  table.each_pair { table[:d] = 4 }
rescue => error
  p error.class
end
begin
  table.each_key { raise "left" }
rescue => error
  p error.message
end
# However the iterations ended, the table may grow again.
table[:d] = 4
p table.select { |_, value| value.even? }, table.reject { |_, value| value.even? }, table.map { |key, value| [key, value] }
p table.dup.delete_if { |_, value| value > 2 }, table.dup.keep_if { |_, value| value > 2 }
p table.dup.reject! { false }, table.dup.select! { true }, table.dup.reject! { |key, _| key == :a }
p table.any? { |_, value| value == 4 }, table.any?([:a, 1]), table.to_h { |key, value| [value, key] }
p table.transform_keys(&:to_s), table.transform_keys(a: :z), table.transform_keys({ a: :z }) { |key| key.to_s }
p table.dup.transform_values! { |value| value * 2 }, table.dup.transform_keys! { |key| :"#{key}#{key}" }
p(table.each { |pair| break pair }, table.reject!.size, Set[1, 2].each { |x| break x + 1 })
{ delete_if: FrozenError, reject!: FrozenError, keep_if: FrozenError, select!: FrozenError }.each do |name, error|
  table.dup.freeze.public_send(name) { true }
rescue error => raised
  p raised.class
end

list = [1, 2, 3, 4]
p list.take_while { |x| x < 3 }, list.take_while { true }, list.drop_while { |x| x < 3 }, list.drop_while { true }
p list.rindex { |x| x < 3 }, list.find_index { |x| x > 2 }, list.find { |x| x > 2 }, list.find { break 7 }
p list.select(&:even?), list.reject(&:even?), list.bsearch { |x| x >= 3 }, list.bsearch_index { |x| 2 <=> x }
shrinking = [1, 2, 3, 4, 5]
p shrinking.rindex { |x| shrinking.pop(2) && x == 1 }, shrinking
growing = [1]
p growing.find { |x| growing.size < 5 && growing << x + 1 && false }, growing
p((1..4).each_entry.first(2), (1..4).each_entry.take(9), [nil, 1].each_entry.any?, [1, 2].each_entry.all?(Integer))
p [1, 2].each_entry.none? { |x| x > 2 }, [1, nil].each_entry.one?, [1, 1].each_entry.count(1)
p (0..100).bsearch { |x| x >= 77 }, (0.0..10.0).bsearch { |x| x >= 2.5 }, (0..9).bsearch { |x| 4 <=> x }
begin
  list.bsearch { "no" }
rescue TypeError => error
  p error.message, error.backtrace.map { |line| line[/'(.*)'/, 1] }
end
