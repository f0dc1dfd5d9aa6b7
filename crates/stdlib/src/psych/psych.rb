# Reads the old YAML form of a Set: an object with a Hash in `@hash`.
class Set
  def encode_with(coder)
    coder["hash"] = each_with_object({}) { |element, table| table[element] = true }
  end

  def init_with(coder)
    initialize(coder["hash"].keys)
  end
end
