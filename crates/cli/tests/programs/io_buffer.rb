# IO::Buffer: memory, numbers, strings, masks, files. Recorded from CRuby 3.4.11; the arguments of each_byte and the
# checks of IO::Buffer.map are those of 4.0.

def try(name)
  puts "#{name}: #{yield.inspect}"
rescue Exception => e
  puts "#{name}: #{e.class}: #{e.message}"
end

def shown(buffer) = buffer.inspect.gsub(/0x\h{16}/, "0x")

B = IO::Buffer
try("new") { b = B.new(4); [shown(b), b.size, b.internal?, b.mapped?, b.null?, b.empty?, b.valid?, b.locked?] }
try("default") { b = B.new; [b.size, b.mapped?] }
try("nothing") { b = B.new(0); [shown(b), b.null?, b.hexdump] }
try("negative") { B.new(-1) }
try("flags") { B.new(4, B::READONLY) }
try("shared memory") { b = B.new(16, B::MAPPED | B::SHARED); pid = fork { b.set_string("child"); exit! }; Process.wait(pid); [b.shared?, b.get_string(0, 5)] }
try("values") do
  b = B.new(64)
  ends = [[:U8, 200], [:S8, -2], [:u16, 258], [:U16, 258], [:s16, -3], [:S16, -3], [:u32, 1 << 31], [:U32, 7], [:s32, -9], [:S32, -9],
          [:u64, 2**64 - 1], [:U64, 2**40], [:s64, -2**63], [:S64, -1]].reduce(0) { |at, (type, v)| b.set_value(type, at, v) }
  [ends, b.get_values(%i[U8 S8 u16 U16 s16 S16 u32 U32 s32 S32 u64 U64 s64 S64], 0), b.get_value(:u16, 4)]
end
try("floats") { b = B.new(24); at = b.set_values(%i[f32 F32 f64 F64], 0, [1.5, -2.25, 0.1, 1e300]); [at, b.get_values(%i[f32 F32 f64 F64], 0), b.get_value(:U8, 4)] }
try("wraps") { b = B.new(1); b.set_value(:U8, 0, 257); b.get_value(:U8, 0) }
try("too big") { B.new(4).set_value(:U32, 0, 2**32) }
try("too small") { B.new(4).set_value(:s32, 0, -2**31 - 1) }
try("much too big") { B.new(8).set_value(:u64, 0, 2**64) }
try("unknown type") { B.new(4).get_value(:U7, 0) }
try("beyond the end") { B.new(4).get_value(:U32, 1) }
try("before the beginning") { B.new(4).get_value(:U8, -1) }
try("types") { [B.size_of(:u32), B.size_of(%i[U8 F64])] }
try("lengths") { B.new(4).set_values([:U8], 0, []) }
try("each") { b = B.for("abcd"); [b.each(:u16).to_a, b.each(:U8, 1, 2).to_a, b.values, b.values(:U16, 2), b.each_byte.to_a, b.each_byte(1, 2).to_a] }

try("of a string") { s = "test".dup; b = B.for(s); s << "x"; [b.readonly?, b.external?, b.get_string, (b.set_string("y") rescue $!.class)] }
try("of a string for a block") do
  s = "test".dup
  B.for(s) { |b| b.set_string("B", 1); [b.readonly?, s, (s << "more" rescue $!), s.frozen?] } + [s << "!"]
