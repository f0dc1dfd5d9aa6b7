module Enumerable
  def chunk
    return Primitive.enumerator(self, :chunk, nil, :__enum_size) unless defined?(yield)
    block = ->(x) { yield(x) }
    source = self
    Enumerator.new do |y|
      key = nil
      list = nil
      source.each do |*x; packed|
        k = block.call(x)
        if k == :_alone
          y << [key, list] if list
          y << [:_alone, [x]]
          list = nil
        elsif k.nil? || k == :_separator
          y << [key, list] if list
          list = nil
        elsif Primitive.is_symbol(k) && k.start_with?("_")
          Primitive.raise(RuntimeError, "symbols beginning with an underscore are reserved")
        elsif list && key == k
          list << x
        else
          y << [key, list] if list
          key = k
          list = [x]
        end
      end
      y << [key, list] if list
      nil
    end
  end

  def chunk_while(&block)
    Primitive.raise(ArgumentError, "tried to create Proc object without a block") unless block
    Primitive.core(self).slice_when { |a, b| !block.call(a, b) }
  end

  def slice_when(&block)
    Primitive.raise(ArgumentError, "tried to create Proc object without a block") unless block
    source = self
    Enumerator.new do |y|
      list = nil
      last = nil
      source.each do |*x; packed|
        if list.nil?
          list = [x]
        elsif block.call(last, x)
          y << list
          list = [x]
        else
          list << x
        end
        last = x
      end
      y << list if list
      nil
    end
  end

  # The block, or one that tests the pattern.
  def __pattern_or_block(pattern, block)
    if block
      Primitive.raise(ArgumentError, "both pattern and block are given") unless Primitive.is_undef(pattern)
      return block
    end
    Primitive.raise(ArgumentError, "wrong number of arguments (given 0, expected 1)") if Primitive.is_undef(pattern)
    ->(x) { pattern === x }
  end
  private :__pattern_or_block

  def slice_before(pattern = Primitive.undef, &block)
    if block && !Primitive.is_undef(pattern)
      Primitive.raise(ArgumentError, "wrong number of arguments (given 1, expected 0)")
    end
    block = __pattern_or_block(pattern, block)
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x; packed|
        if list && block.call(x)
          y << list
          list = [x]
        else
          block.call(x) unless list
          (list ||= []) << x
        end
      end
      y << list if list
      nil
    end
  end

  def slice_after(pattern = Primitive.undef, &block)
    block = __pattern_or_block(pattern, block)
    source = self
    Enumerator.new do |y|
      list = nil
      source.each do |*x; packed|
        (list ||= []) << x
        if block.call(x)
          y << list
          list = nil
        end
      end
      y << list if list
      nil
    end
  end
end
