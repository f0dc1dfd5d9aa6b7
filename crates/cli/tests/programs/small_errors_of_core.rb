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
# A Set is changed during its iteration.
def during = Set[1, 2].then { |set| begin; set.each { yield set }; rescue RuntimeError => e; puts e.message; end }
during { it << 3 }
during { it.add?(3) }
during { it.merge([1]) }
during { it.merge([1], [2]) }
during { it.replace([1]) }
during { it.map! { 1 } }
during { it.reset }
during { it.compare_by_identity }
# `method_missing` that passes a failed `super` on.
class Passing; def method_missing(name, *) = super; end
class Lacking < Passing; def lacking = super; end
begin; Lacking.new.lacking; rescue NoMethodError => e; puts e.message; end
# `raise` calls no redefined `new`.
class Renewed < StandardError; def self.new(*) = raise("new"); def initialize(*values) = super(values.inspect); end
[[Renewed], [Renewed, 1]].each { |given| begin; raise(*given); rescue Renewed => e; p e; end }
p SystemCallError.exception("a", 2), Errno::ENOENT.exception
# The target of a trace point is checked first.
point = TracePoint.new(:call) {}
t { point.enable { point.enable(target: 1.method(:+)) } }
t { point.enable { point.enable(target: method(:t)) } }
during { it.class }
[:select!, :delete_if].each do |name|
  set = Set[1]
  set.send(name) { set << 2 }
rescue RuntimeError => error
  puts error.message
end
# A number without `to_i`.
class Bare < Numeric; def /(other) = [:divided, other]; end
t { Rational(Bare.new) }
t { Rational(Bare.new, 2) }
