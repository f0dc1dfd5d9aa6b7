class Array
  def any?(pattern = Primitive.undef)
    i = 0
    if !Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      while i < Primitive.array_length(self)
        return true if pattern === Primitive.array_element_or_undef(self, i)
        i += 1
      end
    elsif defined?(yield)
      while i < Primitive.array_length(self)
        return true if yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
    else
      while i < Primitive.array_length(self)
        return true if Primitive.array_element_or_undef(self, i)
        i += 1
      end
    end
    false
  end

  def all?(pattern = Primitive.undef)
    i = 0
    if !Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      while i < Primitive.array_length(self)
        return false unless pattern === Primitive.array_element_or_undef(self, i)
        i += 1
      end
    elsif defined?(yield)
      while i < Primitive.array_length(self)
        return false unless yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
    else
      while i < Primitive.array_length(self)
        return false unless Primitive.array_element_or_undef(self, i)
        i += 1
      end
    end
    true
  end

  def none?(pattern = Primitive.undef)
    i = 0
    if !Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      while i < Primitive.array_length(self)
        return false if pattern === Primitive.array_element_or_undef(self, i)
        i += 1
      end
    elsif defined?(yield)
      while i < Primitive.array_length(self)
        return false if yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
    else
      while i < Primitive.array_length(self)
        return false if Primitive.array_element_or_undef(self, i)
        i += 1
      end
    end
    true
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
    i = 0
    n = 0
    while i < Primitive.array_length(self)
      n += 1 if Primitive.is_equal(Primitive.array_element_or_undef(self, i), value)
      i += 1
    end
    n
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
      Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1..2)") if Primitive.is_undef(initial)
      operation = Primitive.to_symbol(initial)
      return nil if Primitive.array_length(self) == 0
      memo = Primitive.array_element_or_undef(self, 0)
      i = 1
    else
      Primitive.warn("given block not used") if defined?(yield)
      memo = initial
    end
    operation = Primitive.to_symbol(operation)
    if operation == :+
      while i < Primitive.array_length(self)
        memo = Primitive.sum(memo, Primitive.array_element_or_undef(self, i))
        i += 1
      end
      return memo
    end
    while i < Primitive.array_length(self)
      memo = memo.public_send(operation, Primitive.array_element_or_undef(self, i))
      i += 1
    end
    memo
  end
  alias reduce inject

  def sum(initial = 0)
    return Primitive.array_sum(self, initial) unless defined?(yield)
    list = []
    i = 0
    while i < Primitive.array_length(self)
      Primitive.array_push(list, yield(Primitive.array_element_or_undef(self, i)))
      i += 1
    end
    Primitive.array_sum(list, initial)
  end

  def min(count = nil)
    if count
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      list = defined?(yield) ? sort { |a, b| yield(a, b) } : sort
      return list.first(count)
    end
    n = Primitive.array_length(self)
    return nil if n == 0
    best = Primitive.array_element_or_undef(self, 0)
    i = 1
    if defined?(yield)
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        best = x if Primitive.comparison_result(yield(x, best), x, best) < 0
        i += 1
      end
    else
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        best = x if Primitive.compare(best, x) > 0
        i += 1
      end
    end
    best
  end

  def max(count = nil)
    if count
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      list = defined?(yield) ? sort { |a, b| yield(b, a) } : sort.reverse
      return list.first(count)
    end
    n = Primitive.array_length(self)
    return nil if n == 0
    best = Primitive.array_element_or_undef(self, 0)
    i = 1
    if defined?(yield)
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        best = x if Primitive.comparison_result(yield(x, best), x, best) > 0
        i += 1
      end
    else
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        best = x if Primitive.compare(best, x) < 0
        i += 1
      end
    end
    best
  end

  def minmax
    return super if defined?(yield)
    [min, max]
  end
end
