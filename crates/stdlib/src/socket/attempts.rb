# Connects to the first of several addresses that responds.

class TCPSocket < IPSocket
  class Attempts
    # Seconds until the next address is tried while earlier attempts are pending.
    DELAY = 0.25

    # Rows are [family, type, protocol, address, local address or nil]. `limit`, in seconds, applies to each attempt,
    # `deadline` to all of them.
    def initialize(rows, limit, deadline, together)
      @rows = together ? alternating(rows) : rows
      @limit, @deadline, @together = limit, deadline, together
      @pending = []
      @number = 0
    end

    # Whether the local address was unavailable.
    def local? = @local

    # 0 if connected, the number of the last error, nil on timeout.
    def run
      @rows.each_with_index do |row, i|
        start(row)
        more = @together && i < @rows.size - 1
        await(more ? DELAY : @limit, more) unless @connected
        return 0 if @connected
        return nil if @deadline && now >= @deadline
        give_up unless more || @pending.empty?
      end
      @number
    end

    # The descriptor of the connection; the caller owns it from now on.
    def take
      @connected.autoclose = false
      @pending.delete(@connected)
      @connected.fileno
    end

    def close = @pending.each(&:close)

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    # Alternates between the two families, so that an unreachable family causes no delay.
    def alternating(rows)
      first, *others = rows.group_by(&:first).values
      others.empty? ? rows : first.zip(*others).flatten(1).compact | rows
    end

    def start((family, type, protocol, address, local))
      socket = Socket.new(family, type, protocol)
      @pending << socket
      number = local ? BasicSocket.__send__(:__bind, socket, local) : 0
      @local = number != 0
      number = BasicSocket.__send__(:__connect, socket, address, nil, nil) if number == 0
      finish(socket, number) if number
    rescue SystemCallError => error
      @number = error.errno
    end

    def finish(socket, number)
      if number == 0
        @connected = socket
      else
        @number = number
        @pending.delete(socket).close
      end
    end

    # Waits for this many seconds until one is connected; if another could be tried instead, also until one fails.
    def await(seconds, impatient)
      until_then = [seconds && now + seconds, @deadline].compact.min
      until @connected || @pending.empty?
        _, ready = IO.select(nil, @pending, nil, until_then && [until_then - now, 0].max)
        return unless ready
        ready.each { |socket| finish(socket, BasicSocket.__send__(:__connect_outcome, socket)) unless @connected }
        return if impatient
      end
    end

    # Closes the attempts that did not finish in time.
    def give_up
      @pending.each(&:close).clear
      @number = nil
    end
  end
  private_constant :Attempts
end

# `Socket.tcp` with `open_timeout:`, which the library's own, that of Ruby 3.4, lacks. It comes before that method,
# which is defined later.
class Socket
  module Opening
    def tcp(host, port, local_host = nil, local_port = nil, connect_timeout: nil, resolv_timeout: nil,
            open_timeout: nil, fast_fallback: tcp_fast_fallback, &block)
      unless open_timeout
        return super(host, port, local_host, local_port, connect_timeout:, resolv_timeout:, fast_fallback:, &block)
      end
      if connect_timeout || resolv_timeout
        raise ArgumentError, "Cannot specify open_timeout along with connect_timeout or resolv_timeout"
      end
      socket = __opened(host, port, local_host, local_port, open_timeout)
      return socket unless block
      begin
        yield socket
      ensure
        socket.close
      end
    end

    private

    def __opened(host, port, local_host, local_port, seconds)
      ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
      local = Addrinfo.getaddrinfo(local_host, local_port, nil, :STREAM, timeout: seconds) if local_host || local_port
      error = SocketError.new("no appropriate local address")
      Addrinfo.getaddrinfo(host, port, nil, :STREAM, timeout: seconds).each do |remote|
        own = local&.find { |address| address.afamily == remote.afamily }
        next if local && !own
        left = [ends - Process.clock_gettime(Process::CLOCK_MONOTONIC), 0].max
        begin
          return own ? remote.connect_from(own, timeout: left) : remote.connect(timeout: left)
        rescue SystemCallError => error
          next
        end
      end
      raise error
    end
  end
  private_constant :Opening
  singleton_class.prepend(Opening)
end
