# The texts of failed look-ups. Recorded from CRuby 4.1dev.
require "socket"
def t
  p yield
rescue SocketError, ArgumentError => e
  puts "#{e.class}: #{e.message} #{e.error_code if e.respond_to?(:error_code)}"
end
t { Addrinfo.getaddrinfo("127.0.0.1", "nosuchservice") }
t { Addrinfo.getaddrinfo("localhost", 80, :INET, 99) }
t { TCPSocket.new("127.0.0.1", "nosuchservice") }
t { TCPServer.new("127.0.0.1", "nosuchservice") }
t { UDPSocket.new.bind("127.0.0.1", "nosuchservice") }
t { Socket.sockaddr_in("nosuchservice", "127.0.0.1") }
t { Addrinfo.new(["AF_INET6", 80, "h", "127.0.0.1"]) }
t { Addrinfo.getaddrinfo("localhost", 80, :INET, :STREAM, nil, -1) }
t { Addrinfo.tcp("127.0.0.1", "9" * 50) }
t { Addrinfo.tcp("a" * 2000, 80) }
