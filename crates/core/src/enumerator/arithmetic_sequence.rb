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
    if Primitive.is_type(from, 3) || Primitive.is_type(to, 3) || Primitive.is_type(by, 3)
      if to.nil?
        i = 0
        while true
          yield i * by.to_f + from.to_f
          i += 1
        end
      end
      n = Primitive.float_step_size(from.to_f, to.to_f, by.to_f, @__exclusive)
      i = 0
      while i < n
        x = i * by.to_f + from.to_f
        x = to.to_f if !@__exclusive && (by > 0 ? x > to : x < to)
        yield x
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

  def size
    return Float::INFINITY if @__end.nil?
    from = @__begin
    to = @__end
    by = @__step
    if Primitive.is_type(from, 3) || Primitive.is_type(to, 3) || Primitive.is_type(by, 3)
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
    n = size
    if Primitive.is_undef(count)
      return nil if n <= 0
      return __at(n - 1)
    end
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "negative array size") if count < 0
    count = n if count > n
    list = []
    i = n - count
    while i < n
      list << __at(i)
      i += 1
    end
    list
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
    if Primitive.is_type(@__receiver, 5)
      "((#{@__receiver.inspect}).#{@__method}#{@__args.empty? ? "" : "(#{@__args.map { |x| x.inspect }.join(", ")})"})"
    else
      parts = @__args.map { |x| x.inspect }
      @__options.each { |k, v| parts << "#{k}: #{v.inspect}" } if @__options
      "(#{@__receiver.inspect}.#{@__method}#{parts.empty? ? "" : "(#{parts.join(", ")})"})"
    end
  end
  alias to_s inspect

  def __at(i)
    if Primitive.is_type(@__begin, 3) || Primitive.is_type(@__end, 3) || Primitive.is_type(@__step, 3)
      x = i * @__step.to_f + @__begin.to_f
      return @__end.to_f if !@__exclusive && (@__step > 0 ? x > @__end : x < @__end)
      x
    else
      @__begin + i * @__step
    end
  end

  def __slice_of(list)
    from = @__begin
    to = @__end
    by = @__step
    n = list.size
    if by < 0
      from, to = to, from
    end
    b = from.nil? ? 0 : Primitive.to_long(from)
    b += n if b < 0
    e = to.nil? ? -1 : Primitive.to_long(to)
    e += n if e < 0
    e -= 1 if @__exclusive && !to.nil?
    if (by < -1 || by > 1) && (b < 0 || b > n || (!to.nil? && e > n && false))
      Primitive.raise(RangeError, "#{inspect} out of range")
    end
    return nil if b < 0 || b > n
    e = n - 1 if e >= n
    result = []
    if by < 0
      i = e
      while i >= b
        result << list[i]
        i += by
      end
    else
      i = b
      while i <= e
        result << list[i]
        i += by
      end
    end
    result
  end
end
