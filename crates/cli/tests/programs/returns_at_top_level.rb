# A `return` in a block that was written at top level does not leave a lambda that was written there.
def passed(block) = block.call
def caught = yield.inspect rescue "#{$!.class}: #{$!.message}, #{$!.reason}"

leaving = proc { return 1 }
define_singleton_method(:defined) { leaving.call }
200.times do |i|
  [
    caught { lambda { leaving.call }.call }, caught { -> { [1].each(&leaving) }.() }, caught { defined },
    caught { lambda { passed(leaving) }.call },
  ].each { |result| puts result if i == 199 }
end
p caught { -> { return 5 }.call }
passed(leaving)
puts "not reached"
