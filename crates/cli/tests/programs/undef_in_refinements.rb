# A method that a refinement undefines is missing where it is called by name; `send` and its like find the original.
module Less
  refine String do
    undef +, upcase
  end

  refine Integer do
    undef succ
  end
end

module Outside
  def self.sum = "a" + "b"
  def self.upcase(s) = s.upcase
end

using Less

def plus(a, b)
  a + b
rescue NoMethodError => error
  error.message
end

def upcase(s)
  s.upcase
rescue NoMethodError => error
  error.message
end

300.times { plus("a", "b"); upcase("a") }
p plus("a", "b"), plus(1, 2), upcase("a"), (1.succ rescue $!.message)
p %w[a].map(&:upcase), "a".respond_to?(:upcase), "a".send(:upcase), "a".method(:upcase).call, "a".downcase
p Outside.sum, Outside.upcase("b")
