# Points and shapes as Structs: compared, used as keys, destructured.
Point = Struct.new(:x, :y) do
  def +(other) = Point.new(x + other.x, y + other.y)
  def distance(other) = Math.hypot(x - other.x, y - other.y)
end
Named = Struct.new(:name, :at, keyword_init: true)

seen = Hash.new(0)
position = Point.new(0, 0)
steps = [Point.new(1, 0), Point.new(0, 1), Point.new(-1, 0), Point.new(0, -1)]
200_000.times do |i|
  position += steps[(i * i + i / 3) % 4]
  seen[position] += 1
end
places = Array.new(20_000) { |i| Named.new(name: "p#{i}", at: Point.new(i % 100, i / 100)) }
far = places.max_by { |place| place.at.distance(position) }
x, y = *far.at
puts seen.size, seen.values.max, far.to_h.inspect, x + y, places.map(&:at).uniq.size, position == Point.new(*position)
