class << ENV
  include Enumerable

  def to_s = "ENV"
  def inspect = to_h.inspect
  def freeze = raise(TypeError, "cannot freeze ENV")
  def rehash = nil

  def to_hash = __all

  def to_h(&block) = block ? to_hash.to_h(&block) : to_hash
  def keys = to_hash.keys
  def values = to_hash.values
  def to_a = to_hash.to_a
  def length = to_hash.length
  def size = to_hash.length
  alias __size size
  private :__size
  def empty? = to_hash.empty?

  def fetch(name, *default)
    raise ArgumentError, "wrong number of arguments (given #{default.length + 1}, expected 1..2)" if default.length > 1
    warn("block supersedes default value argument", uplevel: 0) if block_given? && !default.empty?
    value = __get(name)
    return value unless value.nil?
    return yield(name) if block_given?
    return default[0] unless default.empty?
    raise KeyError.new("key not found: #{name.inspect}", receiver: self, key: name)
  end

  def value?(value) = value.respond_to?(:to_str) ? to_hash.value?(value.to_str) : nil
  alias has_value? value?
  def key(value) = to_hash.key(__string(value))

  def assoc(name)
    name = __string(name)
    (value = __get(name)) ? [name, value] : nil
  end

  # The argument as a String; TypeError unless it is one or has `to_str`.
  def __string(value)
    String.try_convert(value) ||
      raise(TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String")
  end
  private :__string

  def rassoc(value) = value.respond_to?(:to_str) ? to_hash.rassoc(value.to_str) : nil

  def values_at(*names)
    i = 0
    while i < names.size
      names[i] = __get(names[i])
      i += 1
    end
    names
  end

  def fetch_values(*names)
    i = 0
    while i < names.size
      name = names[i]
      value = __get(name)
      if value.nil?
        raise KeyError.new("key not found: #{name.inspect}", receiver: self, key: name) unless block_given?
        value = yield(name)
      end
      names[i] = value
      i += 1
    end
    names
  end

  def slice(*names)
    hash = {}
    i = 0
    while i < names.size
      value = __get(names[i])
      hash[names[i]] = value unless value.nil?
      i += 1
    end
    hash
  end

  def except(*names) = to_hash.except(*names)
  def invert = to_hash.invert

  def each
    return Primitive.enumerator(self, :each, nil, :__size) unless block_given?
    table = __all
    for at in Primitive.positions(table)
      yield [Primitive.hash_key_at(table, at), Primitive.hash_value_at(table, at)]
    end
    self
  end

  def each_pair
    return Primitive.enumerator(self, :each_pair, nil, :__size) unless block_given?
    table = __all
    for at in Primitive.positions(table)
      yield [Primitive.hash_key_at(table, at), Primitive.hash_value_at(table, at)]
    end
    self
  end

  def each_key
    return Primitive.enumerator(self, :each_key, nil, :__size) unless block_given?
    table = __all
    for at in Primitive.positions(table)
      yield Primitive.hash_key_at(table, at)
    end
    self
  end

  def each_value
    return Primitive.enumerator(self, :each_value, nil, :__size) unless block_given?
    table = __all
    for at in Primitive.positions(table)
      yield Primitive.hash_value_at(table, at)
    end
    self
  end

  def select(&block) = block ? to_hash.select(&block) : to_enum(:select) { size }
  def filter(&block) = block ? to_hash.select(&block) : to_enum(:filter) { size }
  def reject(&block) = block ? to_hash.reject(&block) : to_enum(:reject) { size }

  def delete_if(&block)
    return Primitive.enumerator(self, :delete_if, nil, :__size) unless block
    reject!(&block)
    self
  end

  def keep_if(&block)
    return Primitive.enumerator(self, :keep_if, nil, :__size) unless block
    select!(&block)
    self
  end

  def reject!
    return Primitive.enumerator(self, :reject!, nil, :__size) unless block_given?
    changed = nil
    table = __all
    for at in Primitive.positions(table)
      name = Primitive.hash_key_at(table, at)
      (__delete(name); changed = self) if yield(name, Primitive.hash_value_at(table, at))
    end
    changed
  end

  def select!
    return Primitive.enumerator(self, :select!, nil, :__size) unless block_given?
    changed = nil
    table = __all
    for at in Primitive.positions(table)
      name = Primitive.hash_key_at(table, at)
      (__delete(name); changed = self) unless yield(name, Primitive.hash_value_at(table, at))
    end
    changed
  end

  def filter!(&block) = block ? select!(&block) : to_enum(:filter!) { size }

  def clear
    table = __all
    for at in Primitive.positions(table)
      __delete(Primitive.hash_key_at(table, at))
    end
    self
  end

  def shift
    name = keys.first
    name && [name, __delete(name)]
  end

  def update(*hashes)
    i = 0
    while i < hashes.size
      pairs = Primitive.to_hash(hashes[i])
      for at in Primitive.positions(pairs)
        name = Primitive.hash_key_at(pairs, at)
        value = Primitive.hash_value_at(pairs, at)
        value = yield(name, __get(name), value) if block_given? && !__get(name).nil?
        __set(name, value)
      end
      i += 1
    end
    self
  end
  alias merge! update

  def replace(hash)
    hash = Primitive.to_hash(hash)
    for at in Primitive.positions(hash)
      __set(Primitive.hash_key_at(hash, at), Primitive.hash_value_at(hash, at))
    end
    table = __all
    for at in Primitive.positions(table)
      name = Primitive.hash_key_at(table, at)
      __delete(name) unless hash.key?(name)
    end
    self
  end

  def clone(freeze: nil)
    unless nil == freeze || true == freeze || false == freeze
      raise(ArgumentError, "unexpected value for freeze: #{Primitive.class_of(freeze)}")
    end
    raise(TypeError, "Cannot clone ENV, use ENV.to_h to get a copy of ENV as a hash")
  end
  def dup = raise(TypeError, "Cannot dup ENV, use ENV.to_h to get a copy of ENV as a hash")
end
