# `super` without arguments passes the entries of `**rest` before the named keywords; `rest` may have been assigned.
class Base
  def named(**all) = all
  def rest(**all) = all
end
class Hashlike
  def to_hash = {a: 1}
  def inspect = "hashlike"
end
class Derived < Base
  def named(k: 8, j: 7, **rest)
    rest = $given if defined?($given)
    k += 1
    super
  end
  def rest(**rest)
    rest = $given if defined?($given)
    super
  end
end
20.times { Derived.new.named(b: 1, k: 2) }
p Derived.new.named(b: 1, k: 2, c: 3), Derived.new.rest(c: 3)
p Derived.new.method(:named).super_method.call(z: 1, k: 2)
[{x: 1, k: 3, z: 2}, {"s" => 1}, {}, nil, [2, 3], Hashlike.new, 1, Class.new(Hash).new].each do |given|
  $given = given
  p((Derived.new.named rescue [$!.class, $!.message]), (Derived.new.rest rescue [$!.class, $!.message]))
  p given
end
