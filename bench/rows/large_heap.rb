# Pauses and times with ten million live objects. A pause is a gap between two successive readings of the clock.

require_relative "rows"

class Gaps
  def initialize
    @gaps = []
    @last = Process.clock_gettime(CLOCK)
  end

  def look
    now = Process.clock_gettime(CLOCK)
    @gaps << now - @last
    @last = now
  end

  def print(label)
    @gaps.sort!
    figure "longest pause #{label}, ms", @gaps.last * 1e3
    figure "99.99th percentile #{label}, ms", @gaps[(@gaps.size * 0.9999).floor] * 1e3
  end
end

gaps = Gaps.new
live = Array.new(2_500_000) do |i|
  gaps.look if i % 25 == 0
  [i.to_s, { id: i }, Object.new] # with its array four objects
end
gaps.print "while ten million objects are built"

churn = lambda do |label|
  gaps = Gaps.new
  taken = seconds do
    10_000_000.times do |i|
      short = "temporary #{i}"
      live[i % live.size][0] = short if i % 50 == 0
      gaps.look if i % 100 == 0
    end
  end
  gaps.print label
  figure "ten million short-lived strings, s", taken
end
churn.call "beside them"
figure "full collection, ms", seconds { GC.start } * 1e3
figure "peak resident, MB", File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i * 1024 / 1e6
live.clear
figure "collection after they died, ms", seconds { GC.start } * 1e3
