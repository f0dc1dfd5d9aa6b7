# Copies of objects have the variables of the original, however many there are and whenever it was made.
class Record
  def initialize(count) = count.times { |i| instance_variable_set("@v#{i}", i) }
  def values = instance_variables.map { |name| instance_variable_get(name) }
end

early = Record.new(30)
[0, 1, 2, 3, 5, 8, 13, 40, 119, 121].each do |count|
  [Record.new(count), count == 40 ? early : Record.new(count)].each do |record|
    copy = record.dup
    copy.instance_variable_set(:@v0, :first)
    copy.instance_variable_set(:@last, :last)
    p [record.instance_variables.size, copy.values.values_at(0, 1, -2, -1), record.clone.values == record.values]
    raise unless record.values == (0...record.instance_variables.size).to_a
  end
end
2.times { p early.dup.values.sum }
record = Record.new(6)
def record.own = 1
p record.dup.respond_to?(:own), record.clone.own, record.dup.values, record.clone.values
record.remove_instance_variable(:@v2)
p record.dup.instance_variables, record.freeze.clone.frozen?, record.dup.frozen?
error = RuntimeError.new("message")
error.instance_variable_set(:@more, 1)
p error.dup.message, error.dup.instance_variables, error == error.dup
