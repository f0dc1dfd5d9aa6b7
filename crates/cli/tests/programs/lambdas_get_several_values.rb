# A lambda that is passed as a block gets several yielded values like a block: as many as it takes.
class Twos
  include Enumerable
  def each
    yield 1, 2
  end
end

class Ones
  include Enumerable
  def each
    yield [1, 2]
  end
end

def tried
  p yield
rescue ArgumentError, TypeError => e
  puts e.message
end

LAMBDAS = [->(a) { [a] }, ->(a, b) { [a, b] }, ->(a, b, c) { [a, b, c] }, ->(*a) { a }, ->(a, b = 3) { [a, b] },
           ->() { [] }, ->(a, (b, c), d) { [a, b, c, d] }, ->(a, k: 1) { [a, k] }, ->(a, *b, c) { [a, b, c] }]
NAMES = %i[find find_index any? map select reject partition group_by count min_by flat_map each_entry filter_map
           find_all take_while drop_while each_with_index sort_by max_by zip uniq]

2.times do
  [Twos.new, Ones.new].each do |list|
    NAMES.each do |name|
      LAMBDAS.each_with_index do |block, i|
        print list.class, " ", name, " ", i, " "
        tried { result = list.public_send(name, &block); result.equal?(list) ? :self : result }
      end
    end
  end
  LAMBDAS.each { |block| tried { { a: 1 }.find { |*x| p block.call(*x) rescue nil } } }
  LAMBDAS.each { |block| tried { { a: 1 }.find(&block) } }
  LAMBDAS.each { |block| tried { { a: 1 }.any?(&block) } }
  LAMBDAS.each { |block| tried { { a: 1 }.map(&block) } }
  LAMBDAS.each { |block| tried { [[1, 2]].find(&block) } }
  LAMBDAS.each { |block| tried { [[:a, 2]].to_h(&block) } }
end
