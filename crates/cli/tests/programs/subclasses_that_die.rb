# `subclasses` allocates its list, which may collect some of the classes that it is about to list.
100.times do
  200.times { Class.new(Numeric) }
  Numeric.subclasses
end
p Numeric.subclasses.include?(Integer)
