# Recorded from CRuby 4.1dev.
# The nesting depth from which JSON is generated is not negative and not beyond 32 bits.
require "json"

def show
  p yield
rescue ArgumentError => error
  puts "#{error.class}: #{error.message}"
end

show { JSON.generate([[1]], depth: 1, indent: " ", array_nl: "\n") }
show { JSON.generate([[1]], depth: -5, indent: "  ", array_nl: "\n") }
show { JSON::State.new.depth = -1 }
show { JSON::State.new.depth = 2**31 }
show { JSON::State.new(depth: 2**31 - 1).depth }
