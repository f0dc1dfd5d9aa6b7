# Nanoseconds to allocate a short-lived object of each kind, including its collection.

require_relative "rows"

class Empty; end
class Three; def initialize(a, b, c) = (@a, @b, @c = a, b, c); end
class Eight; def initialize(a) = (@a = @b = @c = @d = @e = @f = @g = @h = a); end
Triple = Struct.new(:a, :b, :c)

def keywords(a:, b: 2) = a + b
def rest(*values) = values

nanoseconds "empty loop", "nil"

nanoseconds "string literal", 'x = "a"'
nanoseconds "string literal, frozen", 'x = "a".freeze'
nanoseconds "string literal of 40 bytes", "x = #{("0123456789" * 4).inspect}"
nanoseconds "string a + b", "x = a + b", setup: 'a = b = "a"'
nanoseconds "string interpolation", 'x = "n#{i}"'
nanoseconds "string slice", "x = s[3, 9]", setup: 's = "hello world" * 3'
nanoseconds "symbol to string", "x = :name.to_s"
nanoseconds "string << growing", 's << "ab"', setup: "s = +''"
nanoseconds "string of 64 KB", 'x = "x" * 65_536', count: 3_000
nanoseconds "string of 1 MB", 'x = "x" * 1_048_576', count: 300

nanoseconds "Hash.new", "x = Hash.new"
[0, 1, 2, 4, 8, 9, 16].each do |size|
  nanoseconds "hash of #{size}", "x = {#{Array.new(size) { |key| "k#{key}: i" }.join(", ")}}"
end
nanoseconds "hash, 20 stores", "x = {}; k = 0; while k < 20; x[k] = k; k += 1; end", count: 150_000

[0, 1, 2, 3, 4, 8, 16, 32, 64].each { |size| nanoseconds "array of #{size}", "x = [#{(["i"] * size).join(", ")}]" }
nanoseconds "array, 10 pushes", "x = []; k = 0; while k < 10; x << k; k += 1; end", count: 300_000

nanoseconds "object", "x = Empty.new"
nanoseconds "object of 3", "x = Three.new(1, 2, 3)"
nanoseconds "object of 8", "x = Eight.new(1)"
nanoseconds "struct of 3", "x = Triple.new(1, 2, 3)"
nanoseconds "proc", "x = proc { i }"
nanoseconds "range", "x = (i..9)"
nanoseconds "boxed float", "x = f * 1.0000001", setup: "f = 1e300"
nanoseconds "bignum", "x = n + i", setup: "n = 2**70"

nanoseconds "call with keywords", "keywords(a: i)"
nanoseconds "call with a rest parameter", "rest(i, i)"
