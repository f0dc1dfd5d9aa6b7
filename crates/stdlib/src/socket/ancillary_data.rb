# Control messages.

class Socket < BasicSocket
  class AncillaryData
    class << self
      def int(family, level, type, value)
        new(family, level, type, [BasicSocket.__send__(:__integer, value)].pack("i"))
      end

      def unix_rights(*ios)
        raise TypeError, "IO expected" unless ios.all?(IO)
        new(:UNIX, :SOCKET, :RIGHTS, ios.map(&:fileno).pack("i*")).tap { |message| message.__send__(:__rights, ios) }
      end

      def ip_pktinfo(address, index, source = address)
        bytes = __address(address, AF_INET, 16, "addr").byteslice(4, 4)
        source = __address(source, AF_INET, 16, "spec_dst").byteslice(4, 4)
        new(:INET, :IP, :PKTINFO, [index].pack("I") + source + bytes)
      end

      def ipv6_pktinfo(address, index)
        new(:INET6, :IPV6, :PKTINFO, __address(address, AF_INET6, 28, "addr").byteslice(8, 16) + [index].pack("I"))
      end

      private

      def __address(address, family, size, what)
        address = Socket.__send__(:__packed, address)
        name = Socket.__send__(:__name, "AF_", family)
        raise ArgumentError, "#{what} size different to #{name} sockaddr" unless address.bytesize == size
        raise ArgumentError, "#{what} is not #{name} sockaddr" unless Socket.__send__(:__family_of, address) == family
        address
      end
    end

    attr_reader :family, :level, :type, :data

    def initialize(family, level, type, data)
      @family = Socket.__send__(:__family, family)
      @level = Socket.__send__(:__level, @family, level)
      @type = Socket.__send__(:__control_type, @family, @level, type)
      @data = Socket.__send__(:__text, data)
    end

    def cmsg_is?(level, type)
      level = Socket.__send__(:__level, @family, level)
      type = Socket.__send__(:__control_type, @family, level, type)
      @level == level && @type == type
    end

    def int
      raise TypeError, "size differ.  expected as sizeof(int)=4 but #{@data.bytesize}" unless @data.bytesize == 4
      @data.unpack1("i")
    end

    def unix_rights
      raise TypeError, "SCM_RIGHTS ancillary data expected" unless @level == SOL_SOCKET && @type == SCM_RIGHTS
      @unix_rights
    end

    def timestamp
      seconds, part = @data.unpack("qq")
      return Time.at(seconds, part) if is?(SOL_SOCKET, SCM_TIMESTAMP, 16)
      return Time.at(seconds, part, :nsec) if is?(SOL_SOCKET, SCM_TIMESTAMPNS, 16)
      raise TypeError, "timestamp ancillary data expected"
    end

    def ip_pktinfo
      raise TypeError, "IP_PKTINFO ancillary data expected" unless is?(IPPROTO_IP, IP_PKTINFO, 12)
      [inet(8), @data.unpack1("I"), inet(4)]
    end

    def ipv6_pktinfo = [ipv6_pktinfo_addr, ipv6_pktinfo_ifindex]

    def ipv6_pktinfo_addr
      index = ipv6_pktinfo_ifindex
      bytes = @data.byteslice(0, 16)
      local = bytes.getbyte(0) == 0xfe && bytes.getbyte(1) & 0xc0 == 0x80
      Addrinfo.new([AF_INET6].pack("S") + "\0".b * 6 + bytes + [local ? index : 0].pack("I"), :INET6)
    end

    def ipv6_pktinfo_ifindex
      raise TypeError, "IPV6_PKTINFO ancillary data expected" unless is?(IPPROTO_IPV6, IPV6_PKTINFO, 20)
      @data.unpack1("@16I")
    end

    def inspect
      "#<#{self.class}: #{Socket.__send__(:__shown_family, @family)} #{shown_type.join(" ")} #{shown_data || @data.dump}>"
    end

    private

    def __rights(ios) = @unix_rights = ios
    def is?(level, type, size) = @level == level && @type == type && @data.bytesize == size
    def inet(place) = Addrinfo.new([AF_INET].pack("S") + "\0\0".b + @data.byteslice(place, 4) + "\0".b * 8, :INET)
    def interface(index) = Socket.__send__(:__interface_name, index) || "ifindex:#{index}"

    def shown_type
      unless @level == SOL_SOCKET || Socket.__send__(:__ip?, @family)
        return ["cmsg_level:#{@level}", "cmsg_type:#{@type}"]
      end
      level = Socket.__send__(:__shown_level, @level, "cmsg_level")
      [level, Socket.__send__(:__shown_option, @family, @level, @type, "SCM_", "cmsg_type")]
    end

    def shown_data
      if @level == SOL_SOCKET then shown_socket_data
      elsif !Socket.__send__(:__ip?, @family) then nil
      elsif is?(IPPROTO_IP, IP_PKTINFO, 12)
        address, index, source = ip_pktinfo
        "#{address.ip_address} #{interface(index)} spec_dst:#{source.ip_address}"
      elsif is?(IPPROTO_IPV6, IPV6_PKTINFO, 20)
        "#{ipv6_pktinfo_addr.ip_address[/[^%]+/]} #{interface(ipv6_pktinfo_ifindex)}"
      end
    end

    def shown_socket_data
      size = @data.bytesize
      case @type
      when SCM_TIMESTAMP, SCM_TIMESTAMPNS
        timestamp.strftime(@type == SCM_TIMESTAMP ? "%F %T.%6N" : "%F %T.%9N") if size == 16
      when SCM_RIGHTS then @data.unpack("i*").join(" ") if size > 0 && size % 4 == 0
      when SCM_CREDENTIALS then format("pid=%u uid=%u gid=%u (ucred)", *@data.unpack("III")) if size == 12
      end
    end
  end
