class Dir
  include Enumerable

  class << self
    def glob(pattern, flags = 0, flags_keyword = nil, base: nil, sort: true, **options)
      flags = options[:flags] if options.key?(:flags)
      raise ArgumentError, "expected true or false as sort: #{sort.inspect}" unless sort == true || sort == false
      base = base.path if base.is_a?(Dir)
      patterns = pattern.is_a?(Array) ? pattern : [pattern]
      found = []
      patterns.each do |one|
        if one.is_a?(String) && one.include?("\0")
          raise ArgumentError, "nul-separated glob pattern is deprecated"
        end
        found.concat(__glob(one, flags, base, sort))
      end
      return found unless block_given?
      found.each { |path| yield path }
      nil
    end

    def [](*patterns, base: nil, sort: true)
      glob(patterns.flatten, 0, base: base, sort: sort)
    end

    def entries(path, encoding: nil)
      __names(path)
    end

    def children(path, encoding: nil)
      __names(path).reject { |name| name == "." || name == ".." }
    end

    def foreach(path, encoding: nil)
      return to_enum(:foreach, path) unless block_given?
      __names(path).each { |name| yield name }
      nil
    end

    def each_child(path, encoding: nil)
      return to_enum(:each_child, path) unless block_given?
      children(path).each { |name| yield name }
      nil
    end

    def empty?(path)
      File.directory?(path) && children(path).empty?
    rescue SystemCallError
      false
    end

    def home(user = nil)
      __home(user)
    end

    def chdir(path = (ENV["HOME"] || ENV["LOGDIR"] || raise(ArgumentError, "HOME/LOGDIR not set")))
      unless block_given?
        return __chdir(path)
      end
      before = pwd
      __chdir(path)
      begin
        yield(path.respond_to?(:to_path) ? path.to_path : path)
      ensure
        __chdir(before)
      end
    end

    def open(path, encoding: nil)
      directory = new(path, encoding: encoding)
      return directory unless block_given?
      begin
        yield directory
      ensure
        directory.close
      end
    end
  end

  def initialize(path, encoding: nil)
    path = path.to_path if path.respond_to?(:to_path)
    @__path = path.to_str.dup
    @__names = Dir.__send__(:__names, @__path)
    @__at = 0
    @__open = true
  end

  def path
    @__path
  end
  alias to_path path

  def read
    __check
    name = @__names[@__at]
    @__at += 1 if name
    name
  end

  def each
    return to_enum(:each) unless block_given?
    __check
    while (name = read)
      yield name
    end
    self
  end

  def children
    __check
    result = []
    while (name = read)
      result << name unless name == "." || name == ".."
    end
    result
  end

  def each_child
    return to_enum(:each_child) unless block_given?
    children.each { |name| yield name }
    self
  end

  def tell
    __check
    @__at
  end
  alias pos tell

  def seek(position)
    __check
    @__at = position
    self
  end

  def pos=(position)
    seek(position)
    position
  end

  def rewind
    __check
    @__names = Dir.__send__(:__names, @__path)
    @__at = 0
    self
  end

  def close
    @__open = false
    nil
  end

  def chdir(&block)
    Dir.chdir(path, &block)
  end

  def inspect
    "#<#{self.class}:#{@__path}>"
  end

  def __check
    raise IOError, @__names ? "closed directory" : "uninitialized Dir" unless @__open
  end
  private :__check
end
