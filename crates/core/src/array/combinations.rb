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
      total *= lists[i].size
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
    unless defined?(yield)
      return to_enum(:combination, count) do
        n = size
        total = k < 0 || k > n ? 0 : 1
        pick = k > n - k ? n - k : k
        i = 0
        while i < pick
          total = total * (n - i) / (i + 1)
          i += 1
        end
        total
      end
    end
    list = [*self]
    n = list.size
    if k == 0
      yield []
    elsif k > 0 && k <= n
      state = __places(k)
      while row = Primitive.next_row(list, state, 0)
        yield row
      end
    end
    self
  end

  def permutation(count = nil)
    unless defined?(yield)
      return to_enum(:permutation, *(count.nil? ? [] : [count])) do
        k = count.nil? ? size : Primitive.to_long(count)
        n = size
        total = k < 0 || k > n ? 0 : 1
        while k > 0 && total > 0
          total *= n
          n -= 1
          k -= 1
        end
        total
      end
    end
    list = [*self]
    n = list.size
    k = count.nil? ? n : Primitive.to_long(count)
    if k == 0
      yield []
    elsif k > 0 && k <= n
      state = __places(n)
      i = 0
      while i < k
        Primitive.array_push(state, n - i)
        i += 1
      end
      while row = Primitive.next_row(list, state, 3)
        yield row
      end
    end
    self
  end

  def repeated_combination(count)
    k = Primitive.to_long(count)
    unless defined?(yield)
      return to_enum(:repeated_combination, count) do
        if k < 0 then 0
        elsif k == 0 then 1
        elsif size == 0 then 0
        else
          n = size + k - 1
          pick = k > n - k ? n - k : k
          total = 1
          i = 0
          while i < pick
            total = total * (n - i) / (i + 1)
            i += 1
          end
          total
        end
      end
    end
    list = [*self]
    n = list.size
    if k == 0
      yield []
    elsif k > 0 && n > 0
      state = []
      Primitive.array_fill(state, 0, k, 0)
      while row = Primitive.next_row(list, state, 1)
        yield row
      end
    end
    self
  end

  def repeated_permutation(count)
    unless defined?(yield)
      return to_enum(:repeated_permutation, count) do
        k = Primitive.to_long(count)
        k < 0 ? 0 : size**k
      end
    end
    k = Primitive.to_long(count)
    list = [*self]
    n = list.size
    if k == 0
      yield []
    elsif k > 0 && n > 0
      state = []
      Primitive.array_fill(state, 0, k, 0)
      while row = Primitive.next_row(list, state, 2)
        yield row
      end
    end
    self
  end

  # 0 to `count - 1`: the initial state.
  def __places(count)
    places = Primitive.array_with_capacity(count)
    i = 0
    while i < count
      Primitive.array_push(places, i)
      i += 1
    end
    places
  end
end
