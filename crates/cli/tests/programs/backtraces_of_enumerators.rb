# Below a block of an Enumerator's method, a backtrace shows the method that the Enumerator is for.

def show(lines) = puts(lines.map { |line| line[/'.*'/] }.join(" "))

2.times do
  show [1].each.with_index { break caller(0) }
  show [1].map.with_index(1) { break caller(0) }
  show [1].each_with_index.map { break caller(0) }
  show [1].each_slice(2).with_index { break caller(0) }
  show({ a: 1 }.each.with_index { break caller(0) })
  show 3.times.with_object(1) { break caller(0) }
  show [1].select.each_with_index { break caller(0) }
  show "ab".each_char.with_index { break caller(0) }
  show (1..2).each.with_index { break caller(0) }
  show [1].each.each_with_object([]) { break caller(0) }
  show [1].each.with_index.with_index { break caller(0) }
end

class Own
  include Enumerable
  def each = yield(caller(0))
end

show Own.new.to_enum.with_index { |lines,| break lines }
