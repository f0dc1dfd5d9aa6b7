# The options `xml:` and `fallback:` of streams: what is written is escaped, and a fallback is asked for characters that
# the encoding lacks; reading knows `xml:` only, where it converts.

require "tempfile"

PATH = File.join(Dir.tmpdir, "options_of_encoders.#{$$}")
TEXT = "a<b>&\"é\u4e02"

def written(mode = "w", **options)
  File.open(PATH, mode, **options) { |file| yield file }
  p File.binread(PATH)
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

2.times do
  written(xml: :text) { |file| file.write TEXT }
  written("w:us-ascii", xml: :text) { |file| file.write TEXT }
  written("w:us-ascii", xml: :attr) { |file| file.write "<", "é"; file.puts 1, "\"" }
  written("w:utf-16be", xml: :attr) { |file| file.write "<é" }
  written("w:iso-2022-jp", xml: :attr) { |file| file.print "\u3042<\u4e02" }
  written("wb", xml: :attr) { |file| file.write "é<" }
  written(xml: :attr) { |file| file.write "a<"; file.flush }
  written(xml: :attr) { }
  written(xml: :other) { |file| file.write TEXT }
  written("w:us-ascii", fallback: { "é" => "e", "\u4e02" => "Z" }) { |file| file.write TEXT }
  written("w:us-ascii", fallback: ->(c) { "<#{c.ord}>" }) { |file| file.write TEXT }
  written("w:us-ascii", fallback: { "é" => "e" }) { |file| file.write TEXT }
  written("w:us-ascii", fallback: { "é" => "e" }, undef: :replace) { |file| file.write TEXT }
  written { |file| file.set_encoding("us-ascii", xml: :attr); file.write "a<b>\"é"; file.write "q" }
end

p File.write(PATH, "é<", external_encoding: "us-ascii", xml: :text), File.read(PATH)
File.write(PATH, TEXT)
p File.read(PATH, mode: "r:utf-8:us-ascii", xml: :text), File.read(PATH, xml: :text)
begin
  File.read(PATH, mode: "r:utf-8:us-ascii", fallback: { "é" => "e" })
rescue StandardError => error
  puts error.message
end
File.unlink(PATH)
