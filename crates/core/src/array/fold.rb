class Array
  def any?(pattern = Primitive.undef)
    if defined?(yield)
      unless Primitive.is_undef(pattern)
        Primitive.warn("given block not used")
        return Primitive.array_any(self, pattern, true)
      end
      i = 0
      while i < Primitive.array_length(self)
        return true if yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
      return false
    end
    Primitive.array_any(self, pattern, true)
  end

  def all?(pattern = Primitive.undef)
    if defined?(yield)
      unless Primitive.is_undef(pattern)
        Primitive.warn("given block not used")
        return Primitive.array_any(self, pattern, false) ? false : true
      end
      i = 0
      while i < Primitive.array_length(self)
        return false unless yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
      return true
    end
    Primitive.array_any(self, pattern, false) ? false : true
  end

  def none?(pattern = Primitive.undef)
    if defined?(yield)
      unless Primitive.is_undef(pattern)
        Primitive.warn("given block not used")
        return Primitive.array_any(self, pattern, true) ? false : true
      end
      i = 0
      while i < Primitive.array_length(self)
        return false if yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
      return true
    end
    Primitive.array_any(self, pattern, true) ? false : true
  end

  def one?(pattern = Primitive.undef)
    i = 0
    found = false
    given = !Primitive.is_undef(pattern)
    Primitive.warn("given block not used") if given && defined?(yield)
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      if given ? pattern === x : defined?(yield) ? yield(x) : x
        return false if found
        found = true
      end
      i += 1
    end
    found
  end

  def count(value = Primitive.undef)
    if Primitive.is_undef(value)
      return Primitive.array_length(self) unless defined?(yield)
      i = 0
      n = 0
      while i < Primitive.array_length(self)
        n += 1 if yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
      return n
    end
    Primitive.warn("given block not used") if defined?(yield)
    Primitive.array_count_of(self, value)
  end

  def inject(initial = Primitive.undef, operation = Primitive.undef)
    return super unless Primitive.array_each_is_own(self)
    i = 0
    if Primitive.is_undef(operation) && defined?(yield)
      if Primitive.is_undef(initial)
        return nil if Primitive.array_length(self) == 0
        memo = Primitive.array_element_or_undef(self, 0)
        i = 1
      else
        memo = initial
      end
      while i < Primitive.array_length(self)
        memo = yield(memo, Primitive.array_element_or_undef(self, i))
        i += 1
      end
      return memo
    end
    if Primitive.is_undef(operation)
      if Primitive.is_undef(initial)
        Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1..2)")
      end
      operation = Primitive.to_symbol(initial)
      return nil if Primitive.array_length(self) == 0
      memo = Primitive.array_element_or_undef(self, 0)
      i = 1
    else
      Primitive.warn("given block not used") if defined?(yield)
      memo = initial
    end
    operation = Primitive.to_symbol(operation)
    Primitive.array_fold(self, i, memo, operation)
  end
  alias reduce inject

  def sum(initial = 0)
    return Primitive.array_sum(self, initial) unless defined?(yield)
    # Integers are added as they come, and so are the numbers from a Float after them on. Others are added together at
    # the end. From the first other object on, the block and `+` take turns.
    sum = initial
    exact = Primitive.is_integer(initial)
    floats = nil
    list = exact || !Primitive.is_real(initial) ? nil : []
    i = 0
    while i < Primitive.array_length(self)
      x = yield(Primitive.array_element_or_undef(self, i))
      i += 1
      if exact
        if Primitive.is_integer(x)
          sum += x
          next
        end
        exact = false
        if Primitive.is_float(x)
          floats = [sum + 0.0, 0.0]
        elsif Primitive.is_real(x)
          list = []
        end
      end
      if floats
        next if Primitive.add_to_floats(floats, x)
        sum = Primitive.array_at(floats, 0)
        floats = nil
      elsif list
        Primitive.array_push(list, x)
        next if Primitive.is_real(x)
        sum = Primitive.array_sum(list, sum)
        list = nil
        next
      end
      sum = Primitive.sum(sum, x)
    end
    return Primitive.array_at(floats, 0) + Primitive.array_at(floats, 1) if floats
    list ? Primitive.array_sum(list, sum) : sum
  end

  def min(count = nil)
    if count
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      return __some_extremes(count, -1) if count <= 16 && count * 4 <= Primitive.array_length(self) && !defined?(yield)
      list = defined?(yield) ? Primitive.core(self).sort { |a, b| yield(a, b) } : Primitive.core(self).sort
      return list.first(count)
    end
    return Primitive.array_min(self) unless defined?(yield)
    return nil if Primitive.array_length(self) == 0
    best = Primitive.array_element_or_undef(self, 0)
    i = 1
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      best = x if Primitive.comparison_result(yield(x, best), x, best) < 0
      i += 1
    end
    best
  end

  def max(count = nil)
    if count
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      return __some_extremes(count, 1) if count <= 16 && count * 4 <= Primitive.array_length(self) && !defined?(yield)
      list = defined?(yield) ? Primitive.core(self).sort { |a, b| yield(b, a) } : Primitive.core(self).sort.reverse
      return list.first(count)
    end
    return Primitive.array_max(self) unless defined?(yield)
    return nil if Primitive.array_length(self) == 0
    best = Primitive.array_element_or_undef(self, 0)
    i = 1
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      best = x if Primitive.comparison_result(yield(x, best), x, best) > 0
      i += 1
    end
    best
  end

  # A few of the smallest (`order` is -1) or largest elements (1), sorted, found without sorting the others.
  def __some_extremes(count, order)
    some = []
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      i += 1
      at = Primitive.array_length(some)
      if at == count
        next if Primitive.compare(x, some[-1]) * order <= 0
        at -= 1
      end
      while at > 0 && Primitive.compare(x, some[at - 1]) * order > 0
        some[at] = some[at - 1]
        at -= 1
      end
      some[at] = x
    end
    some
  end

  def min_by(count = Primitive.undef)
    return super unless Primitive.is_undef(count)
    return super() unless defined?(yield) && Primitive.array_each_is_own(self)
    return nil if Primitive.array_length(self) == 0
    best = Primitive.array_element_or_undef(self, 0)
    least = yield(best)
    i = 1
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      key = yield(x)
      if Primitive.compare(key, least) < 0
        best = x
        least = key
      end
      i += 1
    end
    best
  end

  def max_by(count = Primitive.undef)
    return super unless Primitive.is_undef(count)
    return super() unless defined?(yield) && Primitive.array_each_is_own(self)
    return nil if Primitive.array_length(self) == 0
    best = Primitive.array_element_or_undef(self, 0)
    most = yield(best)
    i = 1
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      key = yield(x)
      if Primitive.compare(key, most) > 0
        best = x
        most = key
      end
      i += 1
    end
    best
  end

  def minmax
    return super if defined?(yield)
    [Primitive.array_min(self), Primitive.array_max(self)]
  end
end
