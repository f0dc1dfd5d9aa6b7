module Enumerable
  def to_a(*args, **options)
    list = []
    each(*args, **options) do |*x; packed|
      Primitive.array_push(list, x)
      nil
    end
    list
  end
  alias entries to_a

  def each_entry(*args)
    return Primitive.enumerator(self, :each_entry, args, :__enum_size) unless defined?(yield)
    apart = Primitive.block_takes_apart
    each(*args) { |*x; packed| apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x) }
    self
  end

  def each_with_index(*args)
    return Primitive.enumerator(self, :each_with_index, args, :__enum_size) unless defined?(yield)
    i = 0
    each(*args) do |*x; packed|
      yield x, i
      i += 1
    end
    self
  end

  def each_with_object(memo)
    return Primitive.enumerator(self, :each_with_object, [memo], :__enum_size) unless defined?(yield)
    each { |*x; packed| yield x, memo }
    memo
  end

  def reverse_each(*args)
    return Primitive.enumerator(self, :reverse_each, args, :__enum_size) unless defined?(yield)
    list = []
    each(*args) do |*x; packed|
      Primitive.array_push(list, x)
      nil
    end
    i = Primitive.array_length(list) - 1
    while i >= 0
      yield Primitive.array_at(list, i)
      i -= 1
    end
    self
  end

  # The `size` of a collection that has one, if it is an Integer.
  def __known_size
    return unless Primitive.responds(self, :size, true)
    size = __send__(:size)
    size if Primitive.is_integer(size)
  end

  # The sizes of Enumerators of `each_slice`, `each_cons` and `cycle`, which take these arguments.
  def __enum_slice_count(given)
    n = Primitive.enum_size(self)
    count = Primitive.to_long(given)
    n && (Primitive.is_float(n) && n.infinite? ? n : (n + count - 1).div(count))
  end

  def __enum_cons_count(given)
    n = Primitive.enum_size(self)
    n += 1 - Primitive.to_long(given) if n
    n && (n < 0 ? 0 : n)
  end

  def __enum_cycle_count(count = nil)
    times = count.nil? ? nil : Primitive.to_long(count)
    n = Primitive.enum_size(self)
    return n if n.nil? || n == 0
    return Float::INFINITY if times.nil?
    times <= 0 ? 0 : n * times
  end
  private :__enum_slice_count, :__enum_cons_count, :__enum_cycle_count

  def each_slice(given)
    count = Primitive.to_long(given)
    Primitive.raise(ArgumentError, "invalid slice size") if count <= 0
    return Primitive.enumerator(self, :each_slice, [given], :__enum_slice_count) unless defined?(yield)
    # A collection that knows its size passes on its only slice while it is being iterated, even if that is not full.
    size = __known_size
    count = size if size && size < count && size >= 0
    list = []
    each do |*x; packed|
      Primitive.array_push(list, x)
      if Primitive.array_length(list) == count
        full = list
        list = []
        yield full
      end
    end
    yield list if Primitive.array_length(list) > 0
    self
  end

  def each_cons(given)
    count = Primitive.to_long(given)
    Primitive.raise(ArgumentError, "invalid size") if count <= 0
    return Primitive.enumerator(self, :each_cons, [given], :__enum_cons_count) unless defined?(yield)
    size = __known_size
    return self if size && size < count && size >= 0
    list = []
    each do |*x; packed|
      list.shift if Primitive.array_length(list) == count
      Primitive.array_push(list, x)
      yield [*list] if Primitive.array_length(list) == count
    end
    self
  end

  def cycle(count = nil)
    return Primitive.enumerator(self, :cycle, count.nil? ? nil : [count], :__enum_cycle_count) unless defined?(yield)
    unless count.nil?
      count = Primitive.to_long(count)
      return nil if count <= 0
    end
    apart = Primitive.block_takes_apart
    list = []
    each do |*x; packed|
      Primitive.array_push(list, x)
      apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x)
    end
    return nil if Primitive.array_length(list) == 0
    while count.nil? || (count -= 1) > 0
      i = 0
      while i < Primitive.array_length(list)
        x = Primitive.array_at(list, i)
        apart && Primitive.is_array(x) ? yield(*Primitive.fitted(x, apart)) : yield(x)
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
      j = 0
      while j < Primitive.array_length(sources)
        source = Primitive.array_at(sources, j)
        unless Primitive.responds(source, :each, true)
          Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(source)} (must respond to :each)")
        end
        sources[j] = source.to_enum(:each)
        j += 1
      end
    end
    ended = []
    single = Primitive.array_at(sources, 0) if !external && Primitive.array_length(sources) == 1
    result = defined?(yield) ? nil : []
    apart = !result && Primitive.block_takes_apart
    i = 0
    each do |*x; packed|
      if single
        row = [x, Primitive.array_at(single, i)]
      else
        row = Primitive.array_with_capacity(1 + Primitive.array_length(sources))
        Primitive.array_push(row, x)
      end
      j = single ? 1 : 0
      while j < Primitive.array_length(sources)
        source = Primitive.array_at(sources, j)
        if !external
          Primitive.array_push(row, Primitive.array_at(source, i))
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
      if result
        Primitive.array_push(result, row)
      else
        # A row of one value is passed like that value.
        apart && row.size > 1 ? yield(*Primitive.fitted(row, apart)) : yield(row)
      end
      i += 1
    end
    result
  end

  def lazy
    source = self
    Primitive.new_object(Enumerator::Lazy).__following(source, -> { Primitive.enum_size(source) })
  end

  def chain(*others)
    Enumerator::Chain.new(self, *others)
  end
end
