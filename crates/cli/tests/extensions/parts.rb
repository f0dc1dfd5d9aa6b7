require "tmpdir"
require "thin"

def error = yield.then { it.inspect } rescue "#{$!.class}: #{$!.message}"

[["12", 10, 7], ["-1_000x", 10, 7], ["0x1F", 16, 7], ["0b101", 0, 7], ["017", 0, 7], ["1_0", 10, 5], ["zz!", 36, 0],
 ["  7 ", 10, 7], ["", 10, 7], ["9" * 30, 10, 7], ["+", 10, 7]].each { p Thin.parse(*it) }
puts error { Thin.parse("1", 37, 7) }
p [0, 2, 3, 4, 5, 9].map { Thin.ellipsize("grüße", it) }, error { Thin.ellipsize("a", -1) }
p Thin.values_at([1, 2, 3], 0, -1, 5, 1..4, 4..5, 0...2)
module A; X = 1; end
class B; include A; Y = 2; end
p Thin.constants_of(B).sort
["a/b.rb", "/", "//", "a/b/", "a//b//", "/.profile", "x.tar.gz", "äあ/ö.x", "", "a.", "..a.b"].each { p [it, Thin.paths(it)] }
Dir.mktmpdir do |folder|
  %w[a.x b.x {a}.x].each { File.write("#{folder}/#{it}", "") }
  Dir.chdir(folder) { p Thin.globs("{a,b}.x"), Thin.globs("{a}.x") }
end
p Thin.spawned("exit 4"), Thin.spawned("/no/such/program")
list = [1, [2, [3]]]
p Thin.nested(list)
list[1][1] << list
p Thin.nested(list)
reader, writer = IO.pipe
other, to = IO.pipe
p Thin.written(reader, to), (reader << "to the other").then { reader.flush; to.close; other.read_nonblock(20) }
p Thin.written(reader, nil)[0].class, error { other.read(1) }
p Thin.replaced(/(b)(?<n>c)?/, "abc", "<\\0|\\&|\\1|`\\`|'\\'|\\\\|\\k<n>|\\z>"), Thin.replaced(/(b)(x)?/, "abc", "[\\2]")
p Thin.read_into(+""), Thin.read_into(+"x" * 3), error { Thin.binding_of_c }
p Thin.record, Thin.record.respond_to?(:a), Thin.record[:b], Thin.numbers
p %w[$a a= a @a Z= + []= $() $~ @a= == <= 0=].map(&:to_sym).map { Thin.ids(it) }
p ["é", "é".encode("ISO-8859-1"), "É".encode("ISO-8859-1"), "あ".encode("EUC-JP"), "\u3000", "-"].map { Thin.alnum(it) }
[[Errno::EAGAIN, false], [Errno::EAGAIN, true], [Errno::EINPROGRESS, true], [Errno::EPIPE, false]].each do |error, writes|
  Thin.waits(error::Errno, writes)
rescue SystemCallError
  p $!, $!.is_a?(IO::WaitReadable), $!.is_a?(IO::WaitWritable)
end
p Thin.member(Struct.new(:a).new(5), :a), error { Thin.member(Struct.new(:a).new(5), :b) }
p Thin.to_ulong(-(2.0**63)), error { Thin.to_ulong(-(2.0**63) * 1.5) }.sub(/:.*/, ""), error { Thin.mixed }
there, told = File.stat(__FILE__), Thin.status(__FILE__)
p %i[ino mode nlink uid gid size blocks atime mtime ctime ftype].all? { told.send(it) == there.send(it) }
puts Thin.shown("a\n\"\\#{"#"}{1}a")
p error { Thin.structure(Encoding::Converter.new("UTF-8", "EUC-JP")) }
p Thin.grown(true, false).size, Thin.grown(true, true), Thin.grown(false, false), Thin.grown(false, true)
