# Lines of a StringIO: limits inside characters, paragraphs, separators in other encodings
require "stringio"

def lines_of(text, *arguments, **options)
  io = StringIO.new(text)
  lines = []
  while line = io.gets(*arguments, **options)
    lines << line
    break if lines.size > 20
  end
  puts "#{arguments} #{options}: #{lines.inspect} at #{io.pos}, line #{io.lineno}"
rescue => error
  puts "#{arguments} #{options}: #{error.class}: #{error.message}"
end

text = "é1\r\n\n\n日本2\n\r\n\nlast"
[[], [nil], [""], ["\r\n"], ["1"], ["本"], [1], [2], [4], [-1], ["", 4], ["\n", 3], [nil, 5], ["2", nil], [:a],
 [2**70]].each do |arguments|
  lines_of(text, *arguments)
  lines_of(text, *arguments, chomp: true)
end
lines_of("\n\n\n", "")
lines_of("a\rb", "b", chomp: true)
lines_of("\xE6é\xFF\nx", 1)
lines_of("é\nü".encode("UTF-16LE"))
lines_of("é\nü".encode("UTF-16LE"), "\n")
lines_of("é\nü".encode("UTF-16LE"), "\n".encode("UTF-16LE"), 3)
lines_of("é".b, "é")
p StringIO.new("ab").gets(0), StringIO.new("ab\ncd").readlines(1), StringIO.new("a\n\n\nb").each_line("").to_a
p StringIO.new("abc").tap(&:close).then { |io| io.gets("") rescue $!.message }

buffer = "é".dup
io = StringIO.new("héllo")
p io.read(2, buffer), buffer, buffer.encoding, io.pos
p io.read(9, buffer).equal?(buffer), buffer, io.read(1, buffer), buffer
p((StringIO.new("abc").read(1, "x".freeze) rescue $!.message))
same = +"abc"
p((StringIO.new(same).read(1, same) rescue $!.message))

# Nothing is read: within the text into the buffer, behind it into a new String.
io = StringIO.new("abc")
2.times do
  buffer = +"zz"
  read = io.read(0, buffer)
  p read, read.encoding, read.equal?(buffer), buffer, buffer.encoding
  io.read
end
