# Recorded from CRuby 3.4.11.
# Lines, one-shot lines, methods, branches and eval; setup, suspend, clear.
require "coverage"
require "tmpdir"

def shown(result)
  result.to_h do |path, found|
    found[:methods] = found[:methods].sort_by { |key, _| key.inspect }.to_h if Hash === found && found[:methods]
    [File.basename(path), found]
  end
end

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

SAMPLE = <<'RUBY'
class Sample
  attr_reader :size
  def initialize(size,
                 unit = 1)
    @size = size * unit
  end

  def self.make = new(3)
  define_method(:grown) { |by|
    size + by
  }
  alias larger grown

  def kind(x)
    if x == 0
      :none
    elsif x < 0 then :less
    else
      return :odd unless x.even?
      :even
    end
  ensure
    x ? 1 : 2
  end

  def wait(n)
    n -= 1 while n > 0
    case n
    when 0, 1 then :a
    when Integer
    else
      :z
    end
  end

  def match(x)
    case x
    in [0, *] if size == 3
      1
    in {a:} then a
    else
      x&.inspect&.then { |s| s.size }
    end
  rescue NoMethodError
    x ? 3 : 4
  end
end

sample = Sample.make
3.times { |i|
  sample.kind(i)
}
sample.larger(1)
sample.match([0, 1])
sample.match({ a: 1 })
sample.match(nil)
sample.wait(2)
# nothing
RUBY

Dir.mktmpdir do |folder|
  path = nil
  load_it = lambda do |name|
    Object.send(:remove_const, :Sample) if defined?(Sample)
    path = "#{folder}/#{name}.rb"
    File.write(path, SAMPLE)
    load path
  end

  Coverage.start
  load_it.call("lines")
  t { shown(Coverage.peek_result) }
  Sample.make.wait(0)
  t { shown(Coverage.result) }
  t { Coverage.result }

  Coverage.start(oneshot_lines: true)
  load_it.call("once")
  t { Coverage.result(stop: false, clear: true)[path][:oneshot_lines].uniq }
  Sample.make.kind(-1)
  t { shown(Coverage.result) }

  Coverage.setup(:all)
  t { [Coverage.state, Coverage.running?] }
  load_it.call("all")
  t { Coverage.peek_result[path][:lines].compact.sum }
  Coverage.resume
  Sample.make.grown(1)
  Sample.make.kind(3)
  Coverage.suspend
  Sample.make.kind(4)
  eval("1.then { |x|\n  x ? 1 : 2\n}\n", nil, "evaluated.rb", 3)
  found = Coverage.result
  t { shown(found) }
  t { found.frozen? }

  Coverage.start(branches: true, methods: true)
  load_it.call("some")
  t { shown(Coverage.result(stop: false)) }
  t { shown(Coverage.result(stop: true, clear: true))["some.rb"][:branches].values.map(&:values) }
  t { Coverage.line_stub(path) }
end

t { Coverage.supported?(:branches) }
t { Coverage.supported?(:all) }
t { Coverage.supported?("lines") }
t { Coverage.start(3) }
t { Coverage.start(lines: true, oneshot_lines: true) }
t { Coverage.resume }
t { Coverage.suspend }
t { Coverage.peek_result }
t { Coverage.start; Coverage.start }
t { Coverage.resume }
t { Coverage.result }

# Recorded from CRuby 4.1dev: statements without code are not counted, nor is an eval before the first line.
Coverage.start(eval: true, lines: true)
eval("a = 1\n2\na\n'x'\nself\na\n", nil, "statements.rb", 1)
eval("a = 1\n", nil, "early.rb", -5)
p Coverage.result
Coverage.start(eval: true, oneshot_lines: true)
eval("def seen\n  1\nend\nseen", nil, "once.rb", 3)
p Coverage.result
