# Calls of protected methods where self and the receiver are of one class, of related ones, and of others.

class Money
  def initialize(cents) = @cents = cents
  def more?(other) = other.cents > cents
  def ==(other) = other.is_a?(Money) && other.cents == @cents
  def <=>(other) = cents <=> other.cents
  include Comparable
  def of(other) = other.label("x")
  def each_of(list) = list.map { |other| other.cents }
  def written(other) = (other.cents = 7; other.cents)
  def asked(other) = other.respond_to?(:cents)
  def publicly(other) = other.public_send(:cents)
  def publicly_all(list) = list.map(&:cents)
  protected attr_accessor :cents
  protected def label(text) = "#{text}#{@cents}"
end

class Coin < Money
  def most(other) = [cents, other.cents].max
end

class Other
  def initialize = @cents = 3
  def read(other) = other.cents
  def cents = 5
end

def attempt
  yield
rescue NoMethodError => e
  e.message[/\A.{1,30}/]
end

a, b, coin, other = Money.new(1), Money.new(2), Coin.new(3), Other.new
reads = Other.new
def reads.cents = 9
results = nil
120.times do |n|
  Coin.send(:public, :cents) if n == 80
  Money.send(:private, :label) if n == 100
  Money.send(:protected, :label) if n == 110
  results = [
    a.more?(b), b.more?(a), a.more?(coin), coin.more?(b), a == b, a == Money.new(1), a == 1, [b, coin, a].min == a,
    a.of(b), coin.of(a), coin.most(a), coin.most(coin), a.each_of([b, coin, other]), a.written(Money.new(0)),
    a.asked(b),
    attempt { other.read(a) }, attempt { other.read(reads) }, attempt { other.read(1) }, attempt { a.of(other) },
    attempt { a.publicly(b) }, attempt { a.publicly_all([b]) }, attempt { a.publicly(coin) },
    attempt { a.instance_eval { b.cents } }, attempt { other.instance_exec(a) { |m| m.cents } }, attempt { a.cents },
  ]
rescue NoMethodError => e
  results = e.message[/\A.{1,60}/]
end
p results
Money.send(:protected, :label)
p a.of(b), coin.of(a), attempt { coin.label(1) }, coin.cents
