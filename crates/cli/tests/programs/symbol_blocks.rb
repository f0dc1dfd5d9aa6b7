# Blocks that are Symbols (`&:name`) and Procs, in cold and in hot code. Recorded with CRuby 4.1dev.

class Item
  attr_reader :name
  def initialize(name) = @name = name
  def with(other = nil, key: nil, &block) = [@name, other, key, block&.call]
  def method_missing(name, *rest) = name == :ghost ? [:ghost, *rest] : super
  def respond_to_missing?(name, all = false) = name == :ghost
  def kin(all) = all.map(&:guarded)
  def own = [self].map(&:hidden)
  protected def guarded = :guarded
  private def hidden = :hidden
end

ITEMS = [Item.new("a"), Item.new("b"), Item.new("c")]

def one = yield(ITEMS[0])
def two = yield(ITEMS[0], 2)
def none = yield
def keyed = yield(ITEMS[0], key: 3)
def called(&block) = block.call(ITEMS[0], 4)
def blocked(&block) = block.call(ITEMS[0], key: 1) { :inner }
def passed(&block) = ITEMS.map(&block)
def kept(&block) = block
def message = yield.then { |v| v.inspect }
rescue_of = ->(&block) { block.call.inspect rescue "#{$!.class}: #{$!.message}" }

def run
  [ITEMS.map(&:name), ITEMS.map(&:with), ITEMS.map(&:ghost), one(&:name), two(&:with), keyed(&:with), called(&:with),
   blocked(&:with), passed(&:name), [3, 1, 2].inject(&:+), { a: 1 }.map(&:last), [[1, 2], [3]].each_with_index.map(&:first),
   [1, nil].map(&:nil?), %w[b a].sort_by(&:itself), [1, 2].sum(&:to_f), %w[x y].each_with_index.map(&:*), [[]].all?(&:empty?),
   [1, "a", :b, 2.5, nil].map(&:to_s), [3].instance_exec(5, &:succ), ITEMS.max_by(&:name).name, ITEMS&.map(&:name)]
end

p run
100.times { run }
p run

100.times do |i|
  errors = [rescue_of.call { none(&:name) }, rescue_of.call { [ITEMS[0]].map(&:guarded) }, rescue_of.call { ITEMS[0].kin(ITEMS) },
            rescue_of.call { [1].map(&:absent) }, rescue_of.call { [ITEMS[0]].each(&:with=) }, rescue_of.call { ITEMS[0].own }]
  puts errors if i % 99 == 0
end

# The Proc of a Symbol
made = kept(&:name)
p made.lambda?, made.arity, made.parameters, made.equal?(kept(&:name)), made.equal?(:name.to_proc)
p made.source_location, made.inspect[/\(.*/], lambda(&:name).equal?(made), proc(&:name).equal?(made)
Item.define_method(:shown, &:to_s)
p ITEMS.map(&:shown)[0][0, 7] rescue puts "#{$!.class}: #{$!.message}"
begin
  [1].each(&:absent)
rescue NoMethodError => e
  puts e.backtrace_locations.map { |place| "#{place.lineno} #{place.label}" }
end

# Events
events = []
point = TracePoint.new(:call, :return, :c_call, :c_return, :b_call, :b_return) { |tp| events << [tp.event, tp.method_id] }
point.enable { [ITEMS[0]].map(&:name); [1].map(&:to_s) }
p events

# Procs
PROCS = [proc { |x| x.name }, proc { |x, y| [x.name, y] }, ->(x) { [x.name] }, ITEMS[0].method(:==).to_proc, :name.to_proc]
200.times do |i|
  shown = PROCS.map { |block| [one(&block), passed(&block)].inspect }
  puts shown if i % 199 == 0
end
def leave(list) = list.each(&proc { |x| return [:left, x.name] })
def pairs(&block) = [[1, 2], [3, 4]].map(&block)
300.times { leave(ITEMS) }
p leave(ITEMS), pairs(&proc { |x, y| y }), (pairs(&->(x, y) { y }) rescue $!.class), pairs(&proc { |x| x })
counter = 0
count = proc { |x| counter += 1; next 7 if counter.odd?; x }
500.times { one(&count) }
p counter, one(&count), two(&count).class

# Refinements, then another Symbol#to_proc, in hot code
module Louder
  refine(Item) { def name = @name.upcase }
end
module Refined
  using Louder
  def self.names = ITEMS.map(&:name)
end
def names = ITEMS.map(&:name)
100.times { names; Refined.names }
p names, Refined.names
class Symbol
  def to_proc = proc { |x| [:mine, self, x.class] }
end
p names, Refined.names, one(&:name), kept(&:name).call(1)
100.times { names }
p names
class Symbol
  remove_method :to_proc
end
p (names rescue $!.class)
