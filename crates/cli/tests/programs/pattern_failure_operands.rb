# The message of a failed pattern reads only the operands that the pattern has set: the registers of the others may hold
# what died since.
class Failing
  def match(x, *rest)
    junk = [[x, rest], [rest.dup]].map { |a| [a, a.dup] }.flatten(1)
    case x
    in Integer | String => y if junk.size == y then 1
    end
  end
end

seen = Hash.new(0)
1000.times do |i|
  Failing.new.match(i % 2 == 0 ? -1 : "b", [i, [i]])
rescue NoMatchingPatternError => e
  seen[e.message] += 1
end
p seen
