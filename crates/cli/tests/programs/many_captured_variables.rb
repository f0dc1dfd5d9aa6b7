# A scope with more variables than fit a heap cell survives when a block or a binding outlives it.
n = 4_200
source = "def many\n#{(0...n).map { |i| "v#{i} = 'value #{i}'\n" }.join}  [binding, -> { v0 + v#{n - 1} }, ->(x) { v#{n - 2} = x }, -> { v#{n - 2} }]\nend"
eval source
b, sum, set, get = many
GC.start
set.call("set #{1}")
GC.start
20.times { Array.new(100) { "garbage" } }
p sum.call, get.call, b.local_variables.size, b.local_variable_get(:v17)
b.local_variable_set(:v17, +"other")
GC.start
p b.local_variable_get(:v17)
f = Fiber.new { many[1].call }
p f.resume
