# Pathname is a core class, which Beni loads on first use: a program's own autoload of it changes nothing.
p Object.autoload?(:Pathname), defined?(Pathname), Object.const_defined?(:Pathname)
autoload :Pathname, "pathname"
Object.autoload :Pathname, "/nowhere"
p Object.autoload?(:Pathname), Pathname("a") + "b", Pathname.new("c")
autoload :Pathname, "pathname"
require "pathname"
p Pathname("a/../b").cleanpath, Pathname.method_defined?(:find)
