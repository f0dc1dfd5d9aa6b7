# `sum` adds what the block returns before it calls the block again; each_cons keeps what it has read. Recorded from
# CRuby 4.1dev.
class Noisy
  def initialize(n) = @n = n
  def +(other) = (puts "#{@n} + #{other.inspect}"; Noisy.new(@n + 1))
  def coerce(other) = (puts "coerce #{other.inspect}"; [Noisy.new(10), self])
  def inspect = "N#{@n}"
end

[[3, 1, 2], [3, 1, 2].each_entry, 1..3, {a: 1, b: 2}, [1, 2].to_enum].each do |list|
  begin
    list.sum { |x| p x; [1] }
  rescue TypeError => e
    puts e.message
  end
  p list.sum([]) { |x| p x; [1] }
  p list.sum(Noisy.new(1)) { |x| p x; 2 }
end
p [0.1, 0.2, 0.3, 1r, 2].sum { it }, [0.1, 0.2, 0.3, 1r, 2].each_entry.sum { it }, [1, 2r, 3i].sum, [].sum(0.0) { 1 }
p [0.1] * 3 == [0.1, 0.1, 0.1], ([0.1] * 10).each_entry.sum(0), ([0.1] * 10 + [1i]).sum { it }

list = [1, 2, 3, 4, 5]
pairs = []
list.each_cons(2) { |x| list.shift; pairs << x }
p pairs
list = [1, 2, 3]
p list.each_cons(2) { |x| list << 9 if list.size < 5; x.clear }, list.each_cons(5).to_a, list.each_cons(6).to_a
