class Hash
  def to_h
    unless defined?(yield)
      return self if Primitive.is_same(Primitive.class_of(self), Hash)
      return Primitive.hash_copy(self)
    end
    result = Primitive.hash_new
    for at in Primitive.positions(self)
      Primitive.hash_put_pair(result, yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at)))
    end
    result
  end

  def transform_values
    return Primitive.enumerator(self, :transform_values, nil, :__size) unless defined?(yield)
    result = Primitive.hash_entries(self)
    at = 0
    while at = Primitive.hash_next(result, at)
      Primitive.hash_set_at(result, at, yield(Primitive.hash_value_at(result, at)))
    end
    result
  end

  def transform_values!
    return Primitive.enumerator(self, :transform_values!, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    for at in Primitive.positions(self)
      value = yield(Primitive.hash_value_at(self, at))
      Primitive.check_frozen(self)
      Primitive.hash_set_at(self, at, value)
    end
    self
  end

  def transform_keys(mapping = Primitive.undef)
    if Primitive.is_undef(mapping)
      mapping = nil
    elsif !Primitive.is_hash(mapping)
      mapping = Primitive.to_hash(mapping)
    end
    return Primitive.enumerator(self, :transform_keys, nil, :__size) unless mapping || defined?(yield)
    result = Primitive.hash_new
    for at in Primitive.positions(self)
      key = Primitive.hash_key_at(self, at)
      value = Primitive.hash_value_at(self, at)
      fresh = mapping ? Primitive.hash_fetch_or_undef(mapping, key) : Primitive.undef
      fresh = defined?(yield) ? yield(key) : key if Primitive.is_undef(fresh)
      Primitive.hash_put(result, fresh, value)
    end
    result
  end

  def transform_keys!(mapping = Primitive.undef)
    if Primitive.is_undef(mapping)
      mapping = nil
    elsif !Primitive.is_hash(mapping)
      mapping = Primitive.to_hash(mapping)
    end
    return Primitive.enumerator(self, :transform_keys!, nil, :__size) unless mapping || defined?(yield)
    Primitive.check_frozen(self)
    new_keys = Primitive.hash_like(self)
    pairs = []
    at = 0
    while at = Primitive.hash_next(self, at)
      Primitive.array_push(pairs, Primitive.hash_key_at(self, at))
      Primitive.array_push(pairs, Primitive.hash_value_at(self, at))
    end
    i = 0
    while i < Primitive.array_length(pairs)
      key = Primitive.array_at(pairs, i)
      value = Primitive.array_at(pairs, i + 1)
      fresh = mapping ? Primitive.hash_fetch_or_undef(mapping, key) : Primitive.undef
      fresh = defined?(yield) ? yield(key) : key if Primitive.is_undef(fresh)
      Primitive.check_frozen(self)
      Primitive.hash_remove(self, key) if Primitive.is_undef(Primitive.hash_fetch_or_undef(new_keys, key))
      Primitive.hash_put(self, fresh, value)
      Primitive.hash_put(new_keys, fresh, nil)
      i += 2
    end
    self
  end

  def merge!(*others)
    Primitive.check_frozen(self)
    i = 0
    while i < Primitive.array_length(others)
      other = Primitive.to_hash(Primitive.array_element_or_undef(others, i))
      if defined?(yield)
        for at in Primitive.positions(other)
          key = Primitive.hash_key_at(other, at)
          value = Primitive.hash_value_at(other, at)
          old = Primitive.hash_fetch_or_undef(self, key)
          unless Primitive.is_undef(old)
            begin
              Primitive.hash_enter(self)
              value = yield(key, old, value)
            ensure
              Primitive.hash_leave(self)
            end
            Primitive.check_frozen(self)
            next if Primitive.is_undef(Primitive.hash_fetch_or_undef(self, key)) # The block deleted the key.
          end
          Primitive.hash_put(self, key, value)
        end
      else
        Primitive.hash_merge(self, other)
      end
      i += 1
    end
    self
  end
  alias update merge!

  def merge(*others)
    result = Primitive.hash_dup(self)
    i = 0
    while i < Primitive.array_length(others)
      other = Primitive.to_hash(Primitive.array_element_or_undef(others, i))
      if defined?(yield)
        at = 0
        while at = Primitive.hash_next(other, at)
          key = Primitive.hash_key_at(other, at)
          value = Primitive.hash_value_at(other, at)
          old = Primitive.hash_fetch_or_undef(result, key)
          value = yield(key, old, value) unless Primitive.is_undef(old)
          Primitive.hash_put(result, key, value)
        end
      else
        Primitive.hash_merge(result, other)
      end
      i += 1
    end
    result
  end

  def flatten(depth = 1)
    depth = Primitive.to_long(depth)
    return to_a if depth == 0
    result = []
    at = 0
    while at = Primitive.hash_next(self, at)
      result << Primitive.hash_key_at(self, at) << Primitive.hash_value_at(self, at)
    end
    if depth < 0
      result.flatten!
    elsif depth > 1
      result.flatten!(depth - 1)
    end
    result
  end
end
