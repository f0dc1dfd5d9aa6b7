class Array
  def product(*others)
    lists = [self]
    i = 0
    while i < Primitive.array_length(others)
      lists << Primitive.to_array(others[i])
      i += 1
    end
    n = lists.size
    total = 1
    i = 0
    while i < n
      total *= Primitive.array_length(lists[i])
      i += 1
    end
    Primitive.raise(RangeError, "too big to product") if !defined?(yield) && total > 0x3fff_ffff_ffff_ffff
    lists = lists.map { |list| [*list] } if defined?(yield)
    result = defined?(yield) ? nil : Primitive.array_with_capacity(total)
    return result || self if total == 0
    state = Primitive.array_with_capacity(n)
    Primitive.array_fill(state, 0, n, 0)
    while row = Primitive.next_row(lists, state, 4)
      result ? Primitive.array_push(result, row) : yield(row)
    end
    result || self
  end

  def combination(count)
    k = Primitive.to_long(count)
    return Primitive.enumerator(self, :combination, [count], :__combination_count) unless defined?(yield)
    list = [*self]
    __rows(list, k > list.size ? -1 : k, 0, &Primitive.own_block)
    self
  end

  def permutation(count = nil)
    unless defined?(yield)
      return Primitive.enumerator(self, :permutation, count.nil? ? nil : [count], :__permutation_count)
    end
    list = [*self]
    n = list.size
    k = count.nil? ? n : Primitive.to_long(count)
    __rows(list, k > n ? -1 : k, 3, &Primitive.own_block)
    self
  end

  def repeated_combination(count)
    k = Primitive.to_long(count)
    unless defined?(yield)
      return Primitive.enumerator(self, :repeated_combination, [count], :__repeated_combination_count)
    end
    list = [*self]
    __rows(list, list.empty? && k > 0 ? -1 : k, 1, &Primitive.own_block)
    self
  end

  def repeated_permutation(count)
    unless defined?(yield)
      return Primitive.enumerator(self, :repeated_permutation, [count], :__repeated_permutation_count)
    end
    k = Primitive.to_long(count)
    list = [*self]
    __rows(list, list.empty? && k > 0 ? -1 : k, 2, &Primitive.own_block)
    self
  end

  # The sizes of Enumerators of the methods above, which take these arguments.
  def __cycle_count(count = nil)
    times = count.nil? ? nil : Primitive.to_long(count)
    n = __size
    return n if n == 0
    return Float::INFINITY if times.nil?
    times <= 0 ? 0 : n * times
  end

  def __combination_count(count) = __binomial(__size, Primitive.to_long(count))

  def __permutation_count(count = nil)
    n = __size
    k = count.nil? ? n : Primitive.to_long(count)
    total = k < 0 || k > n ? 0 : 1
    while k > 0 && total > 0
      total *= n
      n -= 1
      k -= 1
    end
    total
  end

  def __repeated_combination_count(count)
    k = Primitive.to_long(count)
    if k < 0 then 0
    elsif k == 0 then 1
    elsif __size == 0 then 0
    else __binomial(__size + k - 1, k)
    end
  end

  def __repeated_permutation_count(count)
    k = Primitive.to_long(count)
    k < 0 ? 0 : __size**k
  end

  # The number of ways to pick `k` of `n`.
  def __binomial(n, k)
    return 0 if k < 0 || k > n
    k = n - k if k > n - k
    total = 1
    i = 0
    while i < k
      total = total * (n - i) / (i + 1)
      i += 1
    end
    total
  end

  # Yields the rows of `k` elements, none if it is negative. Kinds: 0 combinations, 1 with repetition, 2 permutations
  # with repetition, 3 permutations.
  def __rows(list, k, kind)
    return if k < 0
    return yield [] if k == 0
    state = __first_row(list, k, kind)
    while row = Primitive.next_row(list, state, kind)
      yield row
    end
  end

  # The state for the first row: the indices of its elements. For permutations without repetition (kind 3): all indices
  # of the list, then for each position of a row the number of elements that are still to be placed there.
  def __first_row(list, k, kind)
    state = []
    return Primitive.array_fill(state, 0, k, 0) if kind == 1 || kind == 2
    n = kind == 3 ? list.size : k
    i = 0
    while i < n
      Primitive.array_push(state, i)
      i += 1
    end
    return state if kind == 0
    i = 0
    while i < k
      Primitive.array_push(state, n - i)
      i += 1
    end
    state
  end
  private :__cycle_count, :__combination_count, :__permutation_count
  private :__repeated_combination_count, :__repeated_permutation_count
  private :__binomial, :__rows, :__first_row
end
