# The library objspace: facts about objects and their allocation sites. For values that differ in CRuby (sizes,
# addresses) only the form is checked.
require "objspace"

def fields(json) = json.gsub(/"0x\h+"/, "REF").gsub(/"(slot_size|memsize|shape_id|variation_count|age)":\d+/, '"\1":N').gsub(/, "(old|uncollectible|marked|marking|remembered|pinned)":true/, "")
class Node
  def initialize(a) = (@a = a; @b = 1)
end
Pair = Struct.new(:a, :b)
list = ["hello", "é", "\xff".b, "abc".freeze, [1, "x"], { a: "b" }, Hash.new { 1 }, Node.new("n"), Pair.new("x", 2), 2**80, 1.0e-300, "dyn#{1}".to_sym, nil, true, 7, :foo, 1.5]
list.each { |v| puts fields(ObjectSpace.dump(v)) }
puts fields(ObjectSpace.dump(Node)).sub(/"references":\[.*?\]/, '"references":[]')
puts fields(ObjectSpace.dump("x".singleton_class)).sub(/"references":\[.*?\]/, '"references":[]')
long = "a" * 5000
part = long[10, 4000]
puts fields(ObjectSpace.dump(part))
array = ["q"] * 500
rest = array[10..]
puts fields(ObjectSpace.dump(rest))
object = Node.new("n")
object.object_id
puts ObjectSpace.dump(object)[/"object_id":\d+/] == "\"object_id\":#{object.object_id}"
big = Object.new
200.times { |i| big.instance_variable_set("@a#{i}", i) }
puts fields(ObjectSpace.dump(big))

puts [nil, true, 5, :a, 1.5].map { |v| ObjectSpace.memsize_of(v) }.inspect
puts ObjectSpace.memsize_of(big) > 1000, ObjectSpace.memsize_of(long).between?(5000, 5100), ObjectSpace.memsize_of(part) <= 64
before = ObjectSpace.memsize_of_all(Node)
kept = Node.new("m")
puts ObjectSpace.memsize_of_all(Node) > before, ObjectSpace.memsize_of_all > 100_000
puts ObjectSpace.count_objects_size[:TOTAL] > 100_000, ObjectSpace.count_symbols.keys.inspect, ObjectSpace.count_nodes.inspect
puts ObjectSpace.count_tdata_objects[Encoding] > 10, ObjectSpace.count_imemo_objects[:imemo_iseq] > 1
%i[count_objects_size count_nodes count_tdata_objects count_imemo_objects count_symbols].each do |name|
  ObjectSpace.send(name, 3)
rescue TypeError => e
  puts e.message
end
into = { a: 1 }
puts ObjectSpace.count_symbols(into).equal?(into), into.key?(:a)

puts ObjectSpace.reachable_objects_from([1, "a", "a", [2]]).inspect, ObjectSpace.reachable_objects_from(nil).inspect, ObjectSpace.reachable_objects_from("s").inspect
puts ObjectSpace.reachable_objects_from(kept).inspect
named = "named".dup
named.instance_variable_set(:@a, other = "other".dup)
puts ObjectSpace.reachable_objects_from(named).inspect
wrapper = ObjectSpace.reachable_objects_from(Node).grep(ObjectSpace::InternalObjectWrapper).first
puts wrapper.type, wrapper.inspect.sub(/0x\h+/, "0x"), wrapper.internal_object_id.is_a?(Integer)
begin
  ObjectSpace::InternalObjectWrapper.new
rescue => e
  puts e.class
end
puts ObjectSpace.reachable_objects_from_root.values.all?(Array), ObjectSpace.internal_class_of("x"), ObjectSpace.internal_super_of(Node)
begin
  ObjectSpace.internal_super_of(3)
rescue ArgumentError => e
  puts e.message
end

class Maker
  def text = "made".dup
  def list = [1].map { |i| i.to_s }
end
ObjectSpace.trace_object_allocations do
  text = Maker.new.text
  puts ObjectSpace.allocation_sourceline(text) - __LINE__, File.basename(ObjectSpace.allocation_sourcefile(text))
  puts ObjectSpace.allocation_class_path(text).inspect, ObjectSpace.allocation_method_id(text).inspect
  plain = Object.new
  literal = [plain]
  puts ObjectSpace.allocation_class_path(plain).inspect, ObjectSpace.allocation_method_id(literal).inspect
  GC.start
  GC.compact
  puts ObjectSpace.allocation_generation(text) < GC.count, ObjectSpace.allocation_sourceline(literal) - __LINE__
  puts ObjectSpace.dump(text)[/"file".*"generation"/].sub(/"file":"[^"]*"/, "FILE")
  ObjectSpace.trace_object_allocations { }
  again = "again".dup
  puts ObjectSpace.allocation_sourceline(again) - __LINE__
end
puts ObjectSpace.allocation_sourcefile("later".dup).inspect
ObjectSpace.trace_object_allocations_start(sample: 10)
many = Array.new(2000) { Object.new }
ObjectSpace.trace_object_allocations_stop
puts many.count { |o| ObjectSpace.allocation_sourceline(o) }.between?(100, 400)
ObjectSpace.trace_object_allocations_clear
puts many.count { |o| ObjectSpace.allocation_sourceline(o) }
begin
  ObjectSpace.trace_object_allocations_start(sample: 0)
rescue ArgumentError => e
  puts e.message
end
begin
  ObjectSpace.trace_object_allocations
rescue LocalJumpError => e
  puts e.message
end

dump = ObjectSpace.dump_all(output: :string)
types = dump.lines.map { |l| l[/"type":"(\w+)"/, 1] }.uniq
puts (%w[ROOT SHAPE STRING ARRAY HASH CLASS MODULE OBJECT IMEMO DATA] - types).inspect
puts dump.lines.all? { |l| l.start_with?("{") && l.end_with?("}\n") }
puts ObjectSpace.dump_all(output: :string, shapes: false).include?('"SHAPE"'), ObjectSpace.dump_all(output: :string, since: GC.count + 1000, shapes: false).inspect
puts ObjectSpace.dump_shapes(output: :string, since: RubyVM.stat(:next_shape_id)).inspect
[3, :other].each do |output|
  ObjectSpace.dump("x", output: output)
rescue ArgumentError => e
  puts e.message
end
File.open(File::NULL, "w") { |io| puts ObjectSpace.dump("x", output: io).equal?(io) }
# A dump contains an earlier one as the value of one String, and not itself.
before = ObjectSpace.dump_all(output: :string)
puts ObjectSpace.dump_all(output: :string).size < 3 * before.size
