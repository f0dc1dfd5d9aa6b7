# Array.new with a size and a value, cold and in compiled code.
class Row < Array; end

class Counted < Array
  def initialize(size) = super(size + 1, :counted)
end

class Sized
  def to_int = 2
end

def filled(of, size) = of.new(size)
def with(size, value) = Array.new(size, value)
def literal(size) = Array.new(size, "x")

def report
  yield
rescue ArgumentError, TypeError => e
  "#{e.class}: #{e.message} in #{e.backtrace_locations.first.label}"
end

500.times do |n|
  list = filled(Array, n % 50)
  raise "size" unless list.size == n % 50 && list.all?(nil)
  raise "value" unless with(3, list).all? { |v| v.equal?(list) }
  raise "empty" unless Array.new.push(n) == [n]
  raise "class" unless filled(Row, 2).instance_of?(Row)
  strings = literal(2)
  raise "same" unless strings[0].equal?(strings[1])
  raise "frozen" if strings[0].frozen?
end
p filled(Row, 3), filled(Counted, 1), filled(Array, Sized.new), filled(Array, [1, 2]), with(40, 1.5).sum
p Array.new(3) { |n| n * n }, [1, 2].send(:initialize, 1)
puts report { filled(Array, -1) }, report { with(-1, 2) }, report { with(1 << 62, 2) }, report { filled(Array, "3") }
begin
  [].freeze.send(:initialize, 3)
rescue FrozenError => e
  puts e.message
end

class Array
  alias former initialize
  private def initialize(*arguments)
    former(*arguments)
    self << :redefined
  end
end
p filled(Array, 2), with(1, 2), filled(Row, 1)
