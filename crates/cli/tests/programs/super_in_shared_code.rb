# The same code as the body of two methods of one chain: `super` continues behind each.
module A; def m(x) = [:a, *super]; end
class Base; def m(x) = [:base, x]; end
class Mid < Base; end
class Low < Mid; end
Mid.include A
body = A.instance_method(:m)
Low.define_method(:m, body)
300.times { raise unless Low.new.m(1) == [:a, :a, :base, 1] }
p Low.new.m(1), Mid.new.m(2)
# A method that is defined later in between.
class Mid; def m(x) = [:mid, *super(x + 1)]; end
300.times { Low.new.m(1) }
p Low.new.m(1)
class Low; def m(x, &b) = b ? [:low, *super(x)] : super; end
300.times { Low.new.m(1) {} }
p Low.new.m(1) {}, Low.new.m(1)
begin
  Low.instance_method(:m).bind(Base.new)
rescue TypeError => e
  p e.class
end
class Other; def n = yield; end
class Low; def blk = proc { super() }; def self.try(o, pr) = o.instance_exec(&pr); end
class Mid; def blk = :midblk; end
pr = Low.new.blk
2.times { p pr.call }
begin; Low.try(Other.new, pr); rescue TypeError => e; puts e.message; end
GC.start
100.times { Low.new.m(3) }
GC.compact
p Low.new.m(3)
class Low; remove_method :m; end
p Low.new.m(4)
