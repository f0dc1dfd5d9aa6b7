# The module that direct subclasses of Set include: its methods call other methods (`add`, `include?`, `each`, `size`,
# …), which a subclass may have redefined. Subclasses of Set::CoreSet have the methods of Set itself.
class Set
  module SubclassCompatible
    module ClassMethods
      def [](*values) = new(values)
    end

    def initialize(source = nil, &block)
      if source.nil?
        nil
      elsif block
        do_with_enum(source) { |x| add(block[x]) }
      else
        merge(source)
      end
    end

    def replace(source)
      return super if source.instance_of?(self.class)
      # Raises for a source that cannot be enumerated, before the set is changed.
      do_with_enum(source)
      clear
      merge(source)
    end

    def to_set(&block)
      block || !instance_of?(Set) ? Set.new(self, &block) : self
    end

    def flatten = self.class.new.flatten_merge(self)

    def flatten! = any?(Set) ? replace(flatten) : nil

    def superset?(other)
      return super if other.instance_of?(self.class)
      raise ArgumentError, "value must be a set" unless other.is_a?(Set)
      size >= other.size && other.all?(self)
    end
    alias_method :>=, :superset?

    def proper_superset?(other)
      return super if other.instance_of?(self.class)
      raise ArgumentError, "value must be a set" unless other.is_a?(Set)
      size > other.size && other.all?(self)
    end
    alias_method :>, :proper_superset?

    def subset?(other)
      return super if other.instance_of?(self.class)
      raise ArgumentError, "value must be a set" unless other.is_a?(Set)
      size <= other.size && all?(other)
    end
    alias_method :<=, :subset?

    def proper_subset?(other)
      return super if other.instance_of?(self.class)
      raise ArgumentError, "value must be a set" unless other.is_a?(Set)
      size < other.size && all?(other)
    end
    alias_method :<, :proper_subset?

    def <=>(other)
      return unless other.is_a?(Set)
      case size <=> other.size
      when -1 then proper_subset?(other) ? -1 : nil
      when 1 then proper_superset?(other) ? 1 : nil
      else self == other ? 0 : nil
      end
    end

    def intersect?(other)
      case other
      when Set then size < other.size ? any?(other) : other.any?(self)
      when Enumerable then other.any?(self)
      else raise ArgumentError, "value must be enumerable"
      end
    end

    def disjoint?(other) = !intersect?(other)

    def add?(value) = include?(value) ? nil : add(value)

    def delete?(value) = include?(value) ? delete(value) : nil

    def delete_if(&block)
      return enum_for(:delete_if) { size } unless block
      select(&block).each { |x| delete(x) }
      self
    end

    def keep_if(&block)
      return enum_for(:keep_if) { size } unless block
      reject(&block).each { |x| delete(x) }
      self
    end

    def collect!
      return enum_for(__callee__) { size } unless block_given?
      made = self.class.new
      each { |x| made << yield(x) }
      replace(made)
    end
    alias_method :map!, :collect!

    def reject!(&block)
      return enum_for(:reject!) { size } unless block
      before = size
      delete_if(&block)
      size == before ? nil : self
    end

    def select!(&block)
      return enum_for(__callee__) { size } unless block
      before = size
      keep_if(&block)
      size == before ? nil : self
    end
    alias_method :filter!, :select!

    def merge(*sources, **nil)
      sources.each do |source|
        source.instance_of?(self.class) ? super(source) : do_with_enum(source) { |x| add(x) }
      end
      self
    end

    def subtract(source)
      do_with_enum(source) { |x| delete(x) }
      self
    end

    def |(source) = dup.merge(source)
    alias_method :+, :|
    alias_method :union, :|

    def -(source) = dup.subtract(source)
    alias_method :difference, :-

    def &(source)
      made = self.class.new
      if source.is_a?(Set) && source.size > size
        each { |x| made.add(x) if source.include?(x) }
      else
        do_with_enum(source) { |x| made.add(x) if include?(x) }
      end
      made
    end
    alias_method :intersection, :&

    def ^(source)
      made = self.class.new(source)
      each { |x| made.delete?(x) || made.add(x) }
      made
    end

    def ==(other)
      return true if equal?(other)
      return super if other.instance_of?(self.class)
      other.is_a?(Set) && size == other.size && other.all? { |x| include?(x) }
    end

    def eql?(other) = other.is_a?(Set) && super

    def classify
      return enum_for(:classify) { size } unless block_given?
      classes = {}
      each { |x| (classes[yield(x)] ||= self.class.new).add(x) }
      classes
    end

    def join(separator = nil) = to_a.join(separator)

    def inspect
      open = (Thread.current[InspectKey] ||= [])
      return "#<#{self.class.name}: {...}>" if open.include?(object_id)
      open << object_id
      begin
        "#<#{self.class}: {#{to_a.inspect[1..-2]}}>"
      ensure
        open.pop
      end
    end
    alias_method :to_s, :inspect

    def pretty_print(q)
      q.group(1, "#<#{self.class.name}:", ">") do
        q.breakable
        q.group(1, "{", "}") { q.seplist(self) { |x| q.pp x } }
      end
    end

    def pretty_print_cycle(q) = q.text("#<#{self.class.name}: {#{"..." unless empty?}}>")

    # The key of the thread's list of sets that are being shown.
    InspectKey = :__inspect_key__

    protected def flatten_merge(set, seen = {})
      set.each do |x|
        unless x.is_a?(Set)
          add(x)
          next
        end
        state = seen[x.object_id]
        raise ArgumentError, "tried to flatten recursive Set" if state
        next if state == false
        seen[x.object_id] = true
        flatten_merge(x, seen)
        seen[x.object_id] = false
      end
      self
    end

    private def do_with_enum(source, &block)
      if source.respond_to?(:each_entry)
        source.each_entry(&block) if block
      elsif source.respond_to?(:each)
        source.each(&block) if block
      else
        raise ArgumentError, "value must be enumerable"
      end
    end
  end
  private_constant :SubclassCompatible
end
