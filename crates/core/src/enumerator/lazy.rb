class Enumerator::Lazy
  # A lazy enumerator has a source, the call of the source, and a factory. The factory receives the consumer, a proc for
  # ending early and whether the consumer belongs to a further step, and returns the block for the source. It owns all
  # state of an iteration. Several values that were yielded at once stay apart for all steps that pass their elements
  # on, but reach the block of `each` as an Array.
  def initialize(source, size = nil, &block)
    Primitive.raise(ArgumentError, "tried to call lazy new without a block") unless block
    Primitive.check_frozen(self)
    factory = lambda do |consumer, _, _|
      y = Primitive.new_object(Enumerator::Yielder)
      Primitive.hidden_set(y, :__block, consumer)
      proc { |*x| block.call(y, *x) }
    end
    __following(source, size, nil, factory)
  end

  def initialize_copy(other)
    super
    @__source = Primitive.hidden_get(other, :__source)
    @__factory = Primitive.hidden_get(other, :__factory)
    @__label = Primitive.hidden_get(other, :__label)
    self
  end

  def each(*args, &block)
    unless block
      return self if args.empty?
      lazy = dup
      Primitive.hidden_set(lazy, :__args, @__args + args)
      return lazy
    end
    __pass(args, block, false)
  end
  alias __iterate each

  # Passes all elements to `consumer`.
  def __pass(args, consumer, packs)
    factory = @__factory
    unless factory
      # A Lazy made by `to_enum` iterates with Enumerator's method of that name, not with the lazy one.
      return @__source.__send__(@__method, *@__args, *args, &consumer) unless @__eager
      return Enumerator.instance_method(@__method).bind_call(@__source, *@__args, *args, &consumer)
    end
    # Ends the iteration early.
    stop = proc { return }
    step = factory.call(consumer, stop, packs)
    # Arguments reach the source given to `new`, but not that of a step.
    @__label ? @__source.__pass([], step, true) : @__source.__send__(@__method, *@__args, *args, &step)
    nil
  end

  def size
    s = @__size
    return super if Primitive.is_symbol(s)
    Primitive.is_proc(s) ? s.call : s
  end

  def inspect
    name = Primitive.class_of(self).to_s
    return "#<#{name}: uninitialized>" unless @__method
    guard = Primitive.guard_enter(self, :inspect)
    return "#<#{name}: ...>" unless guard
    begin
      text = "#<#{name}: #{@__source.inspect}"
      if @__label
        text << ":" << @__label[0].to_s
        text << "(" << @__label[1].map { |x| x.inspect }.join(", ") << ")" unless @__label[1].empty?
      elsif @__method != :each || !@__args.empty?
        text << ":" << @__method.to_s
        text << "(" << @__args.map { |x| x.inspect }.join(", ") << ")" unless @__args.empty?
      end
      text << ">"
    ensure
      Primitive.guard_leave(guard)
    end
  end

  def lazy = self

  def force(*args) = to_a(*args)

  def first(count = Primitive.undef)
    if Primitive.is_undef(count)
      each { |*x| return Primitive.pack_values(x) }
      return nil
    end
    __take(count)
  end

  def eager
    lazy = self
    Primitive.new_object(Enumerator).__calling(lazy, :each, [], nil, -> { lazy.size })
  end

  def to_enum(method = :each, *args, **options, &size)
    lazy = Primitive.new_object(Enumerator::Lazy)
    Primitive.hidden_set(lazy, :__source, self)
    Primitive.hidden_set(lazy, :__receiver, self)
    Primitive.hidden_set(lazy, :__method, method)
    Primitive.hidden_set(lazy, :__eager, EAGER_TWINS.include?(method))
    Primitive.hidden_set(lazy, :__args, args)
    Primitive.hidden_set(lazy, :__size, size)
    lazy
  end
  alias enum_for to_enum

  # Methods that are lazy here and eager in Enumerator.
  EAGER_TWINS = %i[
    map collect flat_map collect_concat select find_all filter filter_map reject grep grep_v zip take take_while drop
    drop_while uniq with_index
  ].freeze
  private_constant :EAGER_TWINS

  # A Lazy with one more step; `factory` creates the block that passes elements to the next step.
  def __step(label, args, size, factory)
    Primitive.new_object(Primitive.class_of(self)).__following(self, size, [label, args], factory)
  end

  # Sets the state of a new Lazy that takes its elements from `source`.
  def __following(source, size, label = nil, factory = nil)
    @__source = source
    @__receiver = source
    @__method = :each
    @__args = []
    @__size = size
    @__label = label
    @__factory = factory
    self
  end

  def map(&block)
    Primitive.raise(ArgumentError, "tried to call lazy map without a block") unless block
    s = self
    __step(Primitive.callee, [], -> { s.size }, ->(consumer, _, _) do
      proc { |*x; packed| consumer.call(packed && x ? block.call(*x) : block.call(x)) }
    end)
  end

  alias collect map

  def flat_map(&block)
    Primitive.raise(ArgumentError, "tried to call lazy flat_map without a block") unless block
    factory = lambda do |consumer, _, _|
      proc do |*x; packed|
        result = packed && x ? block.call(*x) : block.call(x)
        if Primitive.is_array(result)
          result.each { |v| consumer.call(v) }
        elsif Primitive.responds(result, :force, false) && Primitive.responds(result, :each, false)
          result.each { |v| consumer.call(v) }
        else
          list = Primitive.try_array(result)
          list ? list.each { |v| consumer.call(v) } : consumer.call(result)
        end
      end
    end
    __step(Primitive.callee, [], nil, factory)
  end
  alias collect_concat flat_map

  def select(&block)
    Primitive.raise(ArgumentError, "tried to call lazy select without a block") unless block
    factory = lambda do |consumer, _, packs|
      proc do |*x; packed|
        next unless block.call(x)
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(Primitive.callee, [], nil, factory)
  end

  alias find_all select
  alias filter select

  def reject(&block)
    Primitive.raise(ArgumentError, "tried to call lazy reject without a block") unless block
    factory = lambda do |consumer, _, packs|
      proc do |*x; packed|
        next if block.call(x)
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:reject, [], nil, factory)
  end

  def filter_map(&block)
    Primitive.raise(ArgumentError, "tried to call lazy filter_map without a block") unless block
    factory = lambda do |consumer, _, _|
      proc do |*x; packed|
        result = packed && x ? block.call(*x) : block.call(x)
        consumer.call(result) if result
      end
    end
    __step(:filter_map, [], nil, factory)
  end

  def grep(pattern, &block)
    factory = lambda do |consumer, _, packs|
      proc do |*x; packed|
        next unless pattern === x
        next consumer.call(block.call(x)) if block
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:grep, [pattern], nil, factory)
  end

  def grep_v(pattern, &block)
    factory = lambda do |consumer, _, packs|
      proc do |*x; packed|
        next if pattern === x
        next consumer.call(block.call(x)) if block
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:grep_v, [pattern], nil, factory)
  end

  def compact
    factory = lambda do |consumer, _, packs|
      proc do |*x; packed|
        next if Primitive.is_same(x, nil)
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:compact, [], nil, factory)
  end

  def uniq(&block)
    factory = lambda do |consumer, _, packs|
      seen = Primitive.hash_new
      proc do |*x; packed|
        key = block ? block.call(x) : x
        if Primitive.is_undef(Primitive.hash_fetch_or_undef(seen, key))
          Primitive.hash_put(seen, key, true)
          packed && packs && x ? consumer.call(*x) : consumer.call(x)
        end
      end
    end
    __step(:uniq, [], nil, factory)
  end

  def take(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to take negative size") if count < 0
    s = self
    size = lambda do
      n = s.size
      n.nil? ? nil : n < count ? n : count
    end
    if count == 0
      lazy = __step(:take, [0], 0, ->(_, stop, _) { stop.call })
      return lazy
    end
    factory = lambda do |consumer, stop, packs|
      left = count
      proc do |*x; packed|
        left -= 1
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
        stop.call if left <= 0
      end
    end
    __step(:take, [count], size, factory)
  end

  def take_while(&block)
    Primitive.raise(ArgumentError, "tried to call lazy take_while without a block") unless block
    factory = lambda do |consumer, stop, packs|
      proc do |*x; packed|
        stop.call unless packed && x ? block.call(*x) : block.call(x)
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:take_while, [], nil, factory)
  end

  def drop(count)
    count = Primitive.to_long(count)
    Primitive.raise(ArgumentError, "attempt to drop negative size") if count < 0
    s = self
    size = lambda do
      n = s.size
      n.nil? ? nil : n > count ? n - count : 0
    end
    factory = lambda do |consumer, _, packs|
      left = count
      proc do |*x; packed|
        next left -= 1 if left > 0
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:drop, [count], size, factory)
  end

  def drop_while(&block)
    Primitive.raise(ArgumentError, "tried to call lazy drop_while without a block") unless block
    factory = lambda do |consumer, _, packs|
      dropping = true
      proc do |*x; packed|
        dropping = false if dropping && !(packed && x ? block.call(*x) : block.call(x))
        next if dropping
        packed && packs && x ? consumer.call(*x) : consumer.call(x)
      end
    end
    __step(:drop_while, [], nil, factory)
  end

  def with_index(offset = 0, &block)
    offset = 0 if offset.nil?
    s = self
    factory = lambda do |consumer, _, packs|
      following = offset
      proc do |*x; packed|
        i = following
        following = Primitive.to_integer(i) + 1
        if block
          block.call(x, i)
          consumer.call(x)
        else
          packs ? consumer.call(x, i) : consumer.call([x, i])
        end
      end
    end
    __step(:with_index, [offset], -> { s.size }, factory)
  end

  def zip(*others, &block)
    return super if block
    lists = others.map { |other| Array.try_convert(other) }
    arrays = lists.all?
    if arrays
      others = lists
    else
      others.drop(lists.index(&:nil?)).each do |other|
        unless Primitive.responds(other, :each, true)
          Primitive.raise(TypeError, "wrong argument type #{Primitive.class_of(other)} (must respond to :each)")
        end
      end
    end
    s = self
    factory = lambda do |consumer, _, packs|
      sources = arrays ? others : others.map { |other| other.to_enum(:each) }
      i = -1
      proc do |*x; packed|
        i += 1
        row = [x]
        sources.each do |source|
          if arrays
            Primitive.array_push(row, Primitive.array_at(source, i))
          else
            begin
              Primitive.array_push(row, source.next)
            rescue StopIteration
              Primitive.array_push(row, nil)
            end
          end
        end
        packed && packs && x ? consumer.call(*row) : consumer.call(row)
      end
    end
    __step(:zip, others, -> { s.size }, factory)
  end

  def chain(*) = super.lazy

  def chunk(*) = super.lazy

  def chunk_while(*) = super.lazy

  def slice_when(*) = super.lazy

  def slice_before(*) = super.lazy

  def slice_after(*) = super.lazy

  def +(other) = Enumerator::Chain.new(self, other).lazy
end
