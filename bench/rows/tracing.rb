# The cost of a trace point in code where it fires, and in other code.

require_relative "rows"

def fib(n)
  if n < 2
    n
  else
    fib(n - 1) + fib(n - 2)
  end
end

def elsewhere(x)
  y = x + 1
  y * 2
end
LINE = __LINE__ - 2

def milliseconds(label) = figure(label, Array.new(3) { seconds { yield } }.min * 1e3)

fib(25)
milliseconds("fib(30), ms") { fib(30) }

hits = 0
TracePoint.new(:line) { hits += 1 }.enable { milliseconds("fib(25), each line traced, ms") { fib(25) } }
TracePoint.new(:call, :return) { hits += 1 }.enable { milliseconds("fib(25), each call traced, ms") { fib(25) } }
count = TracePoint.new(:line) { hits += 1 }
milliseconds("300,000 hits of a breakpoint, ms") do
  count.enable(target: method(:elsewhere), target_line: LINE) { 300_000.times { elsewhere(1) } }
end
milliseconds("2,000 breakpoints set and removed, ms") do
  2_000.times do
    point = TracePoint.new(:line) {}
    point.enable(target: method(:elsewhere), target_line: LINE)
    point.disable
  end
end

never = TracePoint.new(:line) { raise "not reached" }
ratios = Array.new(41) do
  plain = seconds { fib(26) }
  never.enable(target: method(:elsewhere), target_line: LINE)
  set = seconds { fib(26) }
  never.disable
  [set / plain, seconds { fib(26) } / plain]
end
median = ->(numbers) { numbers.sort[numbers.size / 2] }
figure "breakpoint elsewhere / none", median.call(ratios.map(&:first))
figure "breakpoint removed / none", median.call(ratios.map(&:last))
milliseconds("fib(30) after all tracing, ms") { fib(30) }
raise "#{hits} hits" unless hits > 1_000_000
