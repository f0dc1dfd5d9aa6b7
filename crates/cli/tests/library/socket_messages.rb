# Recorded from CRuby 3.4.11.
# Control messages, options, addresses of all kinds, and invalid arguments.
require "socket"
require "tmpdir"

def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message.sub("getaddrinfo(3)", "getaddrinfo")}"
end

a, b = UNIXSocket.pair
r, w = IO.pipe
t { a.send_io(r) }
got = b.recv_io
t { got.class }
w.write "through"
t { got.readpartial(20) }
t { a.send_io("x") }
t { a.sendmsg("hi", 0, nil, Socket::AncillaryData.unix_rights(r, a)) }
text, from, flags, control = b.recvmsg(scm_rights: true)
t { [text, from.class, flags, control.cmsg_is?(:SOCKET, :RIGHTS), control.unix_rights.map(&:class)] }
t { a.sendmsg("x", 0, nil, [:SOCKET, :RIGHTS, [w.fileno].pack("i")]) }
t { b.recvmsg[3].unix_rights }
t { a.sendmsg("x", 0, nil, [:SOCKET, :RIGHTS]) }
t { a.sendmsg("x" * 10_000) }
t { b.recvmsg[0].size }
t { a.send("p", 0); a.send("lain", 0); b.recv_io }
t { b.recvmsg && b.recvmsg_nonblock(exception: false) }
t { b.recvmsg_nonblock }
t { a.getpeereid == [Process.euid, Process.egid] }
t { b.close; a.sendmsg("x") }
t { a.recvmsg }

t { Socket::AncillaryData.int(:UNIX, :SOCKET, :RIGHTS, 3) }
t { Socket::AncillaryData.new(:INET, :TCP, :NODELAY, "") }
t { Socket::AncillaryData.new(:INET6, :IPV6, :PKTINFO, "abc").inspect }
t { Socket::AncillaryData.ip_pktinfo(Addrinfo.ip("127.0.0.1"), 1, Addrinfo.ip("127.0.0.2")) }
t { Socket::AncillaryData.ip_pktinfo(Addrinfo.ip("127.0.0.1"), 1).ip_pktinfo }
t { Socket::AncillaryData.ip_pktinfo(Addrinfo.ip("::1"), 1) }
t { Socket::AncillaryData.ipv6_pktinfo(Addrinfo.ip("::1"), 1) }
t { Socket::AncillaryData.ipv6_pktinfo(Addrinfo.ip("fe80::1%lo"), 1).ipv6_pktinfo }
t { Socket::AncillaryData.new(:INET, :IP, :TTL, "x").ip_pktinfo }
t { Socket::AncillaryData.new(:UNIX, :SOCKET, :TIMESTAMP, [1, 5].pack("qq")).timestamp.to_r }
t { Socket::AncillaryData.new(:UNIX, :SOCKET, :RIGHTS, "").timestamp }
t { Socket::AncillaryData.new(:UNIX, :SOCKET, :CREDENTIALS, [1, 2, 3].pack("iii")) }
t { Socket::AncillaryData.new(:UNIX, :SOCKET, :NOPE, "") }
t { Socket::AncillaryData.new(:INET, :FOO, 1, "") }
t { Socket::AncillaryData.int(:INET, :IP, :TTL, 5).int }
t { Socket::AncillaryData.new(:INET, :IP, :TTL, "ab").int }

