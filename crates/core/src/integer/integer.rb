class Integer
  def times
    return Primitive.enumerator(self, :times, nil, self < 0 ? 0 : self) unless defined?(yield)
    i = 0
    while i < self
      yield i
      i += 1
    end
    self
  end

  def upto(limit)
    return Primitive.enumerator(self, :upto, [limit], :__upto_count) unless defined?(yield)
    i = self
    while i <= limit
      yield i
      i += 1
    end
    self
  end

  def downto(limit)
    return Primitive.enumerator(self, :downto, [limit], :__downto_count) unless defined?(yield)
    i = self
    while i >= limit
      yield i
      i -= 1
    end
    self
  end

  # The sizes of Enumerators of `upto` and `downto`, which take this argument.
  def __upto_count(limit)
    self <= limit unless Numeric === limit
    return Primitive.float_step_size(to_f, limit, 1.0, false) if Primitive.is_float(limit)
    count = (limit - self).floor + 1
    count < 0 ? 0 : count
  end

  def __downto_count(limit)
    self <= limit unless Numeric === limit
    return Primitive.float_step_size(to_f, limit, -1.0, false) if Primitive.is_float(limit)
    count = (self - limit).floor + 1
    count < 0 ? 0 : count
  end
  private :__upto_count, :__downto_count
end
