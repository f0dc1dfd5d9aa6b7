# The bodies of a loaded file and of its classes run once. What they leave behind works afterwards: methods, blocks,
# Bindings, positions, constants.
require "tmpdir"

TEXT = <<'RUBY'
count = 40
$places = [caller_locations(0, 1)[0]]
$block = -> { count += 1 }
module Outer
  LIST = %w[one two].freeze
  class Inner
    inside = "inside"
    $places << caller_locations(0, 1)[0]
    $binding = binding
    define_method(:seen) { "#{inside} #{LIST[1]} #{__LINE__}" }
    def called(n = LIST.size) = n == 0 ? raise("from #{__method__}") : called(n - 1)
    class << self
      def made = new.then { |one| -> { one.seen } }
    end
  end
  2.times { |n| class_eval { const_set("Part#{n}", Class.new { define_method(:number) { n } }) } }
  def self.again
    Object.class_eval <<-MORE
      class ::Again
        RUNS = (defined?(RUNS) ? RUNS : 0) + 1
        def runs = RUNS
      end
    MORE
    ::Again.new.runs
  end
end
def later(times) = times.times.map { |n| n.zero? ? Outer.again : (class << Outer; self; end).instance_method(:again).name }
begin
  nil.missing
rescue => error
  $error = error
end
TracePoint.new(:line) {}.enable {}
RUBY

Dir.mktmpdir do |folder|
  path = File.join(folder, "bodies.rb")
  File.write(path, TEXT)
  require path
end
GC.start

puts $places.map { |place| "#{place.lineno} #{place.label}" }
p $block.call, $block.call
p $binding.local_variables, $binding.eval("inside << '!'; [inside, self, Module.nesting]"), $binding.source_location[1]
puts Outer::Inner.new.seen, Outer::Inner.made.call
begin
  Outer::Inner.new.called
rescue => error
  puts error.message, error.backtrace_locations.map(&:lineno).first(3).inspect
end
p Outer::Part1.new.number, later(2), $error.message, $error.backtrace_locations[0].lineno
lines = []
TracePoint.new(:line) { |point| lines << point.lineno if point.path.end_with?("bodies.rb") }.enable { Outer::Inner.made.call }
p lines
p Outer::Inner.instance_method(:called).source_location[1], Object.const_source_location("Outer::LIST")[1]
