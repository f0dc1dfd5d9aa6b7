# Objects and classes from `allocate` without initialization raise errors; so do methods that a program undefined.
# (Recorded from CRuby 4.0.0, which crashes at the set whose initialize calls no super; the rest is written by hand.)
def attempt
  yield
rescue Exception => error
  error.class
end

p attempt { Class.allocate.new }
p attempt { Class.allocate.superclass }
p attempt { Class.new(Class.allocate) }
p attempt { Thread.allocate }
p attempt { Dir.allocate.read }
p attempt { IO.allocate.read }
p attempt { Thread::Mutex.allocate.locked? }
p attempt { Enumerator.allocate.next }
p attempt { Random.allocate.rand(1..1) }
p Set.allocate.size

class Quiet < Set
  def initialize = nil
end
p Quiet.new.add(1).size

class Bare
  undef_method :initialize
end
p attempt { Bare.new }

class BasicObject
  remove_method :method_missing
end
p attempt { Object.new.nothing_of_that_name }
p attempt { nil.nothing_of_that_name }
