class Range
  def step(by = Primitive.undef, &block)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    # The most frequent case.
    if defined?(yield) && Primitive.is_integer(by) && Primitive.is_integer(b) && Primitive.is_integer(e) && by > 0
      e -= 1 if Primitive.range_is_exclusive(self)
      while b <= e
        yield b
        b += by
      end
      return self
    end
    __step(:step, by, &block)
  end

  def %(by, &block) = __step(:%, by, &block)

  # `step` and `%`, which differ in the method name shown by their enumerators.
  def __step(name, by, &block)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    from_number = Primitive.is_kind_of(b, Numeric)
    # For Strings an Integer step counts elements; in all other cases the step is added.
    counts = Primitive.is_string(b) || Primitive.is_symbol(b)
    to_number = b.nil? && Primitive.is_kind_of(e, Numeric)
    none = Primitive.is_undef(by)
    if none
      unless from_number || counts || to_number
        Primitive.raise(ArgumentError, "step is required for non-numeric ranges")
      end
      by = 1
    end
    by_number = Primitive.is_kind_of(by, Numeric)
    Primitive.raise(ArgumentError, "step can't be 0") if by_number && (from_number || to_number) && by == 0
    exclusive = Primitive.range_is_exclusive(self)
    unless block
      arguments = none ? [] : [by]
      if by_number && (to_number || (from_number && (e.nil? || Primitive.is_kind_of(e, Numeric))))
        return Primitive.arithmetic_sequence(self, name, arguments, b, e, by, exclusive)
      end
      Primitive.raise(ArgumentError, "#step for non-numeric beginless ranges is meaningless") if b.nil?
      return to_enum(name, *arguments)
    end
    Primitive.raise(ArgumentError, "#step iteration for beginless ranges is meaningless") if b.nil?
    if Primitive.is_integer(b) && Primitive.is_integer(by) && (e.nil? || Primitive.is_integer(e))
      __step_integers(b, e, by, exclusive, &block)
    elsif from_number && by_number && (Primitive.is_float(b) || Primitive.is_float(e) || Primitive.is_float(by))
      __step_floats(b.to_f, e && e.to_f, by.to_f, exclusive, &block)
    elsif counts && Primitive.is_integer(by)
      __step_text(by, &block)
    elsif e.nil?
      while true
        yield b
        b += by
      end
    elsif from_number && by_number && __direction(by, 0) < 0
      __step_down(b, e, by, exclusive, &block)
    else
      __step_objects(b, e, by, exclusive, &block)
    end
    self
  end

  # Steps between integers, without calls of `+` and `<=>`.
  def __step_integers(x, e, by, exclusive)
    if e.nil?
      while true
        yield x
        x += by
      end
    elsif by < 0
      while exclusive ? x > e : x >= e
        yield x
        x += by
      end
    else
      while exclusive ? x < e : x <= e
        yield x
        x += by
      end
    end
  end

  # Multiplies, so that rounding errors do not accumulate.
  def __step_floats(from, to, by, exclusive)
    i = 0
    if to.nil?
      while true
        yield i * by + from
        i += 1
      end
    end
    return if by.nan? || ((to - from).nan? && !by.infinite?)
    n = Primitive.float_step_size(from, to, by, exclusive)
    return yield from if by.infinite? && n > 0
    while i < n
      x = i * by + from
      x = to if !exclusive && (by > 0 ? x > to : x < to)
      yield x
      i += 1
    end
  end

  # Every `by`-th element of the sequence; a step of 0 never advances beyond the first.
  def __step_text(by)
    left = 1
    each do |x|
      left -= 1
      if left == 0
        yield x
        left = by
      end
    end
  end

  # Steps by a negative number towards a lower end.
  def __step_down(x, e, by, exclusive)
    while (order = __direction(e, x)) < 0 || (order == 0 && !exclusive)
      yield x
      break if order == 0
      x += by
    end
  end

  # One addition in advance shows whether the step leads towards the end.
  def __step_objects(b, e, by, exclusive)
    direction = __direction(b, e)
    if direction == 0
      yield b unless exclusive
      return
    end
    return unless direction == __direction(b, b + by)
    x = b
    while (order = __direction(x, e)) == direction || (order == 0 && !exclusive)
      yield x
      break if order == 0
      x += by
    end
  end

  # 2 for values that do not compare.
  def __direction(a, b)
    order = a <=> b
    order.nil? ? 2 : Primitive.comparison_result(order, a, b)
  end
end
