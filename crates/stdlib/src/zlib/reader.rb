# Reading gzip files.

module Zlib
  class GzipReader < GzipFile
    include Enumerable

    attr_writer :lineno

    def self.open(filename, **options, &block) = wrap(File.open(filename, "rb"), **options, &block)

    # The concatenated texts of all gzip files.
    def self.zcat(io, **options, &block)
      out = block ? nil : "".b
      loop do
        reader = new(io, **options)
        block ? reader.each(&block) : out << reader.read
        unused = reader.unused
        reader.finish
        break if unused.nil? && io.eof?
        io.pos -= unused.bytesize if unused
      end
      out&.force_encoding(Encoding.default_external)
    end

    def initialize(io, encoding: nil, external_encoding: nil, internal_encoding: nil, **)
      @encoding, @internal = GzipFile.__send__(:__encodings, encoding, external_encoding, internal_encoding)
      __take_io(io)
      @lineno = 0
      __start
    end

    def rewind
      consumed = @taken
      to_io.seek(-consumed, IO::SEEK_CUR)
      @stream.close
      @lineno = 0
      __start
      0
    end

    def lineno = (to_io; @lineno)
    def pos = (to_io; @size - __left)
    alias tell pos
    def external_encoding = @encoding || Encoding.default_external

    def eof? = (to_io; !__fill(1))
    alias eof eof?

    # The data after the end of the stream that was already read; nil if there is none.
    def unused
      to_io
      return nil unless @finished && __left == 0
      @rest.empty? ? nil : @rest.dup
    end

    def read(length = nil, buffer = nil)
      to_io
      if length.nil?
        __fill(nil)
        return __into(buffer, __text(__cut(__left)))
      end
      raise ArgumentError, "negative length #{length} given" if length < 0
      return __into(buffer, "") if length == 0
      unless __fill(length)
        buffer&.clear
        return nil
      end
      __into(buffer, __cut(length))
    end

    def readpartial(length, buffer = nil)
      to_io
      raise ArgumentError, "negative length #{length} given" if length < 0
      return __into(buffer, "") if length == 0
      unless __fill(1)
        buffer&.clear
        raise EOFError, "end of file reached"
      end
      __into(buffer, __cut(length))
    end

    def getbyte = read(1)&.ord
    def readbyte = getbyte || __end
    def getc = __fill_character ? __text(__cut(__character_size)) : nil
    def readchar = getc || __end

    def each_byte
      return to_enum(:each_byte) unless block_given?
      while (byte = getbyte)
        yield byte
      end
      self
    end

    def each_char
      return to_enum(:each_char) unless block_given?
      while (character = getc)
        yield character
      end
      nil
    end

    def ungetc(character)
      return nil if character.nil?
      character = character.chr(external_encoding) if Integer === character
      __unget(character.b)
    end

    def ungetbyte(byte)
      __unget((byte & 0xff).chr.b) if byte
      nil
    end

    def gets(separator = (default = true; $/), limit = nil, chomp: false)
      to_io
      if !default && limit.nil? && !separator.nil? && !(String === separator) && separator.respond_to?(:to_int)
        separator, limit = $/, separator.to_int
      end
      limit = Primitive.to_long(limit) unless limit.nil?
      $_ = default && !chomp && separator == "\n" ? __plain_line : __line(separator, limit, chomp)
    end

    def readline(*arguments, **options) = gets(*arguments, **options) || __end

    def each_line(*arguments, **options)
      return to_enum(:each_line, *arguments, **options) unless block_given?
      if arguments.empty? && options.empty? && $/ == "\n"
        to_io
        while (line = __plain_line)
          yield line
        end
      else
        while (line = gets(*arguments, **options))
          yield line
        end
      end
      self
    end
    alias each each_line

    def readlines(*arguments, **options) = each_line(*arguments, **options).to_a

    def finish
      to_io
      __release
    end

    private

    def __end = raise(EOFError, "end of file reached")

    def __start
      @stream = Inflate.new(-MAX_WBITS)
      # The text from byte `@at` of the buffer on is still to be read.
      @buffer = "".b
      @at = 0
      @size = 0
      @crc = 0
      @taken = 0
      @finished = false
      @rest = "".b
      head = "".b
      until Hash === (header = GzipFile.__send__(:__parse_header, head))
        more = header && __source
        raise GzipFile.__send__(:__not_gzip, head) unless more
        head << more
      end
      @mtime, @level, @os_code, @orig_name, @comment = header.values_at(:mtime, :level, :os_code, :orig_name, :comment)
      __inflate(head.byteslice(header[:size]..))
    end

    # The next bytes of the file; nil at its end.
    def __source
      more = @io.read(2048)
      return nil if more.nil? || more.empty?
      @taken += more.bytesize
      more.b
    end

    def __inflate(bytes)
      out = @stream.inflate(bytes)
      @crc = Zlib.crc32(out, @crc)
      @size += out.bytesize
      if @at == 0
        @buffer << out
      else
        @buffer = @buffer.byteslice(@at..) << out
        @at = 0
      end
      __foot if @stream.finished?
    end

    def __foot
      @finished = true
      @rest = @stream.flush_next_out
      while @rest.bytesize < 8 && (more = __source)
        @rest << more
      end
    end

    # Runs once, when the end is reached.
    def __check
      return if @checked || !@finished
      @checked = true
      GzipFile.__send__(:__check_footer, @rest, @crc, @size)
      @rest = @rest.byteslice(8..)
    end

    # Fills the buffer until it has `length` bytes, or all remaining ones for nil; returns whether it has that many, or
    # at least some.
    def __fill(length)
      while !@finished && (length.nil? || __left < length)
        more = __source or raise(GzipFile::Error, "unexpected end of file")
        __inflate(more)
      end
      __check if @finished && (length.nil? || __left < length)
      __left > 0
    end

    # The number of bytes in the buffer that are still to be read.
    def __left = @buffer.bytesize - @at

    def __cut(length)
      cut = @buffer.byteslice(@at, length)
      @at += cut.bytesize
      __check if @finished && __left == 0
      cut
    end

    def __unget(bytes)
      @buffer = bytes << @buffer.byteslice(@at..)
      @at = 0
      nil
    end

    def __text(bytes)
      bytes.force_encoding(external_encoding)
      internal = @internal || (@encoding.nil? ? Encoding.default_internal : nil)
      internal ? bytes.encode(internal) : bytes
    end

    def __into(buffer, bytes) = buffer ? buffer.replace(bytes) : bytes

    def __fill_character = __fill(4)

    def __character_size = @buffer.byteslice(@at, 8).force_encoding(external_encoding)[0].bytesize

    # The next line that ends with "\n".
    def __plain_line
      found = @buffer.byteindex("\n", @at) or return __line("\n", nil, false)
      line = __text(__cut(found + 1 - @at))
      @lineno += 1
      line
    end

    def __line(separator, limit, chomp)
      return "" if limit == 0
      paragraph = separator == ""
      separator = "\n\n" if paragraph
      if paragraph
        __cut(1) while __fill(1) && @buffer.getbyte(@at) == 10
      end
      return nil unless __fill(1)
      at = __line_end(separator&.b, limit)
      line = __text(__cut(at))
      if paragraph
        __cut(1) while __fill(1) && @buffer.getbyte(@at) == 10
      end
      @lineno += 1
      chomp && separator ? line.chomp(separator) : line
    end

    # The number of bytes of the next line.
    def __line_end(separator, limit)
      from = 0
      loop do
        if separator && (found = @buffer.byteindex(separator, @at + from))
          size = found - @at + separator.bytesize
          return limit && limit > 0 ? [size, __limited(limit)].min : size
        end
        return __limited(limit) if limit && limit > 0 && __left >= limit
        size = __left
        from = separator ? [size - separator.bytesize + 1, 0].max : size
        return size if @finished
        __fill(size + 1)
        return __left if @finished && __left == size
      end
    end

    # `limit` bytes, and the remaining bytes of a character that they would split.
    def __limited(limit)
      size = [limit, __left].min
      encoding = external_encoding
      4.times do |more|
        return size + more if @buffer.byteslice(@at, size + more).force_encoding(encoding).valid_encoding?
      end
      size
    end
  end
end
