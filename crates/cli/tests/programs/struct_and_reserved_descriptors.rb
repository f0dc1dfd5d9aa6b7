# The block of Struct.new has no frame of class_eval around it; the descriptors of the VM itself are not given away.
def Struct.class_eval(*) = raise("not called")
begin
  Struct.new(:a) { raise "in the block" }
rescue => error
  puts error.backtrace.map { |line| line[/in .*/] }
end
p Struct.new(:a) { def twice = a * 2 }.new(4).twice
found = Dir.children("/proc/self/fd").any? do |fd|
  IO.for_fd(fd.to_i, autoclose: false) && false
rescue ArgumentError => error
  error.message == "The given fd is not accessible because RubyVM reserves it"
rescue SystemCallError
  false
end
p found
[[1], [1, :a], [:a, 1], [[]]].each do |given|
  Struct.new(*given)
rescue TypeError => e
  p e
end
