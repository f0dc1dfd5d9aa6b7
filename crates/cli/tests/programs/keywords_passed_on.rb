# Keywords that enumerators pass on, arities of procs, and `dig` by method_missing. (Recorded from CRuby 4.1.0dev.)
def show
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

show { (0..10).each_with_object(a: 1) }
show { [1].to_enum(:each, 1, a: 3) }
show { [1].to_enum(:each, a: 1) { |*values, **keywords| [values, keywords] }.size }
show { Enumerator.new { |y| y.yield(1, a: 2) }.each { |*values, **keywords| p [values, keywords] }.class }
show { Enumerator::Generator.new { |y, *values, **keywords| [y.class, values, keywords] }.each(1, a: 2) }
show { Enumerator::Generator.new { |y| y << 1 }.each }
show { [proc { |x, y = 0| }, proc { |x = 0| }, proc { |x = 1, k:| }, proc { |x, *y, k:| }].map(&:arity) }
show { [lambda { |x, y = 0| }, lambda { |x = 0| }, lambda { |x = 1, k:| }, lambda { |x, *y, k:| }].map(&:arity) }

missing = Object.new
def missing.method_missing(*arguments) = arguments
show { [missing].dig(0, 1) }
show { [Object.new].dig(0, 1) }
show { ARGF.each_line(0) { } }
show { File::Stat.allocate }
show { File.basename("a", "\0").class }

class Writer
  attr_writer :last
  attr_reader :last
end
keywords = { a: 1 }
writer = Writer.new
writer.send(:last=, **keywords)
show { [writer.last, writer.last.equal?(keywords)] }

def Warning.warn(message, **) = puts(message[/warning.*/])
$VERBOSE = false
Class.new do
  def after(*rest, last) = last
  ruby2_keywords :after
end
