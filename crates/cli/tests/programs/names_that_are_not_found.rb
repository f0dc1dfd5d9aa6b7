# NameError of methods that look up a name: its receiver, the call that is marked, and the similar names.

def error(*args)
  yield(*args)
rescue NameError => e
  [e.receiver, e.name, e.detailed_message(highlight: false)]
end

puts error { 3.method(:flor) }
puts error { 3.public_method(:puts) }
puts error { Integer.instance_method(:flooor) }
puts error { 3.singleton_method(:floor) }
puts error { Object.const_get(:Strnig) }
puts error { 3.instance_variable_get("@") }
puts error { Comparable.send(:remove_method, :clmp) }

# The call that is marked when the name is not in it, and arguments.
def marked
  yield
rescue => e
  e.detailed_message(highlight: false)
end

puts marked { 3.public_send(:floo) }
puts marked { raise NameError.new("mine", :foo) }
x = 1
puts marked { x += nil }
puts marked { Class.new(nil) }
