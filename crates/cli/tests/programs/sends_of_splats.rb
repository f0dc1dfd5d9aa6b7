# `send` of splatted Arrays whose names and lengths vary: methods, native methods, keywords, and what cannot be called.

class A
  attr_reader :name
  def initialize = (@name = "a")
  def n0 = [:n0]
  def n1(a) = [:n1, a]
  def n2(a, b = 7) = (c = a; [:n2, a, b, c, d = d])
  def many(a, b, c, d, e, f, g) = (h = i = nil; [g, f, e, d, c, b, a, h, i])
  def kw(a, k: 0) = [a, k]
  def rest(*a) = a
  def blk = block_given?
  def method_missing(n, *a) = [:missing, n, a]
  def respond_to_missing?(*) = true
  def chain(n, *a) = n == 0 ? a : send(:chain, n - 1, *a, n)
  private def hid(a) = [:hid, a]
  def fails(a) = raise(ArgumentError, "f#{a}")
  def here(a) = caller_locations(1, 2).map(&:lineno).size + a
end
class B < A; def n1(a) = super + [:b]; end
def go(o, *args) = o.send(*args)
def pub(o, *args) = o.public_send(*args)
def named(o, n, *args) = o.send(n, *args)
def kws(o, n, *args, **k) = o.send(n, *args, **k)
def blks(o, n, *args, &b) = o.send(n, *args, &b)
def attempt
  yield
rescue ArgumentError, NoMethodError, TypeError => e
  [e.class, e.message[/\A[^\n]{1,40}/]]
end
CALLS = [
  [:n0], [:n1, 1], [:n2, 1], [:n2, 1, 2], [:many, 1, 2, 3, 4, 5, 6, 7], [:kw, 1], [:kw, 1, { k: 2 }], [:rest],
  [:rest, 1, 2, 3], [:rest, *1..20], [:blk], [:nope, 3], [:chain, 3, 0], [:hid, 4], [:fails, 5], [:here, 6], [:name],
  [:to_s, 3], [:class], ["n1", 8], [:n1, { a: 1 }], [:n1, [1]], [:n1], [:n0, 1], [], [:==, 5], [:instance_of?, A],
  [false], [false, 1], [nil, 1], [true], [2.5, 1], [:send, :n1, 9],
  [:instance_variable_get, :@name], [:then], [:hash, 1],
]
def all(o, c)
  [attempt { go(o, *c) }, attempt { pub(o, *c) }, attempt { named(o, *c) }, attempt { kws(o, *c) },
   attempt { blks(o, *c) { |x| 1 } }]
end

results = nil
160.times do |k|
  results = [A.new, B.new, 5, "s", nil, Class.new(A).new].map { |o| CALLS.map { |c| all(o, c) } }
  A.class_eval { def n1(a, b = 3) = [:new, a, b] } if k == 100
  A.send(:private, :n2) if k == 130
end
puts results.inspect.gsub(/0x\h+/, "").gsub(/#<Enumerator.*?>/, "").scan(/.{1,110}/)
