# Bytes of resident memory for each of a million live objects. Each kind is measured in a process of its own.

require "rbconfig"

class One; def initialize(a) = @a = a; end
class Three; def initialize(a) = @a = @b = @c = a; end
class Eight; def initialize(a) = @a = @b = @c = @d = @e = @f = @g = @h = a; end
Triple = Struct.new(:a, :b, :c)

KINDS = {
  "object" => ->(_) { Object.new },
  "object of 1" => ->(i) { One.new(i) },
  "object of 3" => ->(i) { Three.new(i) },
  "object of 8" => ->(i) { Eight.new(i) },
  "struct of 3" => ->(i) { Triple.new(i, i, i) },
  "empty string" => ->(_) { String.new },
  "string of 10" => ->(i) { i.to_s.rjust(10, "0") },
  "string of 30" => ->(i) { i.to_s.rjust(30, "0") },
  "string of 100" => ->(i) { i.to_s.rjust(100, "0") },
  "empty array" => ->(_) { [] },
  "array of 1" => ->(i) { [i] },
  "array of 3" => ->(i) { [i, i, i] },
  "array of 8" => ->(i) { [i, i, i, i, i, i, i, i] },
  "empty hash" => ->(_) { {} },
  "hash of 1" => ->(i) { { a: i } },
  "hash of 4" => ->(i) { { a: i, b: i, c: i, d: i } },
  "hash of 8" => ->(i) { { a: i, b: i, c: i, d: i, e: i, f: i, g: i, h: i } },
  "hash of 16" => ->(i) { 16.times.to_h { |key| [key, i] } },
  "boxed float" => ->(i) { 1e300 + i * 1e290 },
  "bignum" => ->(i) { 2**70 + i },
  "proc" => ->(i) { proc { i } },
  "range" => ->(i) { i..i },
}.freeze

COUNT = 1_000_000

def resident = File.read("/proc/self/statm").split[1].to_i * 4096

if (kind = ARGV.first)
  make = KINDS.fetch(kind)
  kept = Array.new(COUNT)
  kept.fill(0) # so that its pages count as resident before
  GC.start
  before = resident
  COUNT.times { |i| kept[i] = make.call(i) }
  GC.start
  puts "#{kind}\t#{((resident - before) / COUNT.to_f).round}"
else
  KINDS.each_key { |name| system(RbConfig.ruby, __FILE__, name, exception: true) }
end
