# dup runs the program's initialize_dup and initialize_copy wherever they are defined.
class A; attr_accessor :x; end
a = A.new
a.x = [1]
b = a.dup
p b.x.equal?(a.x), b.class
class B < A; def initialize_copy(other) = (p [:copy, other.x]; @x = 5); end
b = B.new
b.x = 1
p b.dup.x
class C < Array; def initialize_dup(other) = (p :dup; super); end
p C.new([1, 2]).dup, [1, [2]].dup, {a: 1}.dup, "ab".dup, Class.new(String).new("z").dup
class Object; def initialize_dup(other) = (p :object; super); end
p [1].dup, A.new.dup.x
class Object; remove_method :initialize_dup; end
seen = []
TracePoint.new(:c_call) { |event| seen << event.method_id }.enable { [1].dup }
p seen.last(2)
h = Hash.new { |_, key| key }
p h.dup[3], {}.compare_by_identity.dup.compare_by_identity?
