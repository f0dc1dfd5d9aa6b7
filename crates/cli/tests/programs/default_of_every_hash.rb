# A program redefines Hash#default: every read of a missing key calls it, interpreted and compiled.
def read(hash, key) = hash[key]

missing = proc { 40.times.map { [read({1 => 2}, 3), read({1 => 2}, "x"), read(Hash.new(4), 5)] }.uniq }
p missing.call
class Hash
  def default(key = nil) = [:all, key]
end
p missing.call, {}[5], {}.values_at(1), {}.dig(1), Hash.new(7)[1], Hash.new { 4 }[1], {}.to_proc.call(3)
changed = {}
changed[:x] ||= 5
p changed, {}.compare_by_identity[3], "%{a}" % {}, "abc".gsub(/b/, {}), {a: 1}.fetch(:b, 2), {}.shift, {a: 1}[:a]
