# Object ids, finalizers and external instance variables across collections and compactions. Recorded from CRuby 4.0.0
# (messages) and 3.4.11.
strings = Array.new(300) { |i| "s#{i}" }
strings.each_with_index { |s, i| s.instance_variable_set(:@i, [i]) }
ids = strings.map(&:object_id)
objects = Array.new(300) { Object.new }
table = objects.each_with_index.to_h
copy = strings[0].dup
puts "a copy has an id of its own: #{copy.object_id != ids[0]} and the variables: #{copy.instance_variable_get(:@i)}"
3.times { GC.start; GC.compact }
puts "ids stay: #{strings.map(&:object_id) == ids} #{ids.uniq.size}"
puts "variables stay: #{strings.each_with_index.all? { |s, i| s.instance_variable_get(:@i) == [i] }}"
puts "hashes stay: #{objects.each_with_index.all? { |o, i| table[o] == i }}"
puts "by id: #{ids.each_with_index.all? { |id, i| ObjectSpace._id2ref(id).equal?(strings[i]) }}"
puts "immediates by id: #{[nil, true, false, 1, -5, :a, 1.5, 2**61].map { |v| ObjectSpace._id2ref(v.object_id) }.inspect}"
begin
  ObjectSpace._id2ref(1 << 60)
rescue RangeError => e
  puts e.message
end
frozen = "frozen".freeze
puts "a frozen object has an id: #{frozen.object_id == frozen.object_id}"
puts "it is no variable: #{Object.new.tap(&:object_id).instance_variables}"

# Attached data keeps nothing alive: a cycle through a String's variable is collected.
$ran = 0
def cycles = 200.times { s = "cycle"; s = s.dup; s.instance_variable_set(:@self, s); ObjectSpace.define_finalizer(s, FINISH) }
FINISH = proc { $ran += 1 }
Thread.new { cycles }.join
Thread.new { 50.times { |i| Array.new(100) { "#{i}" } } }.join
3.times { GC.start }
puts "cycles die: #{$ran > 150}"

order = []
object = Object.new
p ObjectSpace.define_finalizer(object, a = proc { order << 1 })[0]
ObjectSpace.define_finalizer(object, proc { order << 2 })
puts ObjectSpace.define_finalizer(object, a)[1].equal?(a)
ObjectSpace.undefine_finalizer(object)
at_exit { puts "undefined ones do not run: #{order}" }
[[3, proc {}], [:a, proc {}], ["x".freeze, proc {}], ["x".dup, 3]].each do |arguments|
  ObjectSpace.define_finalizer(*arguments)
rescue => e
  puts "#{e.class}: #{e.message}"
end
late = Object.new
ObjectSpace.define_finalizer(late) { puts "at the end" }
