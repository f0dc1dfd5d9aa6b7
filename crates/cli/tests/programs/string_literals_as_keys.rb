# frozen_string_literal: true

# Keys that are String literals: compiled code expects the same object where the Hash at hand has it.

def name(row) = row["name"]
def rename(row, v) = row["name"] = v
def both(row) = row["size"] + row["name"].size

ROW = {"size" => 3, "name" => "red"}
300.times do
  name(ROW)
  both(ROW)
  rename({"size" => 1, "name" => 2}, 5)
end
p name(ROW), both(ROW), rename(ROW, "blue"), ROW

# The key is elsewhere, is another String, or is missing.
p name({"name" => 1}), name({"other" => 0, String.new("name") => 2}), name({"size" => 1}), name({})
p name(Hash.new { |_, key| key + "!" }), name(Hash.new(7))
p name({"size" => 0, "name".encode("UTF-16LE") => 1}), name(["name"].to_h { |key| [key.to_sym, 1] })
many = (1..20).to_h { |n| ["key #{n}", n] }
p name(many), name(many.merge("name" => 8))
p(name({"size" => 1, "name" => nil}.freeze))
begin
  rename({"size" => 1, "name" => 2}.freeze, 1)
rescue FrozenError => e
  puts e.message
end

# A table that compares by identity has the literal itself as its key, or an equal String.
table = {}.compare_by_identity
table["size"] = 1
table["name"] = 2
p name(table), table.size, rename(table, 3), table.size
table[String.new("name")] = 4
p name(table), table.size

# Other receivers.
Point = Struct.new(:size, :name)
p name(Point.new(1, 2)), rename(Point.new(1, 2), 3), name("my name"), name("other")

eval <<~RUBY, binding, "unfrozen", 1
  # frozen_string_literal: false
  def name_unfrozen(row) = row["name"]
  def add(row) = row["name"] = 9
RUBY
300.times do
  name_unfrozen(ROW)
  add({"size" => 1, "name" => 2})
end
p name_unfrozen(ROW), name_unfrozen(table)
add(table)
p table.size

class Hash
  def [](key) = "redefined #{key}"
end
p name(ROW), name_unfrozen(ROW)
