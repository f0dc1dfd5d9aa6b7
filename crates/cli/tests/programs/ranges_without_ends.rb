# Recorded from CRuby 4.1dev.
# A Range whose ends are not set yet can be dumped, loaded and initialized, once.
class Sub < Range; end

[Range, Sub].each do |kind|
  dump = Marshal.dump(kind.allocate)
  p dump
  range = Marshal.load(dump)
  p range.frozen?
  range.instance_eval { initialize(5, 6, true) }
  p range, range.frozen?
  range.instance_eval { initialize(1, 2) }
rescue NameError, FrozenError => error
  puts "#{error.class}: #{error.message}"
end

begin
  Sub.new(1, 2).instance_eval { initialize(3, 4) }
rescue NameError => error
  puts error.message
end
copy = (1..2).dup
p copy, copy.frozen?, Marshal.load(Marshal.dump(copy))
