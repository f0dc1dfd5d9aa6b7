module Enumerable
  def to_a(*args, **options)
    list = []
    each(*args, **options) { |*x| Primitive.array_push(list, Primitive.pack_values(x)) }
    list
  end
  alias entries to_a

  def each_entry(*args)
    return to_enum(:each_entry, *args) { Primitive.enum_size(self) } unless defined?(yield)
    each(*args) { |*x| yield Primitive.pack_values(x) }
    self
  end

  def each_with_index(*args)
    return to_enum(:each_with_index, *args) { Primitive.enum_size(self) } unless defined?(yield)
    i = 0
    each(*args) do |*x|
      yield Primitive.pack_values(x), i
      i += 1
    end
    self
  end

  def each_with_object(memo)
    return to_enum(:each_with_object, memo) { Primitive.enum_size(self) } unless defined?(yield)
    each { |*x| yield Primitive.pack_values(x), memo }
    memo
  end

  def reverse_each(*args)
    return to_enum(:reverse_each, *args) { Primitive.enum_size(self) } unless defined?(yield)
    list = to_a(*args)
    i = Primitive.array_length(list) - 1
    while i >= 0
      yield Primitive.array_at(list, i)
      i -= 1
    end
    self
  end

  def map
    return to_enum(Primitive.callee) { Primitive.enum_size(self) } unless defined?(yield)
    list = []
    each do |*x|
      Primitive.array_push(list, Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x))
    end
    list
  end
  alias collect map

  def flat_map
    return to_enum(Primitive.callee) { Primitive.enum_size(self) } unless defined?(yield)
    result = []
    each do |*x|
      x = Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)
      list = Primitive.try_array(x)
      list ? result.concat(list) : Primitive.array_push(result, x)
    end
    result
  end
  alias collect_concat flat_map

  def select
    return to_enum(Primitive.callee) { Primitive.enum_size(self) } unless defined?(yield)
    list = []
    each do |*x|
      x = Primitive.pack_values(x)
      Primitive.array_push(list, x) if yield(x)
    end
    list
  end
  alias find_all select
  alias filter select

  def filter_map
    return to_enum(:filter_map) { Primitive.enum_size(self) } unless defined?(yield)
    list = []
    each do |*x|
      x = Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)
      Primitive.array_push(list, x) if x
    end
    list
  end

  def reject
    return to_enum(:reject) { Primitive.enum_size(self) } unless defined?(yield)
    list = []
    each do |*x|
      x = Primitive.pack_values(x)
      Primitive.array_push(list, x) unless yield(x)
    end
    list
  end

  def partition
    return to_enum(:partition) { Primitive.enum_size(self) } unless defined?(yield)
    yes = []
    no = []
    each do |*x|
      x = Primitive.pack_values(x)
      Primitive.array_push(yield(x) ? yes : no, x)
    end
    [yes, no]
  end

  def group_by
    return to_enum(:group_by) { Primitive.enum_size(self) } unless defined?(yield)
    table = Primitive.hash_new
    each do |*x|
      x = Primitive.pack_values(x)
      key = yield(x)
      list = Primitive.hash_fetch_or_undef(table, key)
      Primitive.is_undef(list) ? Primitive.hash_put(table, key, [x]) : Primitive.array_push(list, x)
    end
    table
  end

  def compact
    list = []
    each do |*x|
      x = Primitive.pack_values(x)
      Primitive.array_push(list, x) unless Primitive.is_same(x, nil)
    end
    list
  end

  def find(if_none = nil)
    return to_enum(Primitive.callee, if_none) unless defined?(yield)
    each do |*x|
      x = Primitive.pack_values(x)
      return x if yield(x)
    end
    if_none && if_none.call
  end
  alias detect find

  def find_index(value = Primitive.undef)
    none = Primitive.is_undef(value)
    return to_enum(:find_index) if none && !defined?(yield)
    Primitive.warn("given block not used") if !none && defined?(yield)
    i = 0
    each do |*x|
      if none
        return i if Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)
      elsif Primitive.is_equal(Primitive.pack_values(x), value)
        return i
      end
      i += 1
    end
    nil
  end

  def first(count = Primitive.undef)
    if Primitive.is_undef(count)
      each { |*x| return Primitive.pack_values(x) }
      return nil
    end
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to take negative size") if count < 0
    list = []
    return list if count == 0
    each do |*x|
      Primitive.array_push(list, Primitive.pack_values(x))
      break if Primitive.array_length(list) >= count
    end
    list
  end

  def take(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to take negative size") if count < 0
    list = []
    return list if count == 0
    each do |*x|
      Primitive.array_push(list, Primitive.pack_values(x))
      break if Primitive.array_length(list) >= count
    end
    list
  end

  def take_while
    return to_enum(:take_while) unless defined?(yield)
    list = []
    each do |*x|
      break unless Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)
      Primitive.array_push(list, Primitive.pack_values(x))
    end
    list
  end

  def drop(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to drop negative size") if count < 0
    list = []
    i = 0
    each do |*x|
      Primitive.array_push(list, Primitive.pack_values(x)) if i >= count
      i += 1
    end
    list
  end

  def drop_while
    return to_enum(:drop_while) unless defined?(yield)
    list = []
    dropping = true
    each do |*x|
      x = Primitive.pack_values(x)
      dropping = false if dropping && !yield(x)
      Primitive.array_push(list, x) unless dropping
    end
    list
  end

  def include?(value)
    each { |*x| return true if Primitive.is_equal(Primitive.pack_values(x), value) }
    false
  end
  alias member? include?

  def any?(pattern = Primitive.undef)
    if !Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      each { |*x| return true if pattern === Primitive.pack_values(x) }
    elsif defined?(yield)
      each { |*x| return true if Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x) }
    else
      each { |*x| return true if Primitive.pack_values(x) }
    end
    false
  end

  def all?(pattern = Primitive.undef)
    if !Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      each { |*x| return false unless pattern === Primitive.pack_values(x) }
    elsif defined?(yield)
      each { |*x| return false unless Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x) }
    else
      each { |*x| return false unless Primitive.pack_values(x) }
    end
    true
  end

  def none?(pattern = Primitive.undef)
    if !Primitive.is_undef(pattern)
      Primitive.warn("given block not used") if defined?(yield)
      each { |*x| return false if pattern === Primitive.pack_values(x) }
    elsif defined?(yield)
      each { |*x| return false if Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x) }
    else
      each { |*x| return false if Primitive.pack_values(x) }
    end
    true
  end

  def one?(pattern = Primitive.undef)
    given = !Primitive.is_undef(pattern)
    Primitive.warn("given block not used") if given && defined?(yield)
    found = false
    each do |*x|
      if given ? pattern === Primitive.pack_values(x) : defined?(yield) ? (Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)) : Primitive.pack_values(x)
        return false if found
        found = true
      end
    end
    found
  end

  def count(value = Primitive.undef)
    n = 0
    if !Primitive.is_undef(value)
      Primitive.warn("given block not used") if defined?(yield)
      each { |*x| n += 1 if Primitive.is_equal(Primitive.pack_values(x), value) }
    elsif defined?(yield)
      each { |*x| n += 1 if Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x) }
    else
      each { n += 1 }
    end
    n
  end

  def tally(table = nil)
    if table.nil?
      table = Primitive.hash_new
    else
      table = Primitive.to_hash(table)
      Primitive.check_frozen(table)
    end
    each do |*x|
      x = Primitive.pack_values(x)
      n = Primitive.hash_fetch_or_undef(table, x)
      if Primitive.is_undef(n)
        n = 0
      elsif !Primitive.is_type(n, 2)
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(n)} (expected Integer)")
      end
      Primitive.hash_put(table, x, n + 1)
    end
    table
  end

  def inject(initial = Primitive.undef, operation = Primitive.undef)
    memo = Primitive.undef
    if Primitive.is_undef(operation) && defined?(yield)
      memo = initial
      each do |*x|
        x = Primitive.pack_values(x)
        memo = Primitive.is_undef(memo) ? x : yield(memo, x)
      end
    else
      if Primitive.is_undef(operation)
        Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1..2)") if Primitive.is_undef(initial)
        operation = initial
      else
        Primitive.warn("given block not used") if defined?(yield)
        memo = initial
      end
      operation = Primitive.to_symbol(operation)
      each do |*x|
        x = Primitive.pack_values(x)
        memo = Primitive.is_undef(memo) ? x : memo.__send__(operation, x)
      end
    end
    Primitive.is_undef(memo) ? nil : memo
  end
  alias reduce inject

  def sum(initial = 0)
    list = []
    if defined?(yield)
      each { |*x| Primitive.array_push(list, Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)) }
    else
      each { |*x| Primitive.array_push(list, Primitive.pack_values(x)) }
    end
    Primitive.array_sum(list, initial)
  end

  def min(count = nil)
    list = []
    each { |*x| Primitive.array_push(list, Primitive.pack_values(x)) }
    return list.min(count) { |a, b| yield(a, b) } if defined?(yield)
    list.min(count)
  end

  def max(count = nil)
    list = []
    each { |*x| Primitive.array_push(list, Primitive.pack_values(x)) }
    return list.max(count) { |a, b| yield(a, b) } if defined?(yield)
    list.max(count)
  end

  def minmax
    list = []
    each { |*x| Primitive.array_push(list, Primitive.pack_values(x)) }
    return list.minmax { |a, b| yield(a, b) } if defined?(yield)
    list.minmax
  end

  def min_by(count = nil)
    return to_enum(:min_by, *(count.nil? ? [] : [count])) { Primitive.enum_size(self) } unless defined?(yield)
    unless count.nil?
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return sort_by { |x| yield(x) }.first(count)
    end
    best = nil
    least = Primitive.undef
    each do |*x|
      x = Primitive.pack_values(x)
      key = yield(x)
      if Primitive.is_undef(least) || Primitive.compare(key, least) < 0
        best = x
        least = key
      end
    end
    best
  end

  def max_by(count = nil)
    return to_enum(:max_by, *(count.nil? ? [] : [count])) { Primitive.enum_size(self) } unless defined?(yield)
    unless count.nil?
      count = Primitive.to_long(count)
      Primitive.raise(ArgumentError, "negative size (#{count})") if count < 0
      return sort_by { |x| yield(x) }.reverse.first(count)
    end
    best = nil
    most = Primitive.undef
    each do |*x|
      x = Primitive.pack_values(x)
      key = yield(x)
      if Primitive.is_undef(most) || Primitive.compare(key, most) > 0
        best = x
        most = key
      end
    end
    best
  end

  def minmax_by
    return to_enum(:minmax_by) { Primitive.enum_size(self) } unless defined?(yield)
    smallest = largest = nil
    least = most = Primitive.undef
    each do |*x|
      x = Primitive.pack_values(x)
      key = yield(x)
      if Primitive.is_undef(least)
        smallest = largest = x
        least = most = key
      else
        if Primitive.compare(key, least) < 0
          smallest = x
          least = key
        end
        if Primitive.compare(key, most) > 0
          largest = x
          most = key
        end
      end
    end
    [smallest, largest]
  end

  def sort
    list = []
    each { |*x| Primitive.array_push(list, Primitive.pack_values(x)) }
    return list.sort { |a, b| yield(a, b) } if defined?(yield)
    list.sort
  end

  def sort_by
    return to_enum(:sort_by) { Primitive.enum_size(self) } unless defined?(yield)
    keys = []
    values = []
    each do |*x|
      x = Primitive.pack_values(x)
      Primitive.array_push(values, x)
      Primitive.array_push(keys, yield(x))
    end
    Primitive.sort_by_keys(values, keys)
  end

  def uniq
    table = Primitive.hash_new
    each do |*x|
      value = Primitive.pack_values(x)
      key = if defined?(yield)
        Primitive.array_length(x) == 1 ? yield(value) : yield(*x)
      else
        value
      end
      Primitive.hash_put(table, key, value) if Primitive.is_undef(Primitive.hash_fetch_or_undef(table, key))
    end
    table.values
  end

  def grep(pattern)
    list = []
    # Without a block nobody sees the match.
    quiet = !defined?(yield) && Primitive.is_same(Primitive.class_of(pattern), Regexp)
    each do |*x|
      x = Primitive.pack_values(x)
      if quiet && (Primitive.is_type(x, 4) || Primitive.is_type(x, 6))
        Primitive.array_push(list, x) if pattern.match?(x)
      elsif pattern === x
        Primitive.array_push(list, defined?(yield) ? yield(x) : x)
      end
    end
    list
  end

  def grep_v(pattern)
    list = []
    quiet = !defined?(yield) && Primitive.is_same(Primitive.class_of(pattern), Regexp)
    each do |*x|
      x = Primitive.pack_values(x)
      if quiet && (Primitive.is_type(x, 4) || Primitive.is_type(x, 6))
        Primitive.array_push(list, x) unless pattern.match?(x)
      elsif !(pattern === x)
        Primitive.array_push(list, defined?(yield) ? yield(x) : x)
      end
    end
    list
  end

  def to_h(*args)
    table = Primitive.hash_new
    each(*args) do |*x|
      if defined?(yield)
        x = Primitive.array_length(x) == 1 ? yield(Primitive.array_at(x, 0)) : yield(*x)
      else
        x = Primitive.pack_values(x)
      end
      pair = Primitive.try_array(x)
      Primitive.raise(TypeError, "wrong element type #{Primitive.class_of(x)} (expected array)") unless pair
      if Primitive.array_length(pair) != 2
        Primitive.raise(ArgumentError, "element has wrong array length (expected 2, was #{Primitive.array_length(pair)})")
      end
      Primitive.hash_put(table, Primitive.array_at(pair, 0), Primitive.array_at(pair, 1))
    end
    table
  end

  def to_set(klass = Set, *args, &block)
    klass.new(self, *args, &block)
  end

  def each_slice(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "invalid slice size") if count <= 0
    unless defined?(yield)
      return to_enum(:each_slice, count) do
        n = Primitive.enum_size(self)
        n && (n + count - 1).div(count)
      end
    end
    list = []
    each do |*x|
      Primitive.array_push(list, Primitive.pack_values(x))
      if Primitive.array_length(list) == count
        full = list
        list = []
        yield full
      end
    end
    yield list if Primitive.array_length(list) > 0
    self
  end

  def each_cons(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "invalid size") if count <= 0
    unless defined?(yield)
      return to_enum(:each_cons, count) do
        n = Primitive.enum_size(self)
        n && (n < count ? 0 : n - count + 1)
      end
    end
    list = []
    each do |*x|
      list.shift if Primitive.array_length(list) == count
      Primitive.array_push(list, Primitive.pack_values(x))
      yield [*list] if Primitive.array_length(list) == count
    end
    self
  end

  def cycle(count = nil)
    unless defined?(yield)
      return to_enum(:cycle, *(count.nil? ? [] : [count])) do
        n = Primitive.enum_size(self)
        if n.nil? || n == 0
          n
        elsif count.nil?
          Float::INFINITY
        else
          times = Primitive.to_long(count)
          n * (times < 0 ? 0 : times)
        end
      end
    end
    unless count.nil?
      count = Primitive.to_long(count)
      return nil if count <= 0
    end
    list = []
    each do |*x|
      x = Primitive.pack_values(x)
      Primitive.array_push(list, x)
      yield x
    end
    return nil if Primitive.array_length(list) == 0
    while count.nil? || (count -= 1) > 0
      i = 0
      while i < Primitive.array_length(list)
        yield Primitive.array_at(list, i)
        i += 1
      end
    end
    nil
  end

  def zip(*others)
    sources = []
    external = false
    others.each do |other|
      list = Primitive.try_array(other)
      external = true unless list
      sources << (list || other)
    end
    if external
      sources = sources.map do |source|
        unless Primitive.responds(source, :each, true)
          Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(source)} (must respond to :each)")
        end
        source.to_enum(:each)
      end
    end
    ended = []
    result = defined?(yield) ? nil : []
    i = 0
    each do |*x|
      row = [Primitive.pack_values(x)]
      j = 0
      while j < Primitive.array_length(sources)
        source = Primitive.array_at(sources, j)
        if !external
          row << Primitive.array_at(source, i)
        elsif Primitive.array_at(ended, j)
          row << nil
        else
          begin
            row << source.next
          rescue StopIteration
            ended[j] = true
            row << nil
          end
        end
        j += 1
      end
      result ? Primitive.array_push(result, row) : yield(row)
      i += 1
    end
    result
  end

  def chunk
    return to_enum(:chunk) { Primitive.enum_size(self) } unless defined?(yield)
    block = ->(x) { yield(x) }
    source = self
    Enumerator.new do |y|
      key = nil
      list = nil
      source.each do |*x|
        x = Primitive.pack_values(x)
        k = block.call(x)
        if k == :_alone
          y << [key, list] if list
          y << [:_alone, [x]]
          list = nil
        elsif k.nil? || k == :_separator
          y << [key, list] if list
          list = nil
        elsif Primitive.is_type(k, 6) && k.start_with?("_")
          Primitive.raise(RuntimeError, "symbols beginning with an underscore are reserved")
        elsif list && key == k
          list << x
        else
          y << [key, list] if list
          key = k
          list = [x]
        end
      end
      y << [key, list] if list
      nil
    end
  end

  def chunk_while(&block)
    Primitive.raise(ArgumentError, "tried to create Proc object without a block") unless block
    slice_when { |a, b| !block.call(a, b) }
  end

  def slice_when(&block)
    Primitive.raise(ArgumentError, "tried to create Proc object without a block") unless block
    source = self
    Enumerator.new do |y|
      list = nil
      last = nil
      source.each do |*x|
        x = Primitive.pack_values(x)
        if list.nil?
          list = [x]
        elsif block.call(last, x)
          y << list
          list = [x]
        else
          list << x
        end
        last = x
      end
      y << list if list
      nil
    end
  end

  def slice_before(pattern = Primitive.undef, &block)
    if block
      Primitive.raise(ArgumentError, "both pattern and block are given") unless Primitive.is_undef(pattern)
    elsif Primitive.is_undef(pattern)
      Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1)")
    else
      block = ->(x) { pattern === x }
    end
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x|
        x = Primitive.pack_values(x)
        if list && block.call(x)
          y << list
          list = [x]
        else
          block.call(x) unless list
          (list ||= []) << x
        end
      end
      y << list if list
      nil
    end
  end

  def slice_after(pattern = Primitive.undef, &block)
    if block
      Primitive.raise(ArgumentError, "both pattern and block are given") unless Primitive.is_undef(pattern)
    elsif Primitive.is_undef(pattern)
      Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1)")
    else
      block = ->(x) { pattern === x }
    end
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x|
        x = Primitive.pack_values(x)
        (list ||= []) << x
        if block.call(x)
          y << list
          list = nil
        end
      end
      y << list if list
      nil
    end
  end

  def lazy
    source = self
    lazy = Primitive.new_object(Enumerator::Lazy)
    Primitive.hidden_set(lazy, :__source, source)
    Primitive.hidden_set(lazy, :__receiver, source)
    Primitive.hidden_set(lazy, :__method, :each)
    Primitive.hidden_set(lazy, :__args, [])
    Primitive.hidden_set(lazy, :__size, -> { Primitive.enum_size(source) })
    lazy
  end

  def chain(*others)
    Enumerator::Chain.new(self, *others)
  end
end
