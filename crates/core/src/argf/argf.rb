# The class of ARGF; argf/mod.rs sets its name, which is not a constant.
#
# A stream is before its first file (@state :start), in a file (:open), at the end of one (:next), or reads standard
# input because no file was named (:stdin). A file that was closed explicitly is left at the next step.
class ARGFClass
  include Enumerable

  def initialize(*files)
    __restart(files, nil)
  end

  def initialize_copy(other)
    @argv = other.argv.dup
  end

  # `in_place`: the extension of backup files, "" for no backup, nil if files are not edited.
  def __restart(files, in_place)
    @argv = files
    @in_place = in_place
    @state = :start
    @file = nil
    @filename = nil
    @lineno = 0
    @binmode = false
    @encodings = nil
  end
  private :initialize, :initialize_copy, :__restart

  def argv = @argv

  def marshal_dump
    Primitive.raise(TypeError, "no _dump_data is defined for class ARGF.class")
  end
  private :marshal_dump

  def to_s = "ARGF"
  alias_method :inspect, :to_s

  # Opens the next file as @file; false if there is none left.
  def __next
    case @state
    when :start then @state = @argv.empty? ? :stdin : :next
    when :stdin then @state = :next unless @argv.empty?
    end
    if @state == :stdin
      __standard_input
      true
    elsif @state == :next
      return false if @argv.empty?
      until __open(@argv.shift)
        return false if @argv.empty?
      end
      @state = :open
      true
    else
      true
    end
  end

  # Reads from $stdin, because no file is left or "-" was named; in-place editing then writes to STDOUT.
  def __standard_input
    @file = $stdin
    @filename = "-"
    return unless @in_place
    Kernel.warn("Can't do inplace edit for stdio", uplevel: 0)
    $stdout = STDOUT
  end

  # false if the file is skipped with a warning.
  def __open(name)
    name = File.path(name)
    @filename = name
    if name == "-"
      if @in_place
        Kernel.warn("Can't do inplace edit for stdio; skipping", uplevel: 0)
        return false
      end
      @file = $stdin
    else
      file = IO.__file(name, "r")
      return false if @in_place && !__edit(name, file)
      @file = file
    end
    @file.binmode if @binmode
    @file.set_encoding(*@encodings) if @encodings
    true
  end

  # Redirects $stdout to a new version of the file. The old version is kept under another name or deleted.
  def __edit(name, file)
    binmode = $stdout.is_a?(IO) && $stdout.binmode?
    $stdout.close if $stdout.is_a?(File) && !$stdout.closed?
    begin
      @in_place.empty? ? File.unlink(name) : File.rename(name, name + @in_place)
    rescue SystemCallError => error
      reason = error.message.delete_suffix(" - #{name}")
      what = @in_place.empty? ? "remove #{name}" : "rename #{name} to #{name}#{@in_place}"
      Kernel.warn("Can't #{what}: #{reason}, skipping file", uplevel: 0)
      file.close
      return false
    end
    before = file.stat
    out = IO.__file(name, File::WRONLY | File::CREAT | File::TRUNC, 0666)
    after = out.stat
    out.chmod(before.mode & 0o7777)
    out.chown(before.uid, before.gid) if before.uid != after.uid || before.gid != after.gid
    out.binmode if binmode
    $stdout = @out = out
    true
  end

  # Closes the current file, which is at its end. The next step opens the next file.
  def __leave
    @file.close unless @file.equal?($stdin) || @file.closed?
    @state = :next
  end

  # Updates the line number, which counts over all files. `$.` follows ARGF itself, not its copies.
  def __counted(line)
    @lineno += 1
    $. = @lineno if equal?($<)
    line
  end

  # `$. = number`
  def __count_from(number) = @lineno = number

  # Reads with a method of the file and, after its end, of the next file.
  def __piece(method, *arguments, **options)
    while __next
      piece = @file.__send__(method, *arguments, **options)
      return piece unless piece.nil?
      return nil if @state == :stdin
      __leave
    end
    nil
  end

  # The current file; ArgumentError if there is none, with the name of the operation that needs it.
  def __need(what)
    raise ArgumentError, "no stream#{what}" unless __next
    @file
  end
  private :__next, :__standard_input, :__open, :__edit, :__leave, :__counted, :__count_from, :__piece, :__need

  def file
    __next
    @file
  end

  def filename
    __next
    @filename
  end
  alias path filename

  def lineno = @lineno

  def lineno=(number)
    @lineno = Primitive.to_integer(number)
    $. = @lineno if equal?($<)
  end

  def fileno = __need("").fileno
  alias to_i fileno

  def to_io
    __next
    @file.to_io
  end

  def gets(*arguments, **options)
    line = __piece(:gets, *arguments, **options)
    $_ = line
    line.nil? ? nil : __counted(line)
  end

  def readline(*arguments, **options)
    line = gets(*arguments, **options)
    raise EOFError, "end of file reached" if line.nil?
    line
  end

  def readlines(*arguments, **options)
    lines = []
    while __next
      more = @file.readlines(*arguments, **options)
      __leave
      lines.concat(more)
      @lineno += more.length
      $. = @lineno if equal?($<)
    end
    @state = :start
    lines
  end
  alias to_a readlines

  def each_line(*arguments, **options)
    return to_enum(:each_line, *arguments, **options) unless block_given?
    raise ArgumentError, "invalid limit: 0 for each_line" if arguments.last == 0
    while true
      last = $_
      line = __piece(:gets, *arguments, **options)
      $_ = last
      return self unless line
      yield __counted(line)
    end
  end
  alias each each_line

  def each_byte
    return Primitive.enumerator(self, :each_byte, nil, nil) unless block_given?
    while (byte = __piece(:getbyte))
      yield byte
    end
    self
  end

  def each_char
    return Primitive.enumerator(self, :each_char, nil, nil) unless block_given?
    while (character = __piece(:getc))
      yield character
    end
    self
  end

  def each_codepoint
    return Primitive.enumerator(self, :each_codepoint, nil, nil) unless block_given?
    while (character = __piece(:getc))
      yield character.ord
    end
    self
  end

  def getc = __piece(:getc)
  def getbyte = __piece(:getbyte)
  def readchar = getc || raise(EOFError, "end of file reached")
  def readbyte = getbyte || raise(EOFError, "end of file reached")

  def read(length = nil, buffer = nil)
    length = Primitive.to_long(length) unless length.nil?
    raise ArgumentError, "negative length #{length} given" if !length.nil? && length < 0
    buffer = Process.__string(buffer) unless buffer.nil?
    return buffer.nil? ? +"" : buffer.replace("") if length == 0
    text = nil
    wanted = length
    while __next
      part = @file.read(wanted)
      if text.nil?
        text = buffer.nil? ? part : buffer.replace(part || "")
      elsif part
        text << part
      end
      if part.nil? || length.nil?
        break if @state == :stdin
        __leave
      else
        wanted = length - text.bytesize
        break if wanted <= 0
      end
    end
    text
  end

  def readpartial(length, buffer = nil) = __some(:readpartial, length, buffer, true)

  def read_nonblock(length, buffer = nil, exception: true)
    unless exception.equal?(true) || exception.equal?(false)
      raise ArgumentError, "expected true or false as exception: #{exception.inspect}"
    end
    __some(:read_nonblock, length, buffer, exception)
  end

  # Returns an empty string between two files, and the end of the stream after the last one.
  def __some(method, length, buffer, exception)
    length = Primitive.to_long(length)
    raise ArgumentError, "negative length #{length} given" if length < 0
    unless __next
      buffer&.clear
      raise EOFError, "end of file reached"
    end
    begin
      return @file.readpartial(length, *buffer) if method == :readpartial
      part = @file.read_nonblock(length, *buffer, exception: exception)
      return part unless part.nil?
    rescue EOFError
      part = nil
    end
    unless @state == :stdin
      __leave
      return buffer ? buffer.clear : +"" unless @argv.empty?
    end
    raise EOFError, "end of file reached" if exception
    nil
  end
  private :__some

  def eof?
    __next
    raise IOError, "ARGF is not opened for reading" if @file.nil?
    @file.eof?
  end
  alias eof eof?

  def skip
    __leave if @state == :open
    self
  end

  def close
    __next
    waits_for_input = @state == :stdin
    @file.close unless @file.nil? || @file.equal?($stdin) || @file.closed?
    @state = :next unless waits_for_input
    @lineno = 0
    self
  end

  def closed?
    __next
    @file.closed?
  end

  def pos = __need(" to tell").pos
  alias tell pos

  def pos=(offset)
    file = __need(" to set position")
    file.pos = Primitive.to_integer(offset)
  end

  def seek(offset, whence = IO::SEEK_SET)
    file = __need(" to seek")
    file.seek(Primitive.to_integer(offset), whence)
  end

  def rewind
    file = __need(" to rewind")
    @lineno -= file.lineno
    @lineno = 0 if @lineno < 0
    file.rewind
  end

  def binmode
    @binmode = true
    __next
    @file.binmode unless @file.nil?
    self
  end

  def binmode? = @binmode

  def external_encoding
    @file.nil? || @file.closed? ? Encoding.default_external : @file.external_encoding
  end

  def internal_encoding
    # Before the first file, the default external one, as in CRuby.
    @file.nil? || @file.closed? ? Encoding.default_external : @file.internal_encoding
  end

  def set_encoding(*encodings, **options)
    __need(" to set encoding").set_encoding(*encodings, **options)
    @encodings = encodings
    self
  end

  def inplace_mode = @in_place&.dup

  def inplace_mode=(extension)
    if String === extension && !extension.encoding.ascii_compatible?
      extension = extension.encode(Encoding::UTF_8)
    end
    @in_place = extension ? String.new(File.path(extension)).freeze : nil
  end

  def to_write_io
    raise IOError, "not opened for writing" if @in_place.nil? || @out.nil?
    @out
  end

  def write(*objects) = to_write_io.write(*objects)
  def print(*objects) = to_write_io.print(*objects)
  def putc(character) = to_write_io.putc(character)
  def puts(*objects) = to_write_io.puts(*objects)
  def printf(*arguments) = to_write_io.printf(*arguments)
end
