class Struct
  # Enumerators count by it, whatever `size` the program has.
  alias __size size
  private :__size

  def each
    return Primitive.enumerator(self, :each, nil, :__size) unless defined?(yield)
    i = 0
    n = Primitive.array_length(__members)
    while i < n
      yield Primitive.struct_at(self, i)
      i += 1
    end
    self
  end

  def each_pair
    return Primitive.enumerator(self, :each_pair, nil, :__size) unless defined?(yield)
    names = __members
    i = 0
    n = Primitive.array_length(names)
    pair = Primitive.block_takes_pair
    while i < n
      if pair
        yield Primitive.array_at(names, i), Primitive.struct_at(self, i)
      else
        yield [Primitive.array_at(names, i), Primitive.struct_at(self, i)]
      end
      i += 1
    end
    self
  end

  def select
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
    list = []
    i = 0
    n = Primitive.array_length(__members)
    while i < n
      x = Primitive.struct_at(self, i)
      list << x if yield(x)
      i += 1
    end
    list
  end
  alias filter select

  def to_h
    table = Primitive.hash_new
    names = __members
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
