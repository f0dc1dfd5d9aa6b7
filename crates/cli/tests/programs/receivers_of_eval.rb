# `eval` of another receiver runs with it as self; Warning.warn learns that a warning has no category; what cannot be
# imported into a refinement is told; limits of lines in broken text.
require "tmpdir"
$VERBOSE = false
Warning[:experimental] = true

class Cat
  def initialize = @name = "Tom"
end

@name = "main"
x = 10
3.times do
  cat = Cat.new
  p cat.send(:eval, "@name"), eval("@name"), cat.send(:eval, "@name", binding), Kernel.eval("[self, x += 1]"), x
  p Kernel.eval("y = x; y"), (Kernel.eval("y") rescue 0)
end
Cat.new.send(:eval, "def purr = :purr")
p purr, Cat.method_defined?(:purr)

module Inner
  def inner = 1
end

module Outer
  include Inner
  def outer = 2
end

def Warning.warn(message, category: :none) = puts "#{category.inspect} #{message[/[^:]*$/]}"
Module.new { refine(String) { import_methods Outer } }
warn "a"
warn "b", category: nil
warn "c", category: :experimental
warn "d", "e", uplevel: 0

fiber = Fiber.new { Fiber.new { fiber.resume }.resume }
begin
  fiber.resume
rescue FiberError => error
  puts error.message
end

path = File.join(Dir.tmpdir, "receivers_of_eval_#{$$}")
File.write(path, "朝日" + "\xE3\x81" * 10 + "a\nb")
[1, 3, 4, 6, 7, 8, 9, 30].each { |limit| File.open(path, "r:utf-8") { |file| p file.gets(limit), file.gets(limit) } }
File.write(path, "あいう".encode("UTF-16LE"))
[1, 2, 3, 7].each { |limit| File.open(path, "rb:utf-16le") { |file| p file.gets(nil, limit), file.gets(nil, limit) } }
File.delete(path)
