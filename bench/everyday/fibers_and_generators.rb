# Generators: fibers that yield values, enumerators of methods, produce, chains.
generator = Fiber.new do
  n = 0
  loop { Fiber.yield(n += 3) }
end
sum = 150_000.times.sum { generator.resume }
class Countdown
  include Enumerable
  def initialize(from) = @from = from
  def each
    return to_enum { @from } unless block_given?
    @from.downto(1) { |i| yield i }
  end
end
down = Countdown.new(50_000)
pairs = down.each_slice(2).sum { |a, b| a * b.to_i % 7 }
sequence = Enumerator.produce([0, 1]) { |a, b| [b,
    (a + b) % 1_000_007] }.lazy.map(&:first).select(&:even?).first(10_000).last
chain = (down.each + [1, 2, 3].each).with_index.sum { |x, i| x ^ i }
zipped = down.each_entry.zip(down.map { |x| -x }).sum { |a, b| a + b }
puts sum, pairs, sequence, chain, zipped, down.each.size, down.sort.first, down.include?(7),
     down.each_with_object([]) { |x, a| a << x if x < 4 }.inspect
