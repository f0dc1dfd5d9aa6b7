# WeakMap and WeakKeyMap, with collections and compactions in between.
map = ObjectSpace::WeakMap.new
keys = Array.new(200) { |i| "k#{i}" }
keys.each_with_index { |k, i| map[k] = i }
lost = -> { 100.times { |i| map["lost#{i}"] = Object.new; map[i] = Object.new }; nil }
Thread.new { lost.() }.join
Thread.new { Array.new(1000) { "x" } }.join
3.times { GC.start; GC.compact }
puts "kept: #{keys.each_with_index.all? { |k, i| map[k] == i }} gone: #{map.size < 260}"
puts "equal keys are others: #{map["k1"].inspect}"
puts map.delete(keys[0]), map.key?(keys[0]), map.delete(:none).inspect, map.delete(:none) { |k| [k] }.inspect
map.delete(keys[1])
puts "order: #{map.keys.select { |k| String === k }.first(3)} #{map.values.grep(Integer).first(3)}"
seen = 0
map.each { |k, v| seen += 1; map[k] = v; map[seen.to_f] = 1 if seen < 3 }
puts "changed while it is walked: #{seen > 197}"
begin
  map.each
rescue LocalJumpError => e
  puts e.message
end
puts map.include?(keys[5]), map.member?(keys[5]), ObjectSpace::WeakMap.include?(Enumerable)
small = ObjectSpace::WeakMap.new
small[1] = :a
small[nil] = 2.5
puts small.inspect.sub(/0x\h+/, "0x")
small.freeze
begin
  small[2] = 3
rescue => e
  puts e.class
end

weak = ObjectSpace::WeakKeyMap.new
keys = Array.new(200) { |i| [i, "#{i}"] }
keys.each_with_index { |k, i| weak[k] = { i => "v#{i}" } }
fill = -> { 100.times { |i| weak["lost#{i}"] = "v" * 100 }; nil }
Thread.new { fill.() }.join
Thread.new { Array.new(1000) { "x" } }.join
3.times { GC.start; GC.compact }
puts "found by an equal key: #{(0...200).all? { |i| weak[[i, "#{i}"]] == { i => "v#{i}" } }}"
puts "the key itself: #{weak.getkey([3, "3"]).equal?(keys[3])} #{weak.getkey([3, "4"]).inspect}"
puts "gone: #{weak.inspect[/size=(\d+)/, 1].to_i < 260}"
fresh = [5, "5"]
weak[fresh] = :other
puts weak[keys[5]], weak.getkey([5, "5"]).equal?(fresh)
puts weak.delete([5, "5"]).inspect, weak.key?(keys[5]), weak.delete(1) { 2 }, weak.delete(1).inspect
[1, 1.5, :a, nil, true, 2**70, "dyn#{1}".to_sym].each do |k|
  weak[k] = 1
rescue ArgumentError => e
  puts e.message
end
class Odd
  def initialize(map) = @map = map
  def hash = 7
  def eql?(other) = (@map.delete(other); @map.clear; false)
end
odd = [Odd.new(weak), Odd.new(weak), Odd.new(weak)]
odd.each { |o| weak[o] = 1 }
puts "a map that its keys change: #{weak.key?(odd[0]).inspect}"
puts weak.clear.equal?(weak), weak.inspect[/size=\d+/]
