class Hash
  def each_pair
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    at = Primitive.hash_enter(self)
    begin
      if Primitive.block_takes_pair
        while at = Primitive.hash_next(self, at)
          yield Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at)
        end
      else
        while at = Primitive.hash_next(self, at)
          yield Primitive.hash_pair_at(self, at)
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end
  alias each each_pair

  def each_key
    return to_enum(:each_key) { size } unless defined?(yield)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        yield Primitive.hash_key_at(self, at)
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def each_value
    return to_enum(:each_value) { size } unless defined?(yield)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        yield Primitive.hash_value_at(self, at)
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def fetch_values(*keys)
    result = []
    i = 0
    while i < Primitive.array_length(keys)
      key = Primitive.array_element_or_undef(keys, i)
      value = Primitive.hash_fetch_or_undef(self, key)
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
      at = Primitive.hash_enter(self)
      begin
        while at = Primitive.hash_next(self, at)
          return true if pattern === Primitive.hash_pair_at(self, at)
        end
      ensure
        Primitive.hash_leave(self)
      end
      return false
    end
    return Primitive.hash_size(self) > 0 unless defined?(yield)
    at = Primitive.hash_enter(self)
    begin
      if Primitive.block_takes_pair
        while at = Primitive.hash_next(self, at)
          return true if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
        end
      else
        while at = Primitive.hash_next(self, at)
          return true if yield(Primitive.hash_pair_at(self, at))
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    false
  end

  def to_proc
    table = self
    ->(key) { table[key] }
  end

  def map
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    return super unless Primitive.hash_each_is_own(self)
    at = Primitive.hash_enter(self)
    result = Primitive.array_with_capacity(Primitive.hash_size(self))
    begin
      if Primitive.block_arity > 1
        while at = Primitive.hash_next(self, at)
          Primitive.array_push(result, yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at)))
        end
      else
        while at = Primitive.hash_next(self, at)
          Primitive.array_push(result, yield(Primitive.hash_pair_at(self, at)))
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end
  alias collect map

  def deconstruct_keys(keys) = self
end
