# The frames of `new` and of what it calls.
def t
  yield
rescue Exception => e
  labels = e.backtrace_locations.map(&:label)
  puts "#{e.class}: #{labels.take_while { |label| !label.start_with?("Object#t") }.join(" < ")}"
end
class MyArray < Array; def initialize(*) = (super(1); raise "x"); end
class MyString < String; def initialize(*) = raise("x"); end
class MyFile < File; def initialize(*) = raise("x"); end
S = Struct.new(:a)
T = Struct.new(:a) { def initialize(*) = raise("x") }
300.times { MyArray.new rescue 0; MyFile.new rescue 0; T.new rescue 0; S.new(1) }
t { MyArray.new }
t { MyString.new }
t { MyFile.new("/x") }
t { MyFile.open("/x") }
t { S.new(1, 2) }
t { T.new(1) }
t { Array.new(1) { raise "x" } }
t { Array.new(-1) }
t { String.new(1) }
t { File.new("/nonexistent") }
t { File.open("/dev/null") { raise "x" } }
t { File.write("/nonexistent/a", "") }
t { File.foreach("/proc/version") { raise "x" } }
t { Dir.open("/nonexistent") }
t { Dir.each_child("/") { raise "x" } }
t { Dir.glob("/*") { raise "x" } }
t { Mutex.new(1) }
t { Class.new { raise "x" } }
t { Hash.new(1) { } }
t { Data.define(:a) { raise "x" } }
t { Class.new { def initialize_copy(o) = raise("x") }.new.clone }
p Array.method(:new).owner, File.method(:open).owner
