class Range
  def clamp(min, max = Primitive.undef)
    excludes = false
    if Primitive.is_undef(max)
      range = min
      unless Range === range || [:begin, :end, :exclude_end?].all? { |name| Primitive.responds(range, name, true) }
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(range)} (expected Range)")
      end
      min = range.begin
      max = range.end
      excludes = range.exclude_end?
    end
    if !min.nil? && !max.nil? && Primitive.compare(min, max) > 0
      Primitive.raise(ArgumentError, "min argument must be less than or equal to max argument")
    end
    first = Primitive.range_begin(self)
    last = Primitive.range_end(self)
    open = Primitive.range_is_exclusive(self)
    # -1 for an end that was below the bounds, 1 for one above them.
    moved_first = 0
    moved_last = 0
    unless min.nil?
      if first.nil? || Primitive.compare(first, min) < 0
        moved_first = -1
        first = min
      end
      if !last.nil? && Primitive.compare(last, min) < 0
        moved_last = -1
        last = min
      end
    end
    unless max.nil?
      if moved_first == 0 && !first.nil? && Primitive.compare(first, max) > 0
        moved_first = 1
        first = max
      end
      if moved_last == 0
        order = last.nil? ? 1 : Primitive.compare(last, max)
        if order > 0
          moved_last = 1
          last = max
          open = excludes
        elsif order == 0
          open ||= excludes
        end
      end
    end
    # The receiver lies outside the bounds: nothing is left.
    open = true if moved_first != 0 && moved_first == moved_last
    Range.new(first, last, open)
  end

  def include?(value)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    return __covers?(value) if __linear?(b) || __linear?(e) || (b.nil? && e.nil? && __linear?(value))
    Primitive.raise(TypeError, "cannot determine inclusion in beginless/endless ranges") if b.nil? || e.nil?
    if Primitive.is_string(b) && Primitive.is_string(e) && !Primitive.is_string(value)
      return false unless Primitive.responds(value, :to_str, true)
      value = value.to_str
      Primitive.raise(TypeError, "can't convert to String") unless Primitive.is_string(value)
    end
    super(value)
  end
  alias member? include?

  def ===(value) = __covers?(value)

  def cover?(value) = Primitive.is_range(value) ? __covers_range(value) : __covers?(value)

  # Whether a value lies between the ends by `<=>`.
  def __covers?(value)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if b.nil? || ((order = b <=> value) && order <= 0)
      return true if e.nil?
      order = value <=> e
      return order ? (Primitive.range_is_exclusive(self) ? order < 0 : order <= 0) : false
    end
    false
  end

  def overlap?(other)
    unless Primitive.is_range(other)
      Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(other)} (expected Range)")
    end
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    c = Primitive.range_begin(other)
    d = Primitive.range_end(other)
    if __empty?(b, e, Primitive.range_is_exclusive(self)) || __empty?(c, d, Primitive.range_is_exclusive(other))
      return false
    end
    return false unless __starts_before?(b, d, Primitive.range_is_exclusive(other))
    return false unless __starts_before?(c, e, Primitive.range_is_exclusive(self))
    # If neither has an end, or neither a beginning, nothing was compared yet.
    return !(b <=> c).nil? if e.nil? && d.nil? && !b.nil? && !c.nil?
    return !(e <=> d).nil? if b.nil? && c.nil? && !e.nil? && !d.nil?
    true
  end

  # Whether the value has a continuous order: then comparing it with both ends suffices.
  def __linear?(value)
    Primitive.is_kind_of(value, Numeric) || Primitive.is_kind_of(value, Time) ||
      Primitive.responds(value, :to_int, true)
  end

  # Whether no value can lie between two ends.
  def __empty?(b, e, exclusive)
    return false if b.nil? || e.nil?
    order = b <=> e
    order.nil? || order > 0 || (order == 0 && exclusive)
  end

  # Whether a range that begins at `b` begins before the end `e` of the other.
  def __starts_before?(b, e, exclusive)
    return true if b.nil? || e.nil?
    order = b <=> e
    return false if order.nil?
    exclusive ? order < 0 : order <= 0
  end

  # Whether all of another range lies between the ends; false for anything but a Range.
  def __covers_range(other)
    return false unless Primitive.is_range(other)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    c = Primitive.range_begin(other)
    d = Primitive.range_end(other)
    exclusive = Primitive.range_is_exclusive(self)
    inner = Primitive.range_is_exclusive(other)
    return false if !c.nil? && !d.nil? && __empty?(c, d, inner)
    return false if c.nil? ? !b.nil? : !__covers?(c)
    return !(exclusive && !inner && d.nil?) if e.nil?
    return false if d.nil?
    order = e <=> d
    return false if order.nil?
    return true if order > 0 || (order == 0 && (!exclusive || inner))
    return false if order == 0
    # The other range ends later, but may have no element there: (0..5) covers (0...6).
    return false unless inner && !exclusive && !c.nil?
    return false unless Primitive.responds(c, :succ, true) && !Primitive.is_float(c)
    return e == d - 1 if Primitive.is_integer(e) && Primitive.is_integer(d) && Primitive.is_integer(c)
    begin
      greatest = other.max
    rescue TypeError
      return false
    end
    return false if greatest.nil?
    order = e <=> greatest
    !order.nil? && order >= 0
  end
end
