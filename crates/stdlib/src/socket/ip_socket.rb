# TCP and UDP.

class IPSocket < BasicSocket
  undef_method :getpeereid

  class << self
    def getaddress(host)
      address = Socket.__send__(:__look_up, host, nil, nil, Socket::SOCK_STREAM)[0][3]
      Socket.__send__(:__numeric, address)[0]
    end

    private

    # Whether reverse lookups are requested; the block returns the default.
    def __reverse?(flag)
      case flag
      when true, false then flag
      when nil then yield
      when :hostname then true
      when :numeric then false
      when Symbol then raise ArgumentError, "invalid reverse_lookup flag: #{flag.inspect}"
      else raise TypeError, "wrong argument type #{flag.class} (expected Symbol)"
      end
    end

    # [family, port, name, number]
    def __row(address, reverse)
      number, port = Socket.__send__(:__numeric, address)
      begin
        name = BasicSocket.__send__(:__names, address, 0)[0] if reverse
      rescue SocketError, SystemCallError
        # A host without a name is shown by its number.
      end
      [Socket.__send__(:__family_name, Socket.__send__(:__family_of, address)), port.to_i, name || number, number]
    end

    # Runs the block for each address until it returns 0 for success; otherwise raises the error of the last number.
    def __first_of(rows, what, host, service)
      number = 0
      rows.each do |row|
        number = yield row
        return row if number == 0
      end
      __failed_for(number, what, host, service)
    end

    def __failed_for(number, what, host, service)
      Socket.__send__(:__failed, number, "#{what} for #{host.inspect} port #{service}")
    end
  end

  def addr(reverse = nil) = __row(getsockname, reverse)
  def peeraddr(reverse = nil) = __row(getpeername, reverse)

  def recvfrom(*arguments)
    unless arguments.size.between?(1, 3)
      raise ArgumentError, "wrong number of arguments (given #{arguments.size}, expected 1..3)"
    end
    row = __receive(*arguments)
    row && [row[0], __sender(row[1])]
  end

  def inspect
    return super if closed?
    address = getsockname
    host, port = Socket.__send__(:__numeric, address)
    family = Socket.__send__(:__name, "AF_", Socket.__send__(:__family_of, address))
    super.delete_suffix(">") << ", #{family}, #{host}, #{port}>"
  rescue SystemCallError, SocketError
    super
  end

  private

  def __row(address, reverse)
    reverse = IPSocket.__send__(:__reverse?, reverse) { !do_not_reverse_lookup }
    IPSocket.__send__(:__row, address, reverse)
  end

  # A connected socket has no address per message.
  def __sender(address) = address.empty? ? nil : __row(address, nil)
end

class TCPSocket < IPSocket
  def self.gethostbyname(host)
    warn("TCPSocket.gethostbyname is deprecated; use Addrinfo.getaddrinfo instead.", uplevel: 0)
    Socket.__send__(:__host_row, host) { |address| Socket.__send__(:__numeric, address)[0] }
  end

  def initialize(host, service, local_host = nil, local_service = nil,
                 resolv_timeout: nil, connect_timeout: nil, open_timeout: nil, fast_fallback: Socket.tcp_fast_fallback)
    if open_timeout && (resolv_timeout || connect_timeout)
      raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
    end
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    is_address = Integer === host || String === host && host.match?(/\A\d+(\.\d+){3}\z|:/)
    function = fast_fallback && !is_address ? "getaddrinfo(3)" : "getaddrinfo"
    rows = Socket.__send__(:__look_up, host, service, nil, Socket::SOCK_STREAM,
      timeout: open_timeout || resolv_timeout, function:)
    attempts = Attempts.new(__with_local(rows, local_host, local_service), connect_timeout, open_timeout && started +
      open_timeout, fast_fallback)
    number = attempts.run
    Socket.__send__(:__timed_out, host, service) unless number
    IPSocket.__send__(:__failed_for, number, "bind(2)", local_host, local_service) if attempts.local?
    IPSocket.__send__(:__failed_for, number, "connect(2)", host, service) unless number == 0
    __open(attempts.take)
  ensure
    attempts&.close
  end

  private

  # [family, type, protocol, address, local address], for the families that have the requested local address.
  def __with_local(rows, host, service)
    return rows.map { |row| row.first(4) } unless host || service
    local = Socket.__send__(:__look_up, host, service, nil, Socket::SOCK_STREAM)
    rows = rows.map { |row| [*row.first(4), local.find { |own| own[0] == row[0] }&.at(3)] }.select(&:last)
    rows.empty? ? raise(SocketError, "no appropriate local address") : rows
  end
end

class TCPServer < TCPSocket
  def initialize(host = nil, service)
    rows = Socket.__send__(:__look_up, host, service, nil, Socket::SOCK_STREAM, nil, Socket::AI_PASSIVE, datagram: true)
    descriptor = nil
    IPSocket.__send__(:__first_of, rows, "bind(2)", host, service) do |family, kind, protocol, address,|
      descriptor = BasicSocket.__send__(:__socket, family, kind, protocol)
      BasicSocket.__send__(:__set_option, descriptor, Socket::SOL_SOCKET, Socket::SO_REUSEADDR, [1].pack("i"))
      number = BasicSocket.__send__(:__bind, descriptor, address)
      number = BasicSocket.__send__(:__listen, descriptor, Socket::SOMAXCONN) if number == 0
      IO.for_fd(descriptor).close if number != 0
      number
    end
    __open(descriptor)
  end

  def accept = __accepted(*__os(:__accept, true))
  def sysaccept = __os(:__accept, true)[0]
  def listen(backlog) = __listen(backlog)

  private

  def __accepted(descriptor, _) = TCPSocket.__send__(:__wrap, descriptor)
end

class UDPSocket < IPSocket
  def initialize(family = Socket::AF_INET)
    __open(BasicSocket.__send__(:__socket, Socket.__send__(:__family, family), Socket::SOCK_DGRAM, 0))
  end

  def bind(host, port)
    IPSocket.__send__(:__first_of, __look_up(host, port), "bind(2)", host, port) { |row| __os(:__bind, row[3]) }
    0
  end

  def connect(host, port)
    IPSocket.__send__(:__first_of, __look_up(host, port), "connect(2)", host,
      port) { |row| __os(:__connect, row[3], true, nil) }
    0
  end

  def send(message, flags, *target)
    return super if target.size < 2
    raise ArgumentError, "wrong number of arguments (given #{2 + target.size}, expected 4)" if target.size > 2
    count = nil
    IPSocket.__send__(:__first_of, __look_up(*target), "sendto(2)", *target) do |row|
      count = __os(:__send, message, flags, row[3], nil, true)
      0
    rescue SystemCallError => error
      error.errno
    end
    count
  end

  private

  def __look_up(host, port) = Socket.__send__(:__look_up, host, port, __family, Socket::SOCK_DGRAM)
end
