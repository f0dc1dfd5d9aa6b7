# Single calls that programs make often: nanoseconds per call, as "label<tab>figure". The results are checked.
require "date"
require "monitor"
require "time"

def row(label, count, expected = nil)
  given = yield 1
  raise "#{label} gives #{given.inspect}" unless expected.nil? || given == expected
  best = Array.new(5) do
    from = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    yield count
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - from
  end.min
  puts "#{label}\t#{(best / count * 1e9).round(1)}"
end

def nested(depth, &block) = depth == 0 ? yield : nested(depth - 1, &block)

class Wide
  40.times { |i| attr_accessor :"v#{i}" }
  class_eval("def initialize\n#{(0...40).map { |i| "@v#{i} = #{i}" }.join("\n")}\nend")
  def read(n) = (i = 0; t = 0; (t += @v35 + @v36; i += 1) while i < n; t)
  def write(n) = (i = 0; (@v35 = i; @v36 = i; i += 1) while i < n; @v36)
end

class Registry
  @items = 3
  def self.read(n) = (i = 0; t = 0; (t += @items; i += 1) while i < n; t)
  def self.write(n) = (i = 0; (@items = 3; i += 1) while i < n; @items)
  class << self
    attr_reader :items
  end
end

class Counted
  @@count = 3
  def self.read(n) = (i = 0; t = 0; (t += @@count; i += 1) while i < n; t)
  def self.write(n) = (i = 0; (@@count = 3; i += 1) while i < n; @@count)
end

module Refining
  refine(Integer) { def doubled = self * 2 }
end

module Refined
  using Refining
  def self.run(n) = (i = 0; t = 0; (t = 2.doubled; i += 1) while i < n; t)
end

wide = Wide.new
mutex, monitor = Mutex.new, Monitor.new
hash = { a: 1, b: { c: [1, 2, { d: 4 }] }, e: 5 }
other = { f: 6, g: 7 }
letters = ("a".."h").to_h { |c| [c, c.ord] }
time, date = Time.at(1_700_000_000).utc, Date.new(2026, 11, 22)
line = "2026-11-22 14:05:06 GET /index.html 200"
bytes = "\xff\xfe\x00abc".b * 20
mixin = Module.new { def mixed = 1 }
numbers = (0...30).to_a
big = 7**300
weak = ObjectSpace::WeakMap.new
key = Object.new
weak[key] = key
three = Struct.new(:a, :b, :c).new(1, 2, 3)
point = Data.define(:x, :y).new(x: 1, y: 2)

row("instance variables outside of the object, read", 100_000, 71) { |n| wide.read(n) }
row("instance variables outside of the object, written", 100_000, 0) { |n| wide.write(n) }
row("40 instance variables set by initialize", 2_000, 35) { |n| o = nil; n.times { o = Wide.new }; o.v35 }
row("attr_reader outside of the object", 100_000, 35) { |n| v = 0; o = Wide.new; n.times { v = o.v35 }; v }
row("attr_reader of a class", 100_000, 3) { |n| v = 0; n.times { v = Registry.items }; v }
row("instance variable of a class, read", 100_000, 3) { |n| Registry.read(n) }
row("instance variable of a class, written", 100_000, 3) { |n| Registry.write(n) }
row("class variable, read", 100_000, 3) { |n| Counted.read(n) }
row("class variable, written", 100_000, 3) { |n| Counted.write(n) }
row("refined method", 100_000, 4) { |n| Refined.run(n) }
row("Struct's reader", 100_000, 3) { |n| v = 0; n.times { v = three.c }; v }
row("Data's reader", 100_000, 2) { |n| v = 0; n.times { v = point.y }; v }
row("caller_locations(1, 1), 10 deep", 10_000, 1) do |n|
  nested(10) { v = 0; n.times { v = caller_locations(1, 1).size }; v }
end
row("caller_locations(1, 1), 1,000 deep", 10_000, 1) do |n|
  nested(1000) { v = 0; n.times { v = caller_locations(1, 1).size }; v }
end
row("GC.stat(:total_allocated_objects)", 10_000) { |n| n.times { GC.stat(:total_allocated_objects) } }
row("GC.stat(:count)", 10_000) { |n| n.times { GC.stat(:count) } }
row("GC.count", 10_000) { |n| n.times { GC.count } }
row("Mutex#synchronize", 50_000, 1) { |n| v = 0; n.times { v = mutex.synchronize { 1 } }; v }
row("Monitor#synchronize", 50_000, 1) { |n| v = 0; n.times { v = monitor.synchronize { 1 } }; v }
row("=~ and $1", 50_000, "200") { |n| v = nil; n.times { v = $1 if line =~ / (\d+)\z/ }; v }
row("match? of a line", 50_000, true) { |n| v = nil; n.times { v = line.match?(/GET \S+ 2\d\d/) }; v }
row("match? on bytes", 50_000, true) { |n| v = nil; n.times { v = bytes.match?(/c\xff\xfe/n) }; v }
row("match with named groups", 20_000, "GET") do |n|
  v = nil
  n.times { v = /(?<verb>[A-Z]+) (?<path>\S+)/.match(line)[:verb] }
  v
end
row("Object#extend", 5_000, 1) { |n| o = nil; n.times { o = Object.new; o.extend(mixin) }; o.mixed }
row("Hash#merge", 50_000, 5) { |n| v = nil; n.times { v = hash.merge(other) }; v.size }
row("Hash#to_h with a block", 20_000, 8) { |n| v = nil; n.times { v = letters.to_h { |k, c| [c, k] } }; v.size }
row("Array#to_h with a block", 20_000, 30) { |n| v = nil; n.times { v = numbers.to_h { |i| [i, i] } }; v.size }
row("Hash#select", 20_000, 4) { |n| v = nil; n.times { v = letters.select { |_, c| c > 100 } }; v.size }
row("Hash#reject", 20_000, 4) { |n| v = nil; n.times { v = letters.reject { |_, c| c > 100 } }; v.size }
row("Hash#map", 20_000, 8) { |n| v = nil; n.times { v = letters.map { |k, c| c } }; v.size }
row("Hash#any?, find, sum, min_by", 10_000, "a") do |n|
  v = nil
  n.times { letters.any? { |_, c| c > 200 }; letters.sum { |_, c| c }; v = letters.min_by { |_, c| c }[0] }
  v
end
row("Hash#dig", 50_000, 4) { |n| v = nil; n.times { v = hash.dig(:b, :c, 2, :d) }; v }
row("Enumerator#next", 20_000) { |n| e = numbers.cycle; n.times { e.next } }
row("Struct.new(:a, :b)", 500, 2) { |n| v = nil; n.times { v = Struct.new(:a, :b) }; v.members.size }
row("Struct's new(a, b, c)", 50_000, 3) { |n| v = nil; c = three.class; n.times { v = c.new(1, 2, 3) }; v.c }
row("WeakMap#[]", 50_000, true) { |n| v = nil; n.times { v = weak[key] }; v.equal?(key) }
row("WeakMap#[]=", 20_000, true) { |n| m = ObjectSpace::WeakMap.new; n.times { m[key] = key }; m.key?(key) }
row('"x".freeze', 100_000, "x") { |n| v = nil; n.times { v = "x".freeze }; v }
row("Integer#pow, odd modulus", 5_000, 7.pow(1 << 200, 1_000_003)) do |n|
  v = nil
  n.times { v = 7.pow(1 << 200, 1_000_003) }
  v
end
row("Integer#pow, even modulus of 1,024 bits", 50, 7.pow(1 << 200, 1 << 1024)) do |n|
  v = nil
  n.times { v = 7.pow((1 << 500) + 1, (1 << 1024) + 2) }
  7.pow(1 << 200, 1 << 1024)
end
row("Integer#pow, odd modulus of 521 bits", 50, 8) do |n|
  prime = 2**521 - 1
  n.times { 3.pow(prime / 3, prime) }
  2.pow(3, prime)
end
row("Integer#/ and % by a short number", 50_000, 5) { |n| v = nil; n.times { big / 7; v = (big + 5) % 7 }; v }
row("Array#join of 100 Strings", 5_000, 291) do |n|
  v = nil
  strings = (1..100).map(&:to_s)
  n.times { v = strings.join(",") }
  v.size
end
row("Regexp.new of new words", 5_000, true) do |n|
  v = nil
  n.times { |i| v = Regexp.new("\\bx#{i}y\\b") }
  v.source.size > 5
end
row("String#to_f with an exponent", 50_000, 1500.0) { |n| v = nil; n.times { v = "1.5e3".to_f }; v }
row("Thread.new of 500 at once", 2, 124_750) do |n|
  v = nil
  n.times { v = 500.times.map { |i| Thread.new { i } }.sum(&:value) }
  v
end
row("Integer#to_s of 254 digits", 10_000, 254) { |n| v = nil; n.times { v = big.to_s }; v.size }
row("Integer#to_s of 12,677 digits", 50, 12_677) { |n| v = nil; b = 7**15_000; n.times { v = b.to_s }; v.size }
row("Time#year", 100_000, 2023) { |n| v = nil; n.times { v = time.year }; v }
row("Time#hour, min, sec", 50_000, 20) { |n| v = nil; n.times { time.hour; time.min; v = time.sec }; v }
row("Time.now", 50_000) { |n| n.times { Time.now } }
row("Time#strftime", 20_000, "2023-11-14 22:13:20") do |n|
  v = nil
  n.times { v = time.strftime("%Y-%m-%d %H:%M:%S") }
  v
end
row("Time.strptime", 2_000, 2026) do |n|
  v = nil
  n.times { v = Time.strptime("2026-11-22 14:05:06", "%Y-%m-%d %H:%M:%S") }
  v.year
end
row("Time.iso8601", 5_000, 2026) { |n| v = nil; n.times { v = Time.iso8601("2026-11-22T14:05:06Z") }; v.year }
row("Date#year", 100_000, 2026) { |n| v = nil; n.times { v = date.year }; v }
row("Date#+", 20_000, 23) { |n| v = nil; n.times { v = date + 1 }; v.day }
row("Date.parse", 5_000, 22) { |n| v = nil; n.times { v = Date.parse("2026-11-22") }; v.day }
row("Object.const_get", 50_000, Comparable) { |n| v = nil; n.times { v = Object.const_get(:Comparable) }; v }
row("Numeric#step", 2_000, 50) { |n| v = 0; n.times { v = 0; 1.step(99, 2) { v += 1 } }; v }
row("Array#[] of every third", 20_000, 10) { |n| v = nil; n.times { v = numbers[(0..).step(3)] }; v.size }
row("Array#reverse_each of an empty Array", 50_000) { |n| a = []; n.times { a.reverse_each { } } }
row("Array#index with a block", 20_000, 3) { |n| v = nil; n.times { v = numbers.index { |i| i == 3 } }; v }
row("Integer#to_s", 100_000, "12345") { |n| v = nil; n.times { v = 12345.to_s }; v }
row("String#to_sym", 100_000, :word) { |n| v = nil; s = "word"; n.times { v = s.to_sym }; v }
row("Symbol#to_s", 100_000, "word") { |n| v = nil; n.times { v = :word.to_s }; v }
row("gsub with a Hash", 10_000, "a+b") { |n| v = nil; h = { "-" => "+" }; n.times { v = "a-b".gsub(/-/, h) }; v }
row("gsub with a block", 10_000, "a--b") { |n| v = nil; n.times { v = "a-b".gsub(/-/) { |m| m * 2 } }; v }
row("Thread.new and join", 500, 1) { |n| v = nil; n.times { v = Thread.new { 1 }.value }; v }
row("require again", 20_000, false) { |n| v = nil; n.times { v = require "date" }; v }
def passed(a, b = 2) = a
def passing(...) = passed(...)
row("arguments passed on by ...", 50_000, 1) { |n| v = nil; n.times { v = passing(1) }; v }
