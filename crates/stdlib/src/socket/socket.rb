# Sockets of any family, and information about hosts, services and interfaces.

class Socket < BasicSocket
  @tcp_fast_fallback = true

  class << self
    attr_accessor :tcp_fast_fallback

    def getaddrinfo(host, service, family = nil, type = nil, protocol = nil, flags = nil, reverse = nil)
      reverse = IPSocket.__send__(:__reverse?, reverse) { !BasicSocket.do_not_reverse_lookup }
      __look_up(host, service, family, type, protocol, flags).map do |found, kind, number, address, name|
        row = IPSocket.__send__(:__row, address, reverse)
        row[2] = name if name
        row.push(found, kind, number)
      end
    end

    def getnameinfo(address, flags = nil)
      flags ||= 0
      packed = Addrinfo === address ? address.to_sockaddr : String.try_convert(address)
      return BasicSocket.__send__(:__names, packed, flags) if packed
      row = Array.try_convert(address) or raise TypeError, "expecting String or Array"
      raise ArgumentError, "array size should be 3 or 4, #{row.size} given" if row.size < 3
      host = row[3] || row[2]
      type = flags & NI_DGRAM == 0 ? SOCK_STREAM : SOCK_DGRAM
      found = __look_up(host, row[1], row[0], type, nil, row[3] ? AI_NUMERICHOST : 0)
      names = found.map { |_, _, _, packed,| BasicSocket.__send__(:__names, packed, flags) }
      raise SocketError, "sockaddr resolved to multiple nodename" unless names.uniq.size == 1
      names[0]
    end

    def gethostname = BasicSocket.__send__(:__host_name)

    def gethostbyname(host)
      warn("Socket.gethostbyname is deprecated; use Addrinfo.getaddrinfo instead.", uplevel: 0)
      __host_row(host) { |address| __ip_bytes(address) }
    end

    def gethostbyaddr(address, family = nil)
      warn("Socket.gethostbyaddr is deprecated; use Addrinfo#getnameinfo instead.", uplevel: 0)
      address = __text(address)
      family = family ? __family(family) : address.bytesize == 16 ? AF_INET6 : AF_INET
      BasicSocket.__send__(:__host_by_address, address, family) or raise SocketError, "host not found"
    end

    def getservbyname(name, protocol = nil)
      name = __text(name)
      protocol = protocol.nil? ? "tcp" : __text(protocol)
      BasicSocket.__send__(:__service, name, protocol) ||
        Integer(name, exception: false) || raise(SocketError, "no such service #{name}/#{protocol}")
    end

    def getservbyport(port, protocol = nil)
      number = Integer.try_convert(port)
      raise TypeError, "no implicit conversion from nil to integer" if number.nil? && port.nil?
      raise TypeError, "no implicit conversion of #{port.class} into Integer" if number.nil?
      port = number
      unless port.between?(0, 65535)
        raise RangeError, "integer #{port} too #{port > 0 ? "big" : "small"} to convert into 'int16_t'"
      end
      protocol = protocol.nil? ? "tcp" : __text(protocol)
      BasicSocket.__send__(:__service_at, port, protocol) or raise SocketError,
        "no such service for port #{port}/#{protocol}"
    end

    def pack_sockaddr_in(port, host) = __look_up(host, port, datagram: true)[0][3]
    alias sockaddr_in pack_sockaddr_in

    def unpack_sockaddr_in(address)
      address = __unpacked_family(address)
      family, _, port = BasicSocket.__send__(:__unpack, address)
      raise ArgumentError, "not an AF_INET/AF_INET6 sockaddr" unless __ip?(family)
      [port, BasicSocket.__send__(:__names, address, NI_NUMERICHOST | NI_NUMERICSERV)[0]]
    end

    def pack_sockaddr_un(path) = BasicSocket.__send__(:__pack_path, path)
    alias sockaddr_un pack_sockaddr_un

    def unpack_sockaddr_un(address)
      address = __unpacked_family(address)
      family, path, = BasicSocket.__send__(:__unpack, address)
      raise ArgumentError, "not an AF_UNIX sockaddr" unless family == AF_UNIX
      raise TypeError, "too long sockaddr_un - #{address.bytesize} longer than 110" if address.bytesize > 110
      path
    end

    def socketpair(domain, type, protocol = nil, &block) = __wrapped_pair(domain, type, protocol, &block)
    alias pair socketpair

    def getifaddrs = BasicSocket.__send__(:__interfaces).map { |row| Ifaddr.__send__(:__new, row) }

    def ip_address_list
      BasicSocket.__send__(:__interfaces).filter_map do |_, _, _, address,|
        family = address && __family_of(address)
        Addrinfo.new(address, family) if __ip?(family)
      end
    end

    private

    def __unpacked_family(address)
      __packed(address).tap { |packed| raise ArgumentError, "too short sockaddr" if packed.bytesize < 2 }
    end

    # [name, aliases, family, address, …]
    def __host_row(host)
      rows = __look_up(host, nil, nil, SOCK_STREAM, nil, AI_CANONNAME)
      canonical = rows[0][4]
      aliases = canonical && BasicSocket.__send__(:__host_by_name, canonical)&.at(1)
      [canonical || __host(host)[0], aliases || [], rows[0][0], *rows.map { |row| yield row[3] }]
    end

    def __ip_bytes(address)
      case family = __family_of(address)
      when AF_INET then address.byteslice(4, 4)
      when AF_INET6 then address.byteslice(8, 16)
      else raise SocketError, "unknown socket family:#{family}"
      end
    end
  end

  def initialize(domain, type, protocol = nil)
    domain = Socket.__send__(:__family, domain)
    __open(BasicSocket.__send__(:__socket, domain, Socket.__send__(:__type, type), protocol || 0))
  end

  def bind(address)
    number = __os(:__bind, Socket.__send__(:__packed, address))
    number == 0 ? 0 : __failed_at(number, "bind(2)", address)
  end

  def listen(backlog) = __listen(backlog)

  def connect(address)
    number = __os(:__connect, Socket.__send__(:__packed, address), true, nil)
    number == 0 ? 0 : __failed_at(number, "connect(2)", address)
  end

  def accept = __accepted(*__os(:__accept, true))

  def sysaccept
    descriptor, address = __os(:__accept, true)
    [descriptor, Addrinfo.new(address, Socket.__send__(:__family_of, address), __kind)]
  end

  def recvfrom(*arguments)
    unless arguments.size.between?(1, 3)
      raise ArgumentError, "wrong number of arguments (given #{arguments.size}, expected 1..3)"
    end
    row = __receive(*arguments)
    row && [row[0], __sender(row[1])]
  end

  private

  def __failed_at(number, what, address)
    address = Addrinfo.new(address) unless Addrinfo === address
    Socket.__send__(:__failed, number, "#{what} for #{address.inspect_sockaddr}")
  end

  def __sender(address) = __address_info(address)

  def __accepted(descriptor, address)
    socket = Socket.__send__(:__wrap, descriptor)
    [socket, socket.__send__(:__address_info, address)]
  end

  def __connect_nonblock(address, exception)
    number = __os(:__connect, Socket.__send__(:__packed, address), false, nil)
    return 0 if number == 0
    if number
      return 0 if number == Errno::EISCONN::Errno && exception == false
      __failed_at(number, "connect(2)", address)
    end
    return :wait_writable if exception == false
    raise IO::EINPROGRESSWaitWritable, "connect(2) would block"
  end

  # A network interface with one of its addresses.
  class Ifaddr
    FLAGS = %i[
      UP BROADCAST DEBUG LOOPBACK POINTOPOINT RUNNING NOARP PROMISC NOTRAILERS ALLMULTI MASTER SLAVE MULTICAST PORTSEL
      AUTOMEDIA DYNAMIC
    ].to_h { |name| [name, Constants.const_get("IFF_#{name}")] }.merge(LOWER_UP: 0x10000, DORMANT: 0x20000,
      ECHO: 0x40000).freeze
    private_constant :FLAGS

    class << self
      def new(*) = raise(TypeError, "allocator undefined for #{self}")

      private

      def __new(row) = allocate.tap { |interface| interface.__send__(:__set, *row) }
    end

    attr_reader :name, :flags, :addr, :netmask, :broadaddr, :dstaddr

    def ifindex
      @index == 0 ? raise(ArgumentError, "invalid interface name: #{@name}") : @index
    end

    def inspect
      shown = +"#<#{self.class} #{@name}"
      shown << " " << __shown_flags if @flags != 0
      shown << " " << @addr.inspect_sockaddr if @addr
      { netmask: @netmask, broadcast: @broadaddr, dstaddr: @dstaddr }.each do |word, address|
        shown << " #{word}=#{address.inspect_sockaddr}" if address
      end
      shown << ">"
    end

    private

    def __set(name, index, flags, *addresses)
      @name, @index, @flags = name, index, flags
      @addr, @netmask, @broadaddr, @dstaddr = addresses.map do |address|
        address && Addrinfo.new(address, Socket.__send__(:__family_of, address))
      end
    end

    def __shown_flags
      known, rest = [], @flags
      FLAGS.each do |name, bit|
        next if rest & bit == 0
        known << name
        rest &= ~bit
      end
      known << format("%#x", rest) if rest != 0
      known.join(",")
    end
  end
end
