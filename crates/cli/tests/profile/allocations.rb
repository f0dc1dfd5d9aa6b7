# Allocations by line and class: exact, and estimated from samples of bytes.
require "beni/profile"

Point = Struct.new(:x, :y)

def nothing(n) = n + 1
def points = Point.new(1, 2)

none = Beni::Profile.allocations { 10.times { |i| nothing(i) } }
p none.by_line.map { |line| [line.line, line.objects, line.classes] }

some = Beni::Profile.allocations do
  5.times { points }
  [1, 2].map { |n| n.to_s }
end
some.by_line.sort_by(&:line).each { |line| p [File.basename(line.path), line.line, line.objects, line.classes] }
some.by_class.each { |group| p [group.name, group.objects] }
p some.objects

# Half of the Strings survive.
kept = []
many = Beni::Profile.allocations(sample: 4096) do
  100_000.times do |i|
    kept << "a string that is long enough to need more than the smallest cell"
    "another string that is as long as the first one and needs more as well"
  end
  GC.start
end
strings = many.by_class.find { |group| group.name == "String" }
puts "about 200000: #{strings.objects.between?(180_000, 220_000) || strings.objects}"
puts "half survive: #{(strings.survived.to_f / strings.objects).between?(0.4, 0.6) || strings.survived}"
begin
  Beni::Profile.allocations { Beni::Profile.allocations { } }
rescue RuntimeError => e
  puts e.message
end
begin
  Beni::Profile.allocations(sample: 0) { }
rescue ArgumentError => e
  puts e.message
end
