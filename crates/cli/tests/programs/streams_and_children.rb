# Recorded from CRuby 3.4.11: streams, pipes and child processes as CRuby's own tests use them.
require "stringio"

# A $stdout that has nothing but `write`.
only_write = Object.new
def only_write.write(*parts) = (@parts ||= []).concat(parts).size
$stdout = only_write
puts "a", ["b"]
print "c"
putc "d"
$stdout = STDOUT
p only_write.instance_variable_get(:@parts).join

out = StringIO.new
looping = Object.new
def looping.to_ary = [self]
out.puts looping, [1, [2]], nil
p out.string

# The child of a pipe may have been waited for already.
status = IO.popen(["true"]) { |pipe| Process.wait2(pipe.pid)[1].success? }
p status

# A child's block does not go on with the parent's program.
begin
  p IO.popen("-") { |pipe| pipe ? pipe.read : raise("not seen") }
rescue RuntimeError
  p :the_child_went_on
  exit!
end

# A stream that stands for another one has its encodings, and shares its place.
File.write("streams_and_children.tmp", "foo\nbar\nbaz\n")
File.open("streams_and_children.tmp", "rb:UTF-16LE") do |first|
  File.open("streams_and_children.tmp", "r:UTF-8") do |second|
    first.reopen(second)
    p first.external_encoding, first.binmode?, first.gets, first.gets
    first.reopen(second)
    p first.gets
  end
end
File.unlink("streams_and_children.tmp")

# Nobody reads any more: STDOUT that stands for a pipe raises what a pipe does.
saved = STDOUT.dup
error = nil
IO.popen("true", "w") do |pipe|
  STDOUT.reopen(pipe)
  Process.wait(pipe.pid)
  begin
    STDOUT.print "lost\n"
  rescue SystemCallError => error
  end
end
STDOUT.reopen(saved)
p error.class

srand(42)
reader, writer = IO.pipe
Process.wait(fork { writer.puts rand(1 << 64) })
p reader.gets.to_i == rand(1 << 64)
