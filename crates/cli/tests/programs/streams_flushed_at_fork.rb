# Recorded from CRuby 4.1dev.
# Before a process is created, what $stdout and $stderr are at that time is flushed.
require "tmpdir"

WAYS = {
  fork: -> { Process.wait(fork { exit! }) },
  spawn: -> { Process.wait(spawn("true")) },
  system: -> { system("true") },
  backquote: -> { `true` },
  popen: -> { IO.popen("true").close }
}

def each_way
  WAYS.each do |name, way|
    way.call
    STDOUT.puts "#{name}: done"
  rescue => error
    STDOUT.puts "#{name}: #{error.class}: #{error.message[/\A[^#]*/]}"
  end
end

STDOUT.sync = true
output, errors = Object.new, Object.new
def output.write(*) = 1
def errors.write(*) = 1
def output.flush = STDOUT.puts("  output.flush")
def errors.flush = STDOUT.puts("  errors.flush")
$stdout, $stderr = output, errors
each_way

def output.flush = raise("refused")
each_way
$stdout = STDOUT
class << errors
  undef flush
end
each_way

Dir.mktmpdir do |folder|
  file = File.open("#{folder}/file", "w")
  file.write("buffered")
  $stderr = STDERR
  $stdout = file
  system("true")
  STDOUT.puts File.read("#{folder}/file")
  file.close
  each_way
end
$stdout = STDOUT
system("true") and puts "ended"
