module Enumerable
  def inject(initial = Primitive.undef, operation = Primitive.undef)
    memo = Primitive.undef
    if Primitive.is_undef(operation) && defined?(yield)
      memo = initial
      each do |*x; packed|
        memo = Primitive.is_undef(memo) ? x : yield(memo, x)
      end
    else
      if Primitive.is_undef(operation)
        if Primitive.is_undef(initial)
          Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1..2)")
        end
        operation = initial
      else
        Primitive.warn("given block not used") if defined?(yield)
        memo = initial
      end
      operation = Primitive.to_symbol(operation)
      if operation == :+
        each { |*x; packed| memo = Primitive.is_undef(memo) ? x : Primitive.public_sum(memo, x) }
        return Primitive.is_undef(memo) ? nil : memo
      end
      each do |*x; packed|
        memo = Primitive.is_undef(memo) ? x : memo.public_send(operation, x)
      end
    end
    Primitive.is_undef(memo) ? nil : memo
  end
  alias reduce inject

  def sum(initial = 0)
    # Integers are added at once, other numbers together; any other object as it comes, so that `each`, the block and
    # `+` take turns.
    list = nil
    mapped = defined?(yield)
    each do |*x; packed|
      x = packed ? yield(*x) : yield(x) if mapped
      if list.nil? && Primitive.is_integer(x) && Primitive.is_integer(initial)
        initial += x
      elsif Primitive.is_real(initial)
        Primitive.array_push(list ||= [], x)
        next if Primitive.is_real(x)
        initial = Primitive.array_sum(list, initial)
        list = nil
      else
        initial = Primitive.sum(initial, x)
      end
    end
    list.nil? ? initial : Primitive.array_sum(list, initial)
  end

  def min(count = nil)
    unless count.nil?
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      list = Primitive.core(self).to_a
      return list.min(count) { |a, b| yield(a, b) } if defined?(yield)
      return list.min(count)
    end
    best = Primitive.undef
    if defined?(yield)
      each do |*x; packed|
        best = x if Primitive.is_undef(best) || Primitive.comparison_result(yield(x, best), x, best) < 0
      end
    else
      each do |*x; packed|
        best = x if Primitive.is_undef(best) || Primitive.compare(x, best) < 0
      end
    end
    Primitive.is_undef(best) ? nil : best
  end

  def max(count = nil)
    unless count.nil?
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      list = Primitive.core(self).to_a
      return list.max(count) { |a, b| yield(a, b) } if defined?(yield)
      return list.max(count)
    end
    best = Primitive.undef
    if defined?(yield)
      each do |*x; packed|
        best = x if Primitive.is_undef(best) || Primitive.comparison_result(yield(x, best), x, best) > 0
      end
    else
      each do |*x; packed|
        best = x if Primitive.is_undef(best) || Primitive.compare(x, best) > 0
      end
    end
    Primitive.is_undef(best) ? nil : best
  end

  # Compares the elements in pairs first, as CRuby does: three comparisons for two elements.
  def minmax(&block)
    least = most = waiting = Primitive.undef
    consider = lambda do |low, high|
      if Primitive.is_undef(least)
        least = low
        most = high
      else
        least = low if __order(low, least, &block) < 0
        most = high if __order(high, most, &block) > 0
      end
    end
    each do |*x; packed|
      if Primitive.is_undef(waiting)
        waiting = x
      else
        first = waiting
        waiting = Primitive.undef
        order = __order(first, x, &block)
        consider.call(order > 0 ? x : first, order < 0 ? x : first)
      end
    end
    consider.call(waiting, waiting) unless Primitive.is_undef(waiting)
    Primitive.is_undef(least) ? [nil, nil] : [least, most]
  end

  # The order of two elements as a number, by the block or by `<=>`; ArgumentError if they do not compare.
  def __order(a, b)
    defined?(yield) ? Primitive.comparison_result(yield(a, b), a, b) : Primitive.compare(a, b)
  end

  def min_by(count = Primitive.undef)
    unless defined?(yield)
      return Primitive.enumerator(self, :min_by, Primitive.is_undef(count) ? nil : [count], :__enum_size)
    end
    unless Primitive.is_undef(count) || count.nil?
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      return Primitive.core(self).sort_by { |x| yield(x) }.first(count)
    end
    best = nil
    least = Primitive.undef
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      key = (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
      if Primitive.is_undef(least) || Primitive.compare(key, least) < 0
        best = x
        least = key
      end
    end
    best
  end

  def max_by(count = Primitive.undef)
    unless defined?(yield)
      return Primitive.enumerator(self, :max_by, Primitive.is_undef(count) ? nil : [count], :__enum_size)
    end
    unless Primitive.is_undef(count) || count.nil?
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return [] if count == 0
      return Primitive.core(self).sort_by { |x| yield(x) }.reverse.first(count)
    end
    best = nil
    most = Primitive.undef
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      key = (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
      if Primitive.is_undef(most) || Primitive.compare(key, most) > 0
        best = x
        most = key
      end
    end
    best
  end

  def minmax_by
    return Primitive.enumerator(self, :minmax_by, nil, :__enum_size) unless defined?(yield)
    smallest = largest = waiting = nil
    least = most = earlier = Primitive.undef
    apart = Primitive.block_takes_apart
    # Of two elements, only the smaller one can be the smallest, and only the other one the largest.
    each do |*x; packed|
      key = (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
      if Primitive.is_undef(earlier)
        waiting = x
        earlier = key
      else
        low = waiting
        low_key = earlier
        order = Primitive.compare(earlier, key)
        if order > 0
          low = x
          low_key = key
          x = waiting
          key = earlier
        elsif order == 0
          x = waiting
          key = earlier
        end
        earlier = Primitive.undef
        if Primitive.is_undef(least) || Primitive.compare(low_key, least) < 0
          smallest = low
          least = low_key
        end
        if Primitive.is_undef(most) || Primitive.compare(key, most) > 0
          largest = x
          most = key
        end
      end
    end
    unless Primitive.is_undef(earlier)
      smallest = waiting if Primitive.is_undef(least) || Primitive.compare(earlier, least) < 0
      largest = waiting if Primitive.is_undef(most) || Primitive.compare(earlier, most) > 0
    end
    [smallest, largest]
  end

  def sort
    list = []
    each { |*x; packed| Primitive.array_push(list, x) }
    defined?(yield) ? __sorted(list) { |a, b| yield(a, b) } : __sorted(list)
  end

  def __sorted(list, &block) = list.sort(&block)

  def sort_by
    return Primitive.enumerator(self, :sort_by, nil, :__enum_size) unless defined?(yield)
    keys = []
    values = []
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      Primitive.array_push(values, x)
      Primitive.array_push(keys, (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x)))
    end
    Primitive.sort_by_keys(values, keys)
  end
end
