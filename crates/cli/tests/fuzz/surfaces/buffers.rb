$VERBOSE = nil
$b = [IO::Buffer.new(24), IO::Buffer.for(+"abcdefghijklmnop"), IO::Buffer.string(9) { |b| b.set_string("xyz") }]
$b[2] = IO::Buffer.for("frozen text".freeze)
__END__
$b[{i}] = IO::Buffer.new({n})
$b[{i}] = IO::Buffer.new({n}, {flag})
$b[{i}] = IO::Buffer.for("{text}" * 3)
$b[{i}] = IO::Buffer.for(+"{text}") { |b| b.{inner}; b }
$b[{i}] = $b[{i}].slice({n}, {n})
$b[{i}] = $b[{i}].slice({n})
$b[{i}] = $b[{i}].dup
$b[{i}] = $b[{i}].{binary}($b[{i}])
$b[{i}].{inner}
$b[{i}].{inner}
$b[{i}].{inner}
$b[{i}].locked { $b[{i}].{inner} }
IO::Buffer.string({n}) { |b| b.{inner} }
IO::Buffer.size_of({types})
$b.sort { |a, b| a <=> b }.map(&:size)
[$b[{i}] == $b[{i}], $b[{i}].hash == $b[{i}].hash, $b[{i}].to_s.sub(/0x\h+/, "")]
r, w = IO.pipe; $b[{i}].write(w, {n}); w.close; $b[{i}].read(r, {n})
r, w = IO.pipe; w << "{text}"; w.close; $b[{i}].read(r, {n}, {n})
File.open("/etc/passwd") { |f| $b[{i}].pread(f, {n}, {n}, {n}) }
flag: IO::Buffer::INTERNAL | IO::Buffer::MAPPED | IO::Buffer::MAPPED + IO::Buffer::INTERNAL | 0
text: a | é | abc\0 | | longer text | \xff
type: :U8 | :S8 | :u16 | :U16 | :s32 | :S32 | :u64 | :U64 | :f32 | :F64 | :s64 | :none
types: {type} | [{type}, {type}]
binary: & | ^ | \x7c | and | or
inner: get_value({type}, {n}) | set_value({type}, {n}, {n}) | get_values([{type}, {type}], {n}) | set_values([{type}, {type}], {n}, [{n}, {n}]) | get_string({n}, {n}) | get_string({n}) | get_string | set_string("{text}", {n}, {n}, {n}) | set_string("{text}", {n}) | copy($b[{i}], {n}, {n}, {n}) | copy($b[{i}], {n}) | copy($b[{i}]) | resize({n}) | free | clear({n}) | clear({n}, {n}, {n}) | size | empty? | null? | valid? | internal? | external? | mapped? | locked? | readonly? | private? | shared? | transfer | each({type}).to_a.first(5) | each({type}, {n}, {n}).to_a.first(5) | each_byte.to_a.first(5) | each_byte({n}, {n}).to_a.last(3) | values({type}).last(4) | values({type}, {n}, {n}).size | hexdump | and!($b[{i}]) | or!($b[{i}]) | xor!($b[{i}]) | not! | ~@ | slice({n}, {n}).{small} | locked { 1 } | each({type}) { $b[{i}].free; break 1 } | each_byte { $b[{i}].clear; break 2 } | locked { $b[{i}].free } | locked { $b[{i}].resize({n}) } | slice({n}).set_string("{text}")
small: size | get_string | free | clear | not!
n: 0 | 1 | -1 | 2 | 3 | 5 | 8 | 16 | 24 | 64 | 1000 | -3 | 70000 | 2**62 | 2**64 | -2**63 | 1.5 | nil
