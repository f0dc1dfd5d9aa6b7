# Money as immutable values: created, changed by `with`, pattern-matched.
Money = Data.define(:cents, :currency) do
  include Comparable
  def +(other) = with(cents: cents + other.cents)
  def <=>(other) = cents <=> other.cents
  def to_s = format("%d.%02d %s", cents / 100, cents % 100, currency)
end
prices = Array.new(80_000) { |i| Money.new(cents: i * 37 % 10_000, currency: i.even? ? "EUR" : "USD") }

kinds = prices.map do |price|
  case price
  in { currency: "EUR", cents: 5000.. } then :dear
  in Money[cents, "EUR"] if cents < 100 then :cheap
  in { currency: "EUR" } then :fair
  else :foreign
  end
end
total = prices.select { |price| price.currency == "EUR" }.reduce(:+)
puts kinds.tally.inspect, total, prices.max, prices.first(1_000).sort.first.inspect, prices.uniq.size,
     prices.count { |price| price.between?(prices[3], prices[9]) }
