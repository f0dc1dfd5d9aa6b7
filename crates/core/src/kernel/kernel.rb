module Kernel
  def tap
    yield(self)
    self
  end

  def then
    return Primitive.enumerator(self, :then, nil, 1) unless defined?(yield)
    yield(self)
  end

  def yield_self
    return Primitive.enumerator(self, :yield_self, nil, 1) unless defined?(yield)
    yield(self)
  end

  def loop
    return Primitive.enumerator(self, :loop, nil, Float::INFINITY) unless defined?(yield)
    begin
      while true
        yield
      end
    rescue StopIteration => stop
      stop.result
    end
  end
  module_function :loop

  # Compiled code passes the keyword without a Hash.
  def Integer(value, base = 0, exception: true)
    __kernel_integer(value, base, exception)
  end
  module_function :Integer

  def Float(value, exception: true)
    __kernel_float(value, exception)
  end
  module_function :Float

  # A test of one file, or a comparison of two, selected by a letter.
  def test(command, file, other = (alone = true))
    letter = command.is_a?(Integer) ? command.chr : command.to_str[0]
    if letter == "-" || letter == "=" || letter == "<" || letter == ">"
      raise ArgumentError, "wrong number of arguments (given 2, expected 3)" if alone
      return File.identical?(file, other) if letter == "-"
      first, second = File.mtime(file), File.mtime(other)
      return letter == "=" ? first == second : (letter == "<" ? first < second : first > second)
    end
    raise ArgumentError, "wrong number of arguments (given 3, expected 2)" unless alone
    case letter
    when "A" then File.atime(file)
    when "M" then File.mtime(file)
    when "C" then File.ctime(file)
    when "b" then File.blockdev?(file)
    when "c" then File.chardev?(file)
    when "d" then File.directory?(file)
    when "e" then File.exist?(file)
    when "f" then File.file?(file)
    when "g" then File.setgid?(file)
    when "G" then File.grpowned?(file)
    when "k" then File.sticky?(file)
    when "l" then File.symlink?(file)
    when "o" then File.owned?(file)
    when "O" then File.exist?(file) && File.stat(file).uid == Process.uid
    when "p" then File.pipe?(file)
    when "r" then File.readable?(file)
    when "R" then File.readable_real?(file)
    when "s" then File.size?(file)
    when "S" then File.socket?(file)
    when "u" then File.setuid?(file)
    when "w" then File.writable?(file)
    when "W" then File.writable_real?(file)
    when "x" then File.executable?(file)
    when "X" then File.executable_real?(file)
    when "z" then File.zero?(file)
    else
      raise ArgumentError, "unknown command '#{letter =~ /[[:print:]]/ ? letter : letter.inspect[1..-2]}'"
    end
  end
  module_function :test

  def syscall(*)
    raise NotImplementedError, "syscall() function is unimplemented on this machine"
  end
  module_function :syscall
end
