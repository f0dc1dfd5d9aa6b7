class Hash
  def delete_if
    return Primitive.enumerator(self, :delete_if, nil, :size) unless defined?(yield)
    __remove(true, &Primitive.own_block)
    self
  end

  def reject!
    return Primitive.enumerator(self, :reject!, nil, :size) unless defined?(yield)
    __remove(true, &Primitive.own_block) ? self : nil
  end

  def keep_if
    return Primitive.enumerator(self, :keep_if, nil, :size) unless defined?(yield)
    __remove(false, &Primitive.own_block)
    self
  end

  def select!
    return Primitive.enumerator(self, Primitive.callee, nil, :size) unless defined?(yield)
    __remove(false, &Primitive.own_block) ? self : nil
  end
  alias filter! select!

  # Removes the pairs for which the block's result is `unwanted`, true or false. Whether any was removed.
  def __remove(unwanted)
    Primitive.check_frozen(self)
    before = Primitive.hash_size(self)
    for at in Primitive.positions(self)
      if unwanted
        next unless yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      else
        next if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      end
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(self, at)
    end
    before != Primitive.hash_size(self)
  end

  def reject
    return Primitive.enumerator(self, :reject, nil, :size) unless defined?(yield)
    __pairs(false, &Primitive.own_block)
  end

  def select
    return Primitive.enumerator(self, Primitive.callee, nil, :size) unless defined?(yield)
    __pairs(true, &Primitive.own_block)
  end
  alias filter select

  # A Hash of the pairs for which the block's result is `wanted`, true or false.
  def __pairs(wanted)
    # The block may change the receiver, by rehashing it or with new keys.
    source = Primitive.hash_copy(self)
    result = Primitive.hash_like(source)
    for at in Primitive.positions(source)
      key = Primitive.hash_key_at(source, at)
      value = Primitive.hash_value_at(source, at)
      if wanted
        next unless yield(key, value)
      else
        next if yield(key, value)
      end
      Primitive.hash_adopt(source, at, result, key, value)
    end
    result
  end
  private :__remove, :__pairs
end
