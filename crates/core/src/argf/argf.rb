class << (ARGF = Object.new)
  include Enumerable

  def argv = ARGV
  def to_s = "ARGF"
  def inspect = "ARGF"

  def file
    __next
    @file || $stdin
  end

  def filename
    __next
    @filename || "-"
  end
  alias path filename

  def lineno = @lineno || 0

  def lineno=(number)
    @lineno = number
  end

  def __next
    return true if @file
    if ARGV.empty?
      return false if @started
      @started = true
      @file = $stdin
      @filename = "-"
      return true
    end
    @started = true
    @filename = ARGV.shift
    @file = @filename == "-" ? $stdin : File.open(@filename)
    true
  end
  private :__next

  def __done
    @file.close unless @file.equal?($stdin)
    @started = false if @file.equal?($stdin)
    last = ARGV.empty?
    @file = nil unless last && @file.equal?($stdin)
    !last
  end
  private :__done

  def gets(*arguments, **options)
    while __next
      line = @file.gets(*arguments, **options)
      if line
        @lineno = lineno + 1
        return line
      end
      return nil unless __done
    end
    nil
  end

  def readline(*arguments, **options)
    gets(*arguments, **options) || raise(EOFError, "end of file reached")
  end

  def readlines(*arguments, **options)
    lines = []
    while (line = gets(*arguments, **options))
      lines << line
    end
    lines
  end
  alias to_a readlines

  def each_line(*arguments, **options)
    return to_enum(:each_line, *arguments, **options) unless block_given?
    while (line = gets(*arguments, **options))
      yield line
    end
    self
  end
  alias each each_line

  def read(length = nil)
    text = nil
    while __next
      part = length ? @file.read(length) : @file.read
      text = text ? text << part : part if part
      break if length && text && text.bytesize >= length
      break unless __done
    end
    text || (length ? nil : "")
  end

  def eof?
    raise IOError, "ARGF is not opened for reading" unless __next
    @file.eof?
  end
  alias eof eof?
end
