# The game of life on a grid of arrays, and on a Set of cells.
size = 64
grid = Array.new(size) { |y| Array.new(size) { |x| (x * x + y * 3 + x * y / 5) % 4 == 0 } }
20.times do
  grid = grid.each_with_index.map do |row, y|
    row.each_with_index.map do |alive, x|
      count = [-1, 0, 1].sum do |dy|
        [-1, 0, 1].count { |dx| (dx != 0 || dy != 0) && grid[(y + dy) % size][(x + dx) % size] }
      end
      count == 3 || (alive && count == 2)
    end
  end
end
cells = Set[[1, 0], [2, 1], [0, 2], [1, 2], [2, 2], [10, 10], [10, 11], [10, 12], [11, 11], [12, 10]]
150.times do
  near = cells.each_with_object(Hash.new(0)) { |(x, y), all| [-1, 0, 1].each { |i| [-1, 0, 1].each { |j| all[[x + i,
      y + j]] += 1 unless i == 0 && j == 0 } } }
  cells = near.select { |cell, n| n == 3 || (n == 2 && cells.include?(cell)) }.keys.to_set
end
puts grid.flatten.count(true), grid.first(2).map { |row| row.map { |alive| alive ? "#" : "." }.join }, cells.size
