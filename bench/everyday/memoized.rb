# Values computed once: a Hash with a block, ||=, and a method's own table.
fibonacci = Hash.new { |hash, n| hash[n] = n < 2 ? n : hash[n - 1] + hash[n - 2] }
900.times { |n| fibonacci[n] }
collatz = { 1 => 1 }
length = lambda do |n|
  collatz[n] ||= 1 + length.(n.even? ? n / 2 : 3 * n + 1)
end
longest = (1..120_000).max_by(&length)
class Ways
  def initialize(coins) = (@coins, @memo = coins, {})
  def count(sum, kinds = @coins.size)
    return 1 if sum.zero?
    return 0 if sum.negative? || kinds.zero?
    @memo[[sum, kinds]] ||= count(sum, kinds - 1) + count(sum - @coins[kinds - 1], kinds)
  end
end
puts fibonacci[899], longest, collatz[longest], Ways.new([1, 2, 5, 10, 20, 50, 100, 200]).count(3_000)
