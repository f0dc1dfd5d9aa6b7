# Recorded from CRuby 4.1dev.
# Counts that machine code delays are exact whenever something can see them: when a loop is left at any place, when an
# operand of another kind appears, when a method reads the counts, or another thread does.
require "coverage"
require "tmpdir"

SOURCE = <<~RUBY
  Node = Struct.new(:value, :next)

  def walk(a, b)
    x = a
    y = b
    while y
      return :short unless x
      x = x.next
      y = y.next
    end
    :long
  end

  def list(n)
    head = nil
    n.times { |i| head = Node.new(i, head) }
    head
  end

  def nested(n)
    sum = 0
    i = 0
    while i < n
      i += 1
      j = 0
      while j < i
        j += 1
        next if j == 3
        break if j > 9
        sum += j
      end
      sum -= 1 if sum.odd?
    end
    sum
  end

  def fails(items)
    i = 0
    sum = 0
    while true
      i += 1
      x = items[i]
      sum += x
      x = x.abs
      sum += x
    end
  rescue NoMethodError, TypeError
    [i, sum]
  end

  def mixed(items)
    sum = 0
    i = 0
    until i == items.size
      x = items[i]
      y = x + x
      sum += y.to_i
      i += 1
    end
    sum
  end

  def seen(n)
    i = 0
    seen = []
    while i < n
      i += 1
      seen << Looking.at if i % 400 == 0
    end
    seen
  end

  def thrown(n)
    catch(:done) do
      i = 0
      loop do
        i += 1
        i += 1
        throw :done, i if i > n
        i += 1
      end
    end
  end

  def retried(n)
    tries = 0
    begin
      tries += 1
      raise "again" if tries < n
      tries
    rescue
      retry
    ensure
      tries += 1
    end
  end

  def both(flag)
    if flag
      a = 1
      b = 2
    else
      a = 3
      b = 4
    end
    c = a + b
    c
  end

  def branches(n)
    sum = 0
    i = 0
    while i < n
      if i.even?
        sum += both(true)
      else
        sum += both(false)
      end
      i += 1
    end
    sum
  end

  def kept(n)
    f = Fiber.new do
      i = 0
      while true
        i += 1
        Fiber.yield i if i == n
        i += 1
      end
    end
    f.resume
  end

  def awaited(stop)
    i = 0
    until stop[0]
      i += 1
      i -= 1
      i += 2
    end
    i > 0
  end
RUBY

module Looking
  def self.at = Coverage.peek_result.values.first[:lines].compact.sum
end

def work
  short, long = list(5), list(900)
  p 300.times.map { [walk(short, long), walk(long, short)] }.tally, walk(long, long)
  p nested(300)
  p fails(Array.new(3000) { |i| i }), fails([1, 2, 3, nil]), fails([1, "2"])
  p mixed(Array.new(2000, 1)), mixed([1, 2.5, 3r, 1 << 70] * 100)
  p seen(1500)
  p thrown(3000), retried(300), branches(1001), kept(1501)
end

Dir.mktmpdir do |folder|
  path = "#{folder}/joined.rb"
  File.write(path, SOURCE)
  Coverage.setup(lines: true, branches: true, methods: true)
  load path
  Coverage.resume
  2.times { work }
  Coverage.peek_result[path][:lines].each_slice(12) { |lines| p lines }
  work
  Coverage.suspend
  work
  result = Coverage.result(stop: false, clear: true)[path]
  result[:lines].each_slice(12) { |lines| p lines }
  p result[:branches], result[:methods].transform_keys { |_, name| name }
  Coverage.resume
  work
  # What another thread reads never decreases, and lines that run together differ by one at most.
  stop = [nil]
  last = [0, 0, 0]
  first = SOURCE.lines.index("  until stop[0]\n") + 1
  thread = Thread.new { awaited(stop) }
  lines = -> { Coverage.peek_result[path][:lines][first, 3] }
  Thread.pass until lines.().min > 0
  30.times do
    Thread.pass
    now = lines.()
    p [:decreased, last, now] if now.zip(last).any? { |new, old| new < old }
    p [:apart, now] if now.max - now.min > 1
    last = now
  end
  stop[0] = true
  p thread.value
  Coverage.result[path][:lines][0, first - 3].each_slice(12) { |lines| p lines }
end
