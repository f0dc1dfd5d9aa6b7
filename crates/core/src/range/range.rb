class Range
  def each
    return to_enum(:each) { size } unless defined?(yield)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_type(b, 2) && (Primitive.is_type(e, 2) || e.nil?)
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
    elsif Primitive.is_type(b, 6) && (Primitive.is_type(e, 6) || e.nil?)
      if e.nil?
        s = b.to_s
        while true
          yield s.to_sym
          s = s.succ
        end
      else
        b.to_s.upto(e.to_s, Primitive.range_is_exclusive(self)) { |s| yield s.to_sym }
      end
    elsif Primitive.is_type(b, 4) && (e.nil? || Primitive.is_type(e, 4))
      if e.nil?
        s = b
        while true
          yield s
          s = s.succ
        end
      else
        b.upto(e, Primitive.range_is_exclusive(self)) { |s| yield s }
      end
    else
      Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(b)}") unless Primitive.responds(b, :succ, true)
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
    self
  end

  def reverse_each
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    unless defined?(yield)
      return to_enum(:reverse_each) do
        Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(e)}") if e.nil?
        b.nil? && Primitive.is_type(e, 2) ? Float::INFINITY : size
      end
    end
    Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(e)}") if e.nil?
    if Primitive.is_type(e, 2) && (b.nil? || Primitive.is_type(b, 2))
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
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_type(b, 2)
      return Float::INFINITY if e.nil?
      if Primitive.is_kind_of(e, Numeric)
        if Primitive.is_type(e, 2)
          n = e - b
          n += 1 unless Primitive.range_is_exclusive(self)
          return n < 0 ? 0 : n
        end
        return Primitive.is_type(e, 3) && e.infinite? ? (e > 0 ? Float::INFINITY : 0) : __float_size(b, e)
      end
    end
    if Primitive.is_kind_of(b, Numeric) || b.nil?
      Primitive.raise(TypeError, "can't iterate from #{Primitive.class_of(b)}") unless Primitive.responds(b, :succ, true)
    end
    nil
  end

  def to_set(*args, &block)
    if Primitive.range_end(self).nil? && !Primitive.range_begin(self).nil?
      Primitive.raise(RangeError, "cannot convert endless range to a set")
    end
    super
  end

  def count(value = Primitive.undef)
    return super unless Primitive.is_undef(value) && !defined?(yield)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    return Float::INFINITY if b.nil? || e.nil?
    return size if Primitive.is_type(b, 2) && Primitive.is_type(e, 2)
    super
  end

  def to_a
    Primitive.raise(RangeError, "cannot convert endless range to an array") if Primitive.range_end(self).nil?
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_type(b, 2) && Primitive.is_type(e, 2)
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
    return list if count == 0
    each do |x|
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
    if Primitive.is_type(b, 2) && Primitive.is_type(e, 2)
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative array size") if count < 0
      e -= 1 if Primitive.range_is_exclusive(self)
      from = e - count + 1
      from = b if from < b
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
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    Primitive.raise(RangeError, "cannot get the minimum of beginless range") if b.nil?
    if defined?(yield)
      Primitive.raise(RangeError, "cannot get the minimum of endless range with custom comparison method") if e.nil?
      return Primitive.is_undef(count) ? super() : super(count)
    end
    return first(count) if !Primitive.is_undef(count) && e.nil?
    unless Primitive.is_undef(count)
      return first(count) if Primitive.is_type(b, 2) && Primitive.is_type(e, 2)
      return to_a.min(count)
    end
    return b if e.nil?
    order = b <=> e
    return nil if order.nil? || order > 0 || (order == 0 && Primitive.range_is_exclusive(self))
    b
  end

  def max(count = Primitive.undef)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    Primitive.raise(RangeError, "cannot get the maximum of endless range") if e.nil?
    numeric = Primitive.is_kind_of(e, Numeric)
    exclusive = Primitive.range_is_exclusive(self)
    if !defined?(yield) && !Primitive.is_undef(count) && Primitive.is_type(b, 2) && Primitive.is_type(e, 2)
      return last(count).reverse
    end
    if defined?(yield) || !Primitive.is_undef(count) || (exclusive && !numeric)
      Primitive.raise(RangeError, "cannot get the maximum of beginless range with custom comparison method") if b.nil?
      return Primitive.is_undef(count) ? super() : super(count)
    end
    return e if b.nil? && !exclusive
    order = b.nil? ? -1 : b <=> e
    return nil if order.nil? || order > 0
    if exclusive
      Primitive.raise(TypeError, "cannot exclude non Integer end value") unless Primitive.is_type(e, 2)
      return nil if order == 0
      Primitive.raise(TypeError, "cannot exclude end value with non Integer begin value") unless Primitive.is_type(b, 2)
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
    if !defined?(yield) && Primitive.is_type(b, 2) && Primitive.is_type(e, 2) && Primitive.is_type(initial, 2)
      e -= 1 if Primitive.range_is_exclusive(self)
      return initial if e < b
      return initial + (e - b + 1) * (e + b) / 2
    end
    super
  end

  def include?(value)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    if Primitive.is_kind_of(b, Numeric) || Primitive.is_kind_of(e, Numeric) || (b.nil? && e.nil? && Primitive.is_kind_of(value, Numeric))
      return cover?(value)
    end
    if Primitive.is_type(b, 4) || Primitive.is_type(e, 4)
      if Primitive.is_type(b, 4) && Primitive.is_type(e, 4)
        unless Primitive.is_type(value, 4)
          return false unless Primitive.responds(value, :to_str, true)
          value = value.to_str
          Primitive.raise(TypeError, "can't convert to String") unless Primitive.is_type(value, 4)
        end
        return super(value)
      elsif b.nil?
        Primitive.raise(TypeError, "cannot determine inclusion in beginless/endless ranges")
      elsif e.nil?
        Primitive.raise(TypeError, "cannot determine inclusion in beginless/endless ranges")
      end
    end
    Primitive.raise(TypeError, "cannot determine inclusion in beginless/endless ranges") if b.nil? || e.nil?
    return cover?(value) unless Primitive.responds(b, :succ, true)
    super
  end
  alias member? include?

  def ===(value)
    cover?(value)
  end

  def cover?(value)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    return __covers_range(value) if Primitive.is_type(value, 5)
    if b.nil? || ((order = b <=> value) && order <= 0)
      return true if e.nil?
      order = value <=> e
      return order ? (Primitive.range_is_exclusive(self) ? order < 0 : order <= 0) : false
    end
    false
  end

  def overlap?(other)
    Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(other)} (expected Range)") unless Primitive.is_type(other, 5)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    c = Primitive.range_begin(other)
    d = Primitive.range_end(other)
    return false if __empty?(b, e, Primitive.range_is_exclusive(self)) || __empty?(c, d, Primitive.range_is_exclusive(other))
    return false unless __starts_before?(b, d, Primitive.range_is_exclusive(other))
    return false unless __starts_before?(c, e, Primitive.range_is_exclusive(self))
    true
  end

  def step(by = Primitive.undef)
    __step(by, :step, defined?(yield) ? true : false) { |x| yield x }
  end

  def %(by)
    __step(by, :%, defined?(yield) ? true : false) { |x| yield x }
  end

  def bsearch
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    unless (b.nil? || Primitive.is_kind_of(b, Numeric)) && (e.nil? || Primitive.is_kind_of(e, Numeric)) && !(b.nil? && e.nil?)
      Primitive.raise(TypeError, "can't do binary search for #{Primitive.class_of(b)}")
    end
    return to_enum(:bsearch) unless defined?(yield)
    exclusive = Primitive.range_is_exclusive(self)
    if Primitive.is_type(b, 3) || Primitive.is_type(e, 3)
      unless (b.nil? || Primitive.is_kind_of(b, Numeric)) && (e.nil? || Primitive.is_kind_of(e, Numeric))
        Primitive.raise(TypeError, "can't do binary search for #{Primitive.class_of(b)}")
      end
      low = Primitive.float_to_ordered(b.nil? ? -Float::INFINITY : b.to_f)
      high = Primitive.float_to_ordered(e.nil? ? Float::INFINITY : e.to_f)
      high -= 1 if exclusive && !e.nil?
      float = true
    elsif (Primitive.is_type(b, 2) || b.nil?) && (Primitive.is_type(e, 2) || e.nil?) && !(b.nil? && e.nil?)
      float = false
      if e.nil?
        step = 1
        low = b
        while true
          high = b + step
          answer = yield(high)
          return high if answer == 0 && Primitive.is_kind_of(answer, Numeric)
          break if __goes_left?(answer)
          low = high + 1
          step *= 2
        end
      elsif b.nil?
        step = 1
        high = exclusive ? e - 1 : e
        while true
          low = high - step
          answer = yield(low)
          return low if answer == 0 && Primitive.is_kind_of(answer, Numeric)
          break unless __goes_left?(answer)
          high = low
          step *= 2
        end
      else
        low = b
        high = exclusive ? e - 1 : e
      end
    else
      Primitive.raise(TypeError, "can't do binary search for #{Primitive.class_of(b)}")
    end
    found = nil
    while low <= high
      middle = (low + high).div(2)
      x = float ? Primitive.ordered_to_float(middle) : middle
      answer = yield(x)
      if answer == true
        found = x
        high = middle - 1
      elsif !answer
        low = middle + 1
      elsif Primitive.is_kind_of(answer, Numeric)
        return x if answer == 0
        answer < 0 ? high = middle - 1 : low = middle + 1
      else
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)")
      end
    end
    found
  end

  def hash
    [Primitive.range_is_exclusive(self), Primitive.range_begin(self), Primitive.range_end(self)].hash
  end

  def to_s
    "#{Primitive.range_begin(self)}#{Primitive.range_is_exclusive(self) ? "..." : ".."}#{Primitive.range_end(self)}"
  end

  def inspect
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    dots = Primitive.range_is_exclusive(self) ? "..." : ".."
    guard = Primitive.guard_enter(self, :inspect)
    return "(... #{dots} ...)" unless guard
    begin
      "#{b.nil? && !e.nil? ? "" : b.inspect}#{dots}#{e.nil? && !b.nil? ? "" : e.inspect}"
    ensure
      Primitive.guard_leave(guard)
    end
  end

  def __float_size(b, e)
    n = (e - b).floor
    return 0 if n < 0
    Primitive.range_is_exclusive(self) && b + n >= e ? n : n + 1
  end

  def __goes_left?(answer)
    return true if answer == true
    return false unless answer
    unless Primitive.is_kind_of(answer, Numeric)
      Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)")
    end
    answer < 0
  end

  def __empty?(b, e, exclusive)
    return false if b.nil? || e.nil?
    order = b <=> e
    order.nil? || order > 0 || (order == 0 && exclusive)
  end

  def __starts_before?(b, e, exclusive)
    return true if b.nil? || e.nil?
    order = b <=> e
    return false if order.nil?
    exclusive ? order < 0 : order <= 0
  end

  def __covers_range(other)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    c = Primitive.range_begin(other)
    d = Primitive.range_end(other)
    exclusive = Primitive.range_is_exclusive(self)
    inner = Primitive.range_is_exclusive(other)
    return false if !c.nil? && !d.nil? && __empty?(c, d, inner)
    unless b.nil?
      return false if c.nil?
      order = b <=> c
      return false if order.nil? || order > 0
    end
    return !(exclusive && !inner && d.nil?) if e.nil?
    return false if d.nil?
    order = e <=> d
    return false if order.nil?
    return true if order > 0 || (order == 0 && (!exclusive || inner))
    return false if order == 0
    # The other ends later, but may have no element there: (0..5) covers (0...6).
    return false unless inner && !exclusive && !c.nil?
    return false unless Primitive.responds(c, :succ, true) && !Primitive.is_type(c, 3)
    return e == d - 1 if Primitive.is_type(e, 2) && Primitive.is_type(d, 2) && Primitive.is_type(c, 2)
    begin
      greatest = other.max
    rescue TypeError
      return false
    end
    return false if greatest.nil?
    order = e <=> greatest
    !order.nil? && order >= 0
  end

  def __step(by, name, block)
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    exclusive = Primitive.range_is_exclusive(self)
    numeric = Primitive.is_kind_of(b, Numeric)
    none = Primitive.is_undef(by)
    stringy = Primitive.is_type(b, 4) || Primitive.is_type(b, 6)
    if none
      if numeric || stringy || (b.nil? && Primitive.is_kind_of(e, Numeric))
        by = 1
      else
        Primitive.raise(ArgumentError, "step is required for non-numeric ranges")
      end
    end
    Primitive.raise(ArgumentError, "step can't be 0") if Primitive.is_kind_of(by, Numeric) && by == 0
    unless block
      if (numeric && (e.nil? || Primitive.is_kind_of(e, Numeric))) || (b.nil? && Primitive.is_kind_of(e, Numeric))
        if Primitive.is_kind_of(by, Numeric)
          return Primitive.arithmetic_sequence(self, name, none ? [] : [by], b, e, by, exclusive)
        end
      end
      return none ? to_enum(name) : to_enum(name, by)
    end
    Primitive.raise(ArgumentError, "#step iteration for beginless ranges is meaningless") if b.nil?
    if numeric && !Primitive.is_kind_of(by, Numeric)
      by = Primitive.responds(by, :to_int, false) ? Primitive.to_integer(by) : by
    end
    if Primitive.is_type(b, 2) && Primitive.is_type(by, 2) && (e.nil? || Primitive.is_type(e, 2))
      x = b
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
    elsif numeric && Primitive.is_kind_of(by, Numeric) && (Primitive.is_type(b, 3) || Primitive.is_type(e, 3) || Primitive.is_type(by, 3))
      from = b.to_f
      unit = by.to_f
      if e.nil?
        i = 0
        while true
          yield i * unit + from
          i += 1
        end
      else
        to = e.to_f
        n = Primitive.float_step_size(from, to, unit, exclusive)
        i = 0
        while i < n
          x = i * unit + from
          x = to if !exclusive && (unit > 0 ? x > to : x < to)
          yield x
          i += 1
        end
      end
    elsif stringy && Primitive.is_type(by, 2)
      Primitive.raise(ArgumentError, "step can't be negative") if by < 0
      i = 0
      each do |x|
        yield x if i % by == 0
        i += 1
      end
    else
      x = b
      if e.nil?
        while true
          yield x
          x += by
        end
      else
        direction = Primitive.compare(b, b + by)
        if direction > 0
          while exclusive ? Primitive.compare(x, e) > 0 : Primitive.compare(x, e) >= 0
            yield x
            x += by
          end
        elsif direction < 0
          while exclusive ? Primitive.compare(x, e) < 0 : Primitive.compare(x, e) <= 0
            yield x
            x += by
          end
        else
          Primitive.raise(ArgumentError, "step can't be 0")
        end
      end
    end
    self
  end
end
