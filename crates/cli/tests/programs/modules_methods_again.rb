# A module's method that is defined again and again, after collections that free its entries and move others.

module Loud
  def self.say = note("said")
  extend self
end

heard = nil
200.times do |i|
  notes = []
  Loud.class_eval { define_method(:note) { |text| notes << text } }
  GC.start if i % 10 == 0
  GC.compact if i % 50 == 0
  Loud.say
  Loud.class_eval { remove_method :note }
  heard = [i, notes] if notes != ["said"]
end
p heard

class Talker
  include Loud
  def note(text) = super + "!"
end
20.times do |i|
  Loud.class_eval { define_method(:note) { |text| text + i.to_s } }
  GC.start
  print Talker.new.note("n"), " "
end
puts
