# GC::Tracer's log, GC.thread_stat, GC::Profiler: which entries exist, not their values.
require "gc_tracer"
file = "#{ENV["TMPDIR"] || "/tmp"}/beni-gc-tracer-#{Process.pid}.log"
result = GC::Tracer.start_logging(file, gc_stat: false, custom_fields: [:a, :b], tick_type: :nano_time, events: %i[start end_mark end_sweep]) do
  GC.start
  GC::Tracer.custom_field_increment(:b)
  GC::Tracer.custom_field_increment(1)
  GC::Tracer.custom_field_decrement(:b)
  GC::Tracer.custom_field_set(:a, 7)
  GC::Tracer.custom_event_logging("mine")
  p GC::Tracer.custom_field_get(:a), GC::Tracer.custom_field_get(:b)
  GC::Tracer.flush_logging
  GC.start
  :result
end
p result
lines = File.readlines(file, chomp: true).map { |line| line.split("\t", -1) }
p lines[0], lines.map(&:size).uniq, lines.map(&:first).uniq.sort, lines.select { |line| line[0] == "mine" }.map { |line| line[-2..] }
ticks = lines[1..].map { |line| line[1].to_i }
p ticks == ticks.sort
File.delete(file)
GC::Tracer.start_logging(file, events: %i[newobj freeobj], gc_stat: true, rusage: true) { 100.times { Object.new }; GC.start }
log = File.readlines(file)
p log.grep(/^newobj\t/).size > 50, log.grep(/^freeobj\t/).size > 10, log[0].include?("\tru_maxrss\t"), log.map { |line| line.count("\t") }.uniq.size
File.delete(file)
[[:setup_logging_events, :nope], [:setup_logging_tick_type, :x], [:custom_field_get, :zz]].each do |name, argument|
  GC::Tracer.send(name, argument)
rescue ArgumentError => e
  puts e.message
end
begin
  GC::Tracer.start_logging("/nonexistent/x")
rescue SystemCallError => e
  puts e.message
end
GC::Tracer.stop_logging

p GC.thread_stat.keys, GC.thread_stat(Thread.new { 1000.times { Object.new } }.tap(&:join), :allocated_objects) > 900
begin
  GC.thread_stat(3)
rescue TypeError => e
  puts e.message
end

p GC::Profiler.enabled?, GC::Profiler.raw_data, GC::Profiler.result
GC::Profiler.enable
GC.start
GC.start(full_mark: false)
data = GC::Profiler.raw_data
p data.size >= 2, data[0].keys, data[0][:GC_FLAGS].keys, data.map { |row| row[:GC_SEQUENCE] }.each_cons(2).all? { |a, b| a < b }
p GC::Profiler.raw_data(limit: 1).size, GC::Profiler.raw_data(since: data[0][:GC_SEQUENCE]).all? { |row| row[:GC_SEQUENCE] > data[0][:GC_SEQUENCE] }
p GC::Profiler.result.lines.first(2).map { |line| line.sub(/\d+/, "N") }, GC::Profiler.total_time.class
GC::Profiler.configure(max_records: 1)
p GC::Profiler.raw_data.size
[{ max_records: 0 }, { max_records: -1 }].each do |keywords|
  GC::Profiler.configure(**keywords)
rescue ArgumentError => e
  puts e.message
end
begin
  GC::Profiler.raw_data(limit: -1)
rescue ArgumentError => e
  puts e.message
end
GC::Profiler.configure(max_records: nil)
GC::Profiler.clear
p GC::Profiler.result
GC::Profiler.disable
p GC::Profiler.raw_data
GC.measure_total_time = false
time = GC.total_time
GC.start
p GC.total_time == time
GC.measure_total_time = true
