class R < Range; def each = (yield 9; yield 8; self); end
p R.new(1, 3).to_a, R.new(1, 3).entries
class A < Array; def each = (yield 9; yield 8; self); end
p A.new([1, 2, 3]).entries, A.new([1, 2, 3]).filter_map { |x| x }
class E < Enumerator; def each = (yield 9; self); end
p E.new { |y| y << 1 }.each_with_index.to_a, E.new { |y| y << 1 }.each_with_object([]).to_a
[1].uniq { p :called }
[1].uniq! { p :called }
p [1, 1].uniq { |x| x }, [1,2].entries, (1..3).entries
l = (1..4).lazy
p l.each_with_object([]).to_a, l.with_index.to_a, l.each_with_index.map { |a, b| a * b }.first(2), l.with_index { |a, i| }.to_a
p [1].each.chain([2]).with_index.to_a, ([1].each + [2]).each_with_object(3).to_a
