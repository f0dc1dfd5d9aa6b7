# Gzip files: header, footer, and writing.

module Zlib
  def self.gzip(string, level: nil, strategy: nil)
    raise TypeError, "no implicit conversion of nil into String" if string.nil?
    stream = Deflate.new(level, -MAX_WBITS, nil, strategy)
    string = String.try_convert(string) || string
    head = GzipFile.__send__(:__header, level, Time.now.to_i, nil, nil)
    head << stream.deflate(string, FINISH) << [crc32(string), string.bytesize & 0xffffffff].pack("VV")
  ensure
    stream&.close
  end

  def self.gunzip(string)
    string = String.try_convert(string) or
      raise(TypeError, "no implicit conversion of #{string.nil? ? "nil" : string.class} into String")
    source = string.b
    header = GzipFile.__send__(:__parse_header, source)
    unless Hash === header
      raise GzipFile::Error, source.bytesize < 10 || header == :short ?
        "unexpected end of string" : "not in gzip format"
    end
    stream = Inflate.new(-MAX_WBITS)
    out = stream.inflate(source.byteslice(header[:size]..))
    raise GzipFile::Error, "unexpected end of file" unless stream.finished?
    footer = stream.flush_next_out
    raise GzipFile::Error, "unexpected end of string" if footer.bytesize.between?(1, 7)
    GzipFile.__send__(:__check_footer, footer, crc32(out), out.bytesize)
    out
  ensure
    stream&.close
  end

  class GzipFile
    class Error < Zlib::Error
      attr_reader :input

      def inspect
        shown = super
        @input ? shown.sub(/>\z/, ", input=#{@input.inspect}>") : shown
      end
    end

    class NoFooter < Error
    end

    class CRCError < Error
    end

    class LengthError < Error
    end

    class << self
      def wrap(*arguments, **options)
        file = new(*arguments, **options)
        return file unless block_given?
        begin
          yield file
        ensure
          file.close unless file.closed?
        end
      end

      private

      # The encodings that the keywords name: `encoding: "EXTERNAL:INTERNAL"`, or each by itself.
      def __encodings(encoding, external, internal)
        external, internal = String === encoding ? encoding.split(":", 2) : encoding if encoding && !external
        [external, internal].map { |name| name && (Encoding === name ? name : Encoding.find(name.to_str)) }
      end

      # `input` is what was read instead.
      def __not_gzip(input)
        error = Error.new("not in gzip format")
        error.instance_variable_set(:@input, input) unless input.empty?
        error
      end

      def __header(level, mtime, name, comment)
        flags = (name ? 8 : 0) | (comment ? 16 : 0)
        extra = level == BEST_SPEED ? 4 : level == BEST_COMPRESSION ? 2 : 0
        head = [0x1f, 0x8b, 8, flags, mtime.to_i, extra, OS_CODE].pack("C4VCC")
        head << name.b << "\0" if name
        head << comment.b << "\0" if comment
        head
      end

      # The contents of a header, and its length; :short if it is incomplete, nil if there is no header.
      def __parse_header(bytes)
        return bytes.start_with?("\x1f\x8b".b) || "\x1f\x8b".b.start_with?(bytes) ? :short : nil if bytes.bytesize < 10
        first, second, method, flags, mtime, extra, os = bytes.unpack("C4VCC")
        return nil unless first == 0x1f && second == 0x8b
        raise Error, "unsupported compression method #{method}" unless method == 8
        raise Error, "multi-part gzip file is not supported" if flags & 2 != 0
        raise Error, "encrypted gzip file is not supported" if flags & 0x20 != 0
        raise Error, "unknown flags 0x%02x" % flags if flags & 0xc0 != 0
        at = 10
        if flags & 4 != 0
          size = bytes.byteslice(at, 2).unpack1("v") or return :short
          at += 2 + size
        end
        name, at = __text(bytes, at) if flags & 8 != 0
        return :short unless at
        comment, at = __text(bytes, at) if flags & 16 != 0
        return :short unless at && at <= bytes.bytesize
        level = extra & 4 != 0 ? BEST_SPEED : extra & 2 != 0 ? BEST_COMPRESSION : DEFAULT_COMPRESSION
        { size: at, mtime: mtime, level: level, os_code: os, orig_name: name, comment: comment }
      end

      def __text(bytes, at)
        finish = bytes.byteindex("\0", at) or return nil
        [bytes.byteslice(at, finish - at), finish + 1]
      end

      def __check_footer(footer, crc, length)
        raise NoFooter, "footer is not found" if footer.bytesize < 8
        sum, size = footer.unpack("VV")
        raise CRCError, "invalid compressed data -- crc error" unless sum == crc
        raise LengthError, "invalid compressed data -- length error" unless size == length & 0xffffffff
      end
    end

    def inspect = to_s
    def closed? = @stream.nil?
    def to_io = closed? ? __closed : @io
    def sync = (to_io; @sync)
    def sync=(flag)
      to_io
      @sync = flag ? true : false
    end

    def mtime = (to_io; Time.at(@mtime || 0))
    def level = (to_io; @level || DEFAULT_COMPRESSION)
    def os_code = (to_io; @os_code || OS_CODE)
    def orig_name = (to_io; (@orig_name || "").dup)
    def comment = (to_io; (@comment || "").dup)
    def crc = (to_io; @crc)

    def close
      return nil if closed?
      io = finish
      io.close if io.respond_to?(:close)
      io
    end

    private

    def __closed = raise(Error, "closed gzip stream")

    # The file has a path if the IO has one. It is kept when the file is closed.
    def __take_io(io)
      @io = io
      return unless io.respond_to?(:path)
      path = begin
        io.path
      rescue IOError
        return
      end
      define_singleton_method(:path) { path }
    end

    def __release
      io = @io
      @stream.close
      @io = @stream = nil
      io
    end
  end

  class GzipWriter < GzipFile
    def self.open(filename, level = nil, strategy = nil, **options, &block)
      wrap(File.open(filename, "wb"), level, strategy, **options, &block)
    end

    def initialize(io, level = nil, strategy = nil, encoding: nil, external_encoding: nil, internal_encoding: nil, **)
      @level = level.nil? ? DEFAULT_COMPRESSION : level
      @stream = Deflate.new(level, -MAX_WBITS, nil, strategy)
      __take_io(io)
      @sync = false
      @size = 0
      @crc = 0
      @pending = "".b
      @encoding, = GzipFile.__send__(:__encodings, encoding, external_encoding, internal_encoding)
    end

    def mtime=(time)
      __before_header
      @mtime = time.to_i
      time
    end

    def orig_name=(name)
      __before_header
      @orig_name = name.to_str[/\A[^\0]*/]
      name
    end

    def comment=(text)
      __before_header
      @comment = text.to_str[/\A[^\0]*/]
      text
    end

    def write(*strings)
      to_io
      strings.size == 1 ? __write(strings[0]) : strings.sum { |string| __write(string) }
    end

    def <<(string)
      to_io
      __write(string)
      self
    end

    def putc(character)
      write(Integer === character ? (character & 0xff).chr : character.to_str[0])
      character
    end

    def puts(*objects)
      if objects.size == 1 && String === (line = objects[0])
        to_io
        newline = line.encoding.ascii_compatible? ? "\n" : "\n".encode(line.encoding)
        __write(line)
        __write("\n") unless line.end_with?(newline)
        return nil
      end
      require "stringio"
      text = StringIO.new
      text.puts(*objects)
      write(text.string)
      nil
    end

    def print(*objects)
      objects = [$_] if objects.empty?
      if objects.size == 1 && String === objects[0] && !$\
        to_io
        __write(objects[0])
        return nil
      end
      write(objects.join($,.to_s) + $\.to_s)
      nil
    end

    def printf(format, *arguments)
      write(format(format, *arguments))
      nil
    end

    def pos = (to_io; @size)
    alias tell pos

    def flush(flush = SYNC_FLUSH)
      __queue_header
      @pending << @stream.flush(flush) if flush != NO_FLUSH
      __send
      to_io.flush if to_io.respond_to?(:flush)
      self
    end

    def finish
      io = to_io
      __queue_header
      @pending << @stream.finish << [@crc, @size & 0xffffffff].pack("VV")
      begin
        __send
      ensure
        __release
      end
      io
    end

    private

    def format(...) = Kernel.format(...)

    def __before_header
      to_io
      raise GzipFile::Error, "header is already written" if @started
    end

    # Data that the file rejects is lost; later data is not.
    def __send
      return if @pending.empty?
      bytes, @pending = @pending, "".b
      @io.write(bytes)
    end

    def __queue_header
      return if @started
      @started = true
      # The default time is the present.
      @mtime ||= Time.now.to_i
      @pending << GzipFile.__send__(:__header, @level, @mtime, @orig_name, @comment)
    end

    def __write(string)
      string = string.to_s
      string = string.encode(@encoding) if @encoding && string.encoding != @encoding && !string.ascii_only?
      __put(string)
      string.bytesize
    end

    def __put(string)
      __queue_header unless @started
      @crc = Zlib.crc32(string, @crc)
      @size += string.bytesize
      # Most texts stay in the compressor.
      out = @stream.deflate(string, @sync ? SYNC_FLUSH : NO_FLUSH)
      @pending << out unless out.empty?
      __send unless @pending.empty?
    end
  end
end
