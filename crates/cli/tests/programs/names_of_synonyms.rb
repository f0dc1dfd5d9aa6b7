# A synonym of a core method has the name that was called; an alias has that of the other method. (CRuby 4.1dev)
2.times do
  [[{ a: 1 }, :each], [{ a: 1 }, :each_pair], [[1], :collect], [1..2, :collect], [{ a: 1 }, :filter]].each do |all, name|
    all.public_send(name) { raise "x" }
  rescue => e
    puts e.backtrace_locations[2].label
  end
end
p [].method(:collect), [].method(:append), "".method(:length).original_name, Set.instance_method(:union).original_name
begin
  "a".slice
rescue ArgumentError => e
  puts e.backtrace_locations[0].label
end
