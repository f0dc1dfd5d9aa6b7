# Methods that pass on the block they were given, in cold and hot code.

class Items
  def initialize(*items) = @items = items
  def each(&block) = @items.each(&block)
  def twice(n, &block) = n.times { each(&block) }
  def maybe(&block) = block ? each(&block) : :none
  def spread(*args, &block) = gather(*args, &block)
  def gather(a, b) = block_given? ? yield(a, b) : [a, b]
  def kept(&block) = keep(&block)
  def keep(&block) = (@kept = block)
  def replaced(&block) = (block = proc { |x| x * 100 }; @items.map(&block))
  def recurse(n, &block) = n.zero? ? block.call(0) : recurse(n - 1, &block)
  def deeper(n, &block) = n.zero? ? yield(n) : deeper(n - 1, &block)
end

def first_over(items, limit)
  items.each { |x| return x if x > limit }
  nil
end

def summed(items)
  sum = 0
  items.each { |x| sum += x }
  items.twice(2) { |x| sum += x }
  sum
end

def broken(items) = items.each { |x| break x * 10 if x == 2 }

def changed_while_passed(items)
  count = 0
  items.twice(2) do |x|
    count += x
    binding.local_variable_set(:count, count + 1) if x == 3
  end
  count
end

def raised(items)
  items.each { |x| raise ArgumentError, "at #{x}" if x == 3 }
rescue ArgumentError => e
  [e.message, e.backtrace.map { |line| line[/in .*/] }.first(4)]
end

items = Items.new(1, 2, 3)
all = nil
100.times do |i|
  local = i
  all = [
    summed(items), first_over(items, 1), first_over(items, 9), broken(items), items.maybe, items.maybe { |x| x },
    items.spread(1, 2) { |a, b| a + b + local }, items.spread(3, 4), items.kept { |x| x + local }.call(1),
    items.replaced { |x| x }, items.recurse(3) { |x| x + local }, items.deeper(4) { |x| x - local },
    changed_while_passed(items), raised(items)
  ]
end
p(*all)
symbols = Items.new(:a, :b)
p symbols.each(&:to_s), symbols.each(&nil)
def items.each = yield(:own)
p summed(Items.new(4)), (items.twice(1) { |x| p x })
