# Reads a text through StringIO by lines, characters, bytes and chunks, and writes it again.
require "stringio"
source = Array.new(40_000) { |i| "key#{i}=value #{i % 77}" }.join("\n")
input = StringIO.new(source)
output = StringIO.new
until input.eof?
  key, value = input.gets.chomp.split("=")
  output.puts "#{value}: #{key}" if value.end_with?("7")
  output.print key[-1], " "
  output.printf("%d\n", value.size) if key.size == 4
end
input.rewind
chars = 0
while (c = input.getc)
  chars += 1 if c == "="
  break if chars == 20_000
end
input.rewind
blocks = 0
blocks += 1 while input.read(256)
input.rewind
puts output.string.size, chars, blocks, input.each_line.map(&:size).max,
     input.tap(&:rewind).each_byte.first(3).inspect, output.pos
