# Concurrent require and autoload of the same file or constant; circular require; load with a wrapper module.
# (Recorded from CRuby 3.4.11.)
folder = "/tmp/beni-loading-#{$$}"
Dir.mkdir(folder)
at_exit do
  Dir.children(folder).each { |name| File.delete(File.join(folder, name)) }
  Dir.rmdir(folder)
end
write = ->(name, text) { File.write(File.join(folder, name), text) }

write.("slow.rb", "$slow = :begun; sleep 0.05; $slow = :done")
p 3.times.map { Thread.new { [require("#{folder}/slow"), $slow] } }.map(&:value).sort_by { |loaded, _| loaded ? 0 : 1 }

write.("left.rb", "require_relative 'right'; $order = [*$order, :left]")
write.("right.rb", "require_relative 'left'; $order = [*$order, :right]")
p require("#{folder}/left"), $order

write.("failing.rb", "raise 'not this time' if ($tries = $tries.to_i + 1) == 1")
2.times do
  p require("#{folder}/failing")
rescue => error
  p error
end

write.("lazy.rb", "class Lazy; end; sleep 0.05; class Lazy; PART = 1; end")
autoload :Lazy, "#{folder}/lazy"
p autoload?(:Lazy) == "#{folder}/lazy", defined?(Lazy)
p 3.times.map { Thread.new { Lazy::PART } }.map(&:value), autoload?(:Lazy)

write.("empty.rb", "")
autoload :Missing, "#{folder}/empty"
begin
  Missing
rescue NameError => error
  puts error.message
end
p Object.const_defined?(:Missing)

write.("wrapped.rb", "WRAPPED = 1\ndef wrapped = :method\n$self = [to_s, wrapped, equal?(TOPLEVEL_BINDING.receiver)]")
around = Module.new
load "#{folder}/wrapped.rb", around
p $self, around.constants, around.private_instance_methods, respond_to?(:wrapped, true)

# A file that is required defines the constant that it would also be loaded for: no warning.
write.("again.rb", "class Again; end\n$again = $!.inspect")
autoload :Again, "#{folder}/again"
warnings = []
Warning.singleton_class.define_method(:warn) { |text, **| warnings << text }
$VERBOSE = true
p require("#{folder}/again"), warnings
$VERBOSE = false

# A file that load finds in the current folder keeps the path that was given; an empty file has a binary form.
write.("given.rb", "p __FILE__, __dir__ == File.realpath('.'), caller_locations(0)[0].absolute_path == File.realpath(__FILE__)")
Dir.chdir(folder) { load "given.rb" }
p RubyVM::InstructionSequence.load_from_binary(RubyVM::InstructionSequence.compile_file("#{folder}/empty.rb").to_binary).eval
