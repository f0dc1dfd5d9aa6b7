# Results of calls that are rare but have been different.

require "date"
require "set"

list = [3, 1, 2, 1, nil]
same = list.intersection
p same, same.equal?(list)

"a".sub(/a/) { "b" =~ /b/; "" }
p $~
"a".sub(/a/, Hash.new { "b" =~ /b/; "" })
p $~
"aa".gsub(/a/) { "b" =~ /b/; "" }
p $~
"a".dup.sub!(/a/) { "b" =~ /b/; "" }
p $~

p "ab".sub(/(?<n>a)(b)/, '[\0|\1|\k<n>]'), "ab".gsub(/(a)/, '[\0|\1]')
[/(?<n>a)/, /(a)/, "a"].each { |pattern| p(("ab".sub(pattern, '\k<1>') rescue $!)) }
p(/x*/.match("1", 5), /x*/.match("é", 2), /x*/.match("é", -3), /x*/.match?("1", 5), "1".match(/x*/, 5))

[nil, 3].each { |other| p((Set[1] ^ other rescue $!)) }
p Set[1].filter!.inspect, Set[1].select!.inspect

p(((1..5) % 2).each_with_index {}, 1.step(5, 2).each_with_index {}, 1.step(by: 2, to: 5).with_index(3) {})

day = Date.new(2001, 2, 3)
coerced = Object.new
def coerced.coerce(other) = [other, Date.new(2001, 2, 3)]
p day === "x", day === nil, day === coerced, day === day.jd, day === 1, day <=> coerced, day <=> "x"
p((day === Object.new.tap { |it| def it.coerce(other) = 1 } rescue $!))
time = DateTime.new(2001, 2, 3)
["a", 2.7, -1].each { |digits| p((time.iso8601(digits) rescue $!), (time.jisx0301(digits) rescue $!)) }

# `each` of a lazy enumerator: the source's result for the first one, nil for further steps.
lazy = [1, 2].lazy
p lazy.each {}, lazy.map { it }.each {}, lazy.zip([3]).each {}, lazy.with_index.each {}, lazy.take(1).each {}
p lazy.map { it }.each(5) {}, lazy.each { break 4 }, Enumerator::Lazy.new([1]) { |y, x| y << x }.each {}
p lazy.each_with_index { |*x| p x }, lazy.each_with_index, lazy.map { it * 2 }.each_with_index.to_a
