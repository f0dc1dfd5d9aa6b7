# The common methods of all sockets, on top of BasicSocket's private singleton methods.

class BasicSocket < IO
  @do_not_reverse_lookup = true

  class << self
    def do_not_reverse_lookup = BasicSocket.instance_variable_get(:@do_not_reverse_lookup)
    def do_not_reverse_lookup=(flag)
      BasicSocket.instance_variable_set(:@do_not_reverse_lookup, flag ? true : false)
    end

    def new(*, **, &block)
      warn("#{self}::new() does not take block; use #{self}::open() instead", uplevel: 0) if block
      super(*, **)
    end

    def for_fd(descriptor)
      descriptor = __integer(descriptor)
      begin
        __option(descriptor, Socket::SOL_SOCKET, Socket::SO_TYPE)
      rescue Errno::ENOTSOCK
        raise Errno::EBADF, "not a socket file descriptor"
      end
      __wrap(descriptor)
    end

    private

    def __wrap(descriptor) = allocate.tap { |socket| socket.__send__(:__open, descriptor) }

    def __wrapped_pair(domain, type, protocol, &block)
      ends = __pair(Socket.__send__(:__family, domain), Socket.__send__(:__type, type), protocol || 0)
      ends.map! { |descriptor| __wrap(descriptor) }
      return ends unless block
      begin
        block.call(ends)
      ensure
        ends.each { |socket| socket.close unless socket.closed? }
      end
    end
  end

  attr_reader :do_not_reverse_lookup
  def do_not_reverse_lookup=(flag)
    @do_not_reverse_lookup = flag ? true : false
  end

  def send(message, flags, *address)
    raise ArgumentError, "wrong number of arguments (given #{2 + address.size}, expected 2..3)" if address.size > 1
    address = address[0]
    address = Socket.__send__(:__packed, address) unless address.nil?
    __os(:__send, message, flags, address, nil, true)
  end

  def recv(length, *rest)
    raise ArgumentError, "wrong number of arguments (given #{1 + rest.size}, expected 1..3)" if rest.size > 2
    row = __receive(length, *rest)
    row && row[0]
  end

  def getsockname = __os(:__local)
  def getpeername = __os(:__peer)
  def getpeereid = __os(:__peer_identity)
  def local_address = __address_info(getsockname)
  def remote_address = __address_info(getpeername)

  def getsockopt(level, name)
    family = __family
    level = Socket.__send__(:__level, family, level)
    name = Socket.__send__(:__option_name, family, level, name)
    Socket::Option.new(family, level, name, __os(:__option, level, name))
  end

  def setsockopt(*arguments)
    if arguments.size == 1
      option = arguments[0]
      arguments = [option.level, option.optname, option.data]
    end
    raise ArgumentError, "wrong number of arguments (given #{arguments.size}, expected 3)" unless arguments.size == 3
    level, name, value = arguments
    unless Integer === level && Integer === name
      family = __family
      level = Socket.__send__(:__level, family, level)
      name = Socket.__send__(:__option_name, family, level, name)
    end
    value = { true => 1, false => 0 }.fetch(value, value)
    value = [value].pack("i") if Integer === value
    __os(:__set_option, level, name, value)
  end

  def shutdown(how = nil)
    how = how.nil? ? Socket::SHUT_RDWR : Socket.__send__(:__shutdown_how, how)
    raise ArgumentError, "'how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR" unless how.between?(0, 2)
    __os(:__shutdown, how)
  end

  def close_read
    close if __os(:__half_close, true)
    nil
  end

  def close_write
    close if __os(:__half_close, false)
    nil
  end

  private

  def __open(descriptor, path = nil)
    if path
      IO.instance_method(:initialize).bind_call(self, descriptor, "r+b", path:)
      self.sync = true
    else
      __os(:__adopt, descriptor)
    end
    @do_not_reverse_lookup = BasicSocket.do_not_reverse_lookup
    self
  end

  def __os(method, *arguments) = BasicSocket.__send__(method, self, *arguments)
  def __kind = __os(:__option, Socket::SOL_SOCKET, Socket::SO_TYPE).unpack1("i")
  def __family = Socket.__send__(:__family_of, getsockname)
  def __address_info(address) = Addrinfo.new(address, Socket.__send__(:__family_of, address), __kind)

  # [bytes, packed address], nil at the end of a stream, false if it would block with `wait` false.
  def __receive(length, flags = 0, buffer = nil, wait = true)
    __os(:__receive, length, flags || 0, buffer, wait)
  end

  def __would_block(exception, reading, what)
    return reading ? :wait_readable : :wait_writable if exception == false
    raise reading ? IO::EAGAINWaitReadable : IO::EAGAINWaitWritable, what
  end

  def __recv_nonblock(length, flags, buffer, exception)
    row = __receive(length, flags, buffer, false)
    return __would_block(exception, true, "recvfrom(2) would block") if row == false
    row && row[0]
  end

  def __recvfrom_nonblock(length, flags, buffer, exception)
    row = __receive(length, flags, buffer, false)
    return __would_block(exception, true, "recvfrom(2) would block") if row == false
    row && [row[0], __sender(row[1])]
  end

  def __listen(backlog, what = "listen(2)")
    number = __os(:__listen, backlog)
    number == 0 ? 0 : Socket.__send__(:__failed, number, what)
  end

  def __accept_nonblock(exception)
    descriptor, address = __os(:__accept, false)
    return __would_block(exception, true, "accept(2) would block") unless descriptor
    __accepted(descriptor, address)
  end

  # IO has methods with these names as well, with fewer arguments.
  def __read_nonblock(length, buffer, *exception)
    return super(length, buffer) if exception.empty?
    text = __os(:__read, length, buffer)
    return __would_block(exception[0], true, "read would block") if text == false
    text || (exception[0] == false ? nil : raise(EOFError, "end of file reached"))
  end

  def __write_nonblock(bytes, *exception)
    return super(bytes) if exception.empty?
    __os(:__write, bytes.to_s) || __would_block(exception[0], false, "write would block")
  end
end
