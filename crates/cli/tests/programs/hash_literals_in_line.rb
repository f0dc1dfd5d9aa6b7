# Hash literals whose keys are Symbols and numbers, hot.
def two(v) = {a: v, b: 2}
def eight(v) = {a: v, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: [v]}
def nine(v) = {a: v, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9}
def numbers(v) = {1 => v, 2 => :two, nil => 3, true => 4, 1.5 => 5}
def nested(v) = {a: {b: {c: v}}}
def grown(v)
  h = {a: v}
  10.times { |i| h[i] = i }
  h
end
def options(h = {x: 1}) = h
def merged(v) = {a: v}.merge(two(v))

first = [two("x"), eight("x"), nine("x"), numbers("x"), nested("x"), grown("x"), options, merged("x")]
300.times do
  now = [two("x"), eight("x"), nine("x"), numbers("x"), nested("x"), grown("x"), options, merged("x")]
  raise "differs" unless now == first && now.map(&:hash) == first.map(&:hash) && now.map(&:keys) == first.map(&:keys)
end
puts first
p two(1)[:b], eight(2)[:h], nine(3)[:i], numbers(4)[1.5], two(1).key?(:c), two(1).delete(:a), two(1).default
kept = Array.new(5000) { |i| two(i.to_s) }
p kept.sum { |h| h[:a].to_i + h[:b] }, two(1).equal?(two(1)), options.frozen?