end

class BasicSocket < IO
  private

  # The default size of the receive buffer; it grows if necessary.
  MESSAGE_SIZE = 4096
  # With this much space, truncation means that the process has no free descriptors.
  ENOUGH_ROOM = 1 << 17
  private_constant :MESSAGE_SIZE, :ENOUGH_ROOM

  def __sendmsg(message, flags, address, controls) = __send_message(message, flags, address, controls, true)

  def __sendmsg_nonblock(message, flags, address, controls, exception)
    __send_message(message, flags, address, controls, false) ||
      __would_block(exception, false, "sendmsg(2) would block")
  end

  def __send_message(message, flags, address, controls, wait)
    address = Socket.__send__(:__packed, address) unless address.nil?
    family = __family unless controls.nil? || controls.empty?
    rows = (controls || []).map do |control|
      if (row = Array.try_convert(control))
        raise ArgumentError, "an element of controls should be 3-elements array" unless row.size == 3
        level, type, data = row
      else
        level, type, data = control.level, control.type, control.data
      end
      level = Socket.__send__(:__level, family, level)
      [level, Socket.__send__(:__control_type, family, level, type), data]
    end
    __os(:__send, message, flags || 0, address, rows, wait)
  end

  def __recvmsg(length, flags, room, rights) = __receive_message(length, flags, room, rights, true)

  def __recvmsg_nonblock(length, flags, room, rights, exception)
    row = __receive_message(length, flags, room, rights, false)
    row == false ? __would_block(exception, true, "recvmsg(2) would block") : row
  end

  # [bytes, address, flags, control message, …]; nil at the end, false if it would block with `wait` false.
  def __receive_message(length, flags, room, rights, wait)
    unless length && room
      fitting = __fitting(length, flags, room, wait)
      return fitting unless fitting
      length, room = fitting
    end
    row = __os(:__receive_message, length, flags, room, wait)
    return row unless row
    bytes, address, flags, controls = row
    family = __family
    messages = controls.map do |level, type, data|
      message = Socket::AncillaryData.new(family, level, type, data)
      ios = __ios_of(message) if level == Socket::SOL_SOCKET && type == Socket::SCM_RIGHTS
      rights ? message.__send__(:__rights, ios) : ios.each(&:close) if ios
      message
    end
    [bytes, __address_info(address), flags, *messages]
  end

  def __ios_of(message)
    message.data.unpack("i*").map do |descriptor|
      IO.for_fd(descriptor, autoclose: false).stat.socket? ? Socket.for_fd(descriptor) : IO.for_fd(descriptor)
    end.freeze
  end

  # Peeks at the next message until it fits, and returns its length and the space for its control messages.
  def __fitting(length, flags, room, wait)
    size, space = length || MESSAGE_SIZE, room || MESSAGE_SIZE
    loop do
      row = __os(:__receive_message, size, flags | Socket::MSG_PEEK, space, wait)
      return row unless row
      row[3].each { |level, type, data| __drop(data) if level == Socket::SOL_SOCKET && type == Socket::SCM_RIGHTS }
      longer = length.nil? && row[0].bytesize == size
      wider = room.nil? && row[2] & Socket::MSG_CTRUNC != 0 && space < ENOUGH_ROOM
      return [size, space] unless longer || wider
      size *= 2 if longer
      space *= 2 if wider
    end
  end

  def __drop(data) = data.unpack("i*").each { |descriptor| IO.for_fd(descriptor).close }
end
