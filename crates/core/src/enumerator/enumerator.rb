module Kernel
  def to_enum(method = :each, *args, **options, &size)
    method = Primitive.to_symbol(method)
    Primitive.new_object(Enumerator).__calling(self, method, args, options.empty? ? nil : options, size)
  end
  alias enum_for to_enum
end

class Enumerator
  def initialize(size = nil, &block)
    Primitive.raise(ArgumentError, "no block given") unless block
    Primitive.check_frozen(self)
    unless size.nil? || Primitive.is_proc(size) || (Primitive.is_float(size) && size.infinite?)
      size = Primitive.responds(size, :call, true) ? size : Primitive.to_integer(size)
    end
    @__receiver = Generator.new(&block)
    @__method = :each
    @__args = []
    @__options = nil
    @__size = size
    self
  end

  def initialize_copy(other)
    return self if Primitive.is_same(self, other)
    Primitive.check_frozen(self)
    if Primitive.hidden_get(other, :__fiber)
      Primitive.raise(TypeError, "can't copy execution context")
    end
    Primitive.raise(ArgumentError, "uninitialized enumerator") unless Primitive.hidden_get(other, :__method)
    @__receiver = Primitive.hidden_get(other, :__receiver)
    @__method = Primitive.hidden_get(other, :__method)
    @__args = Primitive.hidden_get(other, :__args)
    @__options = Primitive.hidden_get(other, :__options)
    @__size = Primitive.hidden_get(other, :__size)
    @__fiber = nil
    @__ahead = nil
    @__stop = nil
    self
  end

  def each(*args, **options)
    Primitive.raise(ArgumentError, "uninitialized enumerator") unless @__method
    unless args.empty? && options.empty?
      e = dup
      Primitive.hidden_set(e, :__args, @__args + args)
      Primitive.hidden_set(e, :__options, @__options ? @__options.merge(options) : options) unless options.empty?
      Primitive.hidden_set(e, :__size, nil)
      return e unless defined?(yield)
      return e.each(&Primitive.own_block)
    end
    return self unless defined?(yield)
    if @__options
      @__receiver.__send__(@__method, *@__args, **@__options, &Primitive.own_block)
    elsif @__args.empty?
      @__receiver.__send__(@__method, &Primitive.own_block)
    else
      @__receiver.__send__(@__method, *@__args, &Primitive.own_block)
    end
  end

  # What the methods here iterate by: a subclass may have another `each`.
  alias __iterate each

  def size
    s = @__size
    if Primitive.is_symbol(s)
      # Methods whose size depends on their arguments name a helper that takes these.
      if s == :__enum_size then Primitive.enum_size(@__receiver)
      elsif s == :__size || s == :size then @__receiver.__send__(s)
      else @__receiver.__send__(s, *@__args)
      end
    elsif Primitive.is_proc(s)
      return @__options ? s.call(*@__args, **@__options) : s.call(*@__args) if @__options || !@__args.empty?
      s.call
    elsif !s.nil? && !Primitive.is_integer(s) && !Primitive.is_float(s) && Primitive.responds(s, :call, true)
      s.call
    else
      s
    end
  end

  def with_index(offset = Primitive.undef)
    unless defined?(yield)
      return Primitive.enumerator(self, :with_index, Primitive.is_undef(offset) ? nil : [offset], :size)
    end
    offset = Primitive.is_undef(offset) || offset.nil? ? 0 : Primitive.to_integer(offset)
    i = offset - 1
    __iterate { |*x; packed| yield x, i += 1 }
  end

  def each_with_index
    return Primitive.enumerator(self, :each_with_index, nil, :size) unless defined?(yield)
    i = -1
    __iterate { |*x; packed| yield x, i += 1 }
  end

  def each_with_object(memo)
    return Primitive.enumerator(self, Primitive.callee, [memo], :size) unless defined?(yield)
    __iterate { |*x; packed| yield x, memo }
    memo
  end
  alias with_object each_with_object

  def peek_values = __values_ahead.dup

  # What the Fiber of `next` runs. It is no block of a helper, so that backtraces show the `each` that it calls.
  ITERATION = proc do |e|
    result = e.each do |*x; packed|
      # An Array of the values; of a single one only if it is an Array itself.
      values = packed ? x || [] : x
      values = [x] if !packed && Primitive.is_array(x)
      Fiber.yield(values)
      fed = Primitive.hidden_get(e, :__feed)
      if fed
        Primitive.hidden_set(e, :__feed, nil)
        fed[0]
      end
    end
    stop = StopIteration.new("iteration reached an end")
    Primitive.hidden_set(stop, :__result, result)
    Primitive.hidden_set(e, :__stop, stop)
    nil
  end
  private_constant :ITERATION

  # An Array of the values that the next `next` returns; raises StopIteration at the end. A Fiber runs the iteration.
  def __values_ahead
    unless @__ahead
      values = __resumed
      @__ahead = Primitive.is_array(values) ? values : [values]
    end
    @__ahead
  end

  # The end was met before: another exception, with the place of this call.
  def __stop_again
    stop = StopIteration.new("iteration reached an end")
    Primitive.hidden_set(stop, :__result, @__stop.result)
    raise stop, cause: @__stop
  end

  # The values of the next step of the iteration: an Array, or a single value that is none; raises StopIteration at the
  # end. What is iterated may itself call `Fiber.yield`, with any value.
  def __resumed
    fiber = @__fiber
    unless fiber
      __stop_again if @__stop
      fiber = @__fiber = Fiber.new(&ITERATION)
    end
    begin
      values = fiber.resume(self)
    rescue Exception
      @__fiber = nil
      raise
    end
    return values unless @__stop
    @__fiber = nil
    raise @__stop
  end

  def next_values
    values = __values_ahead
    @__ahead = nil
    values
  end

  def next
    values = @__ahead
    if values
      @__ahead = nil
    else
      values = __resumed
    end
    Primitive.is_array(values) ? Primitive.pack_values(values) : values
  end

  def peek
    Primitive.pack_values(__values_ahead.dup)
  end

  # Sets the state of a new Enumerator.
  def __calling(receiver, method, args, options, size)
    @__receiver = receiver
    @__method = method
    @__args = args
    @__options = options
    @__size = size
    self
  end

  def feed(value)
    Primitive.raise(TypeError, "feed value already set") if @__feed
    @__feed = [value]
    nil
  end

  def rewind
    Primitive.check_frozen(self)
    @__receiver.rewind if Primitive.responds(@__receiver, :rewind, true)
    @__fiber = nil
    @__ahead = nil
    @__stop = nil
    @__feed = nil
    self
  end

  def inspect
    label = Primitive.class_of(self).to_s
    return "#<#{label}: uninitialized>" unless @__method
    guard = Primitive.guard_enter(self, :inspect)
    return "#<#{label}: ...>" unless guard
    begin
      text = "#<#{label}: #{@__receiver.inspect}:#{@__method}"
      unless @__args.empty? && !@__options
        positional, options = @__args, @__options
        if !options && Hash === (last = positional[-1]) && !last.empty? && last.each_key.all?(Symbol)
          positional, options = positional[0...-1], last
        end
        parts = positional.map { |x| x.inspect }
        parts += options.map { |k, v| "#{k}: #{v}" } if options
        text << "(" << parts.join(", ") << ")"
      end
      text << ">"
    ensure
      Primitive.guard_leave(guard)
    end
  end

  def +(other)
    Chain.new(self, other)
  end

  def self.produce(initial = Primitive.undef, size: Float::INFINITY, &block)
    Primitive.raise(ArgumentError, "no block given") unless block
    unless size.nil? || Primitive.is_proc(size) || (Primitive.is_float(size) && size.infinite?)
      size = Primitive.responds(size, :call, true) ? size : Primitive.to_integer(size)
    end
    producer = Primitive.is_undef(initial) ? Producer.new(block) : Producer.new(block, initial)
    Primitive.new_object(Enumerator).__calling(producer, :each, [], nil, size)
  end

  def self.product(*sources, **options, &block)
    unless options.empty?
      Primitive.raise(ArgumentError,
        "unknown keyword#{options.size == 1 ? "" : "s"}: #{options.keys.map { |k| k.inspect }.join(", ")}")
    end
    e = Product.new(*sources)
    return e unless block
    e.each(&block)
    nil
  end

  class Generator
    def initialize(block = nil, &given)
      block = given if given
      Primitive.raise(LocalJumpError, "no block given") unless block
      unless Proc === block
        Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(block)} (expected Proc)")
      end
      @__block = block
      self
    end

    def each(*args, **options, &block)
      y = Primitive.new_object(Yielder)
      Primitive.hidden_set(y, :__block, block)
      @__block.call(y, *args, **options)
    end
  end

  # What `Enumerator.produce` iterates.
  class Producer
    include Enumerable

    def initialize(block, initial = Primitive.undef)
      @__block = block
      @__begins = !Primitive.is_undef(initial)
      @__initial = initial if @__begins
    end

    def each
      return self unless defined?(yield)
      block = @__block
      begin
        value = @__begins ? @__initial : block.call
        while true
          yield value
          value = block.call(value)
        end
      rescue StopIteration
        nil
      end
    end
  end

  class Yielder
    def initialize(&block)
      Primitive.raise(LocalJumpError, "no block given") unless block
      @__block = block
      self
    end

    def yield(*args, **options)
      Primitive.raise(LocalJumpError, "no block given") unless @__block
      options.empty? ? @__block.call(*args) : @__block.call(*args, **options)
    end

    def <<(value)
      Primitive.raise(LocalJumpError, "no block given") unless @__block
      @__block.call(value)
      self
    end

    def to_proc
      y = self
      ->(*args, **options) { y.yield(*args, **options) }
    end
  end

  class Chain
    undef next, next_values, peek, peek_values, feed

    def initialize(*sources)
      Primitive.check_frozen(self)
      @__sources = sources
      @__method = :each
      @__receiver = self
      @__args = []
      @__at = -1
      self
    end

    def initialize_copy(other)
      @__sources = Primitive.hidden_get(other, :__sources)
      @__method = :each
      @__receiver = self
      @__args = []
      self
    end

    def each(*args, &block)
      unless block
        sources = @__sources
        return Primitive.enumerator(self, :each, args, :size)
      end
      i = 0
      while i < @__sources.size
        @__at = i
        @__sources[i].each(*args, &block)
        i += 1
      end
      self
    end
    alias __iterate each

    def size
      total = 0
      @__sources.each do |source|
        n = Primitive.enum_size(source)
        return n if n.nil? || (Primitive.is_float(n) && n.infinite?)
        return nil unless Primitive.is_integer(n)
        total += n
      end
      total
    end

    def rewind
      @__fiber = nil
      @__ahead = nil
      @__stop = nil
      while @__at >= 0
        source = @__sources[@__at]
        source.rewind if Primitive.responds(source, :rewind, true)
        @__at -= 1
      end
      self
    end

    def inspect
      return "#<Enumerator::Chain: uninitialized>" unless @__sources
      guard = Primitive.guard_enter(self, :inspect)
      return "#<Enumerator::Chain: ...>" unless guard
      begin
        "#<Enumerator::Chain: #{@__sources.inspect}>"
      ensure
        Primitive.guard_leave(guard)
      end
    end

    def +(other)
      Chain.new(self, other)
    end
  end

  class Product
    def initialize(*sources, **options)
      unless options.empty?
        Primitive.raise(ArgumentError,
          "unknown keyword#{options.size == 1 ? "" : "s"}: #{options.keys.map { |k| k.inspect }.join(", ")}")
      end
      @__sources = sources
      @__method = :each
      @__receiver = self
      @__args = []
      self
    end

    def initialize_copy(other)
      return self if Primitive.is_same(self, other)
      Primitive.check_frozen(self)
      unless Primitive.is_same(Primitive.class_of(self), Primitive.class_of(other))
        Primitive.raise(TypeError, "initialize_copy should take same class object")
      end
      Primitive.raise(ArgumentError, "uninitialized product") unless Primitive.hidden_get(other, :__sources)
      @__sources = Primitive.hidden_get(other, :__sources)
      @__method = :each
      @__receiver = self
      @__args = []
      self
    end

    def each(&block)
      return self unless block
      sources = @__sources
      go = nil
      go = lambda do |i, row|
        if i == sources.size
          block.call([*row])
        else
          sources[i].each_entry do |x|
            row[i] = x
            go.call(i + 1, row)
          end
        end
      end
      go.call(0, [])
      self
    end
    alias __iterate each

    def size
      sizes = @__sources.map { |source| Primitive.responds(source, :size, true) ? source.size : nil }
      return 0 if sizes.any? { |n| n == 0 }
      total = 1
      sizes.each do |n|
        return n if n.nil? || (Primitive.is_float(n) && n.infinite?)
        return nil unless Primitive.is_integer(n)
        total *= n
      end
      total
    end

    def rewind
      @__fiber = nil
      @__ahead = nil
      @__stop = nil
      @__sources.each { |source| source.rewind if Primitive.responds(source, :rewind, true) }
      self
    end

    def inspect
      return "#<Enumerator::Product: uninitialized>" unless @__sources
      guard = Primitive.guard_enter(self, :inspect)
      return "#<Enumerator::Product: ...>" unless guard
      begin
        "#<Enumerator::Product: #{@__sources.inspect}>"
      ensure
        Primitive.guard_leave(guard)
      end
    end
  end
end
