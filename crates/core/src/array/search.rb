class Array
  def fetch_values(*indexes, &block)
    i = 0
    result = []
    while i < Primitive.array_length(indexes)
      result << fetch(indexes[i], &block)
      i += 1
    end
    result
  end

  def find_index(value = Primitive.undef)
    if Primitive.is_undef(value)
      return Primitive.enumerator(self, Primitive.callee, nil, nil) unless defined?(yield)
      for i in Primitive.indexes(self)
        return i if yield(Primitive.array_element_or_undef(self, i))
      end
      return nil
    end
    Primitive.warn("given block not used") if defined?(yield)
    Primitive.array_index_of(self, value, 0)
  end
  alias index find_index

  def rindex(value = Primitive.undef)
    unless Primitive.is_undef(value)
      Primitive.warn("given block not used") if defined?(yield)
      return Primitive.array_last_index_of(self, value)
    end
    return Primitive.enumerator(self, :rindex, nil, nil) unless defined?(yield)
    for i in Primitive.indexes_backwards(self)
      return i if yield(Primitive.array_element_or_undef(self, i))
    end
    nil
  end

  def find(if_none = Primitive.undef)
    unless defined?(yield)
      return Primitive.enumerator(self, Primitive.callee, Primitive.is_undef(if_none) ? nil : [if_none], nil)
    end
    for i in Primitive.indexes(self)
      x = Primitive.array_element_or_undef(self, i)
      return x if yield(x)
    end
    return nil if Primitive.is_undef(if_none)
    if_none && if_none.call
  end
  alias detect find

  def rfind(if_none = nil)
    return Primitive.enumerator(self, :rfind, if_none.nil? ? nil : [if_none], nil) unless defined?(yield)
    for i in Primitive.indexes_backwards(self)
      x = Primitive.array_element_or_undef(self, i)
      return x if yield(x)
    end
    return nil if Primitive.is_undef(if_none)
    if_none && if_none.call
  end

  def take_while
    return Primitive.enumerator(self, :take_while, nil, nil) unless defined?(yield)
    for i in Primitive.indexes(self)
      return Primitive.array_slice(self, 0, i) unless yield(Primitive.array_element_or_undef(self, i))
    end
    Primitive.array_slice(self, 0, Primitive.array_length(self))
  end

  def drop_while
    return Primitive.enumerator(self, :drop_while, nil, nil) unless defined?(yield)
    for i in Primitive.indexes(self)
      next if yield(Primitive.array_element_or_undef(self, i))
      return Primitive.array_slice(self, i, Primitive.array_length(self)) || []
    end
    []
  end

  def bsearch
    return Primitive.enumerator(self, :bsearch, nil, nil) unless defined?(yield)
    i = __bsearch(&Primitive.own_block)
    i && Primitive.array_at(self, i)
  end

  def bsearch_index
    return Primitive.enumerator(self, :bsearch_index, nil, nil) unless defined?(yield)
    __bsearch(&Primitive.own_block)
  end

  # The index found by a binary search, or nil.
  def __bsearch
    low = 0
    high = Primitive.array_length(self)
    found = nil
    while low < high
      middle = (low + high) >> 1
      answer = yield(Primitive.array_at(self, middle))
      if !answer
        low = middle + 1
      elsif Primitive.is_same(answer, true)
        found = high = middle
      elsif Primitive.is_kind_of(answer, Numeric)
        return middle if answer == 0
        answer < 0 ? high = middle : low = middle + 1
      else
        Primitive.raise(TypeError,
          "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)")
      end
    end
    found
  end
  private :__bsearch
end
