# A program redefines the operators of basic classes: loops of core methods still use the core's operators.
# Array#inspect and eql? do not call the redefined ones either.
tests = DATA.each_line(chomp: true).map { |line| [line, eval("proc { #{line} }")] }
report = proc { |line, test|
  result = begin
    test.call.inspect
  rescue => error
    error.inspect
  end
  [line, result]
}
expected = tests.map(&report)
count = tests.length
different = []
compare = proc { |(line, test), (_, before)|
  result = report.call(line, test).last
  different.push("#{line}: #{result}") unless before.equal?(result) || result.eql?(before)
}
pairs = tests.zip(expected)
class Integer
  %i[+ - * / % & | << >> [] < <= > >= == !=].each { |name| define_method(name) { |*| raise "Integer" } }
end
class Float
  %i[+ - * / % < <= > >= ==].each { |name| define_method(name) { |*| raise "Float" } }
end
class Array
  %i[[] []= << size length empty? + - & | ==].each { |name| define_method(name) { |*| raise "Array" } }
end
class Hash
  %i[[] []= size length empty? ==].each { |name| define_method(name) { |*| raise "Hash" } }
end
class String
  %i[[] []= << size length empty? + * % ==].each { |name| define_method(name) { |*| raise "String" } }
end
pairs.each(&compare)
$stdout.syswrite("#{count} expressions, #{different.inspect}\n")
__END__
3.times.to_a
s = []; 3.times { |i| s.push(i) }; s
s = []; 1.upto(3) { |i| s.push(i) }; s
s = []; 3.downto(1) { |i| s.push(i) }; s
s = []; 1.step(7, 3) { |i| s.push(i) }; s
s = []; 1.0.step(2.0, 0.5) { |i| s.push(i) }; s
s = []; [5, 6].each { |x| s.push(x) }; s
s = []; [5, 6].each_index { |x| s.push(x) }; s
s = []; [5, 6].each_with_index { |x, i| s.push(x, i) }; s
s = []; [5, 6].reverse_each { |x| s.push(x) }; s
s = []; [5, 6, 7].each_slice(2) { |x| s.push(x) }; s
s = []; [5, 6, 7].each_cons(2) { |x| s.push(x) }; s
s = []; [5, 6, 7].cycle(2) { |x| s.push(x) }; s
[5, 6].map { |x| x }
[5, 6].map! { |x| x }
[5, 6].select { |x| x }
[5, 6].select! { |x| nil }
[5, 6].reject { |x| x }
[5, 6].reject! { |x| x }
[5, 6].keep_if { |x| nil }
[5, 6].delete_if { |x| x }
[5, 6].filter_map { |x| x }
[5, 6].flat_map { |x| [x, x] }
[5, 6].partition { |x| x }
[5, 6].group_by { |x| x }
[5, 6].each_with_object([]) { |x, m| m.push(x) }
[5, 6].each_entry.to_a
[5, 6].inject { |a, b| b }
[5, 6].sum { |x| x }
[5, 6].sum
[0.5, 1.5].sum
[5, 6].count { |x| x }
[5, 6].find { |x| x }
[5, 6].find_index { |x| x }
[5, 6].rindex { |x| x }
[5, 6].all? { |x| x }
[5, 6].any? { |x| nil }
[5, 6].none? { |x| nil }
[5, 6].one? { |x| x }
[5, 6].take_while { |x| x }
[5, 6].drop_while { |x| nil }
[5, 6, 7].chunk_while { |x| nil }.to_a
[5, 6, 7].slice_when { |x| nil }.to_a
[5, 6, 7].chunk { |x| x }.to_a
[5, 6].to_h { |x| [x, x] }
[5, 6].uniq { |x| x }
[5, 6].tally
[5, 6].zip([1, 2])
[5, 6, 7].combination(2).to_a
[5, 6, 7].permutation(2).to_a
[5, 6].repeated_combination(2).to_a
[5, 6].repeated_permutation(2).to_a
[5, 6].product([1, 2])
[5, 6].product([1, 2]) { |x| x }
[[5, 6], [7, 8]].transpose
[5, 6].fill { |i| i }
[5, 6].rotate(1)
[5, 6].bsearch { |x| true }
[5, 6].first(1)
[5, 6].sort_by { |x| x.to_s }
[5, 6].min_by { |x| x.to_s }
[5, 6].max_by { |x| x.to_s }
[5, 6].minmax_by { |x| x.to_s }
[5, 6].sort { |x, y| 0 }
[5, 6].min { |x, y| 0 }
[5, 6].values_at(0, 1)
[5, 6].flatten
[5, [6]].flatten
[5, 6].each.with_index(1).to_a
[5, 6].each.with_object(1).to_a
[5, 6].each_with_index.to_a
[5, 6].each.next
[5, 6].lazy.map { |x| x }.first(1)
[5, 6].lazy.with_index.to_a
[5, 6].lazy.take(1).to_a
[5, 6].lazy.drop(1).to_a
[5, 6].lazy.zip([1]).to_a
s = []; (1..3).each { |x| s.push(x) }; s
s = []; (1..3).reverse_each { |x| s.push(x) }; s
s = []; (1..7).step(3) { |x| s.push(x) }; s
(1..7).step(3).to_a
((1..7) % 3).to_a
(1..3).to_a
(1..3).map { |x| x }
(1..3).each_slice(2).to_a
(1..3).each_with_index.to_a
(1..3).inject { |a, b| b }
(1..3).first(2)
(1..3).last(2)
(1..3).sum
(1..3).count
(1..3).size
(1..3).include?(2)
(1..3).bsearch { |x| true }
(1..).first(2)
("a".."c").to_a
("a".."e").each_slice(2).to_a
s = []; {a: 1}.each { |x| s.push(x) }; s
s = []; {a: 1}.each_pair { |x, y| s.push(x) }; s
s = []; {a: 1}.each_key { |x| s.push(x) }; s
s = []; {a: 1}.each_value { |x| s.push(x) }; s
s = []; {a: 1}.each_with_index { |x| s.push(x) }; s
{a: 1}.map { |x, y| x }
{a: 1}.select { |x, y| x }
{a: 1}.reject { |x, y| x }
{a: 1}.select! { |x, y| nil }
{a: 1}.reject! { |x, y| x }
{a: 1}.delete_if { |x, y| x }
{a: 1}.filter_map { |x, y| x }
{a: 1}.partition { |x, y| x }
{a: 1}.min_by { |x, y| x }
{a: 1}.sort_by { |x, y| x }
{a: 1}.group_by { |x, y| x }
{a: 1}.find { |x, y| x }
{a: 1}.any? { |x, y| x }
{a: 1}.all? { |x, y| x }
{a: 1}.count { |x, y| x }
{a: 1}.sum { |x, y| 1 }
{a: 1}.to_h { |x, y| [x, y] }
{a: 1}.transform_values { |x| x }
{a: 1}.transform_values! { |x| x }
{a: 1}.transform_keys { |x| x }
{a: 1}.transform_keys! { |x| x }
{a: 1}.merge({a: 2}) { |k, x, y| x }
{a: 1}.update({b: 2}) { |k, x, y| x }
{a: 1}.to_a
{a: 1}.flat_map { |x| x }
{a: 1}.each_with_object([]) { |x, m| m.push(x) }
{a: [1]}.flatten(2)
{a: 1}.fetch_values(:a)
s = []; "abc".each_char { |x| s.push(x) }; s
s = []; "abc".each_byte { |x| s.push(x) }; s
s = []; "a\nb".each_line { |x| s.push(x) }; s
s = []; "a".upto("c") { |x| s.push(x) }; s
"abc".gsub(/b/) { |x| x }
"abc".gsub(/b/, "b" => "c")
"abc".scan(/b/) { |x| x }
"abc".scan(/./)
"abc".each_grapheme_cluster.to_a
Struct.new(:a, :b).new(1, 2).each.to_a
Struct.new(:a, :b).new(1, 2).select { |x| x }
Struct.new(:a, :b).new(1, 2).to_h { |x| [x, 1] }
Enumerator.new { |y| y.yield 1; y.yield 2 }.each_slice(2).to_a
Enumerator.new { |y| y.yield 1; y.yield 2 }.with_index.to_a
Enumerator.new { |y| y.yield 1; y.yield 2 }.first(1)
Enumerator.new { |y| y.yield 1; y.yield 2 }.zip([1])
Enumerator.new { |y| y.yield 1; y.yield 2 }.sum
Enumerator.new { |y| y.yield 1; y.yield 2 }.drop(1)
Enumerator.new { |y| y.yield 1; y.yield 2 }.each_cons(2).to_a
Enumerator.new { |y| y.yield 1; y.yield 2 }.reverse_each.to_a
Enumerator.new { |y| y.yield 1; y.yield 2 }.take_while { |x| x }
Enumerator.new { |y| y.yield 1; y.yield 2 }.to_set.size
Enumerator.produce(1) { |x| x }.take(2)
Enumerator::Chain.new([1], [2]).to_a
Enumerator::Product.new([1], [2]).to_a
Comparable.instance_method(:clamp).bind_call(5, 1, 3)
5.clamp(1, 3)
Set.new([1, 2]).each { |x| x }.to_a
Set.new([1, 2]).map { |x| x }
Set.new([1, 2]).select! { |x| nil }
