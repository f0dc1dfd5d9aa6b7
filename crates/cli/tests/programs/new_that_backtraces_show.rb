# Core methods that CRuby's backtraces show, or do not show, cold and in a loop: `new` called by other means than its
# name, what Dir, Enumerator, Data, Set and Hash call.
def names = caller(2).map { |line| line[/'.*'/] }.take_while { |name| !name.include?("Object#shown") }.join(" ")

def shown
  yield
rescue StandardError => error
  lines = error.backtrace.map { |line| line[/'.*'/] }
  lines.take_while { |name| !name.include?("Object#shown") }.join(" ")
end

class Made
  attr_reader :names

  def initialize(*) = @names = caller(1).map { |line| line[/'.*'/] }.take_while { |name| !name.include?("#shown") }.join(" ")
  def self.made(...) = new(...)
end

class Sub < Made
  def self.new(*) = super
end

Point = Data.define(:x, :y)

def created
  name = :new
  [
    shown { Made.new.names }, shown { Made.send(:new).names }, shown { Made.__send__(:new, 1).names },
    shown { Made.send(name).names }, shown { Made.made.names }, shown { Sub.new.names },
    shown { [Made].map(&:new)[0].names }, shown { Made.method(:new).call.names }, shown { Made.new {}.names },
    shown { Point.new(x: 1) }, shown { Point.new(x: 1, y: 2, z: 3) }, shown { Point.new(1) }, shown { Point[1] },
    shown { Point.new(1, 2).with(z: 1) }, shown { [1].to_set { raise } }, shown { (1..2).to_set { raise } }
  ]
end

def directories
  path = "/none/at/all"
  [
    shown { Dir.children(path) }, shown { Dir.each_child(path) {} }, shown { Dir.entries(path) },
    shown { Dir.foreach(path) {} }, shown { Dir.empty?(path) }, shown { Dir.open(path) }
  ]
end

class Source
  def each = yield(names)
end

def iterated
  hash = { 1 => 2 }
  [
    Enumerator.new { |y| y << names }.next, Source.new.to_enum.next, Source.new.to_enum.peek,
    shown { hash.sum { raise } }, shown { hash.each_slice(2) { raise } }, shown { [2, 1].each_entry.sort { raise } },
    shown { catch { raise } }, shown { catch(:a) { raise } },
    (shown { (1..3).lazy.map { raise }.first(1) }).include?("catch"), (1..3).lazy.take(2).map { it * 2 }.to_a
  ]
end

all = -> { [created, directories, iterated] }
cold = all.()
cold.each { |part| puts part.map(&:inspect) }
300.times { |i| abort "round #{i}" unless all.() == cold }
