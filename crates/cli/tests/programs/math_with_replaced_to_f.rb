# Recorded from CRuby 4.1dev.
# Functions of Math ask an Integer for a Float by `to_f` if a program has replaced that method.

def results
  [Math.sqrt(4), Math.hypot(3, 4), Math.atan2(1, 2), Math.log(8), Math.log(8, 2), Math.ldexp(1, 2), Math.sqrt(2**80)]
end

500.times { results }
p results

class Integer
  alias original_to_f to_f
  def to_f = 5.0
end
p results, Math.sqrt(4.0), Float(3)
500.times { results }
p results

class Integer
  def to_f = 1
end
begin
  Math.sqrt(4)
rescue TypeError => error
  puts error.message
end

class Integer
  alias to_f original_to_f
end
p results
