# The debug inspector, structures of ranges and hashes, and objects whose structure is set up after their allocation.
require "thin"

class Looker
  def look(a)
    b = a + 1
    [b].each { |c| return Thin.frames }
  end

  def inspect = "looker"
end

Looker.new.look(1).each { |frame| p frame }
def deeper = Thin.depth
p deeper - Thin.depth
p((Thin.members(1...7) rescue $!), Thin.members(Struct.new(:a, :b).new(1, 2)))
p Thin.table_size({}), Thin.table_size({ 1 => 2, "a" => :b })
GC.stress = true
chains = Array.new(20) { Thin::Chain.new }
GC.stress = false
p chains.size
p Thin.count, Thin.count
p Thin.write_bytes($stdout, "bytes\n")
# A stream of the C library ends with that of Ruby.
reader, writer = IO.pipe
p Thin.print_to(writer, "from C")
writer.close
p reader.read
p Thin.digits("1f2z"), Thin.digits("fffffffffffffffff")
p Thin.call_with_block([1, 2].method(:each_slice), 1, ->(part) { p part })
scheduler = Struct.new(:asked) do
  def io_wait(io, events, timeout) = [events, timeout]
  def block(blocker, timeout) = [blocker, timeout]
end
p Thin.ask_scheduler(scheduler.new, $stdout)
