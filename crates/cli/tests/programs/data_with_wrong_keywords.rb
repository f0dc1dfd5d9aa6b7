# Members that are missing are reported before keywords that are not known. Recorded from CRuby 4.1dev.

Point = Data.define(:x, :y)

def try(**keywords)
  Point.new(**keywords).inspect
rescue ArgumentError => e
  e.message
end

given = [
  { x: 1, y: 2 }, {}, { x: 1 }, { x: 1, z: 2 }, { z: 2 }, { y: 1, z: 2, w: 3 }, { x: 1, y: 2, z: 3, w: 4 },
  { "x" => 1, x: 2 }, { "x" => 1, "y" => 2 }
]
30.times { given.each { |keywords| try(**keywords) } }
given.each { |keywords| puts try(**keywords) }
