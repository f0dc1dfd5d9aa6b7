# Messages about numbers of arguments, and objects that were only allocated. Recorded from CRuby 4.1dev.
def t
  p yield
rescue ArgumentError, IOError, TypeError => e
  puts "#{e.class}: #{e.message}"
end
t { SignalException.new }
t { SignalException.new("INT", 2) }
t { SignalException.new(2, "a", 3) }
t { UncaughtThrowError.new(1) }
t { UncaughtThrowError.new(1, 2, 3, 4) }
t { format }
t { sprintf }
t { ObjectSpace.each_object(1) }
t { ObjectSpace.each_object(1) { } }
dir = Dir.allocate
%i[read fileno tell children rewind close path].each { |name| t { dir.public_send(name) } }
t { dir.each { } }
p dir.inspect.sub(/0x\h+/, "0x")
`true`
Process.waitall
p $?
# After malformed quoted printable text the next directive begins at the character that is no digit.
p "\xA9=z\n".b.unpack("Ma*"), "a=4z".unpack("Ma*"), "a=4".unpack("Ma*"), "a=".unpack("Ma*"), "=\rz".unpack("Ma*")
t { Marshal.load("\x04\bl-\x06\x01\x00") }
t { Marshal.load("\x04\blx\x06\x01\x00") }
