# The methods of Pathname that delegate to File, FileTest, Dir and IO.

class Pathname
  def initialize(path)
    unless String === path
      path = path.to_path if path.respond_to?(:to_path)
      path = path.to_str if !(String === path) && path.respond_to?(:to_str)
      raise TypeError, "Pathname.new requires a String, #to_path or #to_str" unless String === path
    end
    raise ArgumentError, "path name contains null byte" if path.include?("\0")
    @path = String.new(path)
  end

  def freeze
    super
    @path.freeze
    self
  end

  def ==(other) = Pathname === other && @path == other.to_s
  alias_method :===, :==
  alias_method :eql?, :==

  # "/" sorts before all other characters.
  def <=>(other)
    return nil unless Pathname === other
    @path.b.tr("/", "\0") <=> other.to_s.b.tr("/", "\0")
  end

  def hash = @path.hash
  def to_s = String.new(@path)
  alias_method :to_path, :to_s
  def inspect = "#<#{self.class}:#{@path}>"

  def sub(*arguments, &block)
    self.class.new(block ? sub_with_block(arguments, block) : @path.sub(*arguments))
  end

  def sub_ext(extension)
    extension = extension.to_str
    own = File.extname(@path)
    return self.class.new(@path + extension) if own.empty?
    stem = @path
    stem = stem.delete_suffix("/") while stem.end_with?("/")
    self.class.new(stem.byteslice(0, stem.bytesize - own.bytesize) + extension)
  end

  def realpath(base = nil) = self.class.new(File.realpath(@path, base))
  def realdirpath(base = nil) = self.class.new(File.realdirpath(@path, base))

  def each_line(*arguments, **options, &block) = File.foreach(@path, *arguments, **options, &block)
  def read(*arguments, **options) = File.read(@path, *arguments, **options)
  def binread(*arguments) = File.binread(@path, *arguments)
  def readlines(*arguments, **options) = File.readlines(@path, *arguments, **options)
  def write(*arguments, **options) = File.write(@path, *arguments, **options)
  def binwrite(*arguments, **options) = File.binwrite(@path, *arguments, **options)
  def sysopen(*arguments) = IO.sysopen(@path, *arguments)
  def open(*arguments, **options, &block) = File.open(@path, *arguments, **options, &block)

  def atime = File.atime(@path)
  def birthtime = File.birthtime(@path)
  def ctime = File.ctime(@path)
  def mtime = File.mtime(@path)
  def chmod(mode) = File.chmod(mode, @path)
  def lchmod(mode) = File.lchmod(mode, @path)
  def chown(owner, group) = File.chown(owner, group, @path)
  def lchown(owner, group) = File.lchown(owner, group, @path)
  def utime(atime, mtime) = File.utime(atime, mtime, @path)
  def lutime(atime, mtime) = File.lutime(atime, mtime, @path)
  def fnmatch(pattern, *flags) = File.fnmatch(pattern, @path, *flags)
  def fnmatch?(pattern, *flags) = File.fnmatch?(pattern, @path, *flags)
  def ftype = File.ftype(@path)
  def make_link(old) = File.link(old, @path)
  def make_symlink(old) = File.symlink(old, @path)
  def readlink = self.class.new(File.readlink(@path))
  def rename(to) = File.rename(@path, to)
  def stat = File.stat(@path)
  def lstat = File.lstat(@path)
  def truncate(length) = File.truncate(@path, length)
  def basename(*suffix) = self.class.new(File.basename(@path, *suffix))
  def dirname = self.class.new(File.dirname(@path))
  def extname = File.extname(@path)
  def expand_path(*base) = self.class.new(File.expand_path(@path, *base))

  def split
    parts = File.split(@path)
    raise TypeError, "wrong argument type #{parts.nil? ? "nil" : parts.class} (expected Array)" unless Array === parts
    parts.map { |part| self.class.new(part) }
  end

  def blockdev? = FileTest.blockdev?(@path)
  def chardev? = FileTest.chardev?(@path)
  def executable? = FileTest.executable?(@path)
  def executable_real? = FileTest.executable_real?(@path)
  def exist? = FileTest.exist?(@path)
  def grpowned? = FileTest.grpowned?(@path)
  def directory? = FileTest.directory?(@path)
  def file? = FileTest.file?(@path)
  def pipe? = FileTest.pipe?(@path)
  def socket? = FileTest.socket?(@path)
  def owned? = FileTest.owned?(@path)
  def readable? = FileTest.readable?(@path)
  def readable_real? = FileTest.readable_real?(@path)
  def world_readable? = File.world_readable?(@path)
  def setuid? = FileTest.setuid?(@path)
  def setgid? = FileTest.setgid?(@path)
  def size = FileTest.size(@path)
  def size? = FileTest.size?(@path)
  def sticky? = FileTest.sticky?(@path)
  def symlink? = FileTest.symlink?(@path)
  def writable? = FileTest.writable?(@path)
  def writable_real? = FileTest.writable_real?(@path)
  def world_writable? = File.world_writable?(@path)
  def zero? = FileTest.zero?(@path)
  def empty? = FileTest.directory?(@path) ? Dir.empty?(@path) : FileTest.empty?(@path)

  def self.glob(*arguments, **options)
    found = Dir.glob(*arguments, **options).map { |path| new(path) }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  def self.getwd = new(Dir.getwd)
  singleton_class.alias_method :pwd, :getwd

  def glob(*arguments, **options)
    found = Dir.glob(*arguments, **options, base: @path).map { |path| self + path }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  def entries = Dir.entries(@path).map { |name| self.class.new(name) }
  def mkdir(*mode) = Dir.mkdir(@path, *mode)

  # Creates the folders that are missing on the way as well.
  def mkpath(mode: nil)
    missing = []
    path = @path
    until File.directory?(path)
      missing << path
      above = File.dirname(path)
      break if above == path
      path = above
    end
    missing.reverse_each do |folder|
      next Dir.mkdir(folder) unless mode
      Dir.mkdir(folder, mode)
      # Unlike `Dir.mkdir`, the process's mask does not limit it.
      File.chmod(mode, folder)
    rescue SystemCallError
      # Another process may have created it.
      raise unless File.directory?(folder)
    end
    self
  end

  def rmdir = Dir.rmdir(@path)
  def opendir(&block) = Dir.open(@path, &block)

  def each_entry
    return to_enum(:each_entry) unless block_given?
    Dir.foreach(@path) { |name| yield self.class.new(name) }
  end

  def unlink
    File.directory?(@path) && !File.symlink?(@path) ? Dir.unlink(@path) : File.unlink(@path)
  end
  alias_method :delete, :unlink

  undef =~ if method_defined?(:=~)

  private

  # The block sees `$~` and `$1`, which belong to the frame that created it.
  def sub_with_block(arguments, block)
    @path.sub(*arguments, &block)
  end
end
