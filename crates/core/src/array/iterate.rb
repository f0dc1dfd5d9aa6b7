class Array
  # Enumerators count by it, whatever `size` the program has.
  alias __size size
  private :__size

  def each
    return Primitive.enumerator(self, :each, nil, :__size) unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_element_or_undef(self, i)
      i += 1
    end
    self
  end

  def each_index
    return Primitive.enumerator(self, :each_index, nil, :__size) unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield i
      i += 1
    end
    self
  end

  def each_with_index(*args)
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :each_with_index, args, :__enum_size) unless defined?(yield)
    return super unless args.empty?
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_element_or_undef(self, i), i
      i += 1
    end
    self
  end

  def reverse_each
    return Primitive.enumerator(self, :reverse_each, nil, :__size) unless defined?(yield)
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

  def cycle(count = nil)
    return Primitive.enumerator(self, :cycle, count.nil? ? nil : [count], :__cycle_count) unless defined?(yield)
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

  def each_slice(count)
    return super unless Primitive.array_each_is_own(self)
    n = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "invalid slice size") if n <= 0
    return Primitive.enumerator(self, :each_slice, [count], :__enum_slice_count) unless defined?(yield)
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
    return Primitive.enumerator(self, :each_cons, [count], :__enum_cons_count) unless defined?(yield)
    # The block may change the array: what was read stays.
    list = []
    i = 0
    while i < Primitive.array_length(self)
      element = Primitive.array_element_or_undef(self, i)
      if Primitive.array_length(list) < n
        Primitive.array_push(list, element)
      else
        Primitive.array_move(list, 0, 1, n)
        Primitive.array_set(list, n - 1, element)
      end
      yield [*list] if Primitive.array_length(list) == n
      i += 1
    end
    self
  end

  def each_with_object(memo)
    return super unless Primitive.array_each_is_own(self)
    return Primitive.enumerator(self, :each_with_object, [memo], :__enum_size) unless defined?(yield)
    i = 0
    while i < Primitive.array_length(self)
      yield Primitive.array_element_or_undef(self, i), memo
      i += 1
    end
    memo
  end
end
