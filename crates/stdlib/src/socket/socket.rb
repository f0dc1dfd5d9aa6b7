# The classes of sockets, over what BasicSocket's private singleton methods do.

class SocketError < StandardError
end

class BasicSocket < IO
  undef_method :initialize
  private_class_method(*singleton_methods(false).grep(/\A__/))
  @do_not_reverse_lookup = true

  class << self
    def do_not_reverse_lookup = BasicSocket.instance_variable_get(:@do_not_reverse_lookup)
    def do_not_reverse_lookup=(flag)
      BasicSocket.instance_variable_set(:@do_not_reverse_lookup, flag ? true : false)
    end

    def for_fd(descriptor)
      socket = allocate
      socket.__send__(:__open, descriptor)
      socket
    end
  end

  attr_writer :do_not_reverse_lookup
  def do_not_reverse_lookup = @do_not_reverse_lookup.nil? ? BasicSocket.do_not_reverse_lookup : @do_not_reverse_lookup

  def send(message, flags, address = nil)
    address = address.to_sockaddr if Addrinfo === address
    __os(:__send, message.to_str, flags, address, true)
  end

  def recv(length, flags = 0, buffer = nil)
    bytes, = __os(:__receive, length, flags, true)
    __received(bytes, length, buffer)
  end

  def getsockname = __os(:__local)
  def getpeername = __os(:__peer)
  def local_address = Addrinfo.new(getsockname, nil, __kind)
  def remote_address = Addrinfo.new(getpeername, nil, __kind)

  def getsockopt(level, name)
    level = Socket.__send__(:__level, level)
    name = Socket.__send__(:__option_name, level, name)
    Socket::Option.new(Socket.__send__(:__family_of, getsockname), level, name, __os(:__option, level, name))
  end

  def setsockopt(level, name = nil, value = nil)
    level, name, value = level.level, level.optname, level.data if Socket::Option === level
    level = Socket.__send__(:__level, level)
    name = Socket.__send__(:__option_name, level, name)
    value = [value == true ? 1 : value ? value : 0].pack("i") unless String === value
    __os(:__set_option, level, name, value)
  end

  HOWS = { "RD" => 0, "WR" => 1, "RDWR" => 2 }.freeze
  private_constant :HOWS

  def shutdown(how = 2)
    unless Integer === how
      name = how.to_s.delete_prefix("SHUT_")
      how = HOWS[name] or raise(SocketError, "unknown shutdown argument: #{name}")
    end
    raise ArgumentError, "'how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR" unless how.between?(0, 2)
    __os(:__shutdown, how)
  end

  def close_read
    shutdown(0)
    nil
  end

  def close_write
    flush
    shutdown(1)
    nil
  end

  private

  def __open(descriptor)
    IO.instance_method(:initialize).bind_call(self, descriptor, "r+b")
    self.sync = true
  end

  def __os(method, *arguments) = BasicSocket.__send__(method, self, *arguments)
  def __kind = __os(:__option, Socket::SOL_SOCKET, Socket::SO_TYPE).unpack1("i")

  # A stream's end is nil.
  def __received(bytes, length, buffer)
    if bytes.empty? && length > 0 && __kind == Socket::SOCK_STREAM
      buffer&.clear
      return nil
    end
    buffer ? buffer.replace(bytes) : bytes
  end

  def __would_block(exception, reading, what)
    return reading ? :wait_readable : :wait_writable unless exception
    raise reading ? IO::EAGAINWaitReadable : IO::EAGAINWaitWritable, what
  end

  def __recv_nonblock(length, flags, buffer, exception)
    bytes, = __os(:__receive, length, flags, false)
    bytes ? __received(bytes, length, buffer) : __would_block(exception, true, "recvfrom(2) would block")
  end

  def __recvfrom_nonblock(length, flags, buffer, exception)
    bytes, address = __os(:__receive, length, flags, false)
    return __would_block(exception, true, "recvfrom(2) would block") unless bytes
    [buffer ? buffer.replace(bytes) : bytes, __address(address)]
  end

  def __accept_nonblock(exception)
    descriptor, address = __os(:__accept, false)
    return __would_block(exception, true, "accept(2) would block") unless descriptor
    __accepted(descriptor, address)
  end

  def __sendmsg(message, flags, address, controls)
    raise NotImplementedError, "control messages are not sent" if controls && !controls.empty?
    send(message, flags || 0, address)
  end

  def __sendmsg_nonblock(message, flags, address, controls, exception)
    raise NotImplementedError, "control messages are not sent" if controls && !controls.empty?
    address = address.to_sockaddr if Addrinfo === address
    __os(:__send, message.to_str, flags || 0, address, false) || __would_block(exception, false, "sendmsg(2) would block")
  end

  def __recvmsg(length, flags, _controls, _rights)
    bytes, address = __os(:__receive, length || 65536, flags || 0, true)
    [bytes, Addrinfo.new(address.empty? ? [0].pack("S") : address, nil, __kind), flags || 0]
  end

  def __recvmsg_nonblock(length, flags, _controls, _rights, exception)
    bytes, address = __os(:__receive, length || 65536, flags || 0, false)
    return __would_block(exception, true, "recvmsg(2) would block") unless bytes
    [bytes, Addrinfo.new(address.empty? ? [0].pack("S") : address, nil, __kind), flags || 0]
  end

  # IO has methods of these names as well, which take less.
  def __read_nonblock(length, buffer, *exception)
    return super(length, buffer) if exception.empty?
    IO.instance_method(:read_nonblock).bind_call(self, length, buffer, exception: exception[0])
  end

  def __write_nonblock(bytes, *exception)
    return super(bytes) if exception.empty?
    __os(:__send, bytes.to_s, 0, nil, false) || __would_block(exception[0], false, "write would block")
  end

  # The first connection that can be made of several addresses.
  def __connect_to(rows)
    failure = nil
    rows.each do |family, kind, protocol, address|
      descriptor = BasicSocket.__send__(:__socket, family, kind, protocol)
      begin
        yield descriptor, family if block_given?
        BasicSocket.__send__(:__connect, descriptor, address, true)
        return __open(descriptor)
      rescue SystemCallError => failure
        IO.for_fd(descriptor).close
      end
    end
    raise failure || SocketError.new("no address")
  end
