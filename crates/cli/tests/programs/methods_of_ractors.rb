# A method that a Ractor defines with a block that cannot be shared runs only in this Ractor.
class A
end

def try
  A.new.own
rescue RuntimeError => e
  e.message
end

ractor = Ractor.new do
  A.define_method(:own) { :ran }
  [try, Ractor.new { try }.value]
end
p ractor.value
p try
p Ractor.new { try }.value
