# `/#{…}/o` is evaluated once: a thread that reaches it meanwhile waits for the value.
def pattern(part) = /#{part.call}/o
count = 0
patterns = 3.times.map { |i| Thread.new { pattern(-> { count += 1; sleep 0.05; "v#{i}" }) } }.map(&:value)
p count, patterns.uniq.size, patterns.all? { |pattern| pattern.equal?(patterns[0]) }
300.times { raise "hot" unless pattern(-> { raise }).equal?(patterns[0]) }

# After an exception the next thread evaluates it.
def failing(part) = /#{part.call}/o
threads = 2.times.map { |i| Thread.new { failing(-> { sleep 0.05; i == 0 ? raise("first") : "second" }) rescue $! } }
p threads.map(&:value)

# The same if the thread was killed.
def killed(part) = /#{part.call}/o
first = Thread.new { killed(-> { sleep }) }
Thread.pass until first.stop?
second = Thread.new { killed(-> { "second" }) }
Thread.pass until second.stop?
first.kill
p second.value

# The value of the outermost evaluation stays.
def nested(depth) = /#{depth > 0 ? nested(depth - 1).source + "x" : "a"}/o
p nested(2), nested(0)
