# Arguments before a splat are passed in registers, without an Array of all.
def one(x) = x
def two(x, y) = [x, y]
def rest(x, *more) = [x, more]
def late(x, *more, last) = [x, more, last]
def optional(x, y = :none, z = :absent) = [x, y, z]
def keyword(x, *more, key: :no) = [x, more, key]
def options(x, **options) = [x, options]
def block(x, y) = yield(x, y)
def forward(...) = rest(:front, ...)
def forward_more(x, ...) = keyword(0, x, ...)
ruby2_keywords def flagged(*list) = keyword(:flagged, *list)

def calls(list, hash)
  results = []
  [
    -> { one(1, *list) }, -> { two(1, *list) }, -> { rest(1, *list) }, -> { rest(1, 2, 3, *list) },
    -> { late(1, *list) }, -> { late(1, 2, *list) }, -> { optional(1, *list) }, -> { optional(1, 2, *list) },
    -> { keyword(1, *list, key: 2) }, -> { keyword(1, *list, **hash) }, -> { options(1, *list, a: 1, **hash) },
    -> { block(1, *list) { |*all| all } }, -> { block(1, *list, &:then) }, -> { rest(1, *list, 2) },
    -> { rest(1, *list, *list) }, -> { [1, 2].push(3, *list) }, -> { send(:rest, 0, *list) },
    -> { public_send(:send, :two, 1, *list) }, -> { ->(a, b = 5, *c) { [a, b, c] }.call(1, *list) },
    -> { forward(*list) }, -> { forward_more(5, *list, key: 6) }, -> { flagged(*list, key: 3) },
    -> { rest("text", *list) }, -> { two(*[1], *list) },
    -> { list.then { |x| next rest(1, *x) } }, -> { Struct.new(:a, :b).new(1, *list).to_a },
  ].each_with_index do |call, number|
    results << call.call
  rescue ArgumentError => e
    results << [number, e.message]
  end
  results
end

class Above
  def m(a, *b, **c) = [a, b, c]
  def n(a, *b) = [a, b]
end

class Below < Above
  def m(a, *b, **c)
    b = [:changed] if b.size > 2
    [super, super(0, *b), super(0, *b, k: 1)]
  end

  def n(a, *b) = b.empty? ? super : super(a, *b.drop(1))
end

def yielding(*list)
  yield(:first, *list)
end

def loops(times)
  list, i, sum = [1, 2], 0, 0
  while i < times
    sum += two(i, *[list[0]])[1] + rest(i, *list)[1][1] + Below.new.n(i, *list)[1][0]
    i += 1
  end
  sum
end

one_time = [[], [2], [2, 3], [2, 3, 4, 5, 6]].map { |list| calls(list, { k: 9 }) }
one_time.each { |results| results.each { |result| p result } }
many = nil
40.times { many = [[], [2], [2, 3], [2, 3, 4, 5, 6]].map { |list| calls(list, { k: 9 }) } }
p many == one_time
40.times { many = Below.new.m(1, 2, 3, k: 2) }
p many, Below.new.m(1, 2, 3, 4), Below.new.n(1), Below.new.n(1, 2, 3)
40.times { many = yielding(1, 2) { |a, b, *c| [a, b, c] } }
p many, yielding { |*all| all }, yielding([1, 2]) { |a, (b, c)| [a, b, c] }
p loops(50)

# The Array is read when the call is made; its elements are not evaluated again.
order = []
list = [3]
order << rest((order << :first; 1), *(order << :list; list), &(list << 4; nil))
p order

class Convertible
  def to_a = [7, 8]
end
p rest(1, *Convertible.new), rest(1, *nil), rest(1, *(1..3)), rest(1, *5)
begin
  rest(1, *Class.new { def to_a = 1 }.new)
rescue TypeError => e
  p e.class
end

hash = Hash.ruby2_keywords_hash({ key: 4 })
40.times { many = keyword(1, *[2, hash]) }
p many, keyword(1, *[hash]), keyword(1, *[hash], **nil)

# Less than CRuby's number of objects would show as an Array for each call.
def allocated
  before = GC.stat(:total_allocated_objects)
  yield
  GC.stat(:total_allocated_objects) - before
end
empty = []
allocated { 1.times { one(1, *empty) } }
p allocated { one(1, *empty); optional(1, *empty); one(1, *empty) } < 3

# A nameless rest parameter may be the caller's Array, which nothing can change through it.
def nameless(*) = named(*)
def named(*list) = list << :added
def collected(*) = [*]
def nameless_block(*, &) = collected(*, &)
ruby2_keywords def nameless_flagged(*) = keyword(0, *)
class Parent
  def initialize(*list) = @list = list << :parent
  attr_reader :list
end
class Child < Parent
  def initialize(*) = super
end
list = [1, 2].freeze
40.times do
  many = [nameless(*list), nameless(*list, **nil), nameless, collected(*list).equal?(list), nameless_block(*list, **{}),
    Child.new(*list).list, Child.new.list, nameless_flagged(1, key: 2), nameless(*[[1]]), nameless(1, *list)]
end
p many, list, collected.frozen?
p [[[1, 2]], [[3]]].map { |*| 1 }, proc { |*, last| last }.call(*list), [[1, 2]].each { |a, *| p a }

# A nameless keyword rest parameter may be the caller's Hash, or nil without keywords.
def hidden(*, **) = options(0, **)
def hidden_twice(*, **) = hidden(*, **)
def gathered(**) = { **, z: 1 }
def changed(**options) = options.merge!(changed: true)
def hidden_change(**) = changed(**)
def with_default(a = {}, **) = [a, options(0, **)[1]]
def dots(...) = hidden_twice(...)
class Above
  def k(**options) = options.merge!(k: 1)
end
class Below < Above
  def k(**) = super
end
hash = { a: 1 }.freeze
40.times do
  many = [hidden, hidden(a: 1), hidden(1, **hash), hidden(*[], a: 2), hidden(*[3], **nil), hidden_twice(b: 1, **hash),
    gathered, gathered(**hash), hidden_change(**hash), hidden_change, hidden_change(c: 2), with_default,
    with_default({}),
    with_default(**hash), dots(*[1], a: 3), dots, Below.new.k, Below.new.k(**hash), options(*[4], b: [], c: { d: "e" })]
end
p many, hash
literal = -> { options(*[1], list: 5, "text" => 6) }
literal.call[1][:added] = true
p literal.call, method(:hidden).parameters, method(:dots).parameters

# The mark of a Hash of `ruby2_keywords` is not passed on.
def plain(*list) = list
def between(*, **) = plain(*, **)
ruby2_keywords def marking(*list) = between(*list)
40.times { many = [marking(1, a: 2), marking(**{})] }
p many, Hash.ruby2_keywords_hash?(many[0].last)
