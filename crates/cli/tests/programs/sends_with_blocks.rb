# `send` of a name that is known, with a literal block, to native methods.
def defined(m) = m.send(:define_method, :x) { |a, &b| b ? b.call(a) : a }
def thread(v) = Thread.send(:new) { v + 1 }
def made = Object.send(:lambda) { |a| [a] }
def public_made = Proc.public_send(:new) { |a| [a] }
def each_of(list) = list.__send__(:each_with_index) { |v, i| return i if v == 3 }

results = Array.new(200) do
  m = Module.new
  name = defined(m)
  object = Object.new.extend(m)
  [name, object.x(2), object.x(3) { _1 * 2 }, thread(4).value, made.call(5), public_made.call(6), each_of([1, 3])]
end
p results.uniq
