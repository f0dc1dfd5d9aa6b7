class Enumerator::ArithmeticSequence
  def begin = @__begin

  def end = @__end

  def step = @__step

  def exclude_end? = @__exclusive

  def each
    return self unless defined?(yield)
    from = @__begin
    to = @__end
    by = @__step
    Primitive.raise(TypeError, "nil can't be coerced into Integer") if from.nil?
    if (Primitive.is_float(from) || Primitive.is_float(to) || Primitive.is_float(by)) && !(Complex === by)
      if to.nil?
        i = 0
        while true
          yield i * by.to_f + from.to_f
          i += 1
        end
      end
      return self if (to.to_f - from.to_f).nan? && !by.to_f.infinite?
      n = Primitive.float_step_size(from.to_f, to.to_f, by.to_f, @__exclusive)
      i = 0
      while i < n
        x = i * by.to_f + from.to_f
        x = to.to_f if !@__exclusive && (by > 0 ? x > to : x < to)
        yield i == 0 ? from.to_f : x
        i += 1
      end
    elsif to.nil?
      while true
        yield from
        from += by
      end
    elsif by == 0
      yield from while true
    elsif by > 0
      while @__exclusive ? from < to : from <= to
        yield from
        from += by
      end
    else
      while @__exclusive ? from > to : from >= to
        yield from
        from += by
      end
    end
    self
  end
  alias __iterate each

  # The result of the method that made the sequence, which is its receiver.
  def with_index(offset = Primitive.undef)
    return super unless defined?(yield)
    super
    @__receiver
  end

  def each_with_index
    return super unless defined?(yield)
    super
    @__receiver
  end

  def size
    return Float::INFINITY if @__end.nil?
    from = @__begin
    to = @__end
    by = @__step
    if Primitive.is_float(from) || Primitive.is_float(to) || Primitive.is_float(by)
      n = Primitive.float_step_size(from.to_f, to.to_f, by.to_f, @__exclusive)
      return n
    end
    return Float::INFINITY if by == 0
    if by > 0
      return 0 if from > to
    elsif from < to
      return 0
    end
    n = (to - from).div(by)
    n -= 1 if @__exclusive && from + n * by == to
    n + 1
  end

  def first(count = Primitive.undef)
    if Primitive.is_undef(count)
      return nil if @__begin.nil?
      each { |x| return x }
      return nil
    end
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to take negative size") if count < 0
    list = []
    return list if count == 0
    each do |x|
      list << x
      break if list.size >= count
    end
    list
  end

  def last(count = Primitive.undef)
    Primitive.raise(RangeError, "cannot get the last element of endless arithmetic sequence") if @__end.nil?
    steps = (@__end - @__begin).div(@__step)
    if steps < 0
      return Primitive.is_undef(count) ? nil : []
    end
    last = @__begin + @__step * steps
    n = steps + 1
    if @__exclusive && last == @__end
      last -= @__step
      n = steps
    end
    return last if Primitive.is_undef(count)
    count = Primitive.to_integer(count)
    count = n if count > n
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "negative array size") if count < 0
    # Counted up from the element before them, so that Floats are rounded as in CRuby.
    x = last - @__step * count
    Array.new(count) { x += @__step }
  end

  def to_a
    Primitive.raise(RangeError, "cannot convert endless range to an array") if @__end.nil?
    list = []
    each { |x| list << x }
    list
  end
  alias entries to_a

  def ==(other)
    Primitive.is_kind_of(other, Enumerator::ArithmeticSequence) && @__begin == other.begin && @__end == other.end &&
      @__step == other.step && @__exclusive == other.exclude_end?
  end
  alias === ==
  alias eql? ==

  def hash
    [@__exclusive, @__begin, @__end, @__step].hash
  end

  def inspect
    if Primitive.is_range(@__receiver)
      "((#{@__receiver}).#{@__method}#{@__args.empty? ? "" : "(#{@__args.map { |x| x.inspect }.join(", ")})"})"
    else
      parts = @__args.map { |x| x.inspect }
      @__options.each { |k, v| parts << "#{k}: #{v}" } if @__options
      "(#{@__receiver}.#{@__method}#{parts.empty? ? "" : "(#{parts.join(", ")})"})"
    end
  end

  # The element at an index. Floats are multiplied, not accumulated, so that errors do not add up, and are clamped to
  # the end.
  def __at(i)
    if Primitive.is_float(@__begin) || Primitive.is_float(@__end) || Primitive.is_float(@__step)
      x = i * @__step.to_f + @__begin.to_f
      return @__end.to_f if !@__exclusive && (@__step > 0 ? x > @__end : x < @__end)
      x
    else
      @__begin + i * @__step
    end
  end

  # The positions of the elements of `list[self]`, as the first one, the distance and the count. If the sequence begins
  # outside of the list: nil, or RangeError for a step other than 1 and -1.
  def __slice_of(list)
    by = @__step.nil? ? 1 : Primitive.to_long(@__step)
    from = @__begin
    to = @__end
    exclusive = @__exclusive
    if by < 0
      if exclusive && !to.nil?
        to = Primitive.to_long(to) + 1
        exclusive = false
      end
      from, to = to, from
    end
    size = Primitive.array_length(list)
    from = from.nil? ? 0 : Primitive.to_long(from)
    from += size if from < 0
    exclusive = false if to.nil?
    to = to.nil? ? -1 : Primitive.to_long(to)
    to += size if to < 0
    to += 1 unless exclusive
    count = to > from ? to - from : 0
    if from < 0 || from > size || ((by < -1 || by > 1) && count > size)
      return nil if by >= -1 && by <= 1
      Primitive.raise(RangeError, "#{inspect} out of range")
    end
    count = size - from if count > size - from
    return [0, 1, 0] if count == 0
    Primitive.raise(ArgumentError, "slice step cannot be zero") if by == 0
    [by > 0 ? from : from + count - 1, by, (count - 1) / by.abs + 1]
  end
end