end

class Socket < BasicSocket
  class ResolutionError < SocketError
    attr_reader :error_code
  end

  @tcp_fast_fallback = true

  class << self
    attr_accessor :tcp_fast_fallback

    def getaddrinfo(host, service, family = nil, kind = nil, protocol = nil, flags = nil, _reverse = nil)
      __look_up(host, service, family, kind, protocol, flags).map do |found, type, number, address,|
        _, name, port = BasicSocket.__send__(:__unpack, address)
        [__family_name(found), port, name, name, found, type, number]
      end
    end

    def getnameinfo(address, flags = 0)
      if Array === address
        host = address[3] || address[2]
        address = pack_sockaddr_in(address[1], host)
      end
      BasicSocket.__send__(:__names, address, flags)
    end

    def gethostname = BasicSocket.__send__(:__host_name)

    def getservbyname(name, protocol = "tcp")
      BasicSocket.__send__(:__service, name, protocol) or raise(SocketError, "no such service #{name}/#{protocol}")
    end

    def pack_sockaddr_in(port, host)
      __look_up(host.nil? ? "127.0.0.1" : host, port, nil, SOCK_STREAM, nil, host == "" ? AI_PASSIVE : nil)[0][3]
    end
    alias sockaddr_in pack_sockaddr_in

    def unpack_sockaddr_in(address)
      family, host, port = BasicSocket.__send__(:__unpack, Addrinfo === address ? address.to_sockaddr : address)
      raise ArgumentError, "not an AF_INET/AF_INET6 sockaddr" unless family == AF_INET || family == AF_INET6
      [port, host]
    end

    def pack_sockaddr_un(path) = BasicSocket.__send__(:__pack_path, path)
    alias sockaddr_un pack_sockaddr_un

    def unpack_sockaddr_un(address)
      family, path, = BasicSocket.__send__(:__unpack, Addrinfo === address ? address.to_sockaddr : address)
      raise ArgumentError, "not an AF_UNIX sockaddr" unless family == AF_UNIX
      path
    end

    def pair(domain = AF_UNIX, type = SOCK_STREAM, protocol = 0)
      ends = BasicSocket.__send__(:__pair, __family(domain), __type(type), protocol).map { |descriptor| for_fd(descriptor) }
      return ends unless block_given?
      begin
        yield ends
      ensure
        ends.each { |socket| socket.close unless socket.closed? }
      end
    end
    alias socketpair pair

    private

    def __constant(value, *prefixes)
      return value.to_int if value.respond_to?(:to_int)
      return 0 if value.nil?
      name = value.to_s
      [*prefixes, ""].each do |prefix|
        return const_get(prefix + name) if name.match?(/\A[A-Z]/) && const_defined?(prefix + name)
      end
      nil
    end

    def __family(value) = __constant(value, "AF_", "PF_") || raise(SocketError, "unknown socket domain: #{value}")
    def __type(value) = __constant(value, "SOCK_") || raise(SocketError, "unknown socket type: #{value}")
    def __level(value) = __constant(value, "SOL_", "IPPROTO_") || raise(SocketError, "unknown protocol level: #{value}")

    def __option_name(level, value)
      prefix = { SOL_SOCKET => "SO_", IPPROTO_IP => "IP_", IPPROTO_IPV6 => "IPV6_", IPPROTO_TCP => "TCP_", IPPROTO_UDP => "UDP_" }[level]
      __constant(value, *prefix) || raise(SocketError, "unknown socket level option name: #{value}")
    end

    def __family_name(number)
      { AF_INET => "AF_INET", AF_INET6 => "AF_INET6", AF_UNIX => "AF_UNIX" }[number] || "unknown:#{number}"
    end

    def __family_of(address) = BasicSocket.__send__(:__unpack, address)[0]

    def __look_up(host, service, family = nil, kind = nil, protocol = nil, flags = nil)
      host = nil if host == ""
      host = "255.255.255.255" if host == "<broadcast>"
      host = "0.0.0.0" if host == "<any>"
      host = [24, 16, 8, 0].map { |shift| host >> shift & 255 }.join(".") if Integer === host
      service = nil if service == ""
      service = service.to_s if Integer === service
      service = "0" if host.nil? && service.nil?
      BasicSocket.__send__(:__resolve, host&.to_str, service&.to_str, __family(family), __type(kind), protocol || 0, flags || 0)
    end
  end

  def initialize(domain, type, protocol = 0)
    @family = Socket.__send__(:__family, domain)
    __open(BasicSocket.__send__(:__socket, @family, Socket.__send__(:__type, type), protocol))
  end

  def bind(address) = __os(:__bind, __packed(address))
  def listen(backlog) = __os(:__listen, backlog)

  def connect(address)
    __os(:__connect, __packed(address), true)
    0
  end

  def accept = __accepted(*__os(:__accept, true))
  def sysaccept
    descriptor, address = __os(:__accept, true)
    [descriptor, __address(address)]
  end

  def recvfrom(length, flags = 0)
    bytes, address = __os(:__receive, length, flags, true)
    [bytes, __address(address)]
  end

  private

  def __packed(address) = Addrinfo === address ? address.to_sockaddr : address
  def __accepted(descriptor, address) = [Socket.for_fd(descriptor), __address(address)]
  def __address(address) = Addrinfo.new(address.empty? ? getsockname : address, nil, __kind)

  def __connect_nonblock(address, exception)
    return 0 if __os(:__connect, __packed(address), false)
    return :wait_writable unless exception
    raise IO::EINPROGRESSWaitWritable, "connect(2) would block"
  rescue Errno::EISCONN
    0
  end
