# Socket.tcp and TCPSocket.new with open_timeout.
require "socket"

def tried
  p yield
rescue ArgumentError, SystemCallError => e
  puts "#{e.class}: #{e.message.sub(/(:| port )\d+\z/, "")}"
end

server = TCPServer.new("127.0.0.1", 0)
port = server.local_address.ip_port
free = TCPServer.open("127.0.0.1", 0) { |other| other.local_address.ip_port }
tried { Socket.tcp("127.0.0.1", port, open_timeout: 5).class }
tried { Socket.tcp("localhost", port, open_timeout: 5) { |socket| socket.class } }
tried { Socket.tcp("127.0.0.1", port, "127.0.0.1", open_timeout: 5) { |socket| socket.local_address.ip_address } }
tried { Socket.tcp("127.0.0.1", port, open_timeout: 5, fast_fallback: false) { 1 } }
tried { Socket.tcp("127.0.0.1", port, open_timeout: nil, connect_timeout: 5) { 2 } }
tried { Socket.tcp("127.0.0.1", port, open_timeout: 5, connect_timeout: 5) }
tried { Socket.tcp("127.0.0.1", port, open_timeout: 5, resolv_timeout: 5) }
tried { Socket.tcp("127.0.0.1", port, nothing: 5) }
tried { Socket.tcp("127.0.0.1", port, open_timeout: 5, nothing: 5) }
tried { Socket.tcp("127.0.0.1", free, open_timeout: 5) }
tried { TCPSocket.new("127.0.0.1", port, open_timeout: 5).class }
tried { TCPSocket.open("127.0.0.1", port, open_timeout: 5) { |socket| socket.class } }
tried { TCPSocket.new("127.0.0.1", port, open_timeout: 5, connect_timeout: 5) }
tried { TCPSocket.new("127.0.0.1", free, open_timeout: 5) }
