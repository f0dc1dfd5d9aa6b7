# Results of core methods with fast paths: the same for frozen receivers, subclasses and blocks that change the receiver
def show(label) = puts("#{label}: #{yield.inspect}")
rescue_all = ->(&body) { body.call rescue "#{$!.class}: #{$!.message}" }

# String: deleting, squeezing, bytes
text = "Thé qüick 日日本 brown  fox\u{1F600}\u{1F600} aab"
["^a-z", "a-zé", "日", "^日本", "é-ü", "^é", "a-c"].each do |set|
  show(set) { [text.delete(set), text.squeeze(set), text.count(set), "aéb".dup.delete!(set), "ab".dup.squeeze!(set)] }
end
show("squeeze") { [text.squeeze, "ab".dup.squeeze!, "ééa".dup.squeeze!] }
show("squeeze") { [rescue_all.call { "\xFFaa".squeeze }, "aa".b.squeeze] }
show("frozen") { [rescue_all.call { "aab".freeze.squeeze! }, rescue_all.call { "é".freeze.delete!("é") }] }
2.times do
  100.times { "hello".each_byte { |b| b } }
  show("bytes") { ["hé".each_byte.to_a, "hé".each_byte.sum, "hé".each_byte.size, "a".each_byte { |b| b }] }
  show("growing") { s = +"ab"; seen = []; s.each_byte { |b| seen << b; s << "z" if seen.size < 3 }; [s, seen] }
  show("shrinking") { s = +"abcdef"; seen = []; s.each_byte { |b| seen << b; s.chop! }; [s, seen] }
  show("break") { "abc".each_byte { |b| break b } }
  show("raise") { rescue_all.call { "abc".each_byte { raise "no" } } }
end
own = Class.new(String) { def getbyte(i) = 1 }
show("subclass") { [own.new("ab").each_byte.to_a, "ab".each_byte.inspect, "ab".method(:each_byte).arity] }

# MatchData: positions are counted in characters
match = /(?<x>日)(.)?(?<=本)/.match("éé" * 40 + "日本語")
frozen = match.dup.freeze
2.times { show("positions") { [match, frozen].map { |m| [m.begin(0), m.end(:x), m.offset(0), m.byteoffset(0)] } } }
show("before") { m = /(?<=(é))b/.match("aéb"); [m.begin(0), m.begin(1), m.offset(1), m.end(1)] }
show("broken") { m = /b/.match("\xE6éb"); [m.begin(0), m.end(0)] } rescue puts($!.message)

# Hash, Set, Range, Array, Integer
hash = { a: 1, "b" => [2, [3]], nil => {} }
show("flatten") { [hash.flatten, hash.flatten(0), hash.flatten(2), hash.flatten(-1)] }
show("flatten") { [{}.flatten, hash.dup.freeze.flatten] }
hash.delete("b")
show("flatten") { hash.flatten }
set = Set[1, :a]
show("add?") { [set.add?(1), set.add?(2), set.add?("s"), set.add?("s"), set.to_a] }
show("add?") { rescue_all.call { set.dup.freeze.add?(9) } }
show("add?") { [Set[1].each { |x| set.add?(x) }, Class.new(Set)[1].add?(1)] }
show("flatten") { [Set[1, 2].flatten, Set[Set[1], 2, Set[Set[3]]].flatten, Set[1].freeze.flatten.frozen?] }
letters = ["a".."e", "a"..."e", "é".."ü", "e".."a"]
show("include?") { letters.map { |r| ["a", "e", "cc", "", "é", nil, :a].map { |v| r.include?(v) } } }
list = (0..9).to_a
show("steps") { [list[(1..).step(3)], list[(-3..) % 2], list[(8..2) % -2], list[(1..).step(30)], [][(0..).step(2)]] }
[[3, 1, 2], [5, 4, 3, 2, 1, 0, -7, 2**70], [1, 2.5, 3, 4, -5, 6], [2] * 9, [1, 2, 3, 4, 5]].each do |few|
  show("extremes") { [few.min, few.max, few.minmax] }
end
show("extremes") { [rescue_all.call { [1, 2, 3, 4, 5, nil].max }[/.*nil failed/], [2**61, -2**61, 0, 1, 5].minmax] }
item = Struct.new(:n) { def <=>(other) = n <=> other.n }
items = (0...40).map { |i| item.new(i * 7 % 40) }
show("some") { [items.min(3).map(&:n), items.max(2).map(&:n), items.max(39).size, rescue_all.call { items.min(-1) }] }
show("some") { rescue_all.call { ([1, nil] * 9).min(2) } =~ /ArgumentError: comparison of/ }
bases = [-3, 7**30, -(7**30), 1, -1]
show("powers") { bases.map { |n| [n**-1, n**-2, n.pow(-3), Rational(n, 4)**-3] } }
show("powers") { rescue_all.call { 0**-1 } }

# Enumerators
show("produce") { [Enumerator.produce(1, &:succ).first(3), Enumerator.produce { 3 }.first] }
show("produce") { [Enumerator.produce(nil) { 1 }.take(2)] }
show("produce") { Enumerator.produce(1) { |x| x > 2 ? raise(StopIteration) : x + 1 }.to_a }
e = Enumerator.produce([0, 1]) { |a, b| [b, a + b] }
show("produce") { [e.size, e.next, e.next, e.peek, e.lazy.map(&:first).first(5)] }
show("produce") { [Enumerator.produce(1, size: 3) { _1 }.size, rescue_all.call { Enumerator.produce(1) }] }
show("lazy") { [(1..3).lazy.first(0), (1..3).lazy.first(2), [[1, 2]].lazy.first(1)] }
show("lazy") { [rescue_all.call { (1..3).lazy.first(-1) }] }
show("lazy") { l = (1..4).lazy.map { _1 + 1 }; [l.inspect, l.size, l.eager.to_a, l.eager.class, l.first(2)] }
show("to_enum") { [5.to_enum(:upto, 7).to_a, "ab".enum_for(:each_char) { 9 }.size, [1].to_enum("each").next] }
show("to_enum") { [rescue_all.call { 1.to_enum(1) }, [1, 2].to_enum(:each_slice, 2).inspect] }

# Objects whose data is in their cells
made = Array.new(500) { [Mutex.new, Queue.new([1]), ConditionVariable.new, 5.method(:+), ThreadGroup.new] }
GC.start
show("cells") { made.sum { |mutex, queue, _, plus, _| mutex.lock; queue.pop + plus.call(1) } }
show("cells") { made.count { |mutex, *| mutex.locked? } }
show("cells") { [Class.new(Mutex).new.synchronize { 3 }, Class.new(Queue).new([3]).pop] }
show("cells") { [5.method(:+).unbind.bind(6).call(1)] }
m = Mutex.new
m.instance_variable_set(:@a, 1)
show("cells") { [m.instance_variable_get(:@a), rescue_all.call { m.unlock }] }
show("linear") { [/a+/, /(a)\1/, /(?<=a)b/].map { |r| [Regexp.linear_time?(r), Regexp.linear_time?(r)] } }

# Time: the keys in the order in which they are asked for
time = Time.utc(2026, 11, 22, 10, 30, 15.5r)
show("keys") { [time.deconstruct_keys([:sec, :year, :none, "day", :subsec]), time.deconstruct_keys(nil).keys] }
show("keys") { [time.deconstruct_keys([]), rescue_all.call { time.deconstruct_keys(1) }] }
