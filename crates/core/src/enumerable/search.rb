module Enumerable
  def find(if_none = nil)
    return to_enum(Primitive.callee, if_none) unless defined?(yield)
    apart = Primitive.block_takes_apart
    each do |*all|
      x = Primitive.pack_values(all)
      return x if (apart && Primitive.array_length(all) > 1 ? yield(*all) : yield(x))
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
    apart = Primitive.block_takes_apart
    each do |*all|
      x = Primitive.pack_values(all)
      dropping = false if dropping && !(apart && Primitive.array_length(all) > 1 ? yield(*all) : yield(x))
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
end
