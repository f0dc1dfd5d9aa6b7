# Core methods that are written in Ruby go on with the core's own methods when a program replaces these.
%i[File IO Process Time Fiber Enumerator String Array Hash Dir Thread].each do |name|
  singleton = Object.const_get(name).singleton_class
  %i[new open at wait wait2 pipe try_convert fork current yield stat].each do |method|
    singleton.define_method(method) { |*| raise "stub #{name}.#{method}" } if singleton.method_defined?(method)
  end
end
class File; def initialize(*) = raise("mine"); end
class IO; def read(*) = raise("mine"); def close = raise("mine"); end
text = nil
300.times { text = File.read("/proc/version") }
p text == `cat /proc/version`, IO.binread("/proc/version") == text
p system("true"), Process.waitpid(spawn("true")).class, File.mtime("/").class, [1, 2].each.next
p File.readlines("/dev/null"), Process.clock_gettime(0).class
p [1].to_enum.each_with_index.to_a, "1@0".to_c, Array(1..2)

module M; def read(*) = raise("prepended"); end
File.singleton_class.prepend(M)
p (File.read("/dev/null") rescue $!.message), IO.readlines("/dev/null")

# Helpers are no methods that a program sees.
p [1].each.methods.grep(/__produced|__values/), Process.respond_to?(:__spawn), (Process.__wait(1, 0) rescue $!.class)
