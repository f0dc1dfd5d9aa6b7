# The warning about a finalizer's exception calls methods of the program, which may also raise. A signal that arrives
# while a finalizer runs is handled by the program. One finalizer's method is first called while a call of it waits for
# other finalizers.
def drop(&finalizer)
  object = Object.new
  ObjectSpace.define_finalizer(object, finalizer) if finalizer
  nil
end

class Rude
  def inspect = raise("inspect")
  def call(_) = raise("call")
end

def drop_rudely = ObjectSpace.define_finalizer(Object.new, Rude.new)

$stderr.reopen(File::NULL)
20.times { drop_rudely }
GC.start
p :collected

sent = false
begin
  20.times do
    drop do
      unless sent
        sent = true
        Process.kill(:INT, $$)
      end
    end
  end
  GC.start
  sleep 10
rescue Interrupt => e
  p e.class
end
p :done
