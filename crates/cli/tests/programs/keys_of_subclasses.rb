# Strings of subclasses as hash keys, stored and looked up: recorded from CRuby 3.4.11.
class Token < String
  def initialize(text) = super
end

class Same < String
  def eql?(other) = other.start_with?(self[0])
end

class Other < String
  def eql?(_) = false
  def hash = 1
end

small = { "q" => 1, "Tj" => 2 }
large = (0...40).to_h { |i| ["key#{i}", i] }
p small[Token.new("q")], small.key?(Token.new("q")), small.fetch(Token.new("Tj")), small[Token.new("x")]
p large[Token.new("key7")], large[Same.new("key9")], large[Other.new("key9")]
own = { Token.new("a") => 1, Same.new("b") => 2, Other.new("c") => 3 }
p own["a"], own["b"], own["c"], own[Token.new("a")], own[Same.new("b")], own.keys.map(&:class)
own[Token.new("a")] = 4
own["b".freeze] = 5
own[Token.new("z").freeze] = 6
p own, own.delete(Token.new("z")), own.size
small[Token.new("q").freeze] = 7
small["q".freeze] += 1
p small, small.compare_by_identity.size
p [Token.new("u"), "u"].uniq, ["u", Token.new("u")] & ["u"], { a: 1 }.merge({ Token.new("a") => 2 }).size