t { Socket::Option.linger(true, 10) }
t { Socket::Option.linger(2, 10).linger }
t { Socket::Option.linger(nil, 0).linger }
t { Socket::Option.bool(:INET, :SOCKET, :KEEPALIVE, true) }
t { Socket::Option.int(:INET, :TCP, :NODELAY, 1) }
t { Socket::Option.int(:INET6, :IPV6, :V6ONLY, 1) }
t { Socket::Option.int(:UNIX, :SOCKET, :SNDBUF, 7) }
t { Socket::Option.byte(:INET, :SOCKET, :KEEPALIVE, 1).byte }
t { Socket::Option.byte(:INET, :SOCKET, :KEEPALIVE, 1).int }
t { Socket::Option.ipv4_multicast_ttl(3) }
t { Socket::Option.ipv4_multicast_loop(1).ipv4_multicast_loop }
t { Socket::Option.int(:INET, :IP, :TTL, 3).ipv4_multicast_ttl }
t { Socket::Option.new(:INET, :IP, :MULTICAST_IF, "\x7F\0\0\1") }
t { Socket::Option.new(:INET, :IP, :ADD_MEMBERSHIP, "\xE0\0\0\1\0\0\0\0".b) }
t { Socket::Option.new(:INET6, :IPV6, :JOIN_GROUP, "\xff\2".b + "\0" * 13 + "\1" + [1].pack("i")) }
t { Socket::Option.new(:INET, :SOCKET, :RCVTIMEO, [1, 500].pack("qq")) }
t { Socket::Option.new(:INET, :SOCKET, :ERROR, [Errno::ECONNREFUSED::Errno].pack("i")) }
t { Socket::Option.new(:INET, :SOCKET, :TYPE, [1].pack("i")) }
t { Socket::Option.new(:INET, 9999, 3, "x") }
t { Socket::Option.new(:UNIX, 0, 3, "x") }
t { Socket::Option.new(:INET, :SOCKET, :FOO, "") }
t { Socket::Option.new(:INET, :TCP, :FOO, "") }
t { Socket::Option.new(:INET, :IPV6, :FOO, "") }
t { Socket::Option.new(:UNIX, :TCP, 1, "") }
t { Socket::Option.new(:FOO, :TCP, 1, "") }
t { a.getsockopt(:SOCKET, :TYPE) }

t { Addrinfo.new(["AF_INET", 80, "localhost", "127.0.0.1"]) }
t { Addrinfo.new(["AF_INET", 80, nil, "localhost"]) }
t { Addrinfo.new(["AF_INET6", 80, nil, "::1"], nil, :DGRAM) }
t { Addrinfo.new(["AF_UNIX", "/a"]) }
t { Addrinfo.new(["AF_FOO"]) }
t { Addrinfo.new(["AF_PACKET"]) }
t { Addrinfo.new("") }
t { Addrinfo.new("\2") }
t { Addrinfo.new("\2\0\0") }
t { Addrinfo.new("\2\0\0\x50\x7f\0\0\1" + "\0" * 9) }
t { Addrinfo.new(Socket.sockaddr_in(80, "127.0.0.1"), :INET6, :STREAM, 6) }
t { Addrinfo.new(Socket.sockaddr_in(80, "127.0.0.1"), :INET, :RAW, 17) }
t { Addrinfo.new(Socket.sockaddr_in(80, "127.0.0.1"), 99, 99, 999) }
t { Addrinfo.new(Socket.sockaddr_un("a b")) }
t { Addrinfo.new(Socket.sockaddr_un("\0abc")) }
t { Addrinfo.new("\x11\0\0\3\1\0\0\0\4\3\0\6\1\2\3\4\5\6".b) }
t { Addrinfo.unix("/x", :DGRAM) }
t { Addrinfo.tcp("127.0.0.1", "http") }
t { Addrinfo.udp("localhost", 5).inspect.sub("::1", "127.0.0.1").delete("[]") }
t { Addrinfo.ip("127.0.0.1").ip_unpack }
t { Addrinfo.unix("/x").ip_address }
t { Addrinfo.tcp("::1", 3).unix_path }
t { Marshal.load(Marshal.dump(Addrinfo.tcp("127.0.0.1", 80))) }
t { Addrinfo.tcp("127.0.0.1", 80).marshal_dump }
t { Addrinfo.unix("/x").marshal_dump }
t { Addrinfo.ip("::ffff:1.2.3.4").ipv6_to_ipv4 }
t { Addrinfo.tcp("127.0.0.1", 80).family_addrinfo("127.0.0.2", 81) }
t { Addrinfo.tcp("127.0.0.1", 80).family_addrinfo }
t { Addrinfo.getaddrinfo("127.0.0.1", 80, :INET6) }
t { Addrinfo.tcp(nil, nil) }
t { Addrinfo.tcp("127.0.0.1\n", 1) }
t { Addrinfo.tcp("127.0.0.1", "no such service") }

