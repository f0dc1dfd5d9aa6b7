# The YAML form of a Set: an object with a Hash in `@hash`. The library defines it again since Ruby 4.0; without a
# warning, because of the aliases.
class Set
  def encode_with(coder)
    coder["hash"] = each_with_object({}) { |element, table| table[element] = true }
  end

  def init_with(coder)
    initialize(coder["hash"].keys)
  end

  alias encode_with encode_with
  alias init_with init_with
end
