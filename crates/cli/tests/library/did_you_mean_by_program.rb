# A program's formatter, corrections and checkers are used whether or not the library was loaded before.
class Own < KeyError
  def corrections = ["mine"]
end
begin
  raise Own, "lost"
rescue => e
  puts e.detailed_message(highlight: false)
end
begin
  {first: 1}.fetch(:frist)
rescue => e
  puts e.detailed_message(highlight: false, did_you_mean: false)
end
module Loud
  def self.message_for(corrections) = corrections.empty? ? "" : "\n(#{corrections.join(",")})"
end
DidYouMean.formatter = Loud
begin
  {first: 1}.fetch(:frist)
rescue => e
  puts e.detailed_message(highlight: false)
end
class Plain < StandardError
  attr_reader :name
end
class Checker
  def initialize(error) = @error = error
  def corrections = ["checked"]
end
DidYouMean.correct_error(Plain, Checker)
begin
  raise Plain, "plain"
rescue => e
  puts e.detailed_message(highlight: false)
end
