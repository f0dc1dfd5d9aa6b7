class Array
  def initialize(size = Primitive.undef, value = Primitive.undef)
    count = Primitive.array_prepare(self, size, value, defined?(yield) ? true : false)
    i = 0
    while i < count
      Primitive.array_set(self, i, yield(i))
      i += 1
    end
    self
  end

  def map!
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
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

  def select!
    return Primitive.enumerator(self, Primitive.callee, nil, :__size) unless defined?(yield)
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
    return Primitive.enumerator(self, :keep_if, nil, :__size) unless defined?(yield)
    __keep(true, &Primitive.own_block)
  end

  def reject!
    return Primitive.enumerator(self, :reject!, nil, :__size) unless defined?(yield)
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
    return Primitive.enumerator(self, :delete_if, nil, :__size) unless defined?(yield)
    __keep(false, &Primitive.own_block)
  end

  # Removes each element for which the truth of the block's result is not `wanted`. select! and reject! repeat this loop
  # without `wanted`: they are called more often, and one more branch per element is measurable.
  def __keep(wanted)
    Primitive.check_frozen(self)
    unwanted = wanted ? false : true
    i = 0
    kept = 0
    begin
      while i < Primitive.array_length(self)
        x = Primitive.array_element_or_undef(self, i)
        if yield(x) ? wanted : unwanted
          Primitive.array_set(self, kept, x) if kept != i
          kept += 1
        end
        i += 1
      end
    ensure
      Primitive.array_close_gap(self, kept, i)
    end
    self
  end
  private :__keep

  def delete(value)
    i = Primitive.array_index_of(self, value, 0)
    return defined?(yield) ? yield(value) : nil unless i
    kept = i
    found = nil
    while i
      Primitive.check_frozen(self)
      found = Primitive.array_element_or_undef(self, i)
      # Moves the elements between this removed element and the next one towards the start.
      last = i + 1
      i = Primitive.array_index_of(self, value, last)
      kept = Primitive.array_move(self, kept, last, i || Primitive.array_length(self))
    end
    Primitive.array_truncate(self, kept)
    found
  end

  def sort_by!
    return Primitive.enumerator(self, :sort_by!, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    # A subclass may have its own.
    Primitive.core(self).replace(__send__(:sort_by, &Primitive.own_block))
    self
  end

  def uniq!
    Primitive.check_frozen(self)
    by_block = defined?(yield) && Primitive.array_length(self) > 1
    result = Primitive.to_array(by_block ? Primitive.core(self).uniq { |x| yield(x) } : __unique)
    return nil if Primitive.array_length(result) == Primitive.array_length(self)
    Primitive.check_frozen(self)
    Primitive.core(self).replace(result)
    self
  end

  def fill(value = Primitive.undef, start = Primitive.undef, length = Primitive.undef)
    if defined?(yield)
      unless Primitive.is_undef(length)
        Primitive.raise(ArgumentError, "wrong number of arguments (given 3, expected 0..2)")
      end
      from = Primitive.is_undef(value) ? nil : value
      count = Primitive.is_undef(start) ? nil : start
    else
      Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1..3)") if Primitive.is_undef(value)
      from = Primitive.is_undef(start) ? nil : start
      count = Primitive.is_undef(length) ? nil : length
    end
    Primitive.check_frozen(self)
    if count.nil? && (range = __range(from))
      b, e, is_exclusive = range
      n = Primitive.array_length(self)
      from = b.nil? ? 0 : Primitive.to_long(b)
      from += n if from < 0
      Primitive.raise(RangeError, "#{b&.inspect}#{is_exclusive ? "..." : ".."}#{e&.inspect} out of range") if from < 0
      if e.nil?
        to = n
      else
        to = Primitive.to_long(e)
        to += n if to < 0
        to += 1 unless is_exclusive
      end
    else
      from = from.nil? ? 0 : Primitive.to_long(from)
      n = Primitive.array_length(self)
      if from < 0
        from += n
        from = 0 if from < 0
      end
      if count.nil?
        to = n
      else
        count = Primitive.to_long(count)
        return self if count < 0
        n = Primitive.array_length(self)
        to = from + count
      end
    end
    # A place beyond the end extends the Array up to it.
    to = from if to < from && (range || count)
    Primitive.raise(ArgumentError, "argument too big") if to > 0x0fff_ffff_ffff_ffff
    if defined?(yield)
      Primitive.array_set(self, to - 1, nil) if to > from && to > n
      i = from
      while i < to
        x = yield(i)
        # The block may have shortened the Array, which ends the filling.
        break if i >= Primitive.array_length(self)
        Primitive.check_frozen(self)
        Primitive.array_set(self, i, x)
        i += 1
      end
    elsif to > from
      Primitive.array_fill(self, from, to - from, value)
    end
    Primitive.array_set(self, to - 1, nil) if to == from && to > Primitive.array_length(self) && (range || count)
    self
  end
end
