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
    result = defined?(yield) ? nil : []
    return result || self if total == 0
    counters = Array.new(n, 0)
    while true
      row = []
      i = 0
      while i < n
        row << Primitive.array_at(lists[i], counters[i])
        i += 1
      end
      result ? result << row : yield(row)
      i = n - 1
      while i >= 0
        counters[i] += 1
        break if counters[i] < lists[i].size
        counters[i] = 0
        i -= 1
      end
      break if i < 0
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
      at = Array.new(k) { |i| i }
      while true
        yield __row(list, at)
        i = k - 1
        i -= 1 while i >= 0 && at[i] == n - k + i
        break if i < 0
        at[i] += 1
        i += 1
        while i < k
          at[i] = at[i - 1] + 1
          i += 1
        end
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
      # The places in their present order, of which the first k make a row; left[i] is how many are still to come at i.
      places = Array.new(n) { |i| i }
      left = Array.new(k) { |i| n - i }
      yield __row(list, places, k)
      i = k - 1
      while i >= 0
        left[i] -= 1
        if left[i] == 0
          places.insert(-1, places.delete_at(i)) if i < n - 1
          left[i] = n - i
          i -= 1
        else
          other = n - left[i]
          places[i], places[other] = places[other], places[i]
          yield __row(list, places, k)
          i = k - 1
        end
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
      at = Array.new(k, 0)
      while true
        yield __row(list, at)
        i = k - 1
        i -= 1 while i >= 0 && at[i] == n - 1
        break if i < 0
        value = at[i] + 1
        while i < k
          at[i] = value
          i += 1
        end
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
      at = Array.new(k, 0)
      while true
        yield __row(list, at)
        i = k - 1
        while i >= 0
          at[i] += 1
          break if at[i] < n
          at[i] = 0
          i -= 1
        end
        break if i < 0
      end
    end
    self
  end

  # The elements of `list` at these places, or at the first `length` of them.
  def __row(list, at, length = Primitive.array_length(at))
    row = Primitive.array_with_capacity(length)
    i = 0
    while i < length
      Primitive.array_push(row, Primitive.array_at(list, Primitive.array_at(at, i)))
      i += 1
    end
    row
  end
end
