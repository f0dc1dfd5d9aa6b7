# The Proc of a Method has an empty binding where the method is defined.
class C
  D = :constant

  def foo(a = 1, b: 2)
    c = 3
  end
end

object = C.new
b = object.method(:foo).to_proc.binding
p b.local_variables, b.eval("D"), b.receiver.equal?(object), b.source_location[1]
p (b.local_variable_get(:a) rescue $!.class)
p b.local_variable_set(:x, 12), b.local_variable_get(:x), b.local_variables, b.eval("y = x + 1; [x, y, self.class]")
p b.local_variables, b.local_variable_defined?(:y)
p 1.method(:+).to_proc.binding.receiver, 1.method(:+).to_proc.binding.eval("self + 1")
p (:upcase.to_proc.binding rescue $!.message)
results = Array.new(300) { |i| object.method(:foo).to_proc.binding.eval("z = #{i}; D && z") }
p results == [*0..299]
