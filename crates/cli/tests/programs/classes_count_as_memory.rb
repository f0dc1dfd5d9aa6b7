# Classes hold most of their memory outside of the heap: it makes collections due like the heap's own.
def grown_by_class
  before = GC.stat(:old_bytes)
  yield
  GC.start
  (GC.stat(:old_bytes) - before) / 10_000
end

GC.start
before = GC.count
100_000.times { Class.new }
p GC.count - before > 1

make = ->(*) { $classes = Array.new(10_000) { Class.new } }
p grown_by_class(&make) > 300
p grown_by_class { 10.times(&make) } < 500