t { Socket.sockaddr_un("x" * 200) }
t { Socket.unpack_sockaddr_in(Socket.sockaddr_un("/a")) }
t { Socket.unpack_sockaddr_un(Socket.sockaddr_in(1, "127.0.0.1")) }
t { Socket.unpack_sockaddr_in("") }
t { Socket.unpack_sockaddr_in(Socket.sockaddr_in(80, "")) }
t { Socket.unpack_sockaddr_in(Socket.sockaddr_in(80, "<broadcast>")) }
t { Socket.unpack_sockaddr_in(Socket.sockaddr_in(80, 0x7f000001)) }
t { Socket.getnameinfo(["AF_INET", 80, "127.0.0.1"], Socket::NI_NUMERICHOST) }
t { Socket.getnameinfo(["AF_INET", 80]) }
t { Socket.getnameinfo(3) }
t { Socket.getservbyport(80) }
t { Socket.getservbyport(53, "udp") }
t { Socket.getservbyname("nope") }
t { Socket.getservbyname("0x50") }
t { Socket.gethostbyname("127.0.0.1") }
t { TCPSocket.gethostbyname("127.0.0.1") }
t { IPSocket.getaddress("127.0.0.1") }
t { Socket.ip_address_list.any?(&:ipv4_loopback?) }
t { Socket.getifaddrs.find { |i| i.name == "lo" && i.addr&.ipv4? }.then { |i| [i.addr, i.netmask, i.ifindex, i.flags & 8] } }
t { Socket::Ifaddr.new }

t { a.setsockopt(:SOCKET, :SNDBUF) }
t { a.setsockopt(:SOCKET, :NOPE, 1) }
t { a.setsockopt(:TCP, 1, 1) }
t { a.shutdown(:FOO) }
t { Socket.for_fd(r.fileno) }
t { TCPSocket.new("127.0.0.1", 1) }
t { TCPServer.new("1.2.3.4", 1) }
t { UDPSocket.new.bind("1.2.3.4", 1) }
t { UNIXSocket.new("/no/such") }
t { UNIXServer.new("/no/such/x") }
t { UNIXServer.new("a\0b") }
t { Socket.new(:INET, :STREAM).connect(Socket.sockaddr_in(1, "127.0.0.1")) }
t { Socket.new(:INET, :STREAM).bind(Addrinfo.tcp("1.2.3.4", 5)) }
t { Socket.new(:INET, :STREAM).bind(7) }
t { TCPSocket.new("127.0.0.1", 1, connect_timeout: 1, fast_fallback: false) }
t { UDPSocket.new.send("x", 0) }
s = TCPServer.new("127.0.0.1", 0)
t { s.addr(:nope) }
t { s.addr("x") }
t { s.addr(:numeric).values_at(0, 2, 3) }
t { s.inspect.sub(/\d+>/, "N>").sub(/fd \d+/, "fd N") }
c = TCPSocket.new("127.0.0.1", s.addr[1], connect_timeout: 5)
o = s.accept
t { c.write "abc"; o.getc }
t { o.recv(1) }
t { o.ungetc "z"; o.recvfrom_nonblock(1) }
t { o.read_nonblock(10) }
t { o.close_read; o.read(1) }
t { o.close_write; o.closed? }
t { UNIXServer.open("\0beni-#{$$}") { |u| [u.path.start_with?("\0beni-"), UNIXSocket.open(u.path) { |x| x.peeraddr[0] }] } }
Dir.mktmpdir do |folder|
  path = "#{folder}/s"
  server = UNIXServer.new(path)
  t { server.inspect == "#<UNIXServer:#{path}>" || server.inspect }
  client = UNIXSocket.new(path)
  t { [client.path, client.peeraddr == ["AF_UNIX", path], server.accept.path == path] }
  t { client.recvfrom_nonblock(3) }
end
buffer = +"abc".encode("ISO-8859-1")
x, y = UNIXSocket.pair(:DGRAM)
x.send("hello", 0)
t { [y.recv(3, 0, buffer), buffer.encoding, buffer.equal?(y.tap { x.send("", 0) }.recv(3, 0, buffer)), buffer] }
t { y.recv_nonblock(3, 0, buffer, exception: false) }
t { y.recv(3, 0, "frozen".freeze) }
t { y.recv(-1) }
t { TCPServer.open("127.0.0.1", 0) { |v| v.listen("x") } }
t { TCPSocket.new("127.0.0.1", 1, "192.0.2.77", 0) }
