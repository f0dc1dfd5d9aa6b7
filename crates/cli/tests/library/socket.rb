# Recorded from CRuby 3.4.11.
require 'socket'
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
s = TCPServer.new("127.0.0.1", 0); port = s.addr[1]
th = Thread.new { c = s.accept; l = c.gets; c.write("got #{l}"); c.close_write; c.read }
c = TCPSocket.new("127.0.0.1", port); t{ c.class }; t{c.peeraddr[2..]}; t{ c.write("hello\n") }; t{c.read}; t{c.close}; t{th.value}
t{ s.local_address.ip_address}; t{s.accept_nonblock}; t{s.accept_nonblock(exception: false)}; t{s.close; s.closed?}
a,b = UNIXSocket.pair; t{a.send("x",0)}; t{b.recv(5)}; t{a.puts "hey"; b.gets}; t{b.recv_nonblock(3)}; t{b.read_nonblock(3, exception: false)}; t{a.close; b.read}; t{b.recv(1)}
require "tmpdir"; path=File.join(Dir.mktmpdir, "us.sock"); File.unlink(path) if File.exist?(path); us=UNIXServer.new(path); uc=UNIXSocket.new(path); ua=us.accept; t{uc.write("q"); ua.readpartial(9)}; t{us.path == path}; t{uc.peeraddr == ["AF_UNIX", path]}
u1=UDPSocket.new; u1.bind("127.0.0.1",0); u2=UDPSocket.new; t{u2.send("dg",0,"127.0.0.1",u1.addr[1])}; t{u1.recvfrom(10)[0]}; t{u1.recvfrom_nonblock(10)}; t{u2.connect("127.0.0.1",u1.addr[1]); u2.send("z",0)}; t{u1.recvfrom(5)[1][0]}
t{Socket.unpack_sockaddr_in(Socket.pack_sockaddr_in(80,"127.0.0.1"))}; t{Socket.unpack_sockaddr_un(Socket.pack_sockaddr_un("/a"))}; t{Addrinfo.tcp("127.0.0.1",80).inspect}; t{Addrinfo.tcp("127.0.0.1",80).ip_unpack}; t{Addrinfo.unix("/x").inspect}; t{Addrinfo.ip("::1").ipv6_loopback?}
x=Socket.new(:INET,:STREAM); t{x.setsockopt(:SOCKET,:REUSEADDR,true)}; t{x.getsockopt(:SOCKET,:REUSEADDR).bool}; t{x.bind(Addrinfo.tcp("127.0.0.1",0))}; t{x.listen(5)}; y=Socket.tcp("127.0.0.1",x.local_address.ip_port); z,ad=x.accept; t{ad.class}; t{y.write "k"; z.readpartial(4)}; t{z.shutdown(:WR)}; t{y.read}
t{Socket.getaddrinfo("127.0.0.1",80,nil,:STREAM)}; t{Socket.getservbyname("http")}; t{Socket.gethostname.class}; t{x.shutdown(:FOO)}; t{Socket.new(:FOO)}; t{BasicSocket.do_not_reverse_lookup}

# Reading up to a number of bytes leaves the rest for direct reads of the descriptor.
TCPServer.open("127.0.0.1", 0) do |server|
  client = TCPSocket.new("127.0.0.1", server.local_address.ip_port)
  peer = server.accept
  peer << "Xdata"
  peer.flush
  p client.read(1), client.recv(4)
  client.close
  peer.close
end
