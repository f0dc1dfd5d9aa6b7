# A trace point set on code that compiled code has inlined, and removed again.
def inner(x)
  x + 1
end
def outer(n) = n.times.sum { |i| inner(i) }
def loopy(n)
  i = s = 0
  while i < n
    s += inner(i)
    i += 1
  end
  s
end
loopy(200_000); outer(30_000)
hits = 0
tp = TracePoint.new(:line) { hits += 1 }
3.times do
  tp.enable(target: method(:inner)); loopy(1000); outer(10); p hits
  tp.disable; loopy(1000); p hits
  loopy(10_000)
end
