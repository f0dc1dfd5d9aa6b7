def all(a, b = 2, *r, k: 1, **o, &blk) = [a, b, r, k, o, blk&.call]
30.times do
  raise unless all(1) == [1, 2, [], 1, {}, nil]
  raise unless all(1, 2, 3, k: 5, z: 9) { 7 } == [1, 2, [3], 5, { z: 9 }, 7]
end
p all(1), all(*[1, 2], **{ q: 1 })
def post(a, *m, z) = [a, m, z]
p post(1, 2), post(1, 2, 3, 4)
def keywords(a:, b: a * 2) = [a, b]
p keywords(a: 1), keywords(b: 0, a: 3)
[-> { keywords }, -> { keywords(a: 1, c: 2) }, -> { post(1) }, -> { all }].each do |wrong|
  wrong.call
rescue ArgumentError => e
  puts e.message
end
def forward(...) = all(...)
p forward(1, 2, k: 3) { 4 }
p [[1, [2, 3]], [4, [5, 6]]].map { |a, (b, c)| a + b + c }
p proc { |a, b| [a, b] }.call([1, 2]), proc { |a| a }.call([1, 2]), lambda { |a| a }.call([1, 2])
p proc { _1 + _2 }.call(1, 2), proc { it * 2 }.call(4)
