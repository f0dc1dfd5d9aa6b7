# A call site that sees more shapes than its cache holds, while the methods change.

Base = Class.new { def name = "base" }
kinds = (1..7).map { |n| Class.new(Base) { define_method(:number) { n } } }
objects = kinds.map(&:new)

def names(objects) = objects.map { |object| object.name }
def numbers(objects) = objects.map { |object| object.number }

3.times { names(objects) }
p names(objects), numbers(objects), numbers(objects)
kinds[5].class_eval { def name = "six" }
kinds[6].class_eval { attr_accessor :name }
p names(objects)
objects[6].name = "seven"
p names(objects)
def (objects[4]).name = "fifth's own"
p names(objects)
Base.class_eval { private :name }
begin
  names(objects)
rescue NoMethodError => error
  puts error.message[/private method 'name'/]
end
Base.class_eval { protected :name }
p objects.map { |object| object.name rescue "protected" }
Base.class_eval { public :name }
kinds[1].class_eval { undef_method :name }
kinds[2].class_eval { def method_missing(name, ...) = "missing #{name}"; undef_method :name }
p objects.map { |object| object.name rescue error.class }
p [1, 1.5, :a, nil, true, false, "s", [1], { a: 1 }, 1..2, 2**70].map { |object| object.to_s }
class Integer
  def to_s = "an integer"
end
p [1, 1.5, :a, nil, true, false, "s", [1], { a: 1 }, 1..2, 2**70].map { |object| object.to_s }

# Element assignment to an Array whose elements are shared.
list = (1..100).to_a
part = list[10, 50]
part[0] = :changed
list[20] = :too
def set(list, index, value) = list[index] = value
p part[0], part[10], list[10], list[20], set(part, -1, 9), part[-1], set(part, 50, :end), part.size
[[list.freeze, 0], [part, -60]].each do |array, index|
  set(array, index, 1)
rescue => error
  p error.class
end
# Comparison of Strings.
p "" == "", "a" == "b", "é" == "é", "é" == "é".b, "a" == "a".b, "ab" == "ac", "" == "".b, "é" == "\u00e9".encode("UTF-16LE")
p "abc"[0], "abc"[-1], "abc"[3], "abc"[-4], "abc"[2**62], "é"[0], "a\xFF"[1], "abc".encode("UTF-16LE")[1].encode("UTF-8")
