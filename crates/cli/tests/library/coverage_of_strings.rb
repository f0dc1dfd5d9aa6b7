# Recorded from CRuby 4.1dev.
# Methods that strings define with the path of a measured file count as methods of that file, also without `eval: true`.
require "coverage"
require "tmpdir"

SOURCE = <<~'RUBY'
  class Sample
    class_eval "def named = 1", __FILE__, __LINE__
    class_eval "def own_path = 1"
    class_eval "define_method(:block) { 1 }", __FILE__, __LINE__
    2.times { |i| class_eval "def twice#{i} = #{i}", __FILE__, __LINE__ }
    class_eval "def before_first_line = 1", __FILE__, 0
    class_eval <<~STRING, __FILE__, __LINE__ + 1
      def long(a)
        a ? 1 : 2
      end
    STRING
  end
  SAMPLE = Sample.new
  SAMPLE.own_path
  SAMPLE.block
  SAMPLE.twice1
  SAMPLE.before_first_line
  SAMPLE.long(1)
  300.times { SAMPLE.named }
RUBY

Dir.mktmpdir do |folder|
  File.write("#{folder}/sample.rb", SOURCE)
  Coverage.start(methods: true, lines: true, branches: true)
  require "#{folder}/sample"
  result = Coverage.peek_result.fetch("#{folder}/sample.rb")
  result[:methods].sort_by { |key, _| key.inspect }.each { |key, count| puts "#{key.inspect} #{count}" }
  p result[:lines], result[:branches]
  Coverage.result(stop: false, clear: true)
  SAMPLE.twice0
  Coverage.suspend
  SAMPLE.twice0
  p Coverage.result.fetch("#{folder}/sample.rb")[:methods].select { |_, count| count > 0 }
end
