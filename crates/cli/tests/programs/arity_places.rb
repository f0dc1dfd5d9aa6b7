# The location of an ArgumentError is the definition of the called method.
module M
  def a(x)
    x
  end

  def b(
    x,
    y
  )
    x
  end
end
include M

def shown
  yield
rescue ArgumentError => error
  puts error.backtrace.first[/:(\d+):/, 1], error.backtrace_locations.first.lineno
end

shown { a }
shown { b 1 }
shown { send(:a, 1, 2) }
define_singleton_method(:c) do |q|
  q
end
shown { c }
square = ->(side) do

  side * side
end
shown { square.call }
shown { square.(1, 2) }
shown { Class.new { def initialize(x)
  x
end }.new }
