# A program's own Array#each or Range#each is called by the methods of Enumerable.
p (1..10).last(3), (1..10).to_a, [3, 1].each_with_index.to_a
class Range
  remove_method :each
  def each(&block) = [1, 2, 3, 4, 5].each(&block)
end
3.times { p (1..10).last(3), (1..10).to_a, (1..10).map { _1 } }
