# Recorded from CRuby 4.1dev.
# Lines, calls and branches are counted in machine code as in the interpreter: in methods that are inlined, in loops,
# in methods that share their code, and exactly as long as coverage runs.
require "coverage"
require "tmpdir"

SOURCE = <<~RUBY
  def small(n)
    n + 1
  end

  def loops(n)
    sum = 0
    i = 0
    while i < n
      sum += if i.even?
        small(i)
      else
        2
      end
      i += 1
    end
    sum
  end

  def raises(n)
    [n].each do |x|
      raise "odd" if x.odd?
      x
    end
    :even
  end

  module Shared
    def shared = :shared
    module_function :shared
  end

  class Defined
    define_method(:first) { 1 }
    def second
      3
    end
  end

  class Other
    private def hidden = 1
    def shown = hidden
  end
RUBY

def work
  loops(1_000)
  1_000.times { |i| raises(i) rescue nil }
  700.times { Shared.shared }
  700.times { Defined.new.first }
  700.times { Defined.new.second }
  700.times { Other.new.shown }
end

def shown(result)
  result.transform_values do |counts|
    next counts unless counts.is_a?(Hash)
    counts.to_h { |(owner, name), count| [owner.is_a?(Module) ? [owner.inspect, name] : [owner, name], count] }
  end
end

Dir.mktmpdir do |folder|
  [{ lines: true }, { lines: true, branches: true, methods: true }, { oneshot_lines: true }].each do |modes|
    path = "#{folder}/covered_#{modes.size}_#{modes.keys.first}.rb"
    File.write(path, SOURCE)
    Coverage.setup(**modes)
    load path
    work
    p shown(Coverage.peek_result[path])
    Coverage.resume
    work
    p shown(Coverage.peek_result[path])
    Coverage.suspend
    work
    p shown(Coverage.result(stop: false, clear: true)[path])
    work
    Coverage.resume
    work
    p shown(Coverage.result[path])
  end
end
