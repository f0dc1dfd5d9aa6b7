class Set
  def initialize(source = nil, &block)
    Primitive.check_frozen(self)
    table = @__table
    table.clear unless Primitive.hash_size(table) == 0
    return self if source.nil?
    if Primitive.is_array(source) && !block
      i = 0
      while i < Primitive.array_length(source)
        Primitive.set_put(table, Primitive.array_at(source, i))
        i += 1
      end
    else
      __each_of(source) { |x| Primitive.set_put(table, block ? block.call(x) : x) }
    end
    self
  end

  def initialize_copy(other)
    Primitive.check_frozen(self)
    raise TypeError, "initialize_copy should take same class object" unless Set === other
    @__table = Primitive.hash_copy(Primitive.hidden_get(other, :__table))
    self
  end

  def freeze
    @__table.freeze
    super
  end

  def compare_by_identity
    Primitive.check_frozen(self)
    return self if @__table.compare_by_identity?
    @__table.compare_by_identity
    self
  end

  def compare_by_identity? = @__table.compare_by_identity?

  def size = Primitive.hash_size(@__table)
  alias_method :length, :size
  # Enumerators count by it, whatever `size` the program has.
  alias __size size
  private :__size

  def empty? = Primitive.hash_size(@__table) == 0

  def clear
    Primitive.check_frozen(self)
    @__table.clear
    self
  end

  def to_a = @__table.keys

  def to_set(klass = Primitive.undef, *args, &block)
    if Primitive.is_undef(klass) && Primitive.is_same(Primitive.class_of(self), Set) && !block && args.empty?
      return self
    end
    return Set.new(self, &block) if Primitive.is_undef(klass)
    Primitive.warn("passing arguments to Set#to_set is deprecated")
    klass.new(self, *args, &block)
  end

  def each
    return Primitive.enumerator(self, :each, nil, :__size) unless defined?(yield)
    table = @__table
    for at in Primitive.positions(table)
      yield Primitive.hash_key_at(table, at)
    end
    self
  end

  def add(value)
    Primitive.check_frozen(self)
    Primitive.set_put(@__table, value)
    self
  end
  alias_method :<<, :add

  def add?(value)
    Primitive.check_frozen(self)
    table = @__table
    before = Primitive.hash_size(table)
    Primitive.set_put(table, value)
    Primitive.hash_size(table) == before ? nil : self
  end

  def delete?(value)
    Primitive.check_frozen(self)
    Primitive.is_undef(Primitive.hash_remove(@__table, value)) ? nil : self
  end

  def replace(source)
    Primitive.check_frozen(self)
    Primitive.raise(RuntimeError, "cannot replace set during iteration") if __is_iterated
    if Primitive.is_kind_of(source, Set)
      @__table.replace(Primitive.hidden_get(source, :__table))
    else
      table = Primitive.hash_like(@__table)
      __each_of(source) { |x| Primitive.set_put(table, x) }
      @__table.replace(table)
    end
    self
  end

  def reset
    Primitive.check_frozen(self)
    Primitive.raise(RuntimeError, "reset during iteration") if __is_iterated
    @__table.rehash
    self
  end

  def merge(*sources, **options)
    Primitive.raise(ArgumentError, "no keywords accepted") unless options.empty?
    Primitive.check_frozen(self)
    sources.each do |source|
      Primitive.raise(RuntimeError, "cannot add to set during iteration") if __is_iterated
      __each_of(source) { |x| add(x) }
    end
    self
  end

  def subtract(source)
    Primitive.check_frozen(self)
    __each_of(source) { |x| delete(x) }
    self
  end

  def |(source)
    result = dup
    __each_of(source) { |x| result.add(x) }
    result
  end
  alias_method :+, :|
  alias_method :union, :|

  def -(source)
    result = dup
    __each_of(source) { |x| result.delete(x) }
    result
  end
  alias_method :difference, :-

  def &(source)
    result = __empty
    if Primitive.is_kind_of(source, Set) && source.size > size
      each { |x| result.add(x) if source.include?(x) }
    else
      __each_of(source) { |x| result.add(x) if include?(x) }
    end
    result
  end
  alias_method :intersection, :&

  def ^(source)
    result = dup
    Primitive.raise(ArgumentError, "value must be enumerable") if source.nil?
    source = Set.new(source) unless Primitive.is_kind_of(source, Set)
    source.each { |x| result.add?(x) || result.delete(x) }
    result
  end

  def ==(other)
    return true if Primitive.is_same(self, other)
    return false unless Primitive.is_kind_of(other, Set)
    table = __table_of(other)
    return false unless Primitive.hash_size(@__table) == Primitive.hash_size(table)
    guard = Primitive.guard_enter(self, :==)
    return true unless guard
    begin
      @__table == table
    ensure
      Primitive.guard_leave(guard)
    end
  end
  alias_method :eql?, :==

  def hash
    @__table.hash
  end

  def subset?(other)
    Primitive.raise(ArgumentError, "value must be a set") unless Primitive.is_kind_of(other, Set)
    return false if other.size < size
    return @__table <= __table_of(other) if Primitive.is_same(Primitive.class_of(self), Primitive.class_of(other))
    each { |x| return false unless other.include?(x) }
    true
  end
  alias_method :<=, :subset?

  def superset?(other)
    Primitive.raise(ArgumentError, "value must be a set") unless Primitive.is_kind_of(other, Set)
    return false if size < other.size
    return @__table >= __table_of(other) if Primitive.is_same(Primitive.class_of(self), Primitive.class_of(other))
    other.each { |x| return false unless include?(x) }
    true
  end
  alias_method :>=, :superset?

  def proper_subset?(other)
    Primitive.raise(ArgumentError, "value must be a set") unless Primitive.is_kind_of(other, Set)
    other.size > size && subset?(other)
  end
  alias_method :<, :proper_subset?

  def proper_superset?(other)
    Primitive.raise(ArgumentError, "value must be a set") unless Primitive.is_kind_of(other, Set)
    size > other.size && superset?(other)
  end
  alias_method :>, :proper_superset?

  def <=>(other)
    return nil unless Primitive.is_kind_of(other, Set)
    if size == other.size
      self == other ? 0 : nil
    elsif size < other.size
      subset?(other) ? -1 : nil
    else
      superset?(other) ? 1 : nil
    end
  end

  def intersect?(other)
    if Primitive.is_kind_of(other, Set)
      small, large = size < other.size ? [self, other] : [other, self]
      small.each { |x| return true if large.include?(x) }
    else
      __each_of(other) { |x| return true if include?(x) }
    end
    false
  end

  def disjoint?(other) = !intersect?(other)

  def delete_if
    return Primitive.enumerator(self, :delete_if, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    table = @__table
    for at in Primitive.positions(table)
      next unless yield(Primitive.hash_key_at(table, at))
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(table, at)
    end
    self
  end

  def keep_if
    return Primitive.enumerator(self, :keep_if, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    table = @__table
    for at in Primitive.positions(table)
      next if yield(Primitive.hash_key_at(table, at))
      Primitive.check_frozen(self)
      Primitive.hash_delete_at(table, at)
    end
    self
  end

  def reject!
    return Primitive.enumerator(self, :reject!, nil, :__size) unless defined?(yield)
    before = size
    delete_if { |x| yield x }
    before == size ? nil : self
  end

  def select!
    return Primitive.enumerator(self, :select!, nil, :__size) unless defined?(yield)
    before = size
    keep_if { |x| yield x }
    before == size ? nil : self
  end
  alias_method :filter!, :select!

  def collect!
    return Primitive.enumerator(self, :collect!, nil, :__size) unless defined?(yield)
    Primitive.check_frozen(self)
    table = Primitive.hash_new
    each { |x| Primitive.set_put(table, yield(x)) }
    Primitive.raise(RuntimeError, "cannot replace set during iteration") if __is_iterated
    @__table.replace(table)
    self
  end
  alias_method :map!, :collect!

  def classify
    return Primitive.enumerator(self, :classify, nil, :__size) unless defined?(yield)
    table = Primitive.hash_new
    each do |x|
      key = yield(x)
      (table[key] ||= __empty).add(x)
    end
    table
  end

  def divide(&block)
    return Primitive.enumerator(self, :divide, nil, :__size) unless block
    if block.arity == 2
      groups = []
      rest = to_a
      until rest.empty?
        group = [rest.shift]
        i = 0
        while i < group.size
          x = group[i]
          near, rest = rest.partition { |y| block.call(x, y) && block.call(y, x) }
          group.concat(near)
          i += 1
        end
        made = __empty
        group.each { |x| made.add(x) }
        groups << made
      end
      Set.new(groups)
    else
      Set.new(classify { |x| block.call(x) }.values)
    end
  end

  def flatten
    result = __empty
    __flatten_into(result, self, [])
    result
  end

  def flatten!
    Primitive.check_frozen(self)
    is_nested = false
    each do |x|
      next unless Primitive.is_kind_of(x, Set)
      is_nested = true
      break
    end
    is_nested ? replace(flatten) : nil
  end

  def join(separator = nil) = to_a.join(separator)

  def inspect
    guard = Primitive.guard_enter(self, :inspect)
    return "#{Primitive.class_of(self)}[...]" unless guard
    begin
      "#{Primitive.class_of(self)}[#{to_a.map { |x| x.inspect }.join(", ")}]"
    ensure
      Primitive.guard_leave(guard)
    end
  end
  alias_method :to_s, :inspect

  # Adds the elements of a set and of nested sets; `open` contains the enclosing sets, to detect one that contains
  # itself.
  def __flatten_into(result, set, open)
    if open.any? { |x| Primitive.is_same(x, set) }
      Primitive.raise(ArgumentError, "tried to flatten recursive Set")
    end
    open.push(set)
    set.each do |x|
      Primitive.is_kind_of(x, Set) ? __flatten_into(result, x, open) : result.add(x)
    end
    open.pop
  end

  # The hidden Hash of another set.
  def __table_of(other) = Primitive.hidden_get(other, :__table)

  # An empty Set of the same class.
  def __empty
    made = Primitive.new_object(Primitive.class_of(self))
    Primitive.hidden_set(made, :__table, Primitive.hash_new)
    made
  end

  # Yields the elements of any object that a set can be created from; ArgumentError for others.
  def __each_of(source, &block)
    if Primitive.is_array(source)
      i = 0
      while i < Primitive.array_length(source)
        yield Primitive.array_element_or_undef(source, i)
        i += 1
      end
    elsif Primitive.is_kind_of(source, Set)
      source.each(&block)
    elsif Primitive.responds(source, :each_entry, false)
      source.each_entry(&block)
    elsif Primitive.responds(source, :each, false)
      source.each(&block)
    else
      Primitive.raise(ArgumentError, "value must be enumerable")
    end
  end
end
