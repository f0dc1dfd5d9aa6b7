# `send` and `public_send` of names that vary, on receivers of many classes: methods, attributes, native methods,
# blocks, and what cannot be called.

class A
  attr_reader :name
  attr_accessor :size
  def initialize = (@name = "a"; @size = 3)
  def one(a) = [a, @name]
  def two(a, b = 2) = [a, b]
  def blk(a) = yield(a, self.class)
  def kept = (x = binding; x.receiver.name)
  def rec(n) = n == 0 ? raise(ArgumentError, "rec") : send(:rec, n - 1)
  private def hidden(a) = [:hidden, a]
  protected def guarded(a) = [:guarded, a]
  def method_missing(n, *a) = n == :odd ? [:missing, a] : super
  def respond_to_missing?(n, p = false) = n == :odd
end
class B < A; def one(a) = super + [:b]; end
class C < A; def initialize = (@x = 1; @name = "c"); end

def attempt
  yield
rescue ArgumentError, NoMethodError, TypeError, FrozenError, LocalJumpError => e
  [e.class, e.message[/\A[^\n]{1,40}/]]
end
def s(o, n, *a, &b) = attempt { o.send(n, *a, &b) }
def s1(o, n, a) = attempt { o.send(n, a) }
def s0(o, n) = attempt { o.send(n) }
def p1(o, n, a) = attempt { o.public_send(n, a) }
def p0(o, n) = attempt { o.public_send(n) }
def b1(o, n, a) = attempt { (x = 5; o.send(n, a) { |v, c| x += 1; [v, c, x] }) }
NO_NAMES = [false, nil, true, 2.5, [], 1]
def own(n, a) = send(n, a)
def priv(a) = [:priv, a]
WITH_ONE = %i[one two hidden guarded odd itself + instance_of? rec nope size=]
WITH_NONE = %i[name size kept to_s class nope send itself]
WITH_BLOCK = [:blk, :one, :tap, :then, "blk", "one", 3]

results = nil
60.times do |k|
  results = [A.new, B.new, C.new, 5, "s", :t, nil].map do |o|
    [WITH_ONE.map { |n| [s1(o, n, k % 3), p1(o, n, k % 3), s(o, n, k), s(o, n)] },
     WITH_NONE.map { |n| [s0(o, n), p0(o, n), s(o, n)] }, WITH_BLOCK.map { |n| b1(o, n, 4) }, own(:priv, k),
     NO_NAMES.map { |n| [s1(o, n, 1), p1(o, n, 1), s0(o, n), p0(o, n), b1(o, n, 1)] }]
  end
  A.class_eval { def two(a) = [:new, a] } if k == 40
  A.send(:private, :one) if k == 50
end
puts results.inspect.gsub(/0x\h+/, "").scan(/.{1,110}/)
