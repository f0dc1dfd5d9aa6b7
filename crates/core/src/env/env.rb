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
  def empty? = to_hash.empty?

  def fetch(name, *default)
    raise ArgumentError, "wrong number of arguments (given #{default.length + 1}, expected 1..2)" if default.length > 1
    warn("block supersedes default value argument", uplevel: 0) if block_given? && !default.empty?
    value = self[name]
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
    (value = self[name]) ? [name, value] : nil
  end

  # The argument as a String; TypeError unless it is one or has `to_str`.
  def __string(value)
    String.try_convert(value) ||
      raise(TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String")
  end
  private :__string

  def rassoc(value) = value.respond_to?(:to_str) ? to_hash.rassoc(value.to_str) : nil
  def values_at(*names) = names.map { |name| self[name] }

  def slice(*names)
    names.each_with_object({}) do |name, hash|
      value = self[name]
      hash[name] = value unless value.nil?
    end
  end

  def except(*names) = to_hash.except(*names)
  def invert = to_hash.invert

  def each
    return Primitive.enumerator(self, :each, nil, :size) unless block_given?
    to_hash.each { |pair| yield pair }
    self
  end

  def each_pair
    return Primitive.enumerator(self, :each_pair, nil, :size) unless block_given?
    to_hash.each { |name, value| yield [name, value] }
    self
  end

  def each_key
    return Primitive.enumerator(self, :each_key, nil, :size) unless block_given?
    keys.each { |name| yield name }
    self
  end

  def each_value
    return Primitive.enumerator(self, :each_value, nil, :size) unless block_given?
    values.each { |value| yield value }
    self
  end

  def select(&block) = block ? to_hash.select(&block) : to_enum(:select) { size }
  def filter(&block) = block ? to_hash.select(&block) : to_enum(:filter) { size }
  def reject(&block) = block ? to_hash.reject(&block) : to_enum(:reject) { size }

  def delete_if(&block)
    return Primitive.enumerator(self, :delete_if, nil, :size) unless block
    reject!(&block)
    self
  end

  def keep_if(&block)
    return Primitive.enumerator(self, :keep_if, nil, :size) unless block
    select!(&block)
    self
  end

  def reject!
    return Primitive.enumerator(self, :reject!, nil, :size) unless block_given?
    changed = nil
    to_hash.each { |name, value| (delete(name); changed = self) if yield(name, value) }
    changed
  end

  def select!
    return Primitive.enumerator(self, :select!, nil, :size) unless block_given?
    changed = nil
    to_hash.each { |name, value| (delete(name); changed = self) unless yield(name, value) }
    changed
  end

  def filter!(&block) = block ? select!(&block) : to_enum(:filter!) { size }

  def clear
    keys.each { |name| delete(name) }
    self
  end

  def shift
    name = keys.first
    name && [name, delete(name)]
  end

  def update(*hashes)
    hashes.each do |hash|
      hash.to_hash.each do |name, value|
        value = yield(name, self[name], value) if block_given? && key?(name)
        self[name] = value
      end
    end
    self
  end
  alias merge! update

  def replace(hash)
    hash = Primitive.to_hash(hash)
    hash.each { |name, value| self[name] = value }
    (keys - hash.keys).each { |name| delete(name) }
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
