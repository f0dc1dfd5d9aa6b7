# Instance variables at places that meet objects of many shapes, hot.
class Node
  def initialize(kind)
    @kind = kind
    @children = []
    @text = "text"
  end

  def text = @text
  def text=(v)
    @text = v
  end
  def missing = @missing
  def all = [@kind, @children, @text]
end
KINDS = Array.new(12) do |i|
  Class.new(Node) do
    define_method(:initialize) do |kind|
      i.times { |n| instance_variable_set("@own#{n}", n) }
      super(kind)
    end
  end
end

objects = nil
100.times do |round|
  objects = KINDS.map.with_index { |kind, i| kind.new(i) }
  objects.each do |o|
    raise "text" unless o.text == "text" && o.missing.nil?
    o.text = round
    raise "set" unless o.text == round && o.all == [o.all[0], [], round]
  end
end
p objects.map(&:all).uniq.size, objects.last.instance_variables

# Frozen objects, singleton classes, missing and removed variables, values that are no objects.
frozen = KINDS[3].new(1).freeze
begin
  frozen.text = 1
rescue => e
  p e.class
end
single = KINDS[4].new(2)
def single.own = 1
single.text = :single
p single.text, single.missing
gone = KINDS[5].new(3)
gone.remove_instance_variable(:@text)
p gone.text, gone.all
gone.text = "again"
p gone.text, gone.instance_variables.last
10.times { |i| gone.instance_variable_set("@more#{i}", i) }
p gone.text, gone.all

# Values survive collections that clear what is known of places.
kept = KINDS.map { |kind| kind.new(0) }
50.times do |i|
  kept.each { |o| o.text = "value #{i}" }
  GC.start if i % 10 == 0
  raise "lost" unless kept.all? { |o| o.text == "value #{i}" }
end
p kept.map(&:text).uniq

# Classes that are collected, whose shapes' numbers are used again.
30.times do |i|
  made = Array.new(20) { |n| c = Class.new(Node); o = c.new(n); o.text = i; o }
  raise "wrong" unless made.all? { |o| o.text == i && o.missing.nil? && o.all[1] == [] }
  made = nil
  GC.start if i % 3 == 0
end
p :done
