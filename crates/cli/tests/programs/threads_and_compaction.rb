# A thread that has not started running is updated by a compaction that moves its object.
values = 4.times.map do |n|
  garbage = Array.new(2000) { |i| Mutex.new }
  garbage2 = Array.new(2000) { |i| [i,i,i] }
  thread = Thread.new { Thread.current[:own] = n; Thread.current[:own] }
  garbage = garbage.values_at(*(0..10)); garbage2 = nil
  GC.compact
  thread.value
end
p values == (0...4).to_a
