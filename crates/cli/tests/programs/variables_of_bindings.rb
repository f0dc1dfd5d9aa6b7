# Variables that local_variable_set makes: which bindings and which evaluated code sees them, in which order they are
# listed. Sources that are evaluated again.

b = binding
b.local_variable_set(:n1, 1)
copy = b.dup
b.local_variable_set(:n2, 2)
copy.local_variable_set(:n3, 3)
inner = b.eval("binding")
b.local_variable_set(:n4, 4)
p b.local_variables, copy.local_variables, inner.local_variables
get = b.eval("-> { [n1, n2, n4, defined?(n5)] }")
b.local_variable_set(:n5, 5)
b.local_variable_set(:n1, 10)
p get.call, copy.local_variable_get(:n1), b.eval("[n1, n2, n4, n5]"), b.local_variable_defined?(:n3), defined?(n1)
20.times { |i| b.local_variable_set("m#{i}", i) }
p b.eval("[m0, m3, m4, m11, m12, m19]"), b.local_variables.size, b.local_variables.first(3)
p b.eval("__method__"), b.source_location[1], b.eval("m19 = 5; m20 = 6"), b.local_variable_get(:m19)
[1, 2, 3, 4, 5].each { |x| p eval("x + 1; y = x * 2; [x, y, __LINE__, ->{ y += 1 }.call]") }
4.times { |i| eval(i.even? ? "z = 1; p [z, i]" : "p [i, defined?(z)]") }
4.times { p eval("(__FILE__.class; 1 + 'a'.size; nil.nope) rescue [$!.name, $!.backtrace_locations[0].lineno]") }
Reader = Struct.new(:value)
p (1..4).map { |i| Reader.new(i).instance_eval("value + 1") }, (1..4).map { |i| eval("-> { i += 1 }").call }
