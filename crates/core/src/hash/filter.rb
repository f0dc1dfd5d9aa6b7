class Hash
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
    at = Primitive.hash_enter(self)
    before = Primitive.hash_size(self)
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
    at = Primitive.hash_enter(self)
    result = Primitive.hash_like(self)
    begin
      while at = Primitive.hash_next(self, at)
        key = Primitive.hash_key_at(self, at)
        value = Primitive.hash_value_at(self, at)
        Primitive.hash_adopt(self, at, result, key, value) if yield(key, value)
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless defined?(yield)
    at = Primitive.hash_enter(self)
    result = Primitive.hash_like(self)
    begin
      while at = Primitive.hash_next(self, at)
        key = Primitive.hash_key_at(self, at)
        value = Primitive.hash_value_at(self, at)
        Primitive.hash_adopt(self, at, result, key, value) unless yield(key, value)
      end
    ensure
      Primitive.hash_leave(self)
    end
    result
  end
end
