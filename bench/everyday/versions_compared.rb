# Version numbers as Comparable objects: sorted, clamped, the newest of each name.
class Version
  include Comparable
  attr_reader :parts
  def initialize(text) = (@parts = text.split(".").map(&:to_i))
  def <=>(other) = parts <=> other.parts
  def to_s = parts.join(".")
end
random = Random.new(7)
versions = Array.new(12_000) { Version.new("#{random.rand(9)}.#{random.rand(20)}.#{random.rand(30)}") }

low, high = Version.new("2.5.1"), Version.new("6.0.0")
sorted = versions.sort
inside = versions.count { |version| version.between?(low, high) && version != low }
clamped = versions.map { |version| version.clamp(low, high) }.max
newest = versions.group_by { |version| version.parts[0] }.map { |_, list| list.max.to_s }.sort
puts sorted.first, sorted.last, inside, clamped, newest.inspect, versions.count { |v| v > low }
