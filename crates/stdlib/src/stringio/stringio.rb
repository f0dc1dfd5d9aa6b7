# Copies of a StringIO share the Array @__p: string, byte position, line number, append?, encoding (nil: the string's),
# opened for reading?, for writing?
class StringIO
  VERSION = "3.2.0"
  MAX_LENGTH = 0x7fff_ffff_ffff_ffff

  def self.open(*arguments, **options)
    io = new(*arguments, **options)
    return io unless defined?(yield)
    begin
      yield io
    ensure
      io.__send__(:__finish)
    end
  end

  def self.new(*arguments, **options, &block)
    io = allocate
    io.__send__(:initialize, *arguments, **options)
    warn("#{self}::new() does not take block; use #{self}::open() instead", uplevel: 0) if block
    io
  end

  def initialize(string = (none = true; nil), mode = nil, **options)
    mode = options[:mode] if mode.nil? && options.key?(:mode)
    mode = __to_str(mode) unless mode.nil? || Integer === mode
    __check_options(mode, options) unless options.empty?
    __open(string, none, mode, options)
    Primitive.core(self).binmode if options[:binmode] && @__p[4].nil?
    self
  end

  def initialize_copy(other)
    unless StringIO === other
      raise TypeError, "no implicit conversion of #{__kind(other)} into StringIO" unless other.respond_to?(:to_strio)
      given = other
      other = other.to_strio
      unless StringIO === other
        raise TypeError, "can't convert #{given.class} into StringIO (#{given.class}#to_strio gives #{other.class})"
      end
    end
    @__p = other.__send__(:__shared)
    @__readable = !Primitive.core(other).closed_read?
    @__writable = !Primitive.core(other).closed_write?
    self
  end

  def reopen(string = (none = true; ""), mode = nil)
    __check_frozen
    if none
      __open(String.new(""), false, "r+")
    elsif mode.nil? && !(String === string)
      initialize_copy(string)
    else
      __open(string, false, mode)
    end
    self
  end

  def string = @__p[0]

  def string=(string)
    __check_frozen
    string = __to_str(string)
    @__readable = true
    @__writable = !string.frozen?
    p = @__p
    p[0] = string
    p[1] = 0
    p[2] = 0
    p[5] = @__readable
    p[6] = @__writable
    string
  end

  def lineno = @__p[2]

  def lineno=(number)
    @__p[2] = __to_int(number)
  end

  def pos = @__p[1]

  def pos=(position)
    __check_frozen
    position = __to_int(position)
    raise Errno::EINVAL if position < 0
    @__p[1] = position
  end

  def rewind
    __check_frozen
    p = @__p
    p[1] = 0
    p[2] = 0
    0
  end

  def seek(offset, whence = 0)
    raise IOError, "closed stream" unless @__readable || @__writable
    offset = __to_int(offset)
    case whence
    when 0, nil, :SET then base = 0
    when 1, :CUR then base = @__p[1]
    when 2, :END then base = @__p[0] ? @__p[0].bytesize : 0
    else
      __to_int(whence)
      raise Errno::EINVAL, "invalid whence"
    end
    raise Errno::EINVAL if offset + base < 0
    @__p[1] = offset + base
    0
  end

  def eof?
    raise IOError, "not opened for reading" unless @__readable
    string = @__p[0]
    string.nil? || @__p[1] >= string.bytesize
  end

  def close
    @__readable = @__writable = false
    nil
  end

  def close_read
    raise IOError, "closing non-duplex IO for reading" unless @__p[5]
    @__readable = false
    nil
  end

  def close_write
    raise IOError, "closing non-duplex IO for writing" unless @__p[6]
    @__writable = false
    nil
  end

  def closed? = !@__readable && !@__writable
  def closed_read? = !@__readable
  def closed_write? = !@__writable

  def binmode
    @__p[4] = Encoding::BINARY
    __set_string_encoding(Encoding::BINARY) if @__writable
    self
  end

  def sync = true
  def sync=(on)
    on
  end
  def flush = self
  def fsync = 0
  def isatty = false
  def pid = nil
  def fileno = nil

  def fcntl(*)
    raise NotImplementedError, "fcntl() function is unimplemented on this machine"
  end

  def size
    string = @__p[0]
    raise IOError, "not opened" if string.nil?
    string.bytesize
  end

  def external_encoding
    p = @__p
    p[4] || p[0]&.encoding
  end

  def internal_encoding = nil

  def set_encoding(encoding, internal = nil, **options)
    if encoding.nil?
      encoding = Encoding.default_external
    elsif !(Encoding === encoding)
      name = __to_str(encoding)
      encoding = Encoding.__known(name)
      unless encoding
        name = name[0, name.index(":")] if name.include?(":")
        name = name[4..] if name.include?("|") && name.downcase.start_with?("bom|")
        encoding = Encoding.find(name)
      end
    end
    @__p[4] = encoding
    __set_string_encoding(encoding) if @__writable
    self
  end

  def set_encoding_by_bom
    __check_frozen
    string = @__p[0]
    return if string.nil?
    head = string.byteslice(0, 4).b
    length, name =
      if head.start_with?("\xEF\xBB\xBF".b) then [3, "UTF-8"]
      elsif head == "\xFF\xFE\0\0".b then [4, "UTF-32LE"]
      elsif head.start_with?("\xFF\xFE".b) then [2, "UTF-16LE"]
      elsif head.start_with?("\xFE\xFF".b) then [2, "UTF-16BE"]
      elsif head == "\0\0\xFE\xFF".b then [4, "UTF-32BE"]
      end
    unless length
      @__p[1] = 0
      return
    end
    @__p[1] = length
    Primitive.core(self).set_encoding(name)
    @__p[4]
  end

  def readbyte = getbyte || raise(EOFError, "end of file reached")
  def readchar = getc || raise(EOFError, "end of file reached")

  def each_byte
    return to_enum(:each_byte) unless defined?(yield)
    raise IOError, "not opened for reading" unless @__readable
    while byte = Primitive.core(self).getbyte
      yield byte
    end
    self
  end

  def each_char
    return to_enum(:each_char) unless defined?(yield)
    raise IOError, "not opened for reading" unless @__readable
    while char = Primitive.core(self).getc
      yield char
    end
    self
  end

  def each_codepoint
    return to_enum(:each_codepoint) unless defined?(yield)
    raise IOError, "not opened for reading" unless @__readable
    while char = Primitive.core(self).getc
      yield char.ord
    end
    self
  end

  def each_line(*arguments, chomp: false)
    return to_enum(Primitive.callee, *arguments, **(chomp ? { chomp: chomp } : {})) unless defined?(yield)
    raise IOError, "not opened for reading" unless @__readable
    if arguments.empty?
      separator = $/
    else
      separator, limit = __line_arguments(arguments)
      raise ArgumentError, "invalid limit: 0 for each_line" if limit == 0
    end
    while line = __line(separator, limit, chomp)
      yield line
    end
    self
  end

  alias each each_line

  def readlines(*arguments, chomp: false)
    raise IOError, "not opened for reading" unless @__readable
    separator, limit = __line_arguments(arguments)
    raise ArgumentError, "invalid limit: 0 for readlines" if limit == 0
    __lines(separator, limit, chomp)
  end

  def read(length = nil, buffer = nil)
    __check_frozen
    raise IOError, "not opened for reading" unless @__readable
    p = @__p
    string = p[0]
    at = p[1]
    buffer = __checked_buffer(buffer, string) unless buffer.nil?
    return length.nil? || __to_int(length) > 0 ? nil : String.new("") if string.nil?
    total = string.bytesize
    if length.nil?
      encoding = Primitive.core(self).external_encoding
      return (buffer ? buffer.clear : String.new("")).force_encoding(encoding) if at >= total
      part = string.byteslice(at, total - at)
      part.force_encoding(encoding)
      p[1] = total
    else
      length = __to_int(length)
      raise ArgumentError, "negative length #{length} given" if length < 0
      if at >= total
        buffer.clear if buffer
        # Of nothing, the end has a String of its own, whatever the buffer is.
        return length > 0 ? nil : String.new("").force_encoding(Encoding::BINARY)
      end
      part = length == 0 ? String.new("") : string.byteslice(at, length)
      part.force_encoding(Encoding::BINARY)
      p[1] = at + part.bytesize
    end
    return part unless buffer
    encoding = buffer.encoding
    buffer.replace(part)
    length.nil? ? buffer : buffer.force_encoding(encoding)
  end

  def pread(length, offset, buffer = nil)
    length = __to_int(length)
    offset = __to_int(offset)
    raise ArgumentError, "negative string size (or size too big): #{length}" if length < 0
    raise Errno::EINVAL, "pread: Invalid offset argument: #{offset}" if offset < 0
    raise IOError, "not opened for reading" unless @__readable
    string = @__p[0]
    buffer = __checked_buffer(buffer, string) unless buffer.nil?
    return buffer || String.new if length == 0
    raise EOFError, "end of file reached" if string.nil? || offset >= string.bytesize
    part = string.byteslice(offset, length).force_encoding(Encoding::BINARY)
    buffer ? buffer.replace(part) : part
  end

  private def __checked_buffer(buffer, string)
    buffer = __to_str(buffer)
    if buffer.frozen?
      raise FrozenError.new("can't modify frozen #{buffer.class}: #{buffer.inspect}", receiver: buffer)
    end
    raise ArgumentError, "cannot read into the underlying string" if buffer.equal?(string)
    buffer
  end

  def sysread(length = nil, buffer = nil)
    read(length, buffer) || raise(EOFError, "end of file reached")
  end

  def readpartial(length = nil, buffer = nil)
    read(length, buffer) || raise(EOFError, "end of file reached")
  end

  def read_nonblock(length, buffer = nil, exception: true)
    result = read(length, buffer)
    raise EOFError, "end of file reached" if result.nil? && exception
    result
  end

  def ungetc(char)
    raise IOError, "not opened for reading" unless @__readable
    __check_modifiable
    return if char.nil?
    if Integer === char
      char = char.chr(Primitive.core(self).external_encoding)
    else
      char = __to_str(char)
      encoding = Primitive.core(self).external_encoding
      char = char.encode(encoding) if char.encoding != encoding && encoding != Encoding::BINARY && !char.ascii_only?
    end
    __unget(char)
  end

  def ungetbyte(byte)
    raise IOError, "not opened for reading" unless @__readable
    __check_modifiable
    return if byte.nil?
    bytes = Integer === byte ? (byte & 0xff).chr : __to_str(byte)
    __unget(bytes)
  end

  def syswrite(string) = write(string)

  def write_nonblock(string, exception: true) = write(string)

  def truncate(length)
    raise IOError, "not opened for writing" unless @__writable
    length = __to_int(length)
    raise Errno::EINVAL, "negative length" if length < 0
    string = @__p[0]
    return 0 if string.nil?
    size = string.bytesize
    if length < size
      __overwrite(string, length, size - length, "")
    else
      __overwrite(string, length, 0, "")
    end
    0
  end

  alias tell pos
  alias eof eof?
  alias length size
  alias tty? isatty

  private

  def __shared = @__p

  def __finish
    @__p[0] = nil
    @__readable = @__writable = false
  end

  def __open(string, none, mode, options = {})
    string = none ? String.new("", encoding: Encoding.default_external) : (string.nil? ? nil : __to_str(string))
    frozen = string ? string.frozen? : false
    encoding = nil
    append = truncate = false
    case mode
    when nil
      readable = true
      writable = !frozen
    when Integer
      access = mode & 3
      readable = access != 1
      writable = access != 0
      append = mode & 1024 != 0
      truncate = mode & 512 != 0
    else
      mode, name = __to_str(mode).split(":", 2)
      unless mode && mode.match?(/\A[rwa](?:b\+?|t\+?|\+[bt]?)?(?:(?<=\Aw|\Aw.|\Aw..)x)?\z/)
        raise ArgumentError, "invalid access mode #{mode}"
      end
      plus = mode.include?("+")
      readable = plus || mode.start_with?("r")
      writable = plus || !mode.start_with?("r")
      append = mode.start_with?("a")
      truncate = mode.start_with?("w")
      encoding = Encoding::BINARY if mode.include?("b")
    end
    if name || !options.empty?
      external, by_mark = __encodings(mode && name ? "#{mode}:#{name}" : mode, options.except(:mode))
      encoding = external unless external.nil? || by_mark
    end
    raise Errno::EACCES if frozen && writable
    string.clear if truncate && string
    @__readable = readable
    @__writable = writable
    @__p = [string, 0, 0, append, encoding, readable, writable]
    __set_string_encoding(encoding) if encoding && writable
    Primitive.core(self).set_encoding_by_bom if by_mark
  end

  def __check_options(mode, options)
    raise ArgumentError, "both textmode and binmode specified" if options[:binmode] && options[:textmode]
    return unless String === mode
    access, encoding = mode.split(":", 2)
    binmode, textmode = options[:binmode], options[:textmode]
    if access.include?("b")
      unless binmode.nil? && textmode.nil?
        raise ArgumentError, binmode.nil? ? "both textmode and binmode specified" : "binmode specified twice"
      end
    elsif access.include?("t")
      unless binmode.nil? && textmode.nil?
        raise ArgumentError, textmode.nil? ? "both textmode and binmode specified" : "textmode specified twice"
      end
    end
    given = options[:encoding] || options[:external_encoding] || options[:internal_encoding]
    raise ArgumentError, "encoding specified twice" if encoding && given
  end

  def __to_str(v)
    return v if String === v
    String.try_convert(v) || raise(TypeError, "no implicit conversion of #{__kind(v)} into String")
  end

  def __to_int(v)
    raise TypeError, "no implicit conversion from nil to integer" if v.nil?
    v = Integer.try_convert(v) || raise(TypeError, "no implicit conversion of #{__kind(v)} into Integer")
    raise RangeError, "bignum too big to convert into 'long'" if v.bit_length > 63
    v
  end

  def __kind(v)
    case v
    when nil then "nil"
    when true then "true"
    when false then "false"
    else v.class
    end
  end

  def __check_modifiable
    raise IOError, "not modifiable string" if @__p[0].frozen? && !@__p[0].nil?
  end

  def __unget(bytes)
    return if bytes.empty?
    p = @__p
    string = p[0]
    return if string.nil?
    at = p[1]
    size = bytes.bytesize
    if at >= size
      __overwrite(string, at - size, size, bytes)
      p[1] = at - size
    else
      __overwrite(string, at, 0, "") if at > string.bytesize
      __overwrite(string, 0, at, bytes)
      p[1] = 0
    end
    nil
  end

  # The text that is written for a string in another encoding. What cannot be converted is written unchanged if both
  # encodings are compatible.
  def __encoded(v, encoding)
    v.encoding == Encoding::BINARY ? v : v.encode(encoding)
  rescue EncodingError
    return v if v.encoding == Encoding::US_ASCII || Encoding.compatible?(encoding, v)
    raise Encoding::CompatibilityError, "incompatible character encodings: #{encoding} and #{v.encoding}"
  end

  # The separator (nil: none, "": paragraphs) and the limit (nil: none).
  def __line_arguments(arguments)
    case arguments.size
    when 0
      [$/, nil]
    when 1
      first = arguments[0]
      return [nil, nil] if first.nil?
      return [first, nil] if String === first
      separator = String.try_convert(first)
      return [separator, nil] if separator
      limit = __to_int(first)
      [$/, limit < 0 ? nil : limit]
    when 2
      separator, limit = arguments
      separator = __to_str(separator) unless separator.nil?
      limit = __to_int(limit) unless limit.nil?
      limit = nil if limit && limit < 0
      [separator, limit]
    else
      raise ArgumentError, "wrong number of arguments (given #{arguments.size}, expected 0..2)"
    end
  end

  def __gets(arguments, chomp)
    raise IOError, "not opened for reading" unless @__readable
    separator, limit = __line_arguments(arguments)
    return String.new("", encoding: Primitive.core(self).external_encoding) if limit == 0
    __line(separator, limit, chomp)
  end

  # `__line` for streams from which nothing can be read.
  def __any_line(separator, limit, chomp)
    __check_frozen
    raise IOError, "not opened for reading" unless @__readable
    nil
  end

  def __check_frozen
    raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
  end
end
