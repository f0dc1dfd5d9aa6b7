# Objects as keys of a Hash, whose classes define hash and eql? later. Lookups of keys whose hash has changed depend on
# addresses, so the table is rehashed first.
class A; end
class B; attr_reader :n; def initialize(n) = @n = n; def hash = @n.hash; def eql?(o) = B === o && @n == o.n; end
a, b = A.new, A.new
h = {a => 1, b => 2, String => 3, B.new(1) => 4}
100.times { raise unless h[a] == 1 && h[b] == 2 && h[String] == 3 && h[B.new(1)] == 4 && h[A.new].nil? }
class A; def hash = 7; def eql?(o) = true; end
p h.rehash[A.new]
class C; end
c = C.new; g = {c => 1}; 3.times { g[c] }
module M; def hash = 3; end
C.include(M)
p g.rehash[c]
class C; def eql?(o) = C === o; end
p g[C.new]
def c.hash = 4
p g.rehash[c]
p c.hash == 4, A.allocate.hash
d = {}.compare_by_identity; d[C] = 1; d[:a] = 2; d["x"] = 3; p d[C], d[:a], d["x"], d
