# A default Proc is called without a frame of Proc#call; arguments are passed as to a Proc.
h = Hash.new { |_hash, _key| raise "no" }
begin
  h[1]
rescue => e
  puts e.backtrace.grep(/Proc#call/).size
end
puts Hash.new(&->(_hash, key) { key })[2]
h.default_proc = proc { |*all| all.size }
puts h[3]
begin
  Hash.new(&proc { next 4 }).then { |table| puts table[0] }
end
puts Hash.new { |_hash, key| key }[5]
puts "aé".each_char.size, "aé".each_byte.size, "aé".each_grapheme_cluster.size
puts [1, 2, 3].each.with_index(1).to_a.inspect
puts [3, 4].each.each_with_index.with_index(2).map { |(x, i), j| [x, i, j] }.inspect
e = [1, 2].each
puts e.each.equal?(e), e.each { |x| break x * 10 }
