# Recorded from CRuby 3.4.11.
# Waiting for a socket lets other threads run, can be interrupted, and ends when the socket is closed.
require "socket"
require "timeout"

def asleep(thread)
  Thread.pass until thread.status == "sleep" || !thread.alive?
  sleep 0.02
end

server = TCPServer.new("127.0.0.1", 0)
client = TCPSocket.new("127.0.0.1", server.addr[1])
peer = server.accept
a, b = UNIXSocket.pair
udp = UDPSocket.new.tap { |socket| socket.bind("127.0.0.1", 0) }

waits = {
  accept: -> { server.accept },
  sysaccept: -> { server.sysaccept },
  recv: -> { client.recv(1) },
  gets: -> { client.gets },
  readpartial: -> { peer.readpartial(1) },
  recvfrom: -> { udp.recvfrom(1) },
  recvmsg: -> { a.recvmsg },
  recv_io: -> { b.recv_io },
  write: -> { loop { client.write("x" * 100_000) } },
}
waits.each do |name, wait|
  thread = Thread.new { wait.call }
  asleep(thread)
  thread.kill
  print name, " killed ", thread.join(5) ? "in time" : "too late", "; "
  thread = Thread.new do
    wait.call
  rescue RuntimeError => e
    e.message
  end
  asleep(thread)
  thread.raise("woken")
  print thread.value, "; "
  puts((Timeout.timeout(0.05) { wait.call } rescue $!.class))
end

{ accept: server, sysaccept: TCPServer.new("127.0.0.1", 0), recv: udp, recvmsg: a, recv_io: UNIXSocket.pair, gets: client }.each do |name, socket|
  socket = socket[0] if Array === socket
  thread = Thread.new do
    name == :recv ? socket.recv(1) : socket.__send__(name)
  rescue IOError => e
    "#{e.class}: #{e.message}"
  end
  asleep(thread)
  socket.close
  puts "#{name} closed: #{thread.value.inspect}"
end

listener = TCPServer.new("127.0.0.1", 0)
listener.timeout = 0.05
begin
  listener.accept
rescue IO::TimeoutError => e
  puts e.class, e.message
end
threads = 4.times.map { |i| Thread.new { TCPSocket.open("127.0.0.1", listener.addr[1]) { |s| s.puts i; s.read } } }
listener.timeout = nil
4.times { s = listener.accept; s.write(s.gets.to_i * 2); s.close }
p threads.map(&:value)
p Socket.tcp("localhost", listener.addr[1], connect_timeout: 5).then { |s| s.close; s.closed? }
p (TCPSocket.new("127.0.0.1", 1, open_timeout: 1, connect_timeout: 1) rescue $!.class)
udp2 = UDPSocket.new.tap { |socket| socket.bind("127.0.0.1", 0) }
source = nil
thread = Thread.new { Socket.udp_server_loop_on([udp2]) { |text, from| source = from.class; from.reply(text.reverse); break } }
u = UDPSocket.new
u.connect("127.0.0.1", udp2.addr[1])
u.send("abc", 0)
p u.recv(5), thread.join && source
