# Exceptions that are raised while others are handled share frames with them; each has its own complete backtrace.

def below(depth, &block) = depth == 0 ? block.call : below(depth - 1, &block)

def nest(depth, found)
  raise "at #{depth}"
rescue => error
  found << error
  depth == 0 ? found : nest(depth - 1, found)
end

def positions(lines) = lines.map { |line| line[/\d+:in .*/] }

errors = below(80) { nest(30, []) }
p errors.map { |error| error.backtrace.size }.each_cons(2).all? { |outer, inner| inner == outer + 1 }
p errors.all? { |error| error.backtrace == error.backtrace_locations.map(&:to_s) }
puts positions(errors[20].backtrace.first(3)), positions(errors[20].backtrace.last(2))
p errors.last.backtrace.tally.values.max(2)
