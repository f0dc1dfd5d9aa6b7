# Sorts people by several keys, ranks and pages them.
random = Random.new(4)
Person = Struct.new(:name, :age, :city)
people = Array.new(60_000) { |i| Person.new("Name#{random.rand(20_000)}", 18 + random.rand(70),
    %w[Rome Bonn Oslo][i % 3]) }

by_keys = people.sort_by { |person| [person.city, -person.age, person.name] }
by_block = people.sort { |a, b| (a.age <=> b.age).nonzero? || a.name <=> b.name }
oldest = people.max_by(5, &:age).map(&:age)
youngest = people.min_by(&:age)
pages = by_block.each_slice(25).map { |page| page.first.name }
puts by_keys.first.to_a.inspect, by_block.last.name, oldest.inspect, youngest.age, pages.size, pages.last
