# Float#floor, ceil and truncate to tens, bits of big Integers, negation: small and large numbers, cold and hot.
FLOATS = [0.0, -0.0, 0.5, -0.5, 12345.678, -12345.678, 100.0, -100.0, 99.999, -99.999, 4e15, -4e15, 4.1e15, 1e300, 1e22,
          -1e17]
NUMBERS = [0, 1, -1, 2**62, -2**62, 2**62 - 1, 2**64, -2**64, 2**128 - 1, -2**128, -2**128 + 1, 7**120, -7**120,
           3 << 100, -3 << 100]
def rounded
  FLOATS.flat_map do |f|
    tens = (-17..-1).flat_map { |places| [f.floor(places), f.ceil(places), f.truncate(places)] }
    tens + [f.floor(0), f.floor(2), f.ceil(-400)]
  end
end
def cut
  NUMBERS.flat_map do |n|
    [0, 1, 61, 62, 63, 64, 65, 100, 127, 128, 129, 200, 400].flat_map do |at|
      [n[at, 8], n[at, 62], n[at, 1], n[at..at + 3], n[at...at + 62], n[at, 0], n[at, 70]]
    end + [-n, -(-n), n.abs]
  end
end
p rounded, cut
expected = [rounded, cut]
60.times { raise "hot" unless [rounded, cut] == expected }
def raised
  yield
rescue FloatDomainError, RangeError => e
  "#{e.class}: #{e.message}"
end
p raised { Float::NAN.floor(-2) }, raised { Float::INFINITY.ceil(-1) }, raised { 1.5.floor(2**40) }

# Names of local variables are found when they are asked for.
def names_in_method(first, second = 1)
  third = nil
  missing_name
rescue NameError => e
  e.local_variables
end
def names_in_blocks
  outer = 1
  [2].each { |inner| [3].each { |innermost| Object.const_get(:MissingName) } }
rescue NameError => e
  [e.local_variables, e.name, e.message, e.backtrace.map { |line| line[/in .*/] }.first(2)]
end
p names_in_method(1), names_in_blocks
100.times { names_in_method(1); names_in_blocks }
p names_in_method(1), names_in_blocks

def names_in_eval(given)
  local = 1
  eval("inner = 2; missing_inside")
rescue NameError => e
  e.local_variables.first(4)
end
of_ractor = Ractor.new do
  own = 1
  missing_there
rescue NameError => e
  e
end
p names_in_eval(1), of_ractor.value.local_variables.first(2)
