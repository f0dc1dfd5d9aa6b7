# Shortest paths: through a maze by breadth-first search, through a network with weights.
width = 150
open = ->(x, y) { x.between?(0, width - 1) && y.between?(0, width - 1) && (x * 31 + y * 17 + x * y) % 4 != 0 }
distances = { [0, 1] => 0 }
queue = [[0, 1]]
until queue.empty?
  x, y = queue.shift
  [[1, 0], [-1, 0], [0, 1], [0, -1]].each do |dx, dy|
    cell = [x + dx, y + dy]
    next if distances.key?(cell) || !open.call(*cell)
    distances[cell] = distances[[x, y]] + 1
    queue << cell
  end
end
graph = Hash.new { |hash, node| hash[node] = {} }
3_000.times { |i| a, b = "n#{i % 400}", "n#{(i * 7 + 3) % 400}"; graph[a][b] = graph[b][a] = 1 + i % 23 }
best = Hash.new(Float::INFINITY).merge("n0" => 0)
open_nodes = ["n0"]
until open_nodes.empty?
  node = open_nodes.min_by { |name| best[name] }
  open_nodes.delete(node)
  graph[node].each { |to, weight|
    (best[to] = best[node] + weight; open_nodes |= [to]) if best[node] + weight < best[to] }
end
puts distances.size, distances.values.max, best.size, best.values.max, best.values.sum
