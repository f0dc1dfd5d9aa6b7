# The hash of a Proc stays the same when the objects that it refers to are moved.
def made = {}.to_proc
procs = [made, proc { }, :upcase.to_proc, method(:puts).to_proc, lambda { |x| x }]
filler = Array.new(20_000) { |i| "filler #{i}" }
table = procs.to_h { |block| [block, block.hash] }
filler = filler.each_slice(7).map(&:first)
3.times do
  GC.compact
  p procs.map { |block| block.hash == table[block] }, procs.all? { |block| table.key?(block) }
end
