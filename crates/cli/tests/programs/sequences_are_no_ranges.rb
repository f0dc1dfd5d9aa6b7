# An arithmetic sequence selects elements of an Array; anything else that takes a Range refuses it.
steps = (0..1).step(2)
def refused
  yield
rescue TypeError => e
  e.message
end

300.times do |i|
  results = [
    refused { "abc"[steps] }, refused { "abc".byteslice(steps) }, refused { (+"abc").slice!(steps) },
    refused { (+"abc")[steps] = "z" }, refused { [1, 2][steps] = 5 }, refused { rand(steps) }, [1, 2, 3][steps]
  ]
  p(*results) if i == 0 || results[0] != "no implicit conversion of Enumerator::ArithmeticSequence into Integer"
end
