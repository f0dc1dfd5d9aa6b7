module Enumerable
  def find(if_none = Primitive.undef)
    unless defined?(yield)
      return Primitive.enumerator(self, Primitive.callee, Primitive.is_undef(if_none) ? nil : [if_none], nil)
    end
    apart = Primitive.block_takes_apart
    if Primitive.is_hash(self) && (apart || Primitive.block_takes_pair) && Primitive.hash_each_is_own(self)
      for at in Primitive.positions(self)
        key = Primitive.hash_key_at(self, at)
        value = Primitive.hash_value_at(self, at)
        return [key, value] if apart ? yield(*Primitive.fitted([key, value], apart)) : yield(key, value)
      end
    else
      each do |*x; packed|
        return x if (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
      end
    end
    return nil if Primitive.is_undef(if_none)
    if_none && if_none.call
  end
  alias detect find

  def find_index(value = Primitive.undef)
    none = Primitive.is_undef(value)
    return Primitive.enumerator(self, :find_index, nil, nil) if none && !defined?(yield)
    Primitive.warn("given block not used") if !none && defined?(yield)
    i = 0
    if none && Primitive.block_takes_two
      each do |a, b|
        return i if yield(a, b)
        i += 1
      end
      return nil
    end
    each do |*x; packed|
      if none
        return i if packed ? yield(*x) : yield(x)
      elsif Primitive.is_equal(x, value)
        return i
      end
      i += 1
    end
    nil
  end

  def first(count = Primitive.undef)
    return __take(count) unless Primitive.is_undef(count)
    each { |*x; packed| return x }
    nil
  end

  def take(count)
    __take(count)
  end

  # An Array of the first elements, at most `count` of them.
  def __take(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to take negative size") if count < 0
    # An Array of a billion billion elements cannot exist.
    Primitive.raise(ArgumentError, "array size too big") if count > 1152921504606846975
    list = []
    return list if count == 0
    each do |*x; packed|
      Primitive.array_push(list, x)
      break if Primitive.array_length(list) >= count
    end
    list
  end
  private :__take

  def take_while
    return Primitive.enumerator(self, :take_while, nil, nil) unless defined?(yield)
    list = []
    each do |*x; packed|
      break unless packed ? yield(*x) : yield(x)
      Primitive.array_push(list, x)
    end
    list
  end

  def drop(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to drop negative size") if count < 0
    list = []
    i = 0
    each do |*x; packed|
      Primitive.array_push(list, x) if i >= count
      i += 1
    end
    list
  end

  def drop_while
    return Primitive.enumerator(self, :drop_while, nil, nil) unless defined?(yield)
    list = []
    dropping = true
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      dropping = false if dropping && !(apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
      Primitive.array_push(list, x) unless dropping
    end
    list
  end

  def include?(value)
    each { |*x; packed| return true if Primitive.is_equal(x, value) }
    false
  end
  alias member? include?

  def any?(pattern = Primitive.undef)
    __has?(true, pattern, &Primitive.own_block)
  end

  def all?(pattern = Primitive.undef)
    !__has?(false, pattern, &Primitive.own_block)
  end

  def none?(pattern = Primitive.undef)
    !__has?(true, pattern, &Primitive.own_block)
  end

  # Whether the test of an element gives `wanted`: the pattern, otherwise the block, otherwise the element's truth.
  def __has?(wanted, pattern)
    by_pattern = __by_pattern?(pattern, defined?(yield))
    unwanted = wanted ? false : true
    if !by_pattern && defined?(yield) && Primitive.block_takes_two
      each { |a, b| return true if yield(a, b) ? wanted : unwanted }
      return false
    end
    each do |*x; packed|
      result = by_pattern ? pattern === x : defined?(yield) ? (packed ? yield(*x) : yield(x)) : x
      return true if result ? wanted : unwanted
    end
    false
  end

  def one?(pattern = Primitive.undef)
    found = false
    by_pattern = __by_pattern?(pattern, defined?(yield))
    if !by_pattern && defined?(yield) && Primitive.block_takes_two
      each do |a, b|
        next unless yield(a, b)
        return false if found
        found = true
      end
      return found
    end
    each do |*x; packed|
      if by_pattern ? pattern === x : defined?(yield) ? (packed ? yield(*x) : yield(x)) : x
        return false if found
        found = true
      end
    end
    found
  end

  # Whether a pattern is used instead of a block.
  def __by_pattern?(pattern, with_block)
    return false if Primitive.is_undef(pattern)
    Primitive.warn("given block not used") if with_block
    true
  end
  private :__has?, :__by_pattern?

  def count(value = Primitive.undef)
    n = 0
    if __by_pattern?(value, defined?(yield))
      each { |*x; packed| n += 1 if Primitive.is_equal(x, value) }
    elsif defined?(yield) && Primitive.block_takes_two
      each { |a, b| n += 1 if yield(a, b) }
    elsif defined?(yield)
      each { |*x; packed| n += 1 if packed ? yield(*x) : yield(x) }
    else
      each { n += 1 }
    end
    n
  end
end
