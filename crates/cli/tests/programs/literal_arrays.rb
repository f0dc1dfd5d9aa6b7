# A long literal Array has no spare room.
require "objspace"

GC.disable
def size_of_arrays = ObjectSpace.memsize_of_all(Array)

before = size_of_arrays
eval "A = [#{(0...20_000).to_a.join(",")}]"
# The literal and the Array that it makes share their elements, which count for both.
p A.size, A.sum, (size_of_arrays - before) / 20_000
p [1, 2, 3], [], [[1, [2]], [3.5, 2**70]]
