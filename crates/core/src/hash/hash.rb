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

  def fetch(key, default = Primitive.undef)
    value = Primitive.hash_fetch_or_undef(self, key)
    return value unless Primitive.is_undef(value)
    if defined?(yield)
      Primitive.warn("block supersedes default value argument") unless Primitive.is_undef(default)
      return yield(key)
    end
    return default unless Primitive.is_undef(default)
    Primitive.raise_key_not_found(self, key)
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

  def delete(key)
    Primitive.check_frozen(self)
    value = Primitive.hash_remove(self, key)
    return value unless Primitive.is_undef(value)
    defined?(yield) ? yield(key) : nil
  end

  def delete_if
    return to_enum(:delete_if) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
          Primitive.check_frozen(self)
          Primitive.hash_delete_at(self, at)
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    before = Primitive.hash_size(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
          Primitive.check_frozen(self)
          Primitive.hash_delete_at(self, at)
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    before == Primitive.hash_size(self) ? nil : self
  end

  def keep_if
    return to_enum(:keep_if) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        unless yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
          Primitive.check_frozen(self)
          Primitive.hash_delete_at(self, at)
        end
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def select!
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    before = Primitive.hash_size(self)
    keep_if { |key, value| yield(key, value) }
    before == Primitive.hash_size(self) ? nil : self
  end
  alias filter! select!

  def select
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    result = Primitive.hash_like(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        key = Primitive.hash_key_at(self, at)
        value = Primitive.hash_value_at(self, at)
        Primitive.hash_put(result, key, value) if yield(key, value)
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless defined?(yield)
    result = Primitive.hash_like(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        key = Primitive.hash_key_at(self, at)
        value = Primitive.hash_value_at(self, at)
        Primitive.hash_put(result, key, value) unless yield(key, value)
      end
    ensure
      Primitive.hash_leave(self)
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

  def to_h
    unless defined?(yield)
      return self if Primitive.is_same(Primitive.class_of(self), Hash)
      return Primitive.hash_copy(self)
    end
    result = Primitive.hash_new
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        x = yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
        pair = Primitive.try_array(x)
        Primitive.raise(TypeError, "wrong element type #{Primitive.class_of(x)} (expected array)") unless pair
        if Primitive.array_length(pair) != 2
          Primitive.raise(ArgumentError, "element has wrong array length (expected 2, was #{Primitive.array_length(pair)})")
        end
        Primitive.hash_put(result, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end

  def transform_values
    return to_enum(:transform_values) { size } unless defined?(yield)
    result = Primitive.hash_like(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        key = Primitive.hash_key_at(self, at)
        Primitive.hash_put(result, key, yield(Primitive.hash_value_at(self, at)))
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end

  def transform_values!
    return to_enum(:transform_values!) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        value = yield(Primitive.hash_value_at(self, at))
        Primitive.check_frozen(self)
        Primitive.hash_set_at(self, at, value)
      end
    ensure
      Primitive.hash_leave(self)
    end
    self
  end

  def transform_keys(mapping = Primitive.undef)
    if Primitive.is_undef(mapping)
      mapping = nil
    elsif !Primitive.is_type(mapping, 1)
      mapping = Primitive.to_hash(mapping)
    end
    return to_enum(:transform_keys) { size } unless mapping || defined?(yield)
    result = Primitive.hash_new
    at = Primitive.hash_enter(self)
    begin
      while at = Primitive.hash_next(self, at)
        key = Primitive.hash_key_at(self, at)
        value = Primitive.hash_value_at(self, at)
        if mapping
          fresh = Primitive.hash_fetch_or_undef(mapping, key)
          fresh = defined?(yield) ? yield(key) : key if Primitive.is_undef(fresh)
        else
          fresh = yield(key)
        end
        Primitive.hash_put(result, fresh, value)
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end

  def transform_keys!(mapping = Primitive.undef)
    if Primitive.is_undef(mapping)
      mapping = nil
    elsif !Primitive.is_type(mapping, 1)
      mapping = Primitive.to_hash(mapping)
    end
    return to_enum(:transform_keys!) { size } unless mapping || defined?(yield)
    Primitive.check_frozen(self)
    new_keys = Primitive.hash_like(self)
    pairs = to_a
    i = 0
    while i < Primitive.array_length(pairs)
      pair = Primitive.array_element_or_undef(pairs, i)
      key = pair[0]
      value = pair[1]
      if mapping
        fresh = Primitive.hash_fetch_or_undef(mapping, key)
        fresh = defined?(yield) ? yield(key) : key if Primitive.is_undef(fresh)
      else
        fresh = yield(key)
      end
      Primitive.check_frozen(self)
      Primitive.hash_remove(self, key) if Primitive.is_undef(Primitive.hash_fetch_or_undef(new_keys, key))
      Primitive.hash_put(self, fresh, value)
      Primitive.hash_put(new_keys, fresh, nil)
      i += 1
    end
    self
  end

  def merge!(*others)
    Primitive.check_frozen(self)
    i = 0
    while i < Primitive.array_length(others)
      other = Primitive.to_hash(Primitive.array_element_or_undef(others, i))
      at = 0
      while at = Primitive.hash_next(other, at)
        key = Primitive.hash_key_at(other, at)
        value = Primitive.hash_value_at(other, at)
        if defined?(yield)
          old = Primitive.hash_fetch_or_undef(self, key)
          unless Primitive.is_undef(old)
            value = yield(key, old, value)
            Primitive.check_frozen(self)
          end
        end
        Primitive.hash_put(self, key, value)
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
      at = 0
      while at = Primitive.hash_next(other, at)
        key = Primitive.hash_key_at(other, at)
        value = Primitive.hash_value_at(other, at)
        if defined?(yield)
          old = Primitive.hash_fetch_or_undef(result, key)
          value = yield(key, old, value) unless Primitive.is_undef(old)
        end
        Primitive.hash_put(result, key, value)
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

  def to_proc
    table = self
    ->(key) { table[key] }
  end

  def map
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    return super unless Primitive.hash_each_is_own(self)
    result = Primitive.array_with_capacity(Primitive.hash_size(self))
    at = Primitive.hash_enter(self)
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
