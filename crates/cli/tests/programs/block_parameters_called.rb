# A &block parameter that is only called needs no Proc; whatever else is passed or done is as with a Proc.
def direct(x, &b) = b.call(x)
def each_of(list, &b) = list.each { |x| b.call(x, 1) }
def safe(&b) = b&.call(3)
def dots(&b) = b.(4, *[5], k: 6)
def none(&b) = b.call
def stored(&b)
  before = b.call
  $kept = b
  [before, b.call, $kept.call, b.equal?($kept)]
end
def assigned(&b)
  b = ->(x) { [:lambda, x] }
  b.call(7)
end
def changed_by_argument(&b) = b.call((b = nil; 8))
def by_binding(&b)
  binding.local_variable_set(:b, proc { |x| [:set, x] })
  b.call(9)
end
def symbol(&b) = b.call("x")
def with_block(&b) = b.call(1) { 2 }
def returns
  direct(1) { |x| return [:returned, x] }
  :not_reached
end
def breaks = direct(1) { |x| break [:broken, x] }
def nexts = direct(1) { |x| next [:next, x] }
def raises = direct(1) { |x| raise ArgumentError, "in block #{x}" }
def nested(&b) = direct(1) { |x| direct(2) { |y| b.call(x + y) } }
def packed(&b) = b.call([1, 2])
def lambda_strict(&b) = b.call(1, 2)

results = nil
300.times do
  results = [
    direct(1) { |x| x + 1 },
    [].tap { |out| each_of([1, 2]) { |x, y| out << x + y } },
    safe { |x| x }, safe,
    dots { |*a, **k| [a, k] },
    stored { :v },
    assigned { },
    (changed_by_argument { |x| x } rescue $!.class),
    by_binding { },
    symbol(&:upcase),
    with_block { |x, &b| [x, b&.call] },
    returns, breaks, nexts,
    (raises rescue $!.message),
    nested { |x| x * 10 },
    packed { |a, b| [a, b] },
    (lambda_strict(&->(a) { a }) rescue $!.message),
    (none rescue $!.message),
    direct(5, &proc { |x, y| [x, y] }),
    direct(6, &method(:Integer)),
  ]
end
results.each { |r| p r }

def kind(&b) = b.call
def lines = kind { caller(0).map { |l| l[/\d+:in .*/] }.first(3) }
2.times { puts lines }

before = GC.stat(:total_allocated_objects)
1000.times { direct(1) { |x| x } }
p GC.stat(:total_allocated_objects) - before < 500

class Proc
  alias called call
  def call(*a) = [:redefined, *called(*a)]
end
p direct(1) { |x| x + 1 }
p safe { |x| x }
