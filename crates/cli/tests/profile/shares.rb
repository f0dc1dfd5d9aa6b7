# A profile gives each method, a fiber, a block that a core method calls, a native method and the collector the share of
# processor time that they measure themselves, within 2 % of the whole. Both are processor times, so that a busy machine
# changes neither.
require "beni/profile"

def now = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID)

SPENT = Hash.new(0.0)
BURST = 0.05

# Runs the block repeatedly until a burst of processor time is used up, and records the time used.
def burst(name)
  began = now
  yield while now - began < BURST
  SPENT[name] += now - began
end

def count
  i = 0
  i += 1 while i < 300_000
end

def first = count
def second = count
def third = count
def in_fiber = count
def sorted(list) = list.sort_by { |n| i = 0; i += 1 while i < 1000; -n }

MODULUS = 3**2000 + 2
LIST = (0...300).to_a
KEPT = Array.new(200_000) { Object.new }

profile = Beni::Profile.run do
  6.times do
    burst("Object#first") { first }
    burst("Object#second") { second }
    burst("Object#third") { third }
    Fiber.new { burst("Object#in_fiber") { in_fiber } }.resume
    burst("Object#sorted") { sorted(LIST) }
    burst("Integer#pow") { 7.pow(MODULUS >> 1, MODULUS) }
    burst("(collector)") { GC.start }
  end
end

sampled = SPENT.to_h { |name, _| [name, profile.by_method.find { |m| m.name == name }&.total || 0] }
SPENT.each do |name, seconds|
  difference = sampled[name] / sampled.values.sum - seconds / SPENT.values.sum
  puts "#{name}: #{difference.abs < 0.02 ? "right" : "off by #{(difference * 100).round(1)} %"}"
end

dearest = profile.by_line.first
puts "dearest line: #{dearest.source.strip}"
kinds = profile.by_method.to_h { |m| [m.name, m.kind] }
puts kinds.values_at("Object#first", "Integer#pow", "Array#sort_by", "(collector)").inspect
sample = profile.samples.find { |s| s.frames.first.name == "Object#count" }
puts sample.frames.map(&:name).last(2).inspect
puts profile.to_speedscope.start_with?("{"), profile.to_firefox.include?("stackTable"), profile.to_pprof.byteslice(0, 2).inspect
puts profile.to_collapsed.lines.any? { |line| line.include?(";Object#first;Object#count ") }
puts profile.to_html.include?("<iframe")
begin
  Beni::Profile.stop
rescue RuntimeError => e
  puts e.message
end
begin
  Beni::Profile.start(mode: :other)
rescue ArgumentError => e
  puts e.message
end
begin
  Beni::Profile.run { Beni::Profile.start }
rescue RuntimeError => e
  puts e.message
end

# By wall-clock time: a thread that sleeps, and one that works and then waits for it.
WAITED = []
def waits(began = Process.clock_gettime(Process::CLOCK_MONOTONIC))
  yield
  WAITED << Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
end

wall = Beni::Profile.run(mode: :wall) do
  sleeper = Thread.new { waits { sleep 0.3 } }
  burst("work") { count }
  waits { sleeper.join }
end
waiting = wall.by_method.select { |m| %i[waiting lock].include?(m.kind) }.sum(&:total)
# A thread that starts, or gets the lock again, waits a little outside of these blocks.
puts "waits #{waiting.between?(WAITED.sum - 0.03, WAITED.sum + 0.2) ? "as long as it should" : [waiting, WAITED]}"