end

class IPSocket < BasicSocket
  def self.getaddress(host)
    BasicSocket.__send__(:__unpack, Socket.__send__(:__look_up, host, nil, nil, Socket::SOCK_STREAM)[0][3])[1]
  end

  def addr(reverse = nil) = __row(getsockname, reverse)
  def peeraddr(reverse = nil) = __row(getpeername, reverse)

  def recvfrom(length, flags = 0)
    bytes, address = __os(:__receive, length, flags, true)
    [bytes, __address(address)]
  end

  private

  def __row(address, reverse = nil)
    family, host, port = BasicSocket.__send__(:__unpack, address)
    reverse = !do_not_reverse_lookup if reverse.nil?
    raise ArgumentError, "invalid reverse_lookup flag: #{reverse.inspect}" unless [true, false, :hostname, :numeric].include?(reverse)
    name = reverse == true || reverse == :hostname ? BasicSocket.__send__(:__names, address, 0)[0] : host
    [Socket.__send__(:__family_name, family), port, name, host]
  end

  def __address(address) = address.empty? ? peeraddr : __row(address)
end

class TCPSocket < IPSocket
  def initialize(host, service, local_host = nil, local_service = nil, **_options)
    rows = Socket.__send__(:__look_up, host.nil? ? "localhost" : host, service, nil, Socket::SOCK_STREAM)
    __connect_to(rows) do |descriptor, family|
      if local_host || local_service
        local = Socket.__send__(:__look_up, local_host, local_service, family, Socket::SOCK_STREAM, nil, Socket::AI_PASSIVE)
        BasicSocket.__send__(:__bind, descriptor, local[0][3])
      end
    end
  end
