# `[a, b].max` of a literal asks the new element to compare itself with the largest one so far; Array#max asks the other.
class Money
  attr_reader :cents

  def initialize(cents) = @cents = cents

  def <=>(other) = cents <=> (other.is_a?(Money) ? other.cents : other)

  def inspect = "$#{cents}"
end

def largest(a, b) = [a, b].max

def smallest(a, b, c) = [a, b, c].min

def spread(*list, last) = [*list, last].max

def attempt
  yield.inspect
rescue => e
  "#{e.class}: #{e.message[/.*failed/]}"
end

money = Money.new(5)
results = Array.new(30) do
  [largest(1, 2), smallest(3, 1.5, 2), largest("a", "b"), attempt { largest(0, money) }, attempt { largest(money, 0) },
   attempt { smallest(9, money, Money.new(7)) }, attempt { spread(0, money) }, attempt { smallest(1, nil, 2) }]
end
puts results.uniq
kept = 1
(kept = [kept, Object.new].max) rescue puts kept
begin
  [0, Class.new { def <=>(_) = raise("asked") }.new].max
rescue => e
  puts e.backtrace.size
end
module Loud
  refine Array do
    def max = :refined
  end
end
using Loud
p largest(1, 2), [1, money].max
class Array
  def min = :redefined
end
30.times.map { smallest(1, 2, 3) }.uniq.each { |result| p result }
