# Recorded from CRuby 4.1dev.
require "skiptrace"
def fails(a) = raise("#{a}")
begin
  fails(1)
rescue => e
  p e.bindings.map { |binding| binding.local_variables.first(2) }, e.bindings.first.local_variable_get(:a)
end
