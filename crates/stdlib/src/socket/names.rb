# Numbers and names of constants, for arguments and inspection; lookup of hosts.

class SocketError < StandardError
end

class BasicSocket < IO
  private_class_method(*singleton_methods(false).grep(/\A__/))
end

class Socket < BasicSocket
  class ResolutionError < SocketError
    attr_reader :error_code
  end

  OPTION_LEVELS = { IPPROTO_IP => "IP", IPPROTO_IPV6 => "IPV6", IPPROTO_TCP => "TCP", IPPROTO_UDP => "UDP" }.freeze
  SPOKEN_LEVELS = { "IPV6" => "IPv6" }.freeze
  private_constant :OPTION_LEVELS, :SPOKEN_LEVELS

  class << self
    private

    # The number of a constant named by an argument, with or without one of the prefixes; other arguments are numbers.
    def __number(value, pattern, prefixes, complaint)
      name = Symbol === value ? value.name : String.try_convert(value)
      return BasicSocket.__send__(:__integer, value) unless name
      full = ["", *prefixes].map { |prefix| prefix + name }
        .find { |known| known.match?(pattern) && Constants.const_defined?(known) }
      full ? Constants.const_get(full) : raise(SocketError, "#{complaint}: #{name}")
    end

    def __name(prefix, number) = BasicSocket.__send__(:__name, prefix, number)
    def __ip?(family) = family == AF_INET || family == AF_INET6

    def __family(value) = __number(value, /\A[AP]F_[A-Za-z0-9_]+\z/, ["AF_"], "unknown socket domain")
    def __type(value) = __number(value, /\ASOCK_[A-Z_]+\z/, ["SOCK_"], "unknown socket type")
    def __shutdown_how(value) = __number(value, /\ASHUT_[A-Z]+\z/, ["SHUT_"], "unknown shutdown argument")

    def __level(family, value)
      pattern = __ip?(family) ? /\A(?:SOL_SOCKET|IPPROTO_[A-Z0-9]+)\z/ : /\ASOL_SOCKET\z/
      __number(value, pattern, ["SOL_", "IPPROTO_"], "unknown protocol level")
    end

    def __option_name(family, level, value)
      return __number(value, /\ASO_[A-Z_]+\z/, ["SO_"], "unknown socket level option name") if level == SOL_SOCKET
      __named_below(family, level, value, "level option name")
    end

    def __control_type(family, level, value)
      return __number(value, /\ASCM_[A-Z]+\z/, ["SCM_"], "unknown UNIX control message") if level == SOL_SOCKET
      __named_below(family, level, value, "control message")
    end

    def __named_below(family, level, value, what)
      name = OPTION_LEVELS[level]
      return BasicSocket.__send__(:__integer, value) unless name && __ip?(family)
      __number(value, /\A#{name}_[A-Z0-9_]+\z/, ["#{name}_"], "unknown #{SPOKEN_LEVELS.fetch(name, name)} #{what}")
    end

    # Families, levels and options as inspect shows them.
    def __shown_family(family) = __name("AF_", family)&.delete_prefix("AF_") || "family:#{family}"
    def __family_name(family) = __name("AF_", family) || "unknown:#{family}"

    def __shown_level(level, word)
      name = level == SOL_SOCKET ? "SOCKET" : __name("IPPROTO_", level)
      name ? name.delete_prefix("IPPROTO_") : "#{word}:#{level}"
    end

    def __shown_option(family, level, number, socket_prefix, word)
      prefix = level == SOL_SOCKET ? socket_prefix : __ip?(family) && OPTION_LEVELS[level]&.+("_")
      prefix && __name(prefix, number)&.delete_prefix(prefix) || "#{word}:#{number}"
    end

    def __interface_name(index) = BasicSocket.__send__(:__interface_name, index)
    def __family_of(address) = BasicSocket.__send__(:__unpack, address)[0]

    # The bytes of an address.
    def __packed(address)
      Addrinfo === address ? address.to_sockaddr : String.try_convert(address) || raise(TypeError, __no_string(address))
    end

    def __no_string(value)
      shown = { nil => "nil", true => "true", false => "false" }.fetch(value) { value.class.to_s }
      "no implicit conversion of #{shown} into String"
    end

    def __numeric(address) = BasicSocket.__send__(:__names, address, NI_NUMERICHOST | NI_NUMERICSERV)

    # [[family, type, protocol, address, canonical name], …]; raises on timeout.
    def __look_up(host, service, family = nil, type = nil, protocol = nil, flags = nil, datagram: false, timeout: nil,
                  function: "getaddrinfo")
      type = type.nil? ? 0 : __type(type)
      flags ||= 0
      name, more = __host(host)
      flags |= more
      port = Integer === service ? service.to_s : service.nil? ? nil : __service(service)
      flags |= AI_NUMERICSERV if Integer === service
      type = SOCK_DGRAM if datagram && type == 0 && port&.match?(/\A\s*[-+]?\d+\z/)
      family = family.nil? ? AF_UNSPEC : __family(family)
      rows = BasicSocket.__send__(:__resolve, name, port, family, type, protocol || 0, flags, timeout, function)
      rows || __timed_out(host, service)
    rescue ResolutionError
      raise unless String === host && host.end_with?("\n")
      raise SocketError, "newline at the end of hostname"
    end

    # The host's name for the system, and the flags that it requires.
    def __host(host)
      return [nil, 0] if host.nil?
      return [__dotted(host), AI_NUMERICHOST] if Integer === host
      case name = __text(host)
      when "", "<any>" then ["0.0.0.0", AI_NUMERICHOST]
      when "<broadcast>" then ["255.255.255.255", AI_NUMERICHOST]
      else
        raise ArgumentError, "hostname too long (#{name.bytesize})" if name.bytesize >= NI_MAXHOST
        [name, 0]
      end
    end

    def __service(service)
      name = __text(service)
      raise ArgumentError, "service name too long (#{name.bytesize})" if name.bytesize >= NI_MAXSERV
      name
    end

    def __dotted(number) = [24, 16, 8, 0].map { |shift| number >> shift & 255 }.join(".")
    def __text(value) = String.try_convert(value) || raise(TypeError, __no_string(value))
    def __timed_out(host, service) = raise(IO::TimeoutError, "user specified timeout for #{host}:#{service}")
    def __failed(number, what) = raise(SystemCallError.new(what, number))
  end
end
