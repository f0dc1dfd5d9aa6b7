# External instance variables: of objects whose cells are full, of classes, modules and Strings, at sites with filled
# caches.
class Wide
  def initialize(count) = count.times { |i| instance_variable_set(:"@early#{i}", i) }

  def fill(by)
    @a = by
    @b = @a + 1
    @c = @b + 1
    @d = [@c]
    @e = @d.first + 1
    self
  end

  def sum = @a + @b + @c + @d.first + @e

  def drop = remove_instance_variable(:@b)
end

[0, 1, 3, 5, 8, 20, 60, 110, 130].each do |count|
  wides = Array.new(6) { |i| Wide.new(count).fill(i) }
  3.times { |round| wides.each { |wide| wide.fill(round) } }
  puts wides.map(&:sum).inspect, wides.first.instance_variables.size
  copy = wides.first.dup.fill(100)
  p copy.sum, wides.first.sum
  wides.first.drop
  p wides.first.instance_variable_get(:@b), wides.first.fill(7).sum, wides.last.sum
  begin
    wides.last.freeze.fill(1)
  rescue FrozenError => error
    puts error.class
  end
end

module Registry
  class << self
    def add(item)
      @count = (@count || 0) + 1
      (@items ||= []) << item
    end

    def report = [@count, @items]
  end
end

20.times { |i| Registry.add("item #{i}") }
p Registry.report

classes = Array.new(4) { Class.new { class << self; attr_accessor :size; def grow = @size = (@size || 0) + 1; end } }
3.times { |i| classes.each { |made| made.grow; made.instance_variable_set(:"@v#{i}", i) } }
p classes.map(&:size), classes.map(&:instance_variables), classes.first.dup.grow, classes.first.size

class Noted < String
  def note = @note = (@note || 0) + 1
end

notes = Array.new(3) { |i| Noted.new("text #{i}") }
4.times { notes.each(&:note) }
p notes.map(&:note), notes.first.dup.note

p(Ractor.new { Registry.report rescue $!.class }.value)
