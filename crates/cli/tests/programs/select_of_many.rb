# IO.select: streams in the order in which they were given, also those with buffered input and those given twice.
# Dir.empty? reads no more than it needs.
r, w = IO.pipe
r2, w2 = IO.pipe
r3, w3 = IO.pipe
w << "ab\ncd"
w3 << "x"
names = { r => :r, w => :w, r2 => :r2, w2 => :w2, r3 => :r3 }
show = ->(lists) { lists && lists.map { |list| list.map { |io| names[io] } } }
p show[IO.select([r, r], [w, w2, w], nil, 0)]
r.gets
p show[IO.select([r3, r, r2, r], [w], [r], 0)]
p show[IO.select([r2, r], nil, nil, 0)], show[IO.select([r2], nil, nil, 0)]
p show[IO.select([r3, r3, r2, r3], nil, nil, 0)], show[IO.select([r2, r, r3], nil, nil)]
p IO.select([], [w] * 900, [], 0)[1].size

require "tmpdir"
Dir.mktmpdir do |folder|
  p Dir.empty?(folder)
  File.write("#{folder}/a", "")
  p Dir.empty?(folder), Dir.empty?("#{folder}/a")
  p((Dir.empty?("#{folder}/none") rescue $!.class))
end
