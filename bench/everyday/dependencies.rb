# Orders tasks by their dependencies, with tsort and by hand.
require "tsort"
class Tasks
  include TSort
  def initialize(edges) = @edges = edges
  def tsort_each_node(&) = @edges.each_key(&)
  def tsort_each_child(node, &) = @edges.fetch(node, []).each(&)
end
edges = (0...3_000).to_h { |i| ["task#{i}", (1..4).map { |k| "task#{i / (k + 1)}" }.uniq - ["task#{i}"]] }
order = nil
4.times { order = Tasks.new(edges).tsort }
place = order.each_with_index.to_h
levels = Hash.new { |hash, name| hash[name] = 1 + (edges[name].map { |other| hash[other] }.max || 0) }
cyclic = Tasks.new({ 1 => [2], 2 => [3, 4], 3 => [1], 4 => [] })
failure =
  begin
    cyclic.tsort
  rescue TSort::Cyclic => error
    error.message
  end
puts edges.all? { |name, others| others.all? { |other| place[other] < place[name] } }, order.map { |name|
     levels[name] }.max,
     cyclic.strongly_connected_components.inspect, failure
