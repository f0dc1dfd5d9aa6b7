class IO
  module WaitReadable
  end

  module WaitWritable
  end

  class EAGAINWaitReadable < Errno::EAGAIN
    include WaitReadable
  end

  class EAGAINWaitWritable < Errno::EAGAIN
    include WaitWritable
  end
  EWOULDBLOCKWaitReadable = EAGAINWaitReadable
  EWOULDBLOCKWaitWritable = EAGAINWaitWritable

  class EINPROGRESSWaitReadable < Errno::EINPROGRESS
    include WaitReadable
  end

  class EINPROGRESSWaitWritable < Errno::EINPROGRESS
    include WaitWritable
  end

  include Enumerable
  include File::Constants

  class << self
    def for_fd(fd, mode = nil, **options)
      Primitive.core(self).new(fd, mode, **options)
    end

    def open(*arguments, **options)
      io = Primitive.core(self).allocate
      io.__send__(:initialize, *arguments, **options)
      return io unless block_given?
      begin
        yield io
      ensure
        __close(io)
      end
    end

    # Closes the stream that was passed to a block, unless it is already closed.
    def __close(io)
      io.close unless io.closed?
    rescue IOError => error
      raise unless error.message == "closed stream"
    end

    def pipe(external = nil, internal = nil, **options)
      pair = __pipe
      if !options.empty? && (options[:binmode] || options["binmode"])
        Primitive.core(pair[0]).binmode
        Primitive.core(pair[1]).binmode
        # With encodings it tells only that lines are not converted.
        Primitive.core(pair[1]).set_encoding(nil) unless external.nil?
      end
      if !external.nil?
        if internal.nil?
          Primitive.core(pair[0]).set_encoding(external, **options)
        else
          Primitive.core(pair[0]).set_encoding(external, internal, **options)
        end
      end
      return pair unless block_given?
      begin
        yield(pair)
      ensure
        __close(pair[0])
        __close(pair[1])
      end
    end

    def read(path, length = nil, offset = nil, mode: "r", **options)
      unless offset.nil?
        offset = Primitive.to_integer(offset)
        raise ArgumentError, "negative offset #{offset} given" if offset < 0
      end
      file = __open(path, mode, options)
      begin
        Primitive.core(file).seek(offset) if offset
        length.nil? ? Primitive.core(file).read : Primitive.core(file).read(length)
      ensure
        Primitive.core(file).close
      end
    end

    # A new File, for which no method of the program runs. A number is no path.
    def __file(path, *arguments, **options)
      path = Primitive.core(File).path(path)
      file = File.allocate
      Primitive.core(file).initialize(path, *arguments, **options)
      file
    end

    # Opens a file with the options of IO.read and similar methods; the option :open_args replaces all others.
    def __open(path, mode, options)
      return __file(path, mode, **options) unless options.key?(:open_args)
      arguments = options[:open_args].dup
      last = arguments[-1].is_a?(Hash) ? arguments.pop : {}
      __file(path, *arguments, **last)
    end

    def binread(path, length = nil, offset = nil)
      file = __file(path, "rb")
      begin
        Primitive.core(file).seek(offset) if offset
        length.nil? ? Primitive.core(file).read : Primitive.core(file).read(length)
      ensure
        Primitive.core(file).close
      end
    end

    def write(path, string, offset = nil, mode: nil, perm: 0666, **options)
      if mode.nil?
        mode = File::WRONLY | File::CREAT
        mode |= File::TRUNC if offset.nil?
      end
      file = options.key?(:open_args) ? __open(path, nil, options) : __file(path, mode, perm, **options)
      begin
        Primitive.core(file).seek(offset) if offset
        Primitive.core(file).write(string)
      ensure
        Primitive.core(file).close
      end
    end

    def binwrite(path, string, offset = nil, mode: nil, perm: 0666, **options)
      if mode.nil?
        mode = File::WRONLY | File::CREAT
        mode |= File::TRUNC if offset.nil?
      end
      file = __file(path, mode, perm, **options)
      begin
        Primitive.core(file).binmode
        Primitive.core(file).seek(offset) if offset
        Primitive.core(file).write(string)
      ensure
        Primitive.core(file).close
      end
    end

    def readlines(path, *arguments, chomp: false, mode: "r", **options)
      arguments = __line_arguments(*arguments)
      file = __open(path, mode, options)
      begin
        Primitive.core(file).readlines(*arguments, chomp: chomp)
      ensure
        Primitive.core(file).close
      end
    end

    def foreach(path, *arguments, **options, &block)
      return to_enum(:foreach, path, *arguments, **options) unless block
      arguments = __line_arguments(*arguments)
      chomp = options.delete(:chomp)
      mode = options.key?(:mode) ? options.delete(:mode) : "r"
      file = __open(path, mode, options)
      begin
        if chomp
          file.__foreach(*arguments, chomp: chomp, &block)
        else
          file.__foreach(*arguments, &block)
        end
      ensure
        Primitive.core(file).close
      end
      nil
    end

    def popen(*command, **options, &block)
      environment = nil
      environment = command.shift if command.length > 1 && command[0].is_a?(Hash)
      options = command.pop.merge(options) if command.length > 1 && command[-1].is_a?(Hash)
      given = command.length
      unless given == 1 || given == 2
        raise ArgumentError, "wrong number of arguments (given #{given}, expected 1..2)"
      end
      mode = nil
      mode = command.pop if command.length > 1
      if options.key?(:mode)
        raise ArgumentError, "mode specified twice" unless mode.nil?
        mode = options.delete(:mode)
      end
      what = command[0]
      if what.is_a?(Array)
        what = what.dup
        environment = what.shift if what[0].is_a?(Hash)
        if what[-1].is_a?(Hash)
          options = what.pop.merge(options)
        end
        what[0] = [what[0], what[0]] if what.length == 1 && !what[0].is_a?(Array)
      else
        what = [Process.__string(what)]
      end
      mode = mode.respond_to?(:to_int) ? Primitive.to_long(mode) : Process.__string(mode) unless mode.nil?
      raise ArgumentError, format("invalid access oflags 0x%x", mode) if mode.is_a?(Integer) && mode & 3 == 3
      text = mode.is_a?(Integer) ? (mode & 3 == 0 ? "r" : (mode & 3 == 1 ? "w" : "r+")) : (mode || "r")
      io_options = {}
      [:external_encoding, :internal_encoding, :encoding, :textmode, :binmode, :autoclose].each do |key|
        io_options[key] = options.delete(key) if options.key?(key)
      end
      reads = text.start_with?("r") || text.include?("+")
      writes = !text.start_with?("r") || text.include?("+")
      from_child = reads ? __pipe : [nil, nil]
      to_child = writes ? __pipe : [nil, nil]
      if what == ["-"]
        pid = Process.fork
        if pid.nil?
          Primitive.core(from_child[0]).close if reads
          Primitive.core(to_child[1]).close if writes
          Primitive.core($stdin).reopen(to_child[0]) if writes
          if reads
            Primitive.core($stdout).reopen(from_child[1])
            $stdout.sync = true
          end
          return nil unless block
          # However the block ends, the child must not continue with the parent's program.
          begin
            yield nil
          ensure
            $stdout.flush
            $stderr.flush
            exit!(0)
          end
        end
      else
        redirects = {}
        redirects[:out] = from_child[1] if reads
        redirects[:in] = to_child[0] if writes
        redirects = redirects.merge(options)
        begin
          pid = environment ? Process.__start(environment, *what, redirects) : Process.__start(*what, redirects)
        rescue SystemCallError
          Primitive.core(from_child[0]).close if reads
          Primitive.core(to_child[1]).close if writes
          raise
        ensure
          Primitive.core(from_child[1]).close if reads
          Primitive.core(to_child[0]).close if writes
        end
      end
      if pid && what == ["-"]
        Primitive.core(from_child[1]).close if reads
        Primitive.core(to_child[0]).close if writes
      end
      io = __join(from_child[0], to_child[1], pid, text, **io_options)
      return io unless block
      begin
        yield io
      ensure
        io.__forget_process
        __close(io)
      end
    end

    # Objects that are no IO and no path are read from and written to by their methods. A negative length or offset is
    # none, as in CRuby.
    def copy_stream(source, target, length = nil, offset = nil)
      unless length.nil?
        length = Primitive.to_integer(length)
        length = nil if length < 0
      end
      unless offset.nil?
        offset = Primitive.to_integer(offset)
        offset = nil if offset < 0
      end
      close_source = close_target = false
      if !source.is_a?(IO) && (source.is_a?(String) || source.respond_to?(:to_path))
        if source.respond_to?(:to_io)
          source = source.to_io
        else
          source = __file(source, "rb")
          close_source = true
        end
      end
      if !target.is_a?(IO) && (target.is_a?(String) || target.respond_to?(:to_path))
        if target.respond_to?(:to_io)
          target = target.to_io
        else
          target = __file(target, "wb")
          close_target = true
        end
      end
      from_stream = source.is_a?(IO)
      to_stream = target.is_a?(IO)
      begin
        position = nil
        if offset
          raise ArgumentError, "cannot specify src_offset for non-IO" unless from_stream
          position = Primitive.core(source).pos
          Primitive.core(source).seek(offset)
        end
        copied = from_stream && to_stream ? source.__copy_in_kernel(target, length) : 0
        while length.nil? || copied < length
          count = length.nil? ? 16384 : length - copied
          count = 16384 if count > 16384
          if from_stream || source.respond_to?(:readpartial)
            begin
              chunk = from_stream ? Primitive.core(source).readpartial(count) : source.readpartial(count, +"")
            rescue EOFError
              chunk = nil
            end
          else
            chunk = source.read(count, +"")
          end
          break if chunk.nil? || chunk.empty?
          to_stream ? Primitive.core(target).write(chunk) : target.write(chunk)
          # A reader of `target` may be waiting for this data.
          Primitive.core(target).flush if to_stream && !close_target
          copied += chunk.bytesize
        end
        Primitive.core(source).seek(position) if position
        copied
      ensure
        Primitive.core(source).close if close_source
        Primitive.core(target).close if close_target
      end
    end

  end

  def to_io
    self
  end

  def each_line(*arguments, **options, &block)
    return to_enum(:each_line, *arguments, **options) unless block
    __each_line(*arguments, **options, &block)
  end

  def each(*arguments, **options, &block)
    return to_enum(:each, *arguments, **options) unless block
    __each_line(*arguments, **options, &block)
  end

  def each_byte(&block)
    return Primitive.enumerator(self, :each_byte, nil, nil) unless block
    __each_byte(&block)
  end

  def each_char(&block)
    return Primitive.enumerator(self, :each_char, nil, nil) unless block
    __each_char(&block)
  end

  def each_codepoint
    return Primitive.enumerator(self, :each_codepoint, nil, nil) unless block_given?
    while (character = getc)
      yield character.ord
    end
    self
  end

  def read_nonblock(length, buffer = nil, exception: true)
    unless true.equal?(exception) || false.equal?(exception)
      raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
    end
    result = __read_nonblock(length, buffer)
    if result.equal?(:wait_readable)
      return result unless exception
      raise EAGAINWaitReadable, "read would block"
    elsif result.nil?
      return nil unless exception
      raise EOFError, "end of file reached"
    end
    result
  end

  def write_nonblock(object, exception: true)
    unless true.equal?(exception) || false.equal?(exception)
      raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
    end
    result = __write_nonblock(object)
    if result.equal?(:wait_writable) && exception
      raise EAGAINWaitWritable, "write would block"
    end
    result
  end

  def wait_readable(timeout = nil)
    came = __wait(READABLE, timeout, true)
    true.equal?(came) ? true : came && self
  end

  def wait_writable(timeout = nil)
    __wait(WRITABLE, timeout, true) ? self : nil
  end

  def wait_priority(timeout = nil)
    __wait(PRIORITY, timeout, true) ? self : nil
  end

  def wait(*arguments)
    if arguments.length == 2 && arguments[0].is_a?(Integer) && !arguments[1].is_a?(Symbol)
      raise ArgumentError, "Events must be positive integer!" if arguments[0] <= 0
      came = __wait(arguments[0], arguments[1])
      return true.equal?(came) ? READABLE : came
    end
    raise IOError, "closed stream" if closed?
    timed = false
    timeout = nil
    events = 0
    arguments.each do |argument|
      case argument
      when :r, :read, :readable then events |= READABLE
      when :w, :write, :writable then events |= WRITABLE
      when :rw, :read_write, :readable_writable then events |= READABLE | WRITABLE
      when Symbol then raise ArgumentError, "unsupported mode: #{argument}"
      else
        raise ArgumentError, "timeout given more than once" if timed
        timeout = argument
        timed = true
      end
    end
    events = READABLE if events == 0
    __wait_io(events, timeout)
  end

  private def __wait_io(events, timeout)
    came = __wait(events, timeout)
    true.equal?(came) ? true : came && self
  end

  def advise(advice, offset = 0, length = 0)
    raise TypeError, "not a Symbol" unless advice.is_a?(Symbol)
    unless [:normal, :sequential, :random, :willneed, :dontneed, :noreuse].include?(advice)
      raise NotImplementedError, "Unsupported advice: #{advice.inspect}"
    end
    Primitive.to_long(offset)
    Primitive.to_long(length)
    fileno
    nil
  end

  def stat
    File::Stat.__of_descriptor(fileno)
  end

