class Array
  def initialize(size = Primitive.undef, value = Primitive.undef)
    Primitive.check_frozen(self)
    if Primitive.is_undef(size)
      Primitive.warn("given block not used") if defined?(yield)
      clear
      return self
    end
    if Primitive.is_undef(value) && !Primitive.is_type(size, 2)
      if list = Primitive.try_array(size)
        replace(list)
        return self
      end
    end
    size = Primitive.to_long(size)
    Primitive.raise(ArgumentError, "negative array size") if size < 0
    Primitive.raise(ArgumentError, "array size too big") if size > 0x0fff_ffff_ffff_ffff
    clear
    if defined?(yield)
      Primitive.warn("block supersedes default value argument") unless Primitive.is_undef(value)
      i = 0
      while i < size
        Primitive.array_set(self, i, yield(i))
        i += 1
      end
    elsif size > 0
      fill(Primitive.is_undef(value) ? nil : value, 0, size)
    end
    self
  end

  def each
    return to_enum(:each) { size } unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_element_or_undef(self, i)
      i += 1
    end
    self
  end

  def each_index
    return to_enum(:each_index) { size } unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield i
      i += 1
    end
    self
  end

  def each_with_index(*args)
    return super unless Primitive.array_each_is_own(self)
    return to_enum(:each_with_index, *args) { size } unless defined?(yield)
    return super unless args.empty?
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_element_or_undef(self, i), i
      i += 1
    end
    self
  end

  def reverse_each
    return to_enum(:reverse_each) { size } unless defined?(yield)
    i = Primitive.array_length(self) - 1
    while i >= 0
      n = Primitive.array_length(self)
      if i >= n
        i = n - 1
        break if i < 0
      end
      yield Primitive.array_element_or_undef(self, i)
      i -= 1
    end
    self
  end

  def map
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    result = Primitive.array_with_capacity(Primitive.array_length(self))
    i = 0
    while i < Primitive.array_length(self)
      Primitive.array_push(result, yield(Primitive.array_element_or_undef(self, i)))
      i += 1
    end
    result
  end
  alias collect map

  def map!
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    i = 0
    while i < Primitive.array_length(self)
      value = yield(Primitive.array_element_or_undef(self, i))
      Primitive.check_frozen(self)
      Primitive.array_set(self, i, value)
      i += 1
    end
    self
  end
  alias collect! map!

  def select
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(result, x) if yield(x)
      i += 1
    end
    result
  end
  alias filter select

  def reject
    return to_enum(:reject) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(result, x) unless yield(x)
      i += 1
    end
    result
  end

  def filter_map
    return to_enum(:filter_map) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_length(self)
      x = yield(Primitive.array_element_or_undef(self, i))
      Primitive.array_push(result, x) if x
      i += 1
    end
    result
  end

  def select!
    return to_enum(Primitive.callee) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    i = 0
    kept = 0
    begin
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        if yield(x)
          Primitive.array_set(self, kept, x) if kept != i
          kept += 1
        end
        i += 1
      end
    ensure
      changed = Primitive.array_close_gap(self, kept, i)
    end
    changed ? self : nil
  end
  alias filter! select!

  def keep_if
    return to_enum(:keep_if) { size } unless defined?(yield)
    select! { |x| yield(x) }
    self
  end

  def reject!
    return to_enum(:reject!) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    i = 0
    kept = 0
    begin
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        unless yield(x)
          Primitive.array_set(self, kept, x) if kept != i
          kept += 1
        end
        i += 1
      end
    ensure
      changed = Primitive.array_close_gap(self, kept, i)
    end
    changed ? self : nil
  end

  def delete_if
    return to_enum(:delete_if) { size } unless defined?(yield)
    reject! { |x| yield(x) }
    self
  end

  def delete(value)
    found = nil
    any = false
    i = 0
    kept = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      if Primitive.is_equal(x, value)
        Primitive.check_frozen(self)
        found = x
        any = true
      else
        Primitive.array_set(self, kept, x) if kept != i
        kept += 1
      end
      i += 1
    end
    unless any
      return defined?(yield) ? yield(value) : nil
    end
    Primitive.array_truncate(self, kept) if kept < Primitive.array_length(self)
    found
  end

  def fetch(index, default = Primitive.undef)
    Primitive.warn("block supersedes default value argument") if defined?(yield) && !Primitive.is_undef(default)
    original = index
    index = Primitive.to_long(index)
    n = Primitive.array_length(self)
    at = index < 0 ? index + n : index
    return Primitive.array_element_or_undef(self, at) if at >= 0 && at < n
    return yield(original) if defined?(yield)
    return default unless Primitive.is_undef(default)
    Primitive.raise(IndexError, "index #{index} outside of array bounds: #{-n}...#{n}")
  end

  def fetch_values(*indexes, &block)
    result = []
    i = 0
    while i < Primitive.array_length(indexes)
      result << fetch(indexes[i], &block)
      i += 1
    end
    result
  end

  def find_index(value = Primitive.undef)
    if Primitive.is_undef(value)
      return to_enum(Primitive.callee) unless defined?(yield)
      i = 0
      while i < Primitive.array_length(self)
        return i if yield(Primitive.array_element_or_undef(self, i))
        i += 1
      end
    else
      Primitive.warn("given block not used") if defined?(yield)
      i = 0
      while i < Primitive.array_length(self)
        return i if Primitive.is_equal(Primitive.array_element_or_undef(self, i), value)
        i += 1
      end
    end
    nil
  end
  alias index find_index

  def rindex(value = Primitive.undef)
    none = Primitive.is_undef(value)
    return to_enum(:rindex) if none && !defined?(yield)
    Primitive.warn("given block not used") if !none && defined?(yield)
    i = Primitive.array_length(self) - 1
    while i >= 0
      x = Primitive.array_element_or_undef(self, i)
      return i if none ? yield(x) : Primitive.is_equal(x, value)
      n = Primitive.array_length(self)
      i = n if i > n
      i -= 1
    end
    nil
  end

  def find(if_none = nil)
    return to_enum(Primitive.callee, if_none) unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      return x if yield(x)
      i += 1
    end
    if_none && if_none.call
  end
  alias detect find

  def rfind(if_none = nil)
    return to_enum(:rfind, if_none) unless defined?(yield)
    i = Primitive.array_length(self) - 1
    while i >= 0
      x = Primitive.array_element_or_undef(self, i)
      return x if yield(x)
      n = Primitive.array_length(self)
      i = n if i > n
      i -= 1
    end
    if_none && if_none.call
  end

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
      operation = initial
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
      memo = memo.__send__(operation, Primitive.array_element_or_undef(self, i))
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
      list = defined?(yield) ? sort { |a, b| yield(a, b) } : sort
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
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
        best = x if Primitive.compare(x, best) < 0
        i += 1
      end
    end
    best
  end

  def max(count = nil)
    if count
      list = defined?(yield) ? sort { |a, b| yield(b, a) } : sort.reverse
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
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
        best = x if Primitive.compare(x, best) > 0
        i += 1
      end
    end
    best
  end

  def minmax
    return [min { |a, b| yield(a, b) }, max { |a, b| yield(a, b) }] if defined?(yield)
    [min, max]
  end

  def sort_by!
    return to_enum(:sort_by!) { size } unless defined?(yield)
    Primitive.check_frozen(self)
    keys = []
    values = []
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      values << x
      keys << yield(x)
      i += 1
    end
    replace(Primitive.sort_by_keys(values, keys))
    self
  end

  def sort_by
    return super unless Primitive.array_each_is_own(self)
    return to_enum(:sort_by) { size } unless defined?(yield)
    keys = []
    values = []
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(values, x)
      Primitive.array_push(keys, yield(x))
      i += 1
    end
    Primitive.sort_by_keys(values, keys)
  end

  def uniq
    return self | [] unless defined?(yield)
    table = Primitive.hash_new
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      key = yield(x)
      Primitive.hash_put(table, key, x) if Primitive.is_undef(Primitive.hash_fetch_or_undef(table, key))
      i += 1
    end
    table.values
  end

  def uniq!
    Primitive.check_frozen(self)
    result = defined?(yield) ? uniq { |x| yield(x) } : self | []
    return nil if Primitive.array_length(result) == Primitive.array_length(self)
    Primitive.check_frozen(self)
    replace(result)
    self
  end

  def take_while
    return to_enum(:take_while) unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      break unless yield(Primitive.array_element_or_undef(self, i))
      i += 1
    end
    take(i)
  end

  def drop_while
    return to_enum(:drop_while) unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      break unless yield(Primitive.array_element_or_undef(self, i))
      i += 1
    end
    drop(i)
  end

  def cycle(count = nil)
    unless defined?(yield)
      return to_enum(:cycle, count) do
        if count.nil?
          empty? ? 0 : Float::INFINITY
        else
          n = Primitive.to_long(count)
          n <= 0 ? 0 : size * n
        end
      end
    end
    if count.nil?
      while Primitive.array_length(self) > 0
        i = 0
        while i < Primitive.array_length(self)
          yield Primitive.array_element_or_undef(self, i)
          i += 1
        end
      end
    else
      count = Primitive.to_long(count)
      while count > 0 && Primitive.array_length(self) > 0
        i = 0
        while i < Primitive.array_length(self)
          yield Primitive.array_element_or_undef(self, i)
          i += 1
        end
        count -= 1
      end
    end
    nil
  end

  def fill(value = Primitive.undef, start = Primitive.undef, length = Primitive.undef)
    if defined?(yield)
      Primitive.raise(ArgumentError, "wrong number of arguments (given 3, expected 0..2)") unless Primitive.is_undef(length)
      from = Primitive.is_undef(value) ? nil : value
      count = Primitive.is_undef(start) ? nil : start
    else
      Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1..3)") if Primitive.is_undef(value)
      from = Primitive.is_undef(start) ? nil : start
      count = Primitive.is_undef(length) ? nil : length
    end
    Primitive.check_frozen(self)
    n = Primitive.array_length(self)
    if Primitive.is_type(from, 5) && count.nil?
      range = from
      b = Primitive.range_begin(range)
      e = Primitive.range_end(range)
      from = b.nil? ? 0 : Primitive.to_long(b)
      from += n if from < 0
      Primitive.raise(RangeError, "#{range.inspect} out of range") if from < 0
      if e.nil?
        to = n
      else
        to = Primitive.to_long(e)
        to += n if to < 0
        to += 1 unless Primitive.range_is_exclusive(range)
      end
    else
      from = from.nil? ? 0 : Primitive.to_long(from)
      if from < 0
        from += n
        from = 0 if from < 0
      end
      if count.nil?
        to = n
      else
        count = Primitive.to_long(count)
        return self if count < 0
        to = from + count
      end
    end
    Primitive.raise(ArgumentError, "argument too big") if to > 0x0fff_ffff_ffff_ffff
    if defined?(yield)
      i = from
      while i < to
        x = yield(i)
        Primitive.check_frozen(self)
        Primitive.array_set(self, i, x)
        i += 1
      end
    elsif to > from
      Primitive.array_fill(self, from, to - from, value)
    end
    self
  end

  def zip(*others)
    lists = []
    i = 0
    while i < Primitive.array_length(others)
      other = Primitive.array_element_or_undef(others, i)
      list = Primitive.try_array(other)
      unless list
        unless Primitive.responds(other, :each, true)
          Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(other)} (must respond to :each)")
        end
        list = []
        wanted = Primitive.array_length(self)
        if wanted > 0
          other.each do |*x|
            list << Primitive.pack_values(x)
            break if list.size >= wanted
          end
        end
      end
      lists << list
      i += 1
    end
    result = defined?(yield) ? nil : []
    i = 0
    while i < Primitive.array_length(self)
      row = [Primitive.array_element_or_undef(self, i)]
      j = 0
      while j < Primitive.array_length(lists)
        row << Primitive.array_at(Primitive.array_element_or_undef(lists, j), i)
        j += 1
      end
      result ? result << row : yield(row)
      i += 1
    end
    result
  end

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
    unless defined?(yield)
      return to_enum(:combination, count) { n = size
        k = Primitive.to_long(count)
        total = k < 0 || k > n ? 0 : 1
        k = n - k if k > n - k
        i = 0
        while i < k
          total = total * (n - i) / (i + 1)
          i += 1
        end
        total }
    end
    k = Primitive.to_long(count)
    list = [*self]
    n = list.size
    if k == 0
      yield []
    elsif k > 0 && k <= n
      at = Array.new(k) { |i| i }
      while true
        row = []
        i = 0
        while i < k
          row << list[at[i]]
          i += 1
        end
        yield row
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
      used = Array.new(n, false)
      at = []
      i = 0
      while true
        i += 1 while i < n && used[i]
        if i < n
          at << i
          used[i] = true
          if at.size == k
            row = []
            j = 0
            while j < k
              row << list[at[j]]
              j += 1
            end
            yield row
            i = at.pop
            used[i] = false
            i += 1
          else
            i = 0
          end
        else
          break if at.empty?
          i = at.pop
          used[i] = false
          i += 1
        end
      end
    end
    self
  end

  def repeated_combination(count)
    unless defined?(yield)
      return to_enum(:repeated_combination, count) do
        k = Primitive.to_long(count)
        if k < 0 then 0
        elsif k == 0 then 1
        elsif size == 0 then 0
        else
          n = size + k - 1
          k = n - k if k > n - k
          total = 1
          i = 0
          while i < k
            total = total * (n - i) / (i + 1)
            i += 1
          end
          total
        end
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
        row = []
        i = 0
        while i < k
          row << list[at[i]]
          i += 1
        end
        yield row
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
        row = []
        i = 0
        while i < k
          row << list[at[i]]
          i += 1
        end
        yield row
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

  def bsearch
    return to_enum(:bsearch) unless defined?(yield)
    low = 0
    high = Primitive.array_length(self)
    found = nil
    while low < high
      middle = low + (high - low) / 2
      x = Primitive.array_at(self, middle)
      answer = yield(x)
      if Primitive.is_type(answer, 2)
        return x if answer == 0
        answer < 0 ? high = middle : low = middle + 1
      elsif answer == true
        found = x
        high = middle
      elsif !answer
        low = middle + 1
      elsif Primitive.is_kind_of(answer, Numeric)
        return x if answer == 0
        answer < 0 ? high = middle : low = middle + 1
      else
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)")
      end
    end
    found
  end

  def bsearch_index
    return to_enum(:bsearch_index) unless defined?(yield)
    low = 0
    high = Primitive.array_length(self)
    found = nil
    while low < high
      middle = low + (high - low) / 2
      answer = yield(Primitive.array_at(self, middle))
      if answer == true
        found = middle
        high = middle
      elsif !answer
        low = middle + 1
      elsif Primitive.is_kind_of(answer, Numeric)
        return middle if answer == 0
        answer < 0 ? high = middle : low = middle + 1
      else
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)")
      end
    end
    found
  end

  def to_h
    table = Primitive.hash_new
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      x = yield(x) if defined?(yield)
      pair = Primitive.try_array(x)
      unless pair
        Primitive.raise(TypeError, "wrong element type #{Primitive.class_of(x)} at #{i} (expected array)")
      end
      if Primitive.array_length(pair) != 2
        Primitive.raise(ArgumentError, "wrong array length at #{i} (expected 2, was #{pair.size})")
      end
      Primitive.hash_put(table, pair[0], pair[1])
      i += 1
    end
    table
  end

  def tally(table = nil)
    return super unless Primitive.array_each_is_own(self)
    return super unless table.nil?
    table = Primitive.hash_new
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      n = Primitive.hash_fetch_or_undef(table, x)
      Primitive.hash_put(table, x, Primitive.is_undef(n) ? 1 : n + 1)
      i += 1
    end
    table
  end

  def group_by
    return super unless Primitive.array_each_is_own(self)
    return to_enum(:group_by) { size } unless defined?(yield)
    table = Primitive.hash_new
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      key = yield(x)
      list = Primitive.hash_fetch_or_undef(table, key)
      Primitive.is_undef(list) ? Primitive.hash_put(table, key, [x]) : Primitive.array_push(list, x)
      i += 1
    end
    table
  end

  def partition
    return super unless Primitive.array_each_is_own(self)
    return to_enum(:partition) { size } unless defined?(yield)
    yes = []
    no = []
    i = 0
    while i < Primitive.array_length(self)
      x = Primitive.array_element_or_undef(self, i)
      Primitive.array_push(yield(x) ? yes : no, x)
      i += 1
    end
    [yes, no]
  end

  def each_slice(count)
    return super unless Primitive.array_each_is_own(self)
    n = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "invalid slice size") if n <= 0
    return to_enum(:each_slice, count) { (size + n - 1) / n } unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_slice(self, i, n)
      i += n
    end
    self
  end

  def each_cons(count)
    return super unless Primitive.array_each_is_own(self)
    n = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "invalid size") if n <= 0
    return to_enum(:each_cons, count) { size < n ? 0 : size - n + 1 } unless defined?(yield)
    i = 0
    while i + n <= Primitive.array_length(self)
      yield Primitive.array_slice(self, i, n)
      i += 1
    end
    self
  end

  def flat_map
    return super unless Primitive.array_each_is_own(self)
    return to_enum(:flat_map) { size } unless defined?(yield)
    result = []
    i = 0
    while i < Primitive.array_length(self)
      x = yield(Primitive.array_element_or_undef(self, i))
      list = Primitive.try_array(x)
      list ? result.concat(list) : Primitive.array_push(result, x)
      i += 1
    end
    result
  end

  def each_with_object(memo)
    return super unless Primitive.array_each_is_own(self)
    return to_enum(:each_with_object, memo) { size } unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_element_or_undef(self, i), memo
      i += 1
    end
    memo
  end

  def deconstruct = self
end
