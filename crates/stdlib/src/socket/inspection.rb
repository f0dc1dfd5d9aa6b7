# The text forms of addresses.

class Socket < BasicSocket
  PACKET_KINDS = %w[HOST BROADCAST MULTICAST OTHERHOST OUTGOING].freeze
  private_constant :PACKET_KINDS

  class << self
    private

    def __inspect_address(address)
      return "empty-sockaddr" if address.empty?
      return "too-short-sockaddr" if address.bytesize < 2
      case family = __family_of(address)
      when AF_UNSPEC then "UNSPEC"
      when AF_INET then __inspect_inet(address)
      when AF_INET6 then __inspect_inet6(address)
      when AF_UNIX then __inspect_unix(address)
      when AF_PACKET then __inspect_packet(address)
      else
        name = __name("AF_", family)
        name ? "#{name} address format unknown" : "unknown address family #{family}"
      end
    end

    def __inspect_inet(address)
      numbers = (4..7).map { |place| address.getbyte(place) || "?" }
      port = address.bytesize > 4 ? address.unpack1("@2n") : "?"
      shown = numbers.join(".")
      shown << ":#{port}" unless port == 0
      shown << " (#{address.bytesize} bytes for 16 bytes sockaddr_in)" unless address.bytesize == 16
      shown
    end

    def __inspect_inet6(address)
      size = address.bytesize
      return "too-short-AF_INET6-sockaddr #{size} bytes" if size < 28
      host, port = __numeric(address)
      shown = port == "0" ? host.dup : "[#{host}]:#{port}"
      shown << "(sockaddr #{size - 28} bytes too long)" if size > 28
      shown
    end

    def __inspect_unix(address)
      path = address.byteslice(2..).sub(/\0+\z/n, "")
      return "empty-path-AF_UNIX-sockaddr" if path.empty?
      return "UNIX#{path.bytes.map { |byte| format(":%02x", byte) }.join}" unless path.match?(/\A[!-~]+\z/n)
      path.start_with?("/") ? path : "UNIX #{path}"
    end

    # A hardware address: protocol, interface, kinds, length, address bytes.
    def __inspect_packet(address)
      size = address.bytesize
      protocol, index, hardware, kind, length = address.unpack("@2nlSCC")
      words = []
      words << "protocol=#{protocol}" if size >= 4
      words << (__interface_name(index) || "ifindex=#{index}") if size >= 8
      words << "hatype=#{hardware}" if size >= 10
      words << (PACKET_KINDS[kind] || "pkttype=#{kind}") if size >= 11
      exact = length && size == 12 + length
      words << "halen=#{length}" if length && !exact
      if size > 12
        words << "hwaddr=#{address.byteslice(12, length).bytes.map { |byte| format("%02x", byte) }.join(":")}"
      end
      words << "(#{size} bytes for 20 bytes sockaddr_ll)" unless exact
      "PACKET[#{words.join(" ")}]"
    end
  end
end
