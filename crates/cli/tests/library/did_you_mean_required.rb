# The library `did_you_mean` adds its hint once, also if the program requires it.
require "did_you_mean"
begin
  [1].frist
rescue => e
  puts e.detailed_message(highlight: false).scan("Did you mean?").size
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
class Kind < KeyError
  include DidYouMean::Correctable
  def corrections = ["mine"]
end
begin
  raise Kind.new("x", receiver: {ab: 1}, key: :aa)
rescue => e
  puts e.detailed_message(highlight: false)
end
