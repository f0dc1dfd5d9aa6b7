# Methods that compiled code translates in line see a copy of a String literal: it is not frozen, and identical with no
# other.
def itself_of_literal = "abc".itself
def facts = ["abc".frozen?, "abc".equal?("abc"), "abc".itself.frozen?, [].push("abc")[0].frozen?]

found = Hash.new(0)
1000.times do
  itself_of_literal << "d"
  found[facts] += 1
end
p found
