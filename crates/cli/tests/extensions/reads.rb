# What C reads of values without a call, and Hashes that it fills.
require "thin"

# Classes: as of the present shape, of singleton classes too.
with_variables = Object.new
40.times { |i| with_variables.instance_variable_set("@v#{i}", i) }
single = "text".dup
single.singleton_class
p [1, 1.5, 2.0**2000, nil, true, false, :a, "", [], {}, with_variables, Thin].map { Thin.class_of(it) }
p Thin.class_of(single) == single.singleton_class, Thin.class_of_hidden
many = 200.times.map { Class.new }
p many.all? { Thin.class_of(it.new) == it }

# Floats of every kind: immediate ones and objects.
floats = [0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, -1e-300, Float::MAX, Float::MIN, Float::INFINITY, Float::NAN, 1.7e-77]
p floats.map { Thin.twice(it) }, [3, -2**61, 2**64, 1r/4, 3+0i].map { Thin.twice(it) }
p floats.all? { |f| Thin.same(f).all? { it.equal?(f) || [it].pack("D") == [f].pack("D") } }
[nil, true, "1", Object.new, 1i].each { |v| Thin.twice(v) rescue puts "#{$!.class}: #{$!.message.sub(/0x\h+/, "")}" }

# Encodings.
values = ["", "".b, "".encode("US-ASCII"), "".encode("UTF-16LE"), /é/, "é"]
p values.map { Thin.is_binary(it) }, values.map { Thin.index_of(it) }.uniq.size

# Structures of a type, of its parent, and of others.
objects = [Thin::Base.new, Thin::Derived.new, Class.new(Thin::Derived).new]
p objects.map { |v| [Thin.add_to_base(v), Thin.add_to_base(v)] }, objects[1..].map { Thin.add_to_derived(it) }
[objects[0], Random.new, "x" * 40, 5, nil].each { |v| Thin.add_to_derived(v) rescue puts $!.message.sub("random/MT", "Random") }

# Hashes.
p Thin.filled([:a, "b", "b".dup, 1.0, :a, [1]], {}), Thin.filled((1..20).to_a + (1..20).to_a, {})
key = "key".dup
p Thin.filled([key], {}).keys[0].frozen?, key.frozen?, Thin.filled([key, "key"], {}.compare_by_identity).size
(Thin.filled([1], {}.freeze)) rescue p $!.class
h = {a: 1}
(h.each { Thin.filled([:b], h) }) rescue puts $!.message
p h.each { Thin.filled([:a], h) }, Thin.filled([:x], Hash.new { 5 })[:y]

p ["12abc", "  -7.5e1x", "0x1f", "", "9" * 25, "1_000", "é"].map { Thin.numbers_in(it) }
p Thin.addresses
