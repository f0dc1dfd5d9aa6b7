# Two threads that pass work through a queue of limited size, and a monitor with a condition.
require "monitor"
queue = SizedQueue.new(64)
producer = Thread.new { 60_000.times { |i| queue << [i, "job #{i}"] }; queue << nil }
size = 0
while (job = queue.pop)
  size += job[1].size
end
producer.join

monitor = Monitor.new
ready = monitor.new_cond
box = []
taker = Thread.new { Array.new(3_000) { monitor.synchronize { ready.wait_while { box.empty? }; box.shift } }.sum }
3_000.times { |i| monitor.synchronize { box << i; ready.signal } }
counter = 0
100_000.times { monitor.synchronize { counter += 1 } }
puts size, taker.value, counter
