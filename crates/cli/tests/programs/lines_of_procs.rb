# Calls of procs have no line of their own in backtraces.
def fails(*) = raise("x")
def show
  yield
rescue => e
  puts e.backtrace.map { |line| line.sub(/^.*?:/, "") }, "--"
end
show { method(:fails).to_proc.call }
show { [1].each(&method(:fails)) }
show { :fails.to_proc.call(self) }
show { lambda(&:x).call }
show { ->(a) {}.call }
show { proc { |a:| }.call }
show { method(:fails).call }
show { method(:fails).curry.call }
class Missing
  def respond_to_missing?(*) = true
  def method_missing(name, *arguments, **options, &block) = [name, arguments, options, block&.call]
end
p [1, 2].map(&Missing.new.method(:zork))
def all(*arguments, k: 0, &block) = [arguments, k, block&.call]
p method(:all).to_proc.call(1, k: 2) { 3 }, [[1, 2]].map(&method(:all)), {a: 1}.map(&method(:all))
200.times { [1].each(&method(:all)) }
p %w[1 2].map(&method(:Integer)), [3, 4].each_with_index.map(&method(:all))
class Method
  def call(*) = :redefined
end
p [1].map(&method(:all))
