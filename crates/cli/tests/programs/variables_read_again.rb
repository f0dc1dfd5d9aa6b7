# Variables of objects that compiled code reads more than once: between the reads, something may change them.
class Box
  attr_accessor :a, :b
  def initialize(a, b) = (@a, @b = a, b)
  def twice = @a + @a
  def after_alias(other)
    before = @a
    other.a = before + 1
    [before, @a, other.a]
  end
  def after_store
    @a = @a * 2
    @a += @b
    @b = @a
    @a + @b
  end
  def after_call
    before = @a
    change
    [before, @a]
  end
  def change = instance_variable_set(:@a, @a.to_f)
  def after_block
    before = @a
    yield self
    before + @a
  end
  def chosen(flag)
    sum = @a
    if flag
      @a = 5
    else
      other = @b
    end
    sum + @a + (other || 0) + @b
  end
  def in_a_loop(n)
    i = 0
    while i < n
      @a += 1 if @a < 10
      @a = 1.5 if i == n - 1
      i += 1
    end
    @a
  end
  def rescued
    before = @a
    begin
      @a = "text"
      Integer(@a)
    rescue ArgumentError
      @a = @a.length
    end
    before + @a
  end
  def grown(name) = [@a, instance_variable_set(name, 3), @a, instance_variable_get(name)]
end

class Node
  attr_reader :value, :next
  def initialize(value, following) = (@value, @next = value, following)
  def sum = @value + (@next ? @next.value : 0) + (@next ? @next.sum : 0)
end

def shown(n)
  last = nil
  n.times do |i|
    one, two = Box.new(i, 2), Box.new(i * 0.5, 3)
    last = [one.twice, two.twice, one.after_alias(one), one.after_alias(two), one.after_store, two.after_store,
            one.after_call, one.after_block { |box| box.a = 7 }, one.chosen(i.even?), one.chosen(true),
            Box.new(3, 1).in_a_loop(5), Box.new(i, i).rescued, one.grown(:@c), two.grown(:@d),
            Node.new(1, Node.new(i, Node.new(0.5, nil))).sum]
    # Both names mean the same object.
    same = one
    first = one.a
    same.a = first + 1
    last << one.a << same.a
  end
  last
end

def changed_by_others(n)
  box = Box.new(1, 2)
  results = []
  n.times do |i|
    before = box.a
    box.instance_variable_set(:@a, before + 1)
    results << box.a - before if box.a != before + 1
    box.freeze if i == n - 1
    begin
      box.a = 0 if i == n - 1
    rescue FrozenError
      results << :frozen << box.a
    end
  end
  results.uniq
end

2.times do
  p shown(2000)
  p changed_by_others(2000).first(2)
end
