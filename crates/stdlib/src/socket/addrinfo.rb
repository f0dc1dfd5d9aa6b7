# Addrinfo and Socket::Option.

class Addrinfo
  attr_reader :socktype, :protocol, :canonname

  class << self
    def getaddrinfo(host, service = nil, family = nil, kind = nil, protocol = nil, flags = nil, timeout: nil)
      Socket.__send__(:__look_up, host, service, family, kind, protocol, flags).map do |found, type, number, address, name|
        new(address, found, type, number).tap { |info| info.__send__(:__name, name) }
      end
    end

    def ip(host) = getaddrinfo(host, nil, nil, nil, nil, Socket::AI_PASSIVE)[0].then { |info| new(info.to_sockaddr, info.pfamily, 0, 0) }
    def tcp(host, service) = getaddrinfo(host, service, nil, :STREAM, Socket::IPPROTO_TCP)[0]
    def udp(host, service) = getaddrinfo(host, service, nil, :DGRAM, Socket::IPPROTO_UDP)[0]
    def unix(path, type = :STREAM) = new(Socket.pack_sockaddr_un(path), :UNIX, type, 0)
  end

  def initialize(address, family = nil, type = nil, protocol = nil)
    if Array === address
      kind, port, _, host = address
      @address = kind == "AF_UNIX" ? Socket.pack_sockaddr_un(port) : Socket.pack_sockaddr_in(port, host || address[2])
    else
      @address = address.to_str.b
    end
    @family, @host, @port = BasicSocket.__send__(:__unpack, @address)
    @pfamily = family.nil? ? @family : Socket.__send__(:__family, family)
    @socktype = Socket.__send__(:__type, type)
    @protocol = protocol || 0
  end

  def afamily = @family
  attr_reader :pfamily
  def to_sockaddr = @address.dup
  alias to_s to_sockaddr

  def ip? = ipv4? || ipv6?
  def ipv4? = @family == Socket::AF_INET
  def ipv6? = @family == Socket::AF_INET6
  def unix? = @family == Socket::AF_UNIX

  def ip_address = (__ip; @host)
  def ip_port = (__ip; @port)
  def ip_unpack = (__ip; [@host, @port])

  def unix_path
    raise SocketError, "need AF_UNIX address" unless unix?
    @host
  end

  def ipv4_loopback? = ipv4? && @host.start_with?("127.")
  def ipv4_multicast? = ipv4? && @host.to_i.between?(224, 239)
  def ipv4_private? = ipv4? && @host.match?(/\A(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/)
  def ipv6_loopback? = ipv6? && @host == "::1"
  def ipv6_unspecified? = ipv6? && @host == "::"
  def ipv6_multicast? = ipv6? && @host.match?(/\Aff/i)
  def ipv6_linklocal? = ipv6? && @host.match?(/\Afe[89ab]/i)

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
    Addrinfo.new(Socket.pack_sockaddr_in(0, __bytes[12..].join(".")), :INET, 0, 0)
  end

  def marshal_dump
    address = unix? ? @host : [@host, @port.to_s]
    names = [Socket.__send__(:__family_name, @family), address, Socket.__send__(:__family_name, @pfamily).sub("AF_", "PF_")]
    [*names, @socktype, @protocol, @canonname, nil]
  end

  def marshal_load(parts)
    family, address, pfamily, type, protocol, name = parts
    packed = family == "AF_UNIX" ? Socket.pack_sockaddr_un(address) : Socket.pack_sockaddr_in(address[1], address[0])
    initialize(packed, pfamily, type, protocol)
    @canonname = name
  end

  def getnameinfo(flags = 0) = BasicSocket.__send__(:__names, @address, flags)

  def ==(other) = Addrinfo === other && to_sockaddr == other.to_sockaddr && pfamily == other.pfamily && socktype == other.socktype

  def inspect_sockaddr
    if ipv4? then @port == 0 ? @host : "#{@host}:#{@port}"
    elsif ipv6? then @port == 0 ? @host : "[#{@host}]:#{@port}"
    elsif unix? then @host.start_with?("/") ? @host : "UNIX #{@host}"
    else "unknown address family #{@family}"
    end
  end

  def inspect
    kind = { Socket::SOCK_STREAM => ip? ? "TCP" : "SOCK_STREAM", Socket::SOCK_DGRAM => ip? ? "UDP" : "SOCK_DGRAM" }[@socktype]
    "#<Addrinfo: #{[inspect_sockaddr, kind].compact.join(" ")}>"
  end

  private

  def __name(name) = @canonname = name
  def __bytes = @address.byteslice(8, 16).bytes
  def __ipv6? = ipv6? && yield(__bytes)
  def __multicast?(scope) = __ipv6? { |bytes| bytes[0] == 0xff && bytes[1] & 15 == scope }

  def __ip
    raise SocketError, "need IPv4 or IPv6 address" unless ip?
  end
end

class Socket
  class Option
    attr_reader :family, :level, :optname, :data
    alias to_s data

    def self.int(family, level, name, value) = new(family, level, name, [value].pack("i"))
    def self.bool(family, level, name, flag) = new(family, level, name, [flag ? 1 : 0].pack("i"))
    def self.linger(on, seconds) = new(:UNSPEC, :SOCKET, :LINGER, [on ? (on == 0 ? 0 : 1) : 0, seconds].pack("ii"))

    def initialize(family, level, name, data)
      @family = Socket.__send__(:__family, family)
      @level = Socket.__send__(:__level, level)
      @optname = Socket.__send__(:__option_name, @level, name)
      @data = data
    end

    def int
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}" unless @data.bytesize == 4
      @data.unpack1("i")
    end

    def bool = int != 0
    def unpack(template) = @data.unpack(template)

    def linger
      raise TypeError, "linger socket option expected" unless @level == SOL_SOCKET && @optname == SO_LINGER
      on, seconds = @data.unpack("ii")
      [on != 0, seconds]
    end

    def inspect = "#<Socket::Option: level:#{@level} optname:#{@optname} #{@data.inspect}>"
  end
end
