module Enumerable
  def map
    return Primitive.enumerator(self, Primitive.callee, nil, :__enum_size) unless defined?(yield)
    list = []
    # The values yielded by `each` may depend on the arity of its block.
    arity = Primitive.block_is_lambda ? -1 : Primitive.block_arity
    if arity == 1
      each { |x| Primitive.array_push(list, yield(x)) }
    elsif arity == 2
      each { |a, b| Primitive.array_push(list, yield(a, b)) }
    else
      each { |*x; packed| Primitive.array_push(list, packed ? yield(*x) : yield(x)) }
    end
    list
  end
  alias collect map

  def flat_map
    return Primitive.enumerator(self, Primitive.callee, nil, :__enum_size) unless defined?(yield)
    result = []
    if Primitive.block_takes_two
      each do |a, b|
        x = yield(a, b)
        list = Primitive.try_array(x)
        list ? result.concat(list) : Primitive.array_push(result, x)
      end
      return result
    end
    each do |*x; packed|
      x = packed ? yield(*x) : yield(x)
      list = Primitive.try_array(x)
      list ? result.concat(list) : Primitive.array_push(result, x)
    end
    result
  end
  alias collect_concat flat_map

  def select
    return Primitive.enumerator(self, Primitive.callee, nil, :__enum_size) unless defined?(yield)
    list = []
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      Primitive.array_push(list, x) if (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
    end
    list
  end
  alias find_all select
  alias filter select

  def filter_map
    return Primitive.enumerator(self, :filter_map, nil, :__enum_size) unless defined?(yield)
    list = []
    if Primitive.block_takes_two
      each do |a, b|
        x = yield(a, b)
        Primitive.array_push(list, x) if x
      end
      return list
    end
    each do |*x; packed|
      x = packed ? yield(*x) : yield(x)
      Primitive.array_push(list, x) if x
    end
    list
  end

  def reject
    return Primitive.enumerator(self, :reject, nil, :__enum_size) unless defined?(yield)
    list = []
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      Primitive.array_push(list, x) unless (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
    end
    list
  end

  def partition
    return Primitive.enumerator(self, :partition, nil, :__enum_size) unless defined?(yield)
    yes = []
    no = []
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      Primitive.array_push((apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x)) ? yes : no, x)
    end
    [yes, no]
  end

  def group_by
    return Primitive.enumerator(self, :group_by, nil, :__enum_size) unless defined?(yield)
    table = Primitive.hash_new
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      key = (apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x))
      list = Primitive.hash_fetch_or_undef(table, key)
      Primitive.is_undef(list) ? Primitive.hash_put(table, key, [x]) : Primitive.array_push(list, x)
    end
    table
  end

  def compact
    list = []
    each do |*x; packed|
      Primitive.array_push(list, x) unless Primitive.is_same(x, nil)
    end
    list
  end

  def tally(table = Primitive.undef)
    if Primitive.is_undef(table)
      table = Primitive.hash_new
      each { |*x; packed| Primitive.hash_count(table, x) }
      return table
    end
    table = Primitive.to_hash(table)
    Primitive.check_frozen(table)
    each do |*x; packed|
      n = Primitive.hash_fetch_or_undef(table, x)
      if Primitive.is_undef(n)
        n = 0
      elsif !Primitive.is_integer(n)
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(n)} (expected Integer)")
      end
      Primitive.hash_put(table, x, n + 1)
    end
    table
  end

  def uniq
    table = Primitive.hash_new
    each do |*x; packed|
      key = if defined?(yield)
        packed ? yield(*x) : yield(x)
      else
        x
      end
      Primitive.hash_put_new(table, key, x)
    end
    table.values
  end

  def grep(pattern)
    list = []
    quiet = !defined?(yield) && Primitive.is_same(Primitive.class_of(pattern), Regexp)
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      if quiet ? __matches?(pattern, x) : pattern === x
        x = apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x) if defined?(yield)
        Primitive.array_push(list, x)
      end
    end
    list
  end

  def grep_v(pattern)
    list = []
    quiet = !defined?(yield) && Primitive.is_same(Primitive.class_of(pattern), Regexp)
    apart = Primitive.block_takes_apart
    each do |*x; packed|
      unless quiet ? __matches?(pattern, x) : pattern === x
        x = apart && packed ? yield(*Primitive.fitted(x, apart)) : yield(x) if defined?(yield)
        Primitive.array_push(list, x)
      end
    end
    list
  end

  # `pattern === x` without setting `$~`: without a block, the match is not observable.
  def __matches?(pattern, x)
    (Primitive.is_string(x) || Primitive.is_symbol(x) || Primitive.responds(x, :to_str, true)) && pattern.match?(x)
  end

  def to_h(*args)
    table = Primitive.hash_new
    each(*args) do |*x; packed|
      x = (packed ? yield(*x) : yield(x)) if defined?(yield)
      Primitive.hash_put_pair(table, x)
    end
    table
  end

  def to_set(klass = Primitive.undef, *args, &block)
    return __to_set(block) if Primitive.is_undef(klass)
    Primitive.warn("passing arguments to Enumerable#to_set is deprecated")
    klass.new(self, *args, &block)
  end

  def __to_set(block) = Set.new(self, &block)
end
