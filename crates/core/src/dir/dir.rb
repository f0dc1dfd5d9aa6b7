class Dir
  include Enumerable

  class << self
    def glob(pattern, flags = 0, flags_keyword = nil, base: nil, sort: true, **options)
      flags = options.delete(:flags) if options.key?(:flags)
      raise ArgumentError, "unknown keyword: #{options.first[0].inspect}" unless options.empty?
      raise ArgumentError, "expected true or false as sort: #{sort.inspect}" unless sort == true || sort == false
      base = base.path || "/dev/fd/#{base.fileno}" if base.is_a?(Dir)
      list = Primitive.try_array(pattern)
      is_list = !list.nil?
      patterns = list || [pattern]
      found = []
      patterns.each do |one|
        if one.is_a?(String) && one.include?("\0")
          raise ArgumentError, is_list ? "path name contains null byte" : "nul-separated glob pattern is deprecated"
        end
        found.concat(__glob(one, flags, base, sort))
      end
      return found unless block_given?
      for i in Primitive.indexes(found)
        yield found[i]
      end
      nil
    end

    def [](*patterns, base: nil, sort: true)
      # An Array among several patterns is a TypeError, also if it is the only one.
      pattern = patterns.size == 1 && !patterns[0].is_a?(Array) ? patterns[0] : patterns
      Primitive.core(self).glob(pattern, 0, base: base, sort: sort)
    end

    def entries(path, encoding: nil)
      __names(Dir.open(path, encoding: encoding))
    end

    def children(path, encoding: nil)
      __names(Dir.open(path, encoding: encoding)).reject { |name| name == "." || name == ".." }
    end

    def foreach(path, encoding: nil)
      unless block_given?
        return encoding ? to_enum(:foreach, path, encoding: encoding) : to_enum(:foreach, path)
      end
      names = __names(Dir.open(path, encoding: encoding))
      for i in Primitive.indexes(names)
        yield names[i]
      end
      nil
    end

    def each_child(path, encoding: nil)
      unless block_given?
        return encoding ? to_enum(:each_child, path, encoding: encoding) : to_enum(:each_child, path)
      end
      names = __names(Dir.open(path, encoding: encoding))
      for i in Primitive.indexes(names)
        name = names[i]
        yield name unless name == "." || name == ".."
      end
      nil
    end

    def empty?(path) = __empty?(path)

    def __empty?(path)
      return false unless File.stat(path).directory?
      dir = Dir.open(path)
      begin
        while (name = dir.read)
          return false unless name == "." || name == ".."
        end
        true
      ensure
        dir.close
      end
    end

    def home(user = nil)
      __home(user)
    end

    def chdir(path = (ENV["HOME"] || ENV["LOGDIR"] || raise(ArgumentError, "HOME/LOGDIR not set")))
      return __alone(false) { __chdir(path) } unless block_given?
      __alone(true) do
        before = Primitive.core(self).pwd
        __chdir(path)
        begin
          yield(path.respond_to?(:to_path) ? path.to_path : path)
        ensure
          __chdir(before)
        end
      end
    end

    # Calls the block, which changes the working directory. The process has only one: while a block of chdir runs, a
    # chdir of another thread raises RuntimeError, and a chdir without a block of the same thread gives a warning.
    def __alone(with_block)
      inside = @__chdir_thread
      if inside
        unless Thread.current.equal?(inside)
          Primitive.raise(RuntimeError, "conflicting chdir during another chdir block")
        end
        unless with_block
          Kernel.warn("conflicting chdir during another chdir block\n#{@__chdir_place}: note: previous chdir was here",
            uplevel: 0)
        end
      end
      return yield unless with_block
      outer = @__chdir_place
      place = caller_locations(0, 1)&.first
      @__chdir_thread = Thread.current
      @__chdir_place = place && "#{place.path}:#{place.lineno}"
      begin
        yield
      ensure
        @__chdir_thread = inside
        @__chdir_place = outer
      end
    end

    def fchdir(descriptor)
      return __fchdir(descriptor) unless block_given?
      before = Dir.new(".")
      begin
        __fchdir(descriptor)
        begin
          yield
        ensure
          __fchdir(Primitive.core(before).fileno)
        end
      ensure
        Primitive.core(before).close
      end
    end

    def __opened(path, encoding)
      directory = Primitive.core(self).allocate
      Primitive.core(directory).initialize(path, encoding: encoding)
      directory
    end

    def open(path, encoding: nil)
      directory = __opened(path, encoding)
      return directory unless block_given?
      begin
        yield directory
      ensure
        Primitive.core(directory).close
      end
    end
  end

  def each
    return Primitive.enumerator(self, :each, nil, nil) unless block_given?
    rewind
    while (name = read)
      yield name
    end
    self
  end

  def each_child
    return Primitive.enumerator(self, :each_child, nil, nil) unless block_given?
    rewind
    while (name = read)
      yield name unless name == "." || name == ".."
    end
    self
  end

  def chdir(&block)
    return path ? Dir.chdir(path) : Dir.fchdir(fileno) unless block
    path ? Dir.chdir(path) { yield } : Dir.fchdir(fileno) { yield }
  end
end
