class Hash
  def delete_if
    return Primitive.enumerator(self, :delete_if, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    for at in Primitive.positions(self)
      next unless yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(self, at)
    end
    self
  end

  def reject!
    return Primitive.enumerator(self, :reject!, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    before = Primitive.hash_size(self)
    __delete_if(&Primitive.own_block)
    before == Primitive.hash_size(self) ? nil : self
  end

  def keep_if
    return Primitive.enumerator(self, :keep_if, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    for at in Primitive.positions(self)
      next if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(self, at)
    end
    self
  end

  def select!
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    before = Primitive.hash_size(self)
    __keep_if(&Primitive.own_block)
    before == Primitive.hash_size(self) ? nil : self
  end
  alias filter! select!

  # The loops of reject! and select!.
  def __delete_if
    for at in Primitive.positions(self)
      next unless yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(self, at)
    end
  end

  def __keep_if
    for at in Primitive.positions(self)
      next if yield(Primitive.hash_key_at(self, at), Primitive.hash_value_at(self, at))
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(self, at)
    end
  end
  private :__delete_if, :__keep_if

  def reject
    return Primitive.enumerator(self, :reject, nil, :__size) unless defined?(yield)
    # A copy is iterated, because the block may rehash the receiver or add keys to it.
    result = Primitive.hash_entries(self)
    for at in Primitive.positions(result)
      next unless yield(Primitive.hash_key_at(result, at), Primitive.hash_value_at(result, at))
      Primitive.hash_delete_at(result, at)
    end
    Primitive.hash_shrink(result)
  end

  def select
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
    result = Primitive.hash_entries(self)
    for at in Primitive.positions(result)
      next if yield(Primitive.hash_key_at(result, at), Primitive.hash_value_at(result, at))
      Primitive.hash_delete_at(result, at)
    end
    Primitive.hash_shrink(result)
  end
  alias filter select
end
