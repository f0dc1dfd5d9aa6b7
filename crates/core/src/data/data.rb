class Data
  def to_h
    table = Primitive.hash_new
    names = members
    i = 0
    n = Primitive.array_length(names)
    while i < n
      key = Primitive.array_at(names, i)
      value = Primitive.struct_at(self, i)
      if defined?(yield)
        x = yield(key, value)
        pair = Primitive.try_array(x)
        Primitive.raise(TypeError, "wrong element type #{Primitive.class_of(x)} (expected array)") unless pair
        if Primitive.array_length(pair) != 2
          Primitive.raise(ArgumentError,
            "element has wrong array length (expected 2, was #{Primitive.array_length(pair)})")
        end
        key = Primitive.array_at(pair, 0)
        value = Primitive.array_at(pair, 1)
      end
      Primitive.hash_put(table, key, value)
      i += 1
    end
    table
  end
end
