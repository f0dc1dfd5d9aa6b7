# Socket options.

class Socket < BasicSocket
  class Option
    TCP_STATES = %w[
      0 ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT LAST_ACK LISTEN CLOSING
    ].freeze
    CONGESTION_STATES = %w[Open Disorder CWR Recovery Loss].freeze
    TCP_OPTIONS = { 1 => "TIMESTAMPS", 2 => "SACK", 4 => "WSCALE", 8 => "ECN", 16 => "ECN_SEEN",
      32 => "SYN_DATA" }.freeze

    # Options by level and name, for inspect: the names of the methods that format them.
    SHOWN = {
      SOL_SOCKET => {
        SO_ERROR => :error, SO_TYPE => :type, SO_LINGER => :linger, SO_RCVTIMEO => :interval, SO_SNDTIMEO => :interval,
        SO_PEERCRED => :credentials,
        **[
          SO_DEBUG, SO_ACCEPTCONN, SO_BROADCAST, SO_REUSEADDR, SO_KEEPALIVE, SO_OOBINLINE, SO_SNDBUF, SO_RCVBUF,
            SO_DONTROUTE, SO_RCVLOWAT, SO_SNDLOWAT
        ].to_h { |name| [name, :integer] },
      },
      IPPROTO_IP => {
        IP_MULTICAST_IF => :interface, IP_ADD_MEMBERSHIP => :membership, IP_DROP_MEMBERSHIP => :membership,
        IP_MULTICAST_LOOP => :integer,
        IP_MULTICAST_TTL => :integer,
      },
      IPPROTO_IPV6 => {
        IPV6_MULTICAST_HOPS => :integer, IPV6_MULTICAST_IF => :interface6, IPV6_MULTICAST_LOOP => :natural,
        IPV6_JOIN_GROUP => :membership6,
        IPV6_LEAVE_GROUP => :membership6, IPV6_UNICAST_HOPS => :integer, IPV6_V6ONLY => :integer,
      },
      IPPROTO_TCP => { TCP_NODELAY => :integer, TCP_INFO => :information },
    }.freeze
    private_constant :TCP_STATES, :CONGESTION_STATES, :TCP_OPTIONS, :SHOWN

    class << self
      def int(family, level, name, value) = new(family, level, name, __packed(value))
      def bool(family, level, name, flag) = new(family, level, name, [flag ? 1 : 0].pack("i"))
      def byte(family, level, name, value) = new(family, level, name, [value.to_int].pack("C"))

      def linger(on, seconds)
        on = Integer.try_convert(on) || (on ? 1 : 0)
        new(:UNSPEC, :SOCKET, :LINGER, __packed(on) + __packed(seconds))
      end

      def ipv4_multicast_loop(value) = int(:INET, :IP, :MULTICAST_LOOP, value)
      def ipv4_multicast_ttl(value) = int(:INET, :IP, :MULTICAST_TTL, value)

      private

      def __packed(value) = [BasicSocket.__send__(:__integer, value)].pack("i")
    end

    attr_reader :family, :level, :optname, :data
    alias to_s data

    def initialize(family, level, name, data)
      @family = Socket.__send__(:__family, family)
      @level = Socket.__send__(:__level, @family, level)
      @optname = Socket.__send__(:__option_name, @family, @level, name)
      @data = Socket.__send__(:__text, data)
    end

    def int
      check_size(4, "int")
      @data.unpack1("i")
    end

    def byte
      check_size(1, "char")
      @data.unpack1("c")
    end

    def bool = @data.bytesize == 1 ? @data != "\0" : int != 0
    def unpack(template) = @data.unpack(template)

    def linger
      raise TypeError, "linger socket option expected" unless @level == SOL_SOCKET && @optname == SO_LINGER
      check_size(8, "struct linger")
      on, seconds = @data.unpack("ii")
      [{ 0 => false, 1 => true }.fetch(on, on), seconds]
    end

    def ipv4_multicast_loop = multicast(IP_MULTICAST_LOOP, "ipv4_multicast_loop")
    def ipv4_multicast_ttl = multicast(IP_MULTICAST_TTL, "ipv4_multicast_ttl")

    def inspect
      words = ["#<#{self.class}:", Socket.__send__(:__shown_family, @family), *shown_name]
      known = @level == SOL_SOCKET || Socket.__send__(:__ip?, @family)
      method = known ? SHOWN.dig(@level, @optname) : nil
      words << (method && __send__(:"show_#{method}") || @data.dump)
      "#{words.join(" ")}>"
    end

    private

    def check_size(size, type)
      return if @data.bytesize == size
      raise TypeError, "size differ.  expected as sizeof(#{type})=#{size} but #{@data.bytesize}"
    end

    def multicast(name, word)
      unless @family == AF_INET && @level == IPPROTO_IP && @optname == name
        raise TypeError, "#{word} socket option expected"
      end
      int
    end

    # Level and name; only internet sockets have names for their own levels.
    def shown_name
      return ["level:#{@level}", "optname:#{@optname}"] unless @level == SOL_SOCKET || Socket.__send__(:__ip?, @family)
      [Socket.__send__(:__shown_level, @level, "level"),
        Socket.__send__(:__shown_option, @family, @level, @optname, "SO_", "optname")]
    end

    # These return nil if the size is wrong.

    def show_integer = sized(4) { @data.unpack1("i").to_s }
    def show_natural = sized(4) { @data.unpack1("I").to_s }
    def show_error = sized(4) { SystemCallError.new(int).message.then { |text| "#{text} (#{int})" } }
    def show_type = sized(4) { Socket.__send__(:__name, "SOCK_", int) || int.to_s }
    def show_interval = sized(16) { format("%d.%06dsec", *@data.unpack("qq")) }
    def show_credentials = sized(12) { format("pid=%u euid=%u egid=%u (ucred)", *@data.unpack("III")) }

    def show_linger
      sized(8) do
        on, seconds = @data.unpack("ii")
        "#{{ 0 => "off", 1 => "on" }.fetch(on) { "on(#{on})" }} #{seconds}sec"
      end
    end

    def show_interface
      sized(4) { dotted(0) } || show_membership_of_index
    end

    def show_membership = sized(8) { "#{dotted(0)} #{dotted(4)}" } || show_membership_of_index
    def show_membership_of_index = sized(12) { "#{dotted(0)} #{dotted(4)} #{interface(8, "ifindex:")}" }
    def show_interface6 = sized(4) { interface(0, "") }

    def show_membership6
      sized(20) do
        address = [AF_INET6].pack("S") + "\0".b * 6 + @data.byteslice(0, 16) + "\0".b * 4
        "#{Socket.__send__(:__numeric, address)[0]} #{interface(16, "interface:")}"
      end
    end

    def sized(size) = @data.bytesize == size ? yield : nil
    def dotted(place) = @data.byteslice(place, 4).bytes.join(".")

    def interface(place, prefix)
      index = @data.unpack1("@#{place}I")
      Socket.__send__(:__interface_name, index) || "#{prefix}#{index}"
    end

    # `struct tcp_info`: eight bytes, then 32-bit numbers.
    def show_information
      return nil if @data.bytesize < 104
      state, congestion, retransmits, probes, backoff, options, scales = @data.unpack("C7")
      words = ["state=#{TCP_STATES[state] || state}", "ca_state=#{CONGESTION_STATES[congestion] || congestion}"]
      words.push("retransmits=#{retransmits}", "probes=#{probes}", "backoff=#{backoff}",
        "options=#{shown_options(options)}")
      words.push("snd_wscale=#{scales & 15}", "rcv_wscale=#{scales >> 4}")
      words.concat(shown_numbers(@data.unpack("@8I24"))).join(" ")
    end

    def shown_options(bits)
      names = TCP_OPTIONS.filter_map { |bit, name| name if bits & bit != 0 }
      rest = bits & ~TCP_OPTIONS.keys.sum
      names << rest if rest != 0 || names.empty?
      names.join(",")
    end

    INFORMATION = {
      rto: :micro, ato: :micro, snd_mss: nil, rcv_mss: nil, unacked: nil, sacked: nil, lost: nil, retrans: nil,
      fackets: nil, last_data_sent: :milli,
      last_ack_sent: :milli, last_data_recv: :milli, last_ack_recv: :milli, pmtu: nil, rcv_ssthresh: nil, rtt: :micro,
      rttvar: :micro, snd_ssthresh: nil,
      snd_cwnd: nil, advmss: nil, reordering: nil, rcv_rtt: :micro, rcv_space: nil, total_retrans: nil,
    }.freeze
    private_constant :INFORMATION

    def shown_numbers(numbers)
      INFORMATION.zip(numbers).map do |(name, unit), number|
        case unit
        when :micro then format("%s=%u.%06us", name, *number.divmod(1_000_000))
        when :milli then format("%s=%u.%03us", name, *number.divmod(1000))
        else "#{name}=#{number}"
        end
      end
    end
  end
end
