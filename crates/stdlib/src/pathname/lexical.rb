# The methods of Pathname that only look at the text, and those that combine paths.

class Pathname
  VERSION = "0.4.0"

  def absolute? = @path.start_with?("/")
  def relative? = !absolute?
  # Whether the path consists of separators.
  def root? = @path.end_with?("/") && File.basename(@path) == "/"
  def parent = self + ".."

  # Whether another file system begins here. The folder above the topmost one is that folder itself.
  def mountpoint?
    own = lstat
    above = parent.lstat
    own.dev != above.dev || own.ino == above.ino
  rescue Errno::ENOENT
    false
  end

  # The path with as few names as possible. By default `a/..` counts as nothing, which is wrong if `a` is a symbolic
  # link.
  def cleanpath(consider_symlink = false)
    names = []
    file_names(@path).each do |name|
      if name == ".." && !names.empty? && names.last != ".." && !consider_symlink
        names.pop
      elsif name != "." && !(name == ".." && names.empty? && absolute?)
        names << name
      end
    end
    clean = names.join("/")
    clean << final_form(names) if consider_symlink && !names.empty?
    return self.class.new(absolute? ? "/" : ".") if names.empty?
    self.class.new(absolute? ? "/#{clean}" : clean)
  end

  def each_filename(&block)
    return to_enum(:each_filename) unless block
    file_names(@path).each(&block)
    nil
  end

  def ascend
    return to_enum(:ascend) unless block_given?
    path = @path
    yield self
    while (path, = last_name(path)) && path && !path.empty?
      path = del_trailing_separator(path)
      yield self.class.new(path)
    end
  end

  def descend(&block)
    return to_enum(:descend) unless block
    ascend.reverse_each(&block)
    nil
  end

  def +(other)
    other = Pathname.new(other) unless Pathname === other
    Pathname.new(combined(@path, other.path))
  end
  alias_method :/, :+

  def join(*others)
    return self if others.empty?
    result = Pathname(others.pop)
    until result.absolute? || others.empty?
      result = Pathname(others.pop) + result
    end
    result.absolute? ? result : self + result
  end

  def children(with_directory = true)
    names = Dir.children(@path)
    with_directory &&= @path != "."
    names.map { |name| self.class.new(with_directory ? File.join(@path, name) : name) }
  end

  def each_child(with_directory = true, &block) = children(with_directory).each(&block)

  def relative_path_from(base_directory)
    base_directory = Pathname.new(base_directory) unless base_directory.is_a?(Pathname)
    own, base = cleanpath, base_directory.cleanpath
    if own.absolute? != base.absolute?
      prefix = own.absolute? ? "/" : ""
      raise ArgumentError, "different prefix: #{prefix.inspect} and #{base.path.inspect}"
    end
    names, above = [own, base].map { |path| file_names(path.path) - ["."] }
    common = names.zip(above).take_while { |one, other| one == other }.size
    names, above = names.drop(common), above.drop(common)
    raise ArgumentError, "base_directory has ..: #{base.path.inspect}" if above.include?("..")
    found = above.map { ".." } + names
    Pathname.new(found.empty? ? "." : found.join("/"))
  end

  protected

  attr_reader :path

  private

  def file_names(path) = path.split("/").reject(&:empty?)

  # The text before the last name, and that name without separators after it; nil if the path has no name.
  def last_name(path)
    name = File.basename(path)
    return nil if name.empty? || name == "/"
    [path[0, path.rindex(name)], name]
  end

  # Whether separators follow the last name.
  def has_trailing_separator?(path) = path.end_with?("/") && !last_name(path).nil?

  # The path without separators at its end; of separators alone, the first stays.
  def del_trailing_separator(path) = path.sub(%r{(?<=.)/+\z}m, "")

  # The end of a path whose meaning depends on symbolic links: `a/.` and `a/` are what the link `a` refers to.
  def final_form(names)
    return "" if names.last == ".."
    return "/." if File.basename(@path) == "."
    has_trailing_separator?(@path) ? "/" : ""
  end

  # `path` seen from the folder `base`. Each `..` at its start removes a name at the end of `base`.
  def combined(base, path)
    return path if path.start_with?("/")
    loop do
      path = path.sub(%r{\A(?:\./+|\.\z)+}, "")
      before, name = last_name(base)
      break unless name
      if name == ".." || (name != "." && !path.match?(%r{\A\.\.(?:/|\z)}))
        base = before + name
        break
      end
      base = before
      path = path.sub(%r{\A\.\./*}, "") unless name == "."
    end
    is_root = base.start_with?("/") && last_name(base).nil?
    if is_root
      path = path.sub(%r{\A(?:\.\.(?:/+|\z))+}, "")
    end
    return path.empty? ? "." : path unless is_root || last_name(base)
    path.empty? ? base : File.join(base, path)
  end
end