end

module Kernel
  def open(path, *arguments, **options, &block)
    if path.respond_to?(:to_open)
      io = path.to_open(*arguments, **options)
      return block ? block.call(io) : io
    end
    # File.new would take it for a descriptor.
    Primitive.raise(TypeError, "no implicit conversion of Integer into String") if Primitive.is_integer(path)
    # This call must not reach a File.open redefined by the program.
    io = File.allocate
    io.__send__(:initialize, path, *arguments, **options)
    return io unless block
    begin
      yield io
    ensure
      IO.__close(io)
    end
  end

  def gets(*arguments, **options)
    argf = ARGF
    argf.gets(*arguments, **options)
  end

  def readline(*arguments, **options)
    argf = ARGF
    argf.readline(*arguments, **options)
  end

  def readlines(*arguments, **options)
    argf = ARGF
    argf.readlines(*arguments, **options)
  end

  def select(*arguments)
    IO.select(*arguments)
  end

  # The library's own method of that name replaces this one.
  def pp(*objects)
    require "pp"
    pp(*objects)
  end
  private :open, :gets, :readline, :readlines, :select, :pp
  alias pp pp # so that no warning appears when the library redefines it

  class << self
    def open(path, *arguments, **options, &block)
      File.open(path, *arguments, **options, &block)
    end

    def gets(*arguments, **options)
      argf = ARGF
      argf.gets(*arguments, **options)
    end

    def readline(*arguments, **options)
      argf = ARGF
      argf.readline(*arguments, **options)
    end

    def readlines(*arguments, **options)
      argf = ARGF
      argf.readlines(*arguments, **options)
    end

    def select(*arguments)
      IO.select(*arguments)
    end

    def pp(*objects)
      require "pp"
      pp(*objects)
    end
  end
end
