# Checks of arguments by methods, and the categories of warnings.
def refused
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end
refused { ENV.clone(freeze: 1) }
refused { eval("1".encode("utf-16be")) }
refused { 1.step(10, nil) {} }
refused { Numeric.new.quo(1) }
refused { Enumerator::Generator.new(1) }
refused { [].to_enum.first(2**62) }
format = "CC"
changing = Object.new
changing.define_singleton_method(:to_int) { format.clear; 0 }
refused { [changing, changing].pack(format) }
text = "abc " * 20
refused { text.split { text.prepend("xxx") } }
p "".unpack("i") { raise }

# The first element that is not a String may change the list that is joined.
list = Struct.new(:all).new
def list.to_str
  all[2] = [0, 1, 2]
  "z"
end
list.all = ["a", "b", "c", list]
p list.all.join("")

# The hash of non-ASCII bytes depends on the encoding, in a different way for each String.
a, b = ["\x80", "\x81"].map { |c| c.b.hash ^ c.hash }
p a == b
p "\x95\x5c".dup.force_encoding("Shift_JIS").delete_prefix("\x95").bytesize

buffer = IO::Buffer.new(32)
{ U128: 2**128 - 1, s128: -2**127, S128: -5, u128: 2**64 }.each do |type, n|
  buffer.set_value(type, 3, n)
  p [type, buffer.get_value(type, 3) == n, IO::Buffer.size_of(type)]
end
begin
  buffer.set_value(:U8, 2**64 - 1, 1)
rescue ArgumentError
  puts "beyond the end"
end

module Warning
  def self.warn(message, **options) = puts("#{message.sub(/^.*: warning/, "warning").chomp} #{options}")
end
$VERBOSE = false
Warning[:deprecated] = true
$; = "a"
"b".split
$; = nil
X = 1
Object.deprecate_constant :X
p X
(+"abc") << "abc"
"abc" << "d"
