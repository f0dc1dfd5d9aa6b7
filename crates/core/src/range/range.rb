class Range
  def each
    return Primitive.enumerator(self, :each, nil, :__size) unless defined?(yield)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_integer(b) && (Primitive.is_integer(e) || e.nil?)
      i = b
      if e.nil?
        while true
          yield i
          i += 1
        end
      elsif Primitive.range_is_exclusive(self)
        while i < e
          yield i
          i += 1
        end
      else
        while i <= e
          yield i
          i += 1
        end
      end
    else
      __each_from(b, e, &Primitive.own_block)
    end
    self
  end

  # `each` of anything but Integers, in a method of its own, so that `each` is small enough to be inlined.
  def __each_from(b, e)
    if Primitive.is_symbol(b) && (Primitive.is_symbol(e) || e.nil?)
      if e.nil?
        s = b.to_s
        while true
          yield s.to_sym
          s = s.succ
        end
      else
        b.to_s.upto(e.to_s, Primitive.range_is_exclusive(self)) { |s| yield s.to_sym }
      end
    elsif Primitive.is_string(b) && (e.nil? || Primitive.is_string(e))
      if e.nil?
        s = b
        while true
          yield s
          s = s.succ
        end
      else
        b.upto(e, Primitive.range_is_exclusive(self)) { |s| yield s }
      end
    elsif (s = String.try_convert(b))
      # An object with `to_str` is iterated as a String.
      if e.nil?
        while true
          yield s
          s = s.succ
        end
      else
        s.upto(e, Primitive.range_is_exclusive(self)) { |x| yield x }
      end
    else
      unless Primitive.responds(b, :succ, true)
        Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(b)}")
      end
      x = b
      if e.nil?
        while true
          yield x
          x = x.succ
        end
      elsif Primitive.range_is_exclusive(self)
        while (order = x <=> e) && Primitive.comparison_result(order, x, e) < 0
          yield x
          x = x.succ
        end
      else
        while (order = x <=> e) && (order = Primitive.comparison_result(order, x, e)) <= 0
          yield x
          break if order == 0
          x = x.succ
        end
      end
    end
  end
  private :__each_from

  def reverse_each
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    unless defined?(yield)
      return to_enum(:reverse_each) do
        Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(e)}") if e.nil?
        if b.nil? && Primitive.is_integer(e)
          Float::INFINITY
        elsif Primitive.responds(b, :succ, true)
          __size
        else
          Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(e)}")
        end
      end
    end
    Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(e)}") if e.nil?
    if Primitive.is_integer(e) && (b.nil? || Primitive.is_integer(b))
      i = Primitive.range_is_exclusive(self) ? e - 1 : e
      while b.nil? || i >= b
        yield i
        i -= 1
      end
    else
      list = to_a
      i = list.size - 1
      while i >= 0
        yield list[i]
        i -= 1
      end
    end
    self
  end

  def size
    n = Primitive.range_count(self)
    return n unless Primitive.is_undef(n)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_integer(b)
      return Float::INFINITY if e.nil?
      if Primitive.is_kind_of(e, Numeric)
        if Primitive.is_integer(e)
          n = e - b
          n += 1 unless Primitive.range_is_exclusive(self)
          return n < 0 ? 0 : n
        end
        return Primitive.is_float(e) && e.infinite? ? (e > 0 ? Float::INFINITY : 0) : __float_size(b, e)
      end
    end
    Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(b)}") unless Primitive.responds(b, :succ, true)
    nil
  end

  # Enumerators count by it, whatever `size` the program has.
  alias __size size
  private :__size

  def to_set(klass = Primitive.undef, *args, &block)
    if Primitive.range_end(self).nil? && !Primitive.range_begin(self).nil?
      Primitive.raise(RangeError, "cannot convert endless range to a set")
    end
    Primitive.is_undef(klass) ? super(&block) : super
  end

  def count(value = Primitive.undef)
    return super unless Primitive.is_undef(value) && !defined?(yield)
    n = Primitive.range_count(self)
    return n unless Primitive.is_undef(n)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    return Float::INFINITY if b.nil? || e.nil?
    return size if Primitive.is_integer(b) && Primitive.is_integer(e)
    super
  end

  def to_a
    Primitive.raise(RangeError, "cannot convert endless range to an array") if Primitive.range_end(self).nil?
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_integer(b) && Primitive.is_integer(e) && Primitive.range_each_is_own(self)
      e -= 1 if Primitive.range_is_exclusive(self)
      list = Primitive.array_with_capacity(e < b ? 0 : e - b + 1)
      while b <= e
        Primitive.array_push(list, b)
        b += 1
      end
      return list
    end
    list = []
    each { |x| Primitive.array_push(list, x) }
    list
  end

  alias entries to_a

  def first(count = Primitive.undef)
    b = Primitive.range_begin(self)
    Primitive.raise(RangeError, "cannot get the first element of beginless range") if b.nil?
    return b if Primitive.is_undef(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "negative array size (or size too big)") if count < 0
    list = []
    each do |x|
      break if count == 0
      Primitive.array_push(list, x)
      break if Primitive.array_length(list) >= count
    end
    list
  end

  def last(count = Primitive.undef)
    e = Primitive.range_end(self)
    Primitive.raise(RangeError, "cannot get the last element of endless range") if e.nil?
    return e if Primitive.is_undef(count)
    b = Primitive.range_begin(self)
    if (b.nil? || Primitive.is_integer(b)) && Primitive.is_integer(e) && Primitive.range_each_is_own(self)
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative array size") if count < 0
      e -= 1 if Primitive.range_is_exclusive(self)
      from = e - count + 1
      from = b if b && from < b
      list = []
      while from <= e
        list << from
        from += 1
      end
      return list
    end
    to_a.last(count)
  end

  def min(count = Primitive.undef)
    n = Primitive.is_undef(count) && !defined?(yield) ? Primitive.range_count(self) : Primitive.undef
    return n == 0 ? nil : Primitive.range_begin(self) unless Primitive.is_undef(n)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    Primitive.raise(RangeError, "cannot get the minimum of beginless range") if b.nil?
    if defined?(yield)
      Primitive.raise(RangeError, "cannot get the minimum of endless range with custom comparison method") if e.nil?
      return Primitive.is_undef(count) ? super() : super(count)
    end
    return Primitive.core(self).first(count) unless Primitive.is_undef(count)
    return b if e.nil?
    order = b <=> e
    return nil if order.nil? || order > 0 || (order == 0 && Primitive.range_is_exclusive(self))
    b
  end

  def max(count = Primitive.undef)
    n = Primitive.is_undef(count) && !defined?(yield) ? Primitive.range_count(self) : Primitive.undef
    return n == 0 ? nil : Primitive.range_begin(self) + n - 1 unless Primitive.is_undef(n)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    Primitive.raise(RangeError, "cannot get the maximum of endless range") if e.nil?
    exclusive = Primitive.range_is_exclusive(self)
    if defined?(yield) || (exclusive && !Primitive.is_kind_of(e, Numeric))
      Primitive.raise(RangeError, "cannot get the maximum of beginless range with custom comparison method") if b.nil?
      return Primitive.is_undef(count) ? super() : super(count)
    end
    unless Primitive.is_undef(count)
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative array size (or size too big)") if count < 0
      list = []
      reverse_each do |x|
        Primitive.array_push(list, x) if count > 0
        break if Primitive.array_length(list) >= count
      end
      return list
    end
    return e if b.nil? && !exclusive
    order = b.nil? ? -1 : b <=> e
    return nil if order.nil? || order > 0
    if exclusive
      Primitive.raise(TypeError, "cannot exclude non Integer end value") unless Primitive.is_integer(e)
      return nil if order == 0
      unless b.nil? || Primitive.is_integer(b)
        Primitive.raise(TypeError, "cannot exclude end value with non Integer begin value")
      end
      return e - 1
    end
    e
  end

  def minmax
    return super if defined?(yield)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    Primitive.raise(RangeError, "cannot get the minimum of beginless range") if b.nil?
    Primitive.raise(RangeError, "cannot get the maximum of endless range") if e.nil?
    [min, max]
  end

  def sum(initial = 0)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if !defined?(yield) && Primitive.is_integer(b) && Primitive.is_integer(e)
      e -= 1 if Primitive.range_is_exclusive(self)
      return initial if e < b
      total = (e - b + 1) * (e + b) / 2
      return initial + total if Primitive.is_integer(initial)
      pair = Primitive.core(total).coerce(initial)
      return pair[0] + pair[1]
    end
    super
  end

  def hash
    [Primitive.range_is_exclusive(self), Primitive.range_begin(self), Primitive.range_end(self)].hash
  end

  # The number of steps of 1 from `b` to `e`, at least one of which is a Float.
  def __float_size(b, e)
    n = (e - b).floor
    return 0 if n < 0
    Primitive.range_is_exclusive(self) && b + n >= e ? n : n + 1
  end
end