end
try("of a frozen string") { B.for("test".freeze) { |b| b.readonly? } }
try("after the block") { kept = nil; B.for("test".dup) { |b| kept = b }; [kept.null?, kept.get_string] }
try("a string") { B.string(4) { |b| b.set_value(:U32, 0, 0x41424344) } }
try("strings") { b = B.new(8); [b.set_string("hello", 2, 4, 1), b.get_string, b.get_string(2, 2), b.get_string(2, 4, "UTF-8").encoding] }
try("too long") { B.new(2).set_string("hello") }
try("too far") { B.new(2).get_string(1, 2) }
try("source offset") { B.new(2).set_string("a", 0, 1, 3) }
try("copy") { b = B.new(4); [b.copy(B.for("abcdef"), 1, 2, 3), b.get_string] }
try("copy onto itself") { b = B.new(4).set_string("abcd").then { |_| c = B.new(4); c.set_string("abcd"); c.copy(c, 1, 3); c.get_string } }
try("dup") { a = B.new(4); a.set_string("abcd"); b = a.dup; b.set_string("x"); [a.get_string, b.get_string] }
try("clear") { b = B.new(4); b.clear(65); b.clear(0x142, 1, 2); b.get_string }
try("compare") { [B.for("ab") <=> B.for("abc"), B.for("abc") <=> B.for("abd"), B.for("a") == B.for("a"), B.for("b") > B.for("a")] }
try("masks") { a = B.for("1234567890"); m = B.for("\xFF\x00\x00"); [(a & m).get_string, (a | m).get_string, (a ^ m).get_string, (~a).get_string] }
try("masks in place") { b = B.new(4); b.set_string("1234"); [b.and!(B.for("\xF0")).get_string, b.or!(B.for("\x01\x02")).get_string, b.xor!(B.for("\xFF")).get_string, b.not!.get_string] }
try("mask of nothing") { B.new(4) & B.new(0) }
try("mask over itself") { b = B.new(4); b.and!(b.slice(1, 2)) }

try("slice") { b = B.new(8); s = b.slice(2, 4); s.set_string("abcd"); [b.get_string, s.slice(1, 2).get_string, shown(s)] }
try("slice too long") { B.new(4).slice(2, 3) }
try("slice of what is gone") { b = B.new(8); s = b.slice(2, 4); b.free; [s.valid?, b.null?, (s.get_string rescue $!.class)] }
try("resize") { b = B.new(4); b.set_string("abcd"); b.resize(6); x = b.get_string; b.resize(2); [x, b.get_string, b.resize(10_000).size, b.get_string(0, 3)] }
try("resize external") { B.for("a").resize(2) }
try("transfer") { b = B.new(4); c = b.transfer; [b.null?, c.size] }
try("locked") { b = B.new(4); b.locked { [b.locked?, (b.resize(8) rescue $!.message), (b.free rescue $!.message), (b.transfer rescue $!.message), (b.locked {} rescue $!.message)] } }
try("hexdump") { B.for((0..40).map(&:chr).join).hexdump }
try("hexdump of a part") { B.for("abcdefghij").hexdump(2, 5, 4) }
try("hexdump without width") { B.for("a").hexdump(0, 1, 0) }
try("long inspect") { shown(B.new(300)).lines.last }

PATH = "/tmp/beni-io-buffer-#{$$}"
File.binwrite(PATH, "hello world")
try("map") do
  File.open(PATH, "r+") do |f|
    b = B.map(f)
    b.set_string("H")
    [b.size, b.shared?, b.external?, b.mapped?, b.get_string, b.free.null?]
  end + [File.binread(PATH)]
end
try("map privately") { File.open(PATH) { |f| b = B.map(f, 5, 0, B::PRIVATE); b.set_string("J"); [b.private?, b.get_string] } + [File.binread(PATH)] }
try("map to read") { File.open(PATH) { |f| b = B.map(f, nil, 0, B::READONLY); b.set_string("x") } }
try("map a string") { B.map("x") }
try("read") { File.open(PATH) { |f| b = B.new(16); [b.read(f, 5, 2), b.read(f), b.get_string] } }
try("pread") { File.open(PATH) { |f| b = B.new(16); [b.pread(f, 6, 5), f.pos, b.get_string(0, 5)] } }
try("write") { File.open(PATH, "w+") { |f| [B.for("some text").write(f, 9), B.for("X").pwrite(f, 2), f.pread(9, 0)] } }
try("read from a pipe") { r, w = IO.pipe; w << "abc"; w.close; b = B.new(8); [b.read(r, 0), b.read(r, 2), b.get_string(0, 3)] }
try("write to what is read only") { File.open(PATH) { |f| B.for("x").write(f) < 0 } }
File.delete(PATH)
