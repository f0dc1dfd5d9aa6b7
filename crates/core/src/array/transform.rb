class Array
  def map
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
    i = 0
    result = Primitive.array_with_capacity(Primitive.array_length(self))
    while i < Primitive.array_length(self)
      Primitive.array_push(result, yield(Primitive.array_element_or_undef(self, i)))
      i += 1
    end
    result
  end
  alias collect map

  def select
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
    result = []
    for i in Primitive.indexes(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(result, x) if yield(x)
    end
    result
  end
  alias filter select

  def reject
    return Primitive.enumerator(self, :reject, nil, :__size) unless defined?(yield)
    result = []
    for i in Primitive.indexes(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(result, x) unless yield(x)
    end
    result
  end

  def filter_map
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :filter_map, nil, :__enum_size) unless defined?(yield)
    i = 0
    result = []
    while i < Primitive.array_length(self)
      x = yield(Primitive.array_element_or_undef(self, i))
      Primitive.array_push(result, x) if x
      i += 1
    end
    result
  end

  def sort_by
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :sort_by, nil, :__enum_size) unless defined?(yield)
    i = 0
    keys = []
    values = []
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(values, x)
      Primitive.array_push(keys, yield(x))
      i += 1
    end
    Primitive.sort_by_keys(values, keys)
  end

  def uniq
    return __unique if !defined?(yield) || Primitive.array_length(self) < 2
    i = 0
    table = Primitive.hash_new
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.hash_put_new(table, yield(x), x)
      i += 1
    end
    table.values
  end

  def zip(*others)
    lists = []
    i = 0
    while i < Primitive.array_length(others)
      other = Primitive.array_element_or_undef(others, i)
      list = Primitive.array_length(self) == 0 ? [] : Primitive.try_array(other)
      unless list
        unless Primitive.responds(other, :each, true)
          Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(other)} (must respond to :each)")
        end
        list = []
        wanted = Primitive.array_length(self)
        if wanted > 0
          other.each do |*x|
            list << Primitive.pack_values(x)
            break if list.size >= wanted
          end
        end
      end
      lists << list
      i += 1
    end
    return Primitive.array_zip(self, lists) unless defined?(yield)
    i = 0
    if Primitive.array_length(lists) == 1
      other = Primitive.array_element_or_undef(lists, 0)
      while i < Primitive.array_length(self)
        yield([Primitive.array_element_or_undef(self, i), Primitive.array_at(other, i)])
        i += 1
      end
      return nil
    end
    while i < Primitive.array_length(self)
      row = Primitive.array_with_capacity(Primitive.array_length(lists) + 1)
      Primitive.array_push(row, Primitive.array_element_or_undef(self, i))
      j = 0
      while j < Primitive.array_length(lists)
        Primitive.array_push(row, Primitive.array_at(Primitive.array_element_or_undef(lists, j), i))
        j += 1
      end
      yield(row)
      i += 1
    end
    nil
  end

  def to_h
    return Primitive.array_to_h(self) unless defined?(yield)
    table = Primitive.hash_new
    apart = Primitive.block_takes_apart
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      x = apart && Primitive.is_array(x) ? yield(*Primitive.fitted(x, apart)) : yield(x)
      pair = Primitive.try_array(x)
      unless pair
        Primitive.raise(TypeError, "wrong element type #{Primitive.class_of(x)} at #{i} (expected array)")
      end
      if Primitive.array_length(pair) != 2
        Primitive.raise(ArgumentError, "wrong array length at #{i} (expected 2, was #{pair.size})")
      end
      Primitive.hash_put(table, pair[0], pair[1])
      i += 1
    end
    table
  end

  def tally(table = Primitive.undef)
    return super unless Primitive.is_undef(table) && Primitive.array_each_is_own(self)
    Primitive.array_tally(self)
  end

  def group_by
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :group_by, nil, :__enum_size) unless defined?(yield)
    i = 0
    table = Primitive.hash_new
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      key = yield(x)
      list = Primitive.hash_fetch_or_undef(table, key)
      Primitive.is_undef(list) ? Primitive.hash_put(table, key, [x]) : Primitive.array_push(list, x)
      i += 1
    end
    table
  end

  def partition
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :partition, nil, :__enum_size) unless defined?(yield)
    i = 0
    yes = []
    no = []
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(yield(x) ? yes : no, x)
      i += 1
    end
    [yes, no]
  end

  def flat_map
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :flat_map, nil, :__enum_size) unless defined?(yield)
    i = 0
    result = []
    while i < Primitive.array_length(self)
      x = yield(Primitive.array_element_or_undef(self, i))
      list = Primitive.try_array(x)
      list ? result.concat(list) : Primitive.array_push(result, x)
      i += 1
    end
    result
  end

  def deconstruct = self
end
