# Modes of terminals, as methods of IO.

class IO
  # Settings of a terminal, which can be changed and applied to it.
  class ConsoleMode
    VERSION = "0.8.2"
    private_class_method :new

    def raw(min: nil, time: nil, intr: nil) = dup.raw!(min: min, time: time, intr: intr)
  end

  # The terminal of the process, one IO per Ractor, or the result of a method of it.
  def self.console(name = (none = true; nil), *arguments, **options)
    raise TypeError, "wrong argument type #{name.class} (expected Symbol)" unless none || Symbol === name
    console = Ractor[:__io_console]
    unless console && !console.closed?
      console = Ractor[:__io_console] = begin
        console = File.open("/dev/tty", "r+")
        console.sync = true
        console
      rescue SystemCallError
        nil
      end
    end
    return console if none || console.nil?
    if name == :close && arguments.empty? && options.empty?
      console.close
      Ractor[:__io_console] = nil
      return nil
    end
    console.__send__(name, *arguments, **options)
  end

  def self.console_size
    console&.winsize || default_console_size
  rescue NoMethodError, SystemCallError
    default_console_size
  end

  def self.default_console_size
    [ENV["LINES"].to_i.nonzero? || 25, ENV["COLUMNS"].to_i.nonzero? || 80]
  end

  def raw(min: nil, time: nil, intr: nil) = __in_mode(console_mode.raw(min: min, time: time, intr: intr)) { yield self }
  def cooked = __in_mode(console_mode.cooked) { yield self }
  def noecho = __in_mode(console_mode.__echo(false)) { yield self }

  def raw!(min: nil, time: nil, intr: nil)
    self.console_mode = console_mode.raw(min: min, time: time, intr: intr)
    self
  end

  def cooked!
    self.console_mode = console_mode.cooked
    self
  end

  def echo=(flag)
    self.console_mode = console_mode.__echo(flag)
  end

  def echo? = console_mode.__echo?

  def getch(min: nil, time: nil, intr: nil)
    __in_mode(console_mode.raw(min: min, time: time, intr: intr)) { getc }
  end

  def getpass(prompt = nil)
    out = equal?($stdin) ? $stderr : self
    out.print(prompt) if prompt
    line = __in_mode(console_mode.__echo(false)) { gets("\n") } # whatever $/ is
    out.print("\n")
    out.flush
    line&.chomp("\n")
  end

  def winsize = __window.first(2)

  def winsize=(size)
    size = size.to_ary
    unless size.size == 2 || size.size == 4
      raise ArgumentError, "wrong number of arguments (given #{size.size}, expected 2 or 4)"
    end
    __set_window(*size, *([0, 0] if size.size == 2))
  end

  def beep = __out("\a")
  def cursor=(place)
    row, column = place.to_ary
    goto(row, column)
  end

  def goto(row, column) = __out("\e[#{row + 1};#{column + 1}H")
  def goto_column(column) = __out("\e[#{column + 1}G")
  def cursor_up(count) = __move(count, "A", "B")
  def cursor_down(count) = __move(count, "B", "A")
  def cursor_right(count) = __move(count, "C", "D")
  def cursor_left(count) = __move(count, "D", "C")
  def scroll_forward(count) = __move(count, "S", "T")
  def scroll_backward(count) = __move(count, "T", "S")
  def clear_screen = __out("\e[2J\e[1;1H")

  def erase_line(mode)
    raise ArgumentError, "unknown line erase mode" unless (0..2).cover?(mode)
    __out("\e[#{mode}K")
  end

  def erase_screen(mode)
    raise ArgumentError, "unknown erase screen mode" unless (0..3).cover?(mode)
    __out("\e[#{mode}J")
  end

  def cursor
    answer = raw do
      __out("\e[6n")
      text = +""
      text << getc until text.end_with?("R")
      text
    end
    match = /\e\[(\d+);(\d+)R\z/.match(answer)
    match && [match[1].to_i - 1, match[2].to_i - 1]
  end

  def pressed?(*) = raise(NotImplementedError, "pressed?() function is unimplemented on this machine")
  def check_winsize_changed =
    raise(NotImplementedError, "check_winsize_changed() function is unimplemented on this machine")

  private

  def __in_mode(mode)
    before = console_mode
    self.console_mode = mode
    begin
      yield
    ensure
      self.console_mode = before
    end
  end

  def __out(text)
    write(text)
    flush
    self
  end

  def __move(count, forward, backward)
    return self if count == 0
    __out("\e[#{count.abs}#{count > 0 ? forward : backward}")
  end
end
