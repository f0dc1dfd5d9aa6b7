# An autoload whose file is being required, or has been, defines nothing: autoload?, defined? and const_defined? say so.
folder = "/tmp/beni-under-way-#{$$}"
Dir.mkdir(folder)
Dir.mkdir("#{folder}/inner")
at_exit do
  Dir.glob("#{folder}/**/*.rb").each { |file| File.delete(file) }
  Dir.rmdir("#{folder}/inner")
  Dir.rmdir(folder)
end
write = ->(name, text) { File.write(File.join(folder, name), text) }
$: << folder
$states = proc { |name| p [Object.autoload?(name), Object.const_defined?(name), eval("defined?(#{name})")] }

write.("own.rb", "Object.autoload(:Own, __FILE__); $states.(:Own); require 'asked_by_own'; Own = 1; $states.(:Own)")
write.("asked_by_own.rb", "$states.(:Own); Thread.new { $states.(:Own) }.join")
require "own"

autoload :Early, "early"
write.("early.rb", "$states.(:Early); Thread.new { $states.(:Early) }.join")
p autoload?(:Early), defined?(Early)
require "#{folder}/early"
$states.(:Early)
begin
  Early
rescue NameError => e
  puts e.message
end

module Inside
  autoload :Thing, "thing"
  autoload :Inner, "inner/thing"
  autoload :Other, "hing"
end
write.("thing.rb", "p Inside.autoload?(:Thing), Inside.autoload?(:Inner), Inside.autoload?(:Other)")
write.("inner/thing.rb", "p Inside.autoload?(:Thing), Inside.autoload?(:Inner), defined?(Inside::Inner)")
require "inner/thing"
require "thing"
