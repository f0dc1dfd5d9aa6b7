# Enumerators that a Ractor steps through, and constants that it may read. Recorded from CRuby 4.1dev.
def steps(list)
  e = list.each
  [e.next, e.peek, e.next, (e.next rescue $!.class)]
end

p Ractor.new { steps([1, 2]) }.value
p Ractor.new { Array.new(30) { steps([3, 4]) }.uniq }.value
p Ractor.new { [5].each.with_index.next }.value
p steps([6, 7])

# Native methods that read constants are no part of the core library's Ruby half.
LIST = [8]
p Ractor.new { [Object.const_get(:String), (Object.const_get(:LIST) rescue $!.class)] }.value
p Ractor.new { [:LIST].map(&Object.method(:const_get)) rescue $!.class }.value
