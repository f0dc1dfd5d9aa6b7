# Addrinfo: an address, and the parameters of a socket for it.

class Addrinfo
  class << self
    def getaddrinfo(host, service = nil, family = nil, type = nil, protocol = nil, flags = nil, timeout: nil)
      rows = Socket.__send__(:__look_up, host, service, family, type, protocol, flags, timeout: timeout)
      shown = __shown_name(host, service, rows[0][3])
      rows.map { |row| __made(row, shown) }
    end

    def ip(host) = __first(host, nil, nil, nil).tap { |info| info.__send__(:__any_type) }
    def tcp(host, service) = __first(host, service, Socket::SOCK_STREAM, Socket::IPPROTO_TCP)
    def udp(host, service) = __first(host, service, Socket::SOCK_DGRAM, Socket::IPPROTO_UDP)

    def unix(path, type = nil)
      new(Socket.pack_sockaddr_un(path), Socket::PF_UNIX, type.nil? ? Socket::SOCK_STREAM : type)
    end

    private

    def __first(host, service, type, protocol)
      row = Socket.__send__(:__look_up, host, service, nil, type, protocol)[0]
      __made(row, __shown_name(host, service, row[3]))
    end

    def __made((family, type, protocol, address, name), shown)
      new(address, family, type, protocol).tap { |info| info.__send__(:__names, name, shown) }
    end

    # The requested host and service, unless the address already contains them.
    def __shown_name(host, service, address)
      number, port = Socket.__send__(:__numeric, address)
      host = nil if host == number || !(String === host)
      service = nil if service == port || service == port.to_i
      shown = host&.dup
      shown = "#{shown}:#{service}" if String === service || (Integer === service && service != 0)
      shown&.freeze
    end
  end

  attr_reader :pfamily, :socktype, :protocol, :canonname

  def initialize(address, family = nil, type = nil, protocol = nil)
    @pfamily = family.nil? ? Socket::PF_UNSPEC : Socket.__send__(:__family, family)
    @socktype = type.nil? ? 0 : Socket.__send__(:__type, type)
    @protocol = protocol.nil? ? 0 : BasicSocket.__send__(:__integer, protocol)
    if (row = Array.try_convert(address))
      __take_row(row)
    else
      @address = Socket.__send__(:__text, address).b.freeze
      raise ArgumentError, "sockaddr string too big" if @address.bytesize > 2048
    end
  end

  def afamily = Socket.__send__(:__family_of, @address)
  def to_sockaddr = @address.dup
  alias to_s to_sockaddr

  def ip? = ipv4? || ipv6?
  def ipv4? = afamily == Socket::AF_INET
  def ipv6? = afamily == Socket::AF_INET6
  def unix? = afamily == Socket::AF_UNIX

  def ip_address = ip_unpack[0]

  def ip_port
    __need_ip
    raise SocketError, "unexpected sockaddr size for IPv4" if ipv4? && @address.bytesize != 16
    raise SocketError, "unexpected sockaddr size for IPv6" if ipv6? && @address.bytesize != 28
    @address.unpack1("@2n")
  end

  def ip_unpack
    __need_ip
    host, port = getnameinfo(Socket::NI_NUMERICHOST | Socket::NI_NUMERICSERV)
    [host, port.to_i]
  end

  def unix_path
    raise SocketError, "need AF_UNIX address" unless unix?
    BasicSocket.__send__(:__unpack, @address)[1]
  end

  def ipv4_private? = __ipv4? { |first, second| first == 10 || (first == 172 && second.between?(16, 31)) ||
    (first == 192 && second == 168) }
  def ipv4_loopback? = __ipv4? { |first,| first == 127 }
  def ipv4_multicast? = __ipv4? { |first,| first.between?(224, 239) }
  def ipv6_unspecified? = __ipv6? { |bytes| bytes.all?(0) }
  def ipv6_loopback? = __ipv6? { |bytes| bytes[0, 15].all?(0) && bytes[15] == 1 }
  def ipv6_multicast? = __ipv6? { |bytes| bytes[0] == 0xff }
  def ipv6_linklocal? = __ipv6? { |bytes| bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 }
  def ipv6_sitelocal? = __ipv6? { |bytes| bytes[0] == 0xfe && bytes[1] & 0xc0 == 0xc0 }
  def ipv6_unique_local? = __ipv6? { |bytes| bytes[0] & 0xfe == 0xfc }
  def ipv6_v4mapped? = __ipv6? { |bytes| bytes[0, 10].all?(0) && bytes[10, 2] == [255, 255] }
  def ipv6_v4compat? = __ipv6? { |bytes| bytes[0, 12].all?(0) && bytes[12..].pack("C4").unpack1("N") > 1 }
  def ipv6_mc_nodelocal? = __multicast?(1)
  def ipv6_mc_linklocal? = __multicast?(2)
  def ipv6_mc_sitelocal? = __multicast?(5)
  def ipv6_mc_orglocal? = __multicast?(8)
  def ipv6_mc_global? = __multicast?(14)

  # The IPv4 address that an IPv6 address carries; nil if it carries none.
  def ipv6_to_ipv4
    return nil unless ipv6_v4mapped? || ipv6_v4compat?
    Addrinfo.new(Socket.pack_sockaddr_in(0, @address.byteslice(20, 4).bytes.join(".")), :INET, @socktype)
  end

  def getnameinfo(flags = nil)
    flags ||= 0
    flags |= Socket::NI_DGRAM if @socktype == Socket::SOCK_DGRAM
    BasicSocket.__send__(:__names, @address, flags)
  end

  def marshal_dump
    pfamily = Socket.__send__(:__name, "PF_", @pfamily) or raise SocketError, "unknown protocol family: #{@pfamily}"
    type = __dumped(@socktype, "SOCK_", "socktype")
    protocol = __dumped(@protocol, ip? ? "IPPROTO_" : nil, ip? ? "IP protocol" : "protocol")
    family = Socket.__send__(:__name, "AF_", afamily) or raise SocketError, "unknown address family: #{afamily}"
    address = unix? ? unix_path : Socket.__send__(:__numeric, @address)
    [family, address, pfamily, type, protocol, @canonname, @shown_name]
  end

  def marshal_load(parts)
    raise TypeError, "already initialized socket address" if @address
    family, address, pfamily, type, protocol, name, shown = parts.to_ary
    @pfamily = __loaded(pfamily, /\A[AP]F_\w+\z/, "protocol family")
    @socktype = type == 0 ? 0 : __loaded(type, /\ASOCK_\w+\z/, "socktype")
    @protocol = protocol == 0 ? 0 : __loaded(protocol, ip_name?(family) ? /\AIPPROTO_\w+\z/ : /(?!)/, "protocol")
    if __loaded(family, /\A[AP]F_\w+\z/, "address family") == Socket::AF_UNIX
      @address = Socket.pack_sockaddr_un(address).freeze
    else
      flags = Socket::AI_NUMERICHOST | Socket::AI_NUMERICSERV
      @address = Socket.__send__(:__look_up, address[0], address[1], @pfamily, @socktype, @protocol, flags,
        datagram: true)[0][3].freeze
    end
    __names(name, shown)
  end

  def inspect_sockaddr = Socket.__send__(:__inspect_address, @address)

  def inspect
    words = [inspect_sockaddr]
    family = afamily
    words << (Socket.__send__(:__name, "PF_", @pfamily) || "PF_???(#{@pfamily})") if @pfamily != 0 && @pfamily != family
    words.push(*__shown_kind, @canonname)
    words << "(#{@shown_name})" if @shown_name
    "#<#{self.class}: #{words.compact.join(" ")}>"
  end

  private

  def __names(name, shown)
    @canonname = name&.dup&.freeze
    @shown_name = shown
  end

  def __any_type
    @socktype = @protocol = 0
  end

  # Takes an address in the form that IPSocket#addr and UNIXSocket#addr return.
  def __take_row(row)
    name = Socket.__send__(:__text, row[0])
    case family = __named_family(name)
    when Socket::AF_INET, Socket::AF_INET6
      port = BasicSocket.__send__(:__integer, row[1])
      number = Socket.__send__(:__text, row[3])
      flags = Socket::AI_NUMERICHOST | Socket::AI_NUMERICSERV
      wanted = @pfamily == 0 ? family : @pfamily
      found = Socket.__send__(:__look_up, number, port, wanted, @socktype, @protocol, flags, datagram: true)[0]
      @address = found[3].freeze
      @pfamily = wanted
      host = row[2].nil? ? nil : Socket.__send__(:__text, row[2])
      @shown_name = Addrinfo.__send__(:__shown_name, host, port, @address) unless host == number
    when Socket::AF_UNIX
      @address = Socket.pack_sockaddr_un(row[1]).freeze
      @pfamily, @socktype, @protocol = Socket::PF_UNIX, Socket::SOCK_STREAM, 0
    else raise SocketError, "unexpected address family"
    end
  end

  def __named_family(name)
    Socket.__send__(:__number, name, /\A[AP]F_\w+\z/, ["AF_"], "unknown address family")
  end

  def __need_ip
    raise SocketError, "need IPv4 or IPv6 address" unless ip?
  end

  def __ipv4? = ipv4? && yield(*@address.byteslice(4, 4).bytes)
  def __ipv6? = ipv6? && yield(@address.byteslice(8, 16).bytes)
  def __multicast?(scope) = __ipv6? { |bytes| bytes[0] == 0xff && bytes[1] & 15 == scope }

  # "TCP", or the names of type and protocol.
  def __shown_kind
    internet = Socket.__send__(:__ip?, @pfamily)
    return ["TCP"] if internet && @socktype == Socket::SOCK_STREAM && [0, Socket::IPPROTO_TCP].include?(@protocol)
    return ["UDP"] if internet && @socktype == Socket::SOCK_DGRAM && [0, Socket::IPPROTO_UDP].include?(@protocol)
    words = []
    words << (Socket.__send__(:__name, "SOCK_", @socktype) || "SOCK_???(#{@socktype})") if @socktype != 0
    if @protocol != 0
      words << (internet && Socket.__send__(:__name, "IPPROTO_", @protocol) || "UNKNOWN_PROTOCOL(#{@protocol})")
    end
    words
  end

  def __dumped(number, prefix, what)
    return 0 if number == 0
    prefix && Socket.__send__(:__name, prefix, number) or raise SocketError, "unknown #{what}: #{number}"
  end

  def ip_name?(family) = family == "AF_INET" || family == "AF_INET6"

  def __loaded(name, pattern, what)
    Socket.__send__(:__number, Socket.__send__(:__text, name), pattern, [], "")
  rescue SocketError
    raise TypeError, "unexpected #{what}"
  end
end
