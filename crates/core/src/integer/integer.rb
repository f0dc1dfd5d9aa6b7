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
    unless defined?(yield)
      return to_enum(:upto, limit) do
        self <= limit unless Numeric === limit
        next Primitive.float_step_size(to_f, limit, 1.0, false) if Primitive.is_float(limit)
        size = (limit - self).floor + 1
        size < 0 ? 0 : size
      end
    end
    i = self
    while i <= limit
      yield i
      i += 1
    end
    self
  end

  def downto(limit)
    unless defined?(yield)
      return to_enum(:downto, limit) do
        self <= limit unless Numeric === limit
        next Primitive.float_step_size(to_f, limit, -1.0, false) if Primitive.is_float(limit)
        size = (self - limit).floor + 1
        size < 0 ? 0 : size
      end
    end
    i = self
    while i >= limit
      yield i
      i -= 1
    end
    self
  end
end
