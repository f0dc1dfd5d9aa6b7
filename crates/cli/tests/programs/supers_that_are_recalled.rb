# More methods call `super` than the table of recent ones has room for; what they call changes in between.
base = Class.new { def name = "base" }
classes = [base]
1200.times { |n| classes << Class.new(classes.last) { def name = super } }
last = classes.last.new
p 3.times.map { last.name }.uniq
classes[600].define_method(:name) { "middle of #{super()}" }
p 3.times.map { last.name }.uniq
classes[900].include(Module.new { def name = "module over #{super}" })
p 3.times.map { last.name }.uniq
classes[600].remove_method(:name)
p 3.times.map { last.name }.uniq
classes[1000].prepend(Module.new { def name = "prepended to #{super}" })
p 3.times.map { last.name }.uniq
classes[300].undef_method(:name)
begin
  last.name
rescue NoMethodError => e
  puts e.message.sub(/0x\h+/, "0x")[0, 40]
end