end

class TCPServer < TCPSocket
  def initialize(host = nil, service)
    rows = Socket.__send__(:__look_up, host, service, nil, Socket::SOCK_STREAM, nil, Socket::AI_PASSIVE)
    failure = nil
    rows.each do |family, kind, protocol, address|
      descriptor = BasicSocket.__send__(:__socket, family, kind, protocol)
      begin
        BasicSocket.__send__(:__set_option, descriptor, Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
        BasicSocket.__send__(:__bind, descriptor, address)
        BasicSocket.__send__(:__listen, descriptor, Socket::SOMAXCONN)
        return __open(descriptor)
      rescue SystemCallError => failure
        IO.for_fd(descriptor).close
      end
    end
    raise failure || SocketError.new("no address")
  end

  def accept = __accepted(*__os(:__accept, true))
  def sysaccept = __os(:__accept, true)[0]
  def listen(backlog) = __os(:__listen, backlog)

  private

  def __accepted(descriptor, _) = TCPSocket.for_fd(descriptor)
end

class UDPSocket < IPSocket
  def initialize(family = Socket::AF_INET)
    @family = Socket.__send__(:__family, family)
    __open(BasicSocket.__send__(:__socket, @family, Socket::SOCK_DGRAM, 0))
  end

  def bind(host, port) = __os(:__bind, __look_up(host, port, Socket::AI_PASSIVE))

  def connect(host, port)
    __os(:__connect, __look_up(host, port), true)
    0
  end

  def send(message, flags, host = nil, port = nil)
    return super(message, flags, host) if port.nil?
    super(message, flags, __look_up(host, port))
  end

  private

  def __look_up(host, port, flags = nil)
    Socket.__send__(:__look_up, host, port, @family, Socket::SOCK_DGRAM, nil, flags)[0][3]
  end
end

class UNIXSocket < BasicSocket
  def self.pair(type = Socket::SOCK_STREAM, protocol = 0)
    ends = BasicSocket.__send__(:__pair, Socket::AF_UNIX, Socket.__send__(:__type, type), protocol)
    ends = ends.map { |descriptor| for_fd(descriptor) }
    return ends unless block_given?
    begin
      yield ends
    ensure
      ends.each { |socket| socket.close unless socket.closed? }
    end
  end
  singleton_class.alias_method :socketpair, :pair

  def initialize(path)
    descriptor = BasicSocket.__send__(:__socket, Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      BasicSocket.__send__(:__connect, descriptor, Socket.pack_sockaddr_un(path), true)
    rescue SystemCallError
      IO.for_fd(descriptor).close
      raise
    end
    __open(descriptor)
  end

  def path = Socket.unpack_sockaddr_un(getsockname)
  def addr = ["AF_UNIX", path]
  def peeraddr = ["AF_UNIX", Socket.unpack_sockaddr_un(getpeername)]

  def recvfrom(length, flags = 0)
    bytes, address = __os(:__receive, length, flags, true)
    [bytes, ["AF_UNIX", address.empty? ? "" : Socket.unpack_sockaddr_un(address)]]
  end

  def send_io(_) = raise(NotImplementedError, "descriptors are not handed over")
  def recv_io(*) = raise(NotImplementedError, "descriptors are not handed over")
end

class UNIXServer < UNIXSocket
  def initialize(path)
    descriptor = BasicSocket.__send__(:__socket, Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      BasicSocket.__send__(:__bind, descriptor, Socket.pack_sockaddr_un(path))
      BasicSocket.__send__(:__listen, descriptor, Socket::SOMAXCONN)
    rescue SystemCallError
      IO.for_fd(descriptor).close
      raise
    end
    __open(descriptor)
  end

  def accept = __accepted(*__os(:__accept, true))
  def sysaccept = __os(:__accept, true)[0]
  def listen(backlog) = __os(:__listen, backlog)

  private

  def __accepted(descriptor, _) = UNIXSocket.for_fd(descriptor)
end
