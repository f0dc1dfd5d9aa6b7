# The encodings that StringIO.new takes are those of files: a byte order mark decides, contradictions are errors.
require "stringio"
text = "\ufeffab"
[
  -> { StringIO.new(text.dup, encoding: "bom|utf-8") }, -> { StringIO.new(text.dup, "r", encoding: "BOM|UTF-8") },
  -> { StringIO.new("ab", encoding: "bom|utf-8") }, -> { StringIO.new(text.dup, external_encoding: "bom|utf-8") },
  -> { StringIO.new(text.dup, mode: "r:bom|utf-8") }, -> { StringIO.new(text.dup, "r:bom|utf-8") },
  -> { StringIO.new("ab", "r:utf-16le") }, -> { StringIO.new("ab", encoding: "utf-16le") },
  -> { StringIO.new("ab", "rb:utf-16le") }, -> { StringIO.new("ab", external_encoding: "utf-16le") },
  -> { StringIO.new("ab".encode("utf-16le")) }, -> { StringIO.new("ab", "r:utf-8", encoding: "utf-8") },
  -> { StringIO.new("ab", "r", binmode: true, encoding: "iso-8859-1") }
].each_with_index do |open, i|
  io = open.()
  p [i, io.read, io.external_encoding, io.string.encoding]
rescue ArgumentError => e
  puts "#{i} #{e.message}"
end

%w[r w a r+ w+ a+ rb wb rt r+b x wx W ar r:utf-8].push("", nil).product(["abc", ""]) do |mode, text|
  io = StringIO.new(text.dup, mode)
  p [mode, (io.read rescue $!.message), (io.write("zz") rescue $!.message), io.string, io.external_encoding]
  p [io.closed_read?, io.closed_write?, (StringIO.new(text.dup.freeze, mode).closed_write? rescue $!.class)]
rescue ArgumentError => e
  puts e.message
end
name = Object.new.tap { |object| def object.to_str = "a" }
p StringIO.new(+"q", name).tap { |io| io << "r" }.string, (StringIO.new(+"", :a) rescue $!.class)
