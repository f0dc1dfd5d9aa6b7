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
        Primitive.hash_put_pair(table, yield(key, value))
      else
        Primitive.hash_put(table, key, value)
      end
      i += 1
    end
    table
  end
end
