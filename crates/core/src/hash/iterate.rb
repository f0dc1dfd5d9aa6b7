class Hash
  # Enumerators count by it, whatever `size` the program has.
  alias __size size
  private :__size

  def each_pair
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
    if Primitive.block_takes_pair
      for at in Primitive.positions(self)
        yield Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at)
      end
    else
      for at in Primitive.positions(self)
        yield Primitive.hash_pair_at(self, at)
      end
    end
    self
  end
  alias each each_pair

  def each_key
    return Primitive.enumerator(self, :each_key, nil, :__size) unless defined?(yield)
    for at in Primitive.positions(self)
      yield Primitive.hash_key_at(self, at)
    end
    self
  end

  def each_value
    return Primitive.enumerator(self, :each_value, nil, :__size) unless defined?(yield)
    for at in Primitive.positions(self)
      yield Primitive.hash_value_at(self, at)
    end
    self
  end

  def fetch(key, default = Primitive.undef)
    value = Primitive.hash_get(self, key)
    if Primitive.is_undef(default)
      return value unless Primitive.is_undef(value)
      return defined?(yield) ? yield(key) : Primitive.raise_key_not_found(self, key)
    end
    Primitive.warn("block supersedes default value argument") if defined?(yield)
    return value unless Primitive.is_undef(value)
    defined?(yield) ? yield(key) : default
  end

  def fetch_values(*keys)
    result = []
    i = 0
    while i < Primitive.array_length(keys)
      key = Primitive.array_element_or_undef(keys, i)
      value = Primitive.hash_get(self, key)
      if Primitive.is_undef(value)
        defined?(yield) ? value = yield(key) : Primitive.raise_key_not_found(self, key)
      end
      result << value
      i += 1
    end
    result
  end

  def any?(pattern = Primitive.undef)
    unless Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      for at in Primitive.positions(self)
        return true if pattern === Primitive.hash_pair_at(self, at)
      end
      return false
    end
    return Primitive.hash_size(self) > 0 unless defined?(yield)
    if Primitive.block_takes_pair
      for at in Primitive.positions(self)
        return true if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      end
    else
      for at in Primitive.positions(self)
        return true if yield(Primitive.hash_pair_at(self, at))
      end
    end
    false
  end

  def to_proc
    table = self
    ->(key) { table[key] }
  end

  def map
    return Primitive.enumerator(self, Primitive.callee, nil, :__enum_size) unless defined?(yield)
    return super unless Primitive.hash_each_is_own(self)
    result = Primitive.array_with_capacity(Primitive.hash_size(self))
    arity = Primitive.block_arity
    # Two parameters and more are required.
    if arity > 1 || arity < -2
      for at in Primitive.positions(self)
        Primitive.array_push(result, yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at)))
      end
    else
      for at in Primitive.positions(self)
        Primitive.array_push(result, yield(Primitive.hash_pair_at(self, at)))
      end
    end
    result
  end
  alias collect map

  def sum(initial = 0)
    return super unless Primitive.hash_each_is_own(self)
    return Primitive.array_sum(Primitive.core(self).to_a, initial) unless defined?(yield)
    # Numbers are added together at the end; from the first other object on, the block and `+` take turns.
    list = Primitive.is_real(initial) ? [] : nil
    pairs = Primitive.block_takes_pair
    for at in Primitive.positions(self)
      key = Primitive.hash_key_at(self, at)
      x = pairs ? yield(key, Primitive.hash_value_at(self, at)) : yield([key, Primitive.hash_value_at(self, at)])
      if list.nil?
        initial = Primitive.sum(initial, x)
      else
        Primitive.array_push(list, x)
        next if Primitive.is_real(x)
        initial = Primitive.array_sum(list, initial)
        list = nil
      end
    end
    list.nil? ? initial : Primitive.array_sum(list, initial)
  end

  def deconstruct_keys(keys) = self
end
