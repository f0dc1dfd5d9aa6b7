# Diagrams of power_assert, and hints of syntax_suggest before a SyntaxError. Recorded from CRuby 3.4.11.
require "power_assert"
require "tmpdir"

def picture(&block)
  PowerAssert.start(block, assertion_method: __method__) do |assertion|
    assertion.yield
    puts assertion.message
  end
end

numbers = [1, 2]
def odd(n) = n.odd?
picture { numbers.sum.to_s + "x" == "4".upcase && nil }
picture { odd(2) || numbers.map { |n| n * 2 }.include?(numbers.first) }

Dir.mktmpdir do |folder|
  path = File.join(folder, "broken.rb")
  File.write(path, "class Foo\n  def bar\n    if x\n      1\n  end\n\n  def baz\n  end\nend\n")
  begin
    load path
  rescue SyntaxError => error
    puts error.detailed_message(highlight: false).gsub(folder, "FOLDER").lines.take_while { |line| !line.include?("SyntaxError") }
    puts error.detailed_message(highlight: false, syntax_suggest: false).include?("Unmatched")
  end
end
begin
  eval "1 +"
rescue SyntaxError => error
  puts error.detailed_message(highlight: false)
end
