# Call sites that call methods of 24 classes, and iterators that are passed many blocks.
NODES = 24.times.map do |i|
  Class.new do
    attr_reader :name, :list
    define_method(:number) { i }
    class_eval <<~RUBY
      def initialize(list) = (@name = :n#{i}; @list = list)
      def accept(v) = v.visit_#{i}(self)
      def sum(a, b) = (c = a; d = b; c + d + #{i})
      def locals(a)
        if a > 100
          x = 1
        end
        y = x
        x = a
        [x, y, z = z]
      end
      def each = @list.each { |x| yield x, #{i} }
      def fails(a) = a == 0 ? raise("in #{i}") : fails(a - 1)
      def kept = binding
      def trace = caller(0, 2).map { |l| l[/'.*'|in .*/] }
      def optional(a, b = #{i}) = [a, b]
      def ==(o) = o.equal?(self) || #{i} == o
      private def hidden = #{i}
      protected def guarded = #{i}
    RUBY
  end
end
class V
  def initialize = @seen = []
  attr_reader :seen
  NODES.each_with_index { |_, i| class_eval "def visit_#{i}(n) = (@seen << #{i}; n.list.each { |m| m.accept(self) })" }
end
def of(depth, i = depth) = NODES[i % 24].new(depth == 0 ? [] : [of(depth - 1, i * 5 + 1), of(depth - 1, i * 7 + 2)])
TREE = of(6)
def names(n) = [n.name, n.list.map { |m| m.name }]
def sum(n, a) = begin; n.sum(a, 2); rescue NoMethodError => e; e.message; end
def locals(n, a) = n.locals(a)
def blocks(n) = (r = []; n.each { |m, i| r << m.name << i; break r if r.size > 4 }; r)
def fails(n) = begin; n.fails(3); rescue => e; [e.message, *e.backtrace_locations.first(5).map(&:label)]; end
def bound(n) = n.kept.receiver.name
def trace(n) = n.trace
def optional(n) = [n.optional(1), n.optional(1, 2)]
def hidden(n) = begin; n.hidden; rescue NoMethodError => e; e.class; end
def guarded(n) = begin; n.guarded; rescue NoMethodError => e; e.class; end
def missing(n) = begin; n.sum(1); rescue ArgumentError, NoMethodError => e; e.message; end
def same(n, o) = n == o
ALL = NODES.map { |c| c.new([c.new([])]) }
r = nil
24.times do |k|
  v = V.new
  TREE.accept(v)
  r = ALL.each_with_index.map do |n, i|
    [names(n), sum(n, k), locals(n, k), blocks(n), fails(n), bound(n), trace(n), optional(n), hidden(n), guarded(n),
     missing(n), same(n, i), same(n, nil), n.number]
  end
  r << v.seen.hash.class << v.seen.size << v.seen.sum
  NODES[3].class_eval("def sum(a, b) = [a, b]\ndef accept(v) = v.seen << 1000") if k == 15
  NODES[5].send(:private, :sum) if k == 18
  NODES[5].send(:public, :sum) if k == 21
end
puts r.flatten.join(" ").scan(/.{1,110}(?= |$)/)
def twelve(&b) = [1, 2].each(&b)
def pairs = { 1 => 2, 3 => 4 }
20.times do |k|
  x = k
  o = []
  [1, 2].each { |a| o << a + x }
  [1, 2].each { |a, b| o << [a, b] }
  [[1, 2], [3, 4]].each { |a, b| o << b }
  [1, 2].each { o << x }
  [1, 2].each { |a; y| o << y; y = a }
  [1, 2].each { |*a| o << a }
  [1, 2].each { |a, b = 5| o << b }
  [1, 2].each { |a| next o << 9 if a == 1; o << 8 }
  o << [1, 2].each { |a| break a * 10 }
  o << (begin; [1, 2].each { |a| raise "x#{a}" }; rescue => e; e.message; end)
  [1, 2].each { |a| o << binding.local_variables.size }
  twelve { |a| o << a * 3 }
  pairs.each { |a, b| o << a * b }
  [1, 2].each(&:itself)
  [1, 2].each { o << it }
  [1, 2].each { o << _1 }
  [[1, 2]].each { o << [_1, _2] }
  o << [3, 4].each { |a| o << ->(z) { z + a } }.size
  p o.map { |z| z.is_a?(Proc) ? z.(1) : z } if k > 18
end
big = (1..3000).to_a
t = 0
12.times { big.each { |a| t += a } }
12.times { big.each { |a| t -= a } }
12.times { big.each { |a| t += 2 } }
p t
