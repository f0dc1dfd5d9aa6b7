# A core method that is written with a helper has one line in a backtrace, and so has each method that runs its block.
def shown = puts($!.backtrace.map { |line| line[/'.*'/] }.join(" "))

begin
  [1].each_entry.all? { raise }
rescue
  shown
end

class Failing
  include Enumerable
  def each
    yield 1
    raise
  end
end

begin
  Failing.new.first(2)
rescue
  shown
end

begin
  { a: 1 }.select { raise }
rescue
  shown
end

begin
  [2, 1].keep_if { raise }
rescue
  shown
end

# keep_if and delete_if do not call a redefined select! or reject!.
class Array
  def select! = raise
  def reject! = raise
end
p [1, 2].keep_if { it > 1 }, [1, 2].delete_if { it > 1 }
