# Methods of the core that are written in Ruby go on with the core classes when a program replaces the constants.
real, kept = File, {}
%i[File IO Dir Enumerator Thread Fiber Array Hash Time Range String].each { |name| kept[name] = Object.send(:remove_const, name) }
class File; def initialize(*) = raise("mine"); end
class IO; def self.pipe(*) = raise("mine"); end
class Enumerator; def self.new(*) = raise("mine"); end
300.times { real.read("/proc/version") }
p real.read("/proc/version") == `cat /proc/version`
p [1, 2].each.next, [3].each_with_index.to_a, [1, 2].lazy.map { |x| x + 1 }.to_a
p system("true"), real.readlines("/dev/null"), real.foreach("/dev/null").class == kept[:Enumerator]
p (1..3).step(2).to_a, [[1, 2]].to_h, real.mtime("/").class == kept[:Time]
