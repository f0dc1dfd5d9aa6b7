# New objects that are stored in old ones, hot: in variables, elements, captured variables and Struct members. None is
# lost in a collection, also while a full marking is under way.
class Holder
  attr_accessor :held

  def initialize
    @held = nil
    @many = [nil] * 4
    @large = [nil] * 5000
  end

  def in_variable(v) = @held = v
  def in_cell(i, v) = @many[i] = v
  def in_large_buffer(i, v) = @large[i] = v
  def all = [@held, *@many, *@large.compact]
end
Pair = Struct.new(:a, :b)

def buffered = Array.new(200)
def set_element(list, i, v) = list[i] = v
def set_member(pair, v) = pair.b = v
def capture
  kept = nil
  [-> (v) { kept = v }, -> { kept }]
end

holder, list, pair = Holder.new, buffered, Pair.new
set_kept, kept = capture
GC.start
GC.start

4.times do |round|
  500.times do |i|
    holder.in_variable("variable #{i}")
    holder.in_cell(i % 4, "cell #{i}")
    holder.in_large_buffer(i * 10, "large #{i}")
    set_element(list, i % 200, "element #{i}")
    set_member(pair, "member #{i}")
    set_kept.call("kept #{i}")
    GC.start(full_mark: false) if i % 100 == round
    GC.start if i % 250 == 3
    # `false` and numbers are no references.
    set_element(list, 199, i.even? ? false : i)
  end
end
GC.start
p holder.all.size, holder.all.first(6), holder.all.last, list[0], list[198], list[199], pair, kept.call
