# Recorded from CRuby 4.1dev.
# What is wrong with a path, a mode, an offset or a limit is found before the file is opened or read; a number is no
# path.
require "tmpdir"

def show
  p yield
rescue Exception => error
  puts "#{error.class}: #{error.message}"
end

show { IO.read("/nonexistent", -1) }
show { IO.read("/nonexistent", 1, -1) }
show { IO.read("/nonexistent", 1, "a") }
show { IO.read(1) }
show { IO.write(1, "written") }
show { IO.readlines(1) }
show { IO.foreach(1) { } }
show { IO.foreach("/nonexistent", "a", 1, 2) { } }
show { IO.foreach("/nonexistent", Object.new) { } }
show { IO.readlines("/nonexistent", "a", "b") }
show { IO.readlines("/nonexistent", 0) }
show { IO.copy_stream("/nonexistent", "/nonexistent", "a") }
show { IO.copy_stream("/nonexistent", "/nonexistent", 1, "a") }
show { File.open("/nonexistent", "r", 0, perm: 3) }
show { File.open(99, "q") }
show { IO.new("a", "q") }

class WithIo
  def to_io = raise("not called")
end

Dir.mktmpdir do |folder|
  path = "#{folder}/file"
  File.write(path, "one\ntwo\n")
  show { IO.read(path, "a") }
  show { IO.read(path, 1, 4) }
  show { IO.foreach(path, 0) { } }
  show { IO.foreach(path, 0).to_a }
  show { IO.foreach(path, "n", 2).to_a }
  show { IO.readlines(path, nil, 5) }
  show { IO.copy_stream(path, "#{folder}/copy", -1) }
  show { IO.copy_stream(path, "#{folder}/copy", 3, -1) }
  show { IO.copy_stream(WithIo.new, "#{folder}/copy") }
  show { IO.copy_stream(path, WithIo.new) }
  File.open(path) do |file|
    show { file.instance_eval { initialize } }
    show { file.instance_eval { initialize(1, 2, 3, 4) } }
  end
end
show { File.new }
p File.instance_method(:initialize).arity
