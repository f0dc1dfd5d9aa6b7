# A synonym of a core method has the name that was called; an alias has that of the other method. (CRuby 4.1dev)
rescue_label = ->(e) { puts e.backtrace_locations[1].label }
3.times do
  begin { a: 1 }.each { raise "x" }; rescue => e; rescue_label.(e) end
  begin { a: 1 }.each_pair { raise "x" }; rescue => e; rescue_label.(e) end
  begin [1].collect { raise "x" }; rescue => e; rescue_label.(e) end
  begin (1..2).collect { raise "x" }; rescue => e; rescue_label.(e) end
  begin { a: 1 }.filter { raise "x" }; rescue => e; rescue_label.(e) end
  begin "a".slice; rescue ArgumentError => e; puts e.backtrace_locations[0].label end
end
p [].method(:collect), [].method(:append), "".method(:length).original_name, Set.instance_method(:union).original_name
