$VERBOSE = nil
require "socket"
require "io/wait"
def shut = $p&.each { |s| s.close rescue 0 }
def fresh(kind)
  shut
  $p = case kind
       when 0 then UNIXSocket.pair
       when 1 then UNIXSocket.pair(:DGRAM)
       when 2 then s = TCPServer.new("127.0.0.1", 0); c = TCPSocket.new("127.0.0.1", s.local_address.ip_port); a = s.accept; s.close; [c, a]
       when 3 then a = UDPSocket.new; a.bind("127.0.0.1", 0); b = UDPSocket.new; b.bind("127.0.0.1", 0); a.connect("127.0.0.1", b.addr[1]); b.connect("127.0.0.1", a.addr[1]); [a, b]
       else Socket.pair(:UNIX, :SEQPACKET)
       end
  kind
end
fresh(0)
def finish = shut
__END__
fresh({kind})
fresh({kind})
$p[{e}].{send}
$p[{e}].{send}
$p[{e}].{recv}
$p[{e}].{recv}
$p[{e}].{other}
Thread.new { $p[{e}].{recv} }.tap { |t| t.report_on_exception = false; $p[{e}].{send} rescue 0 }.join(0.05); $p[{e}].closed?
IO.select([$p[{e}]], [$p[{e}]], nil, 0)&.map(&:size)
Socket.{pure}
Addrinfo.{addr}
kind: 0 | 1 | 2 | 3 | 4
e: 0 | 1
text: "" | "a" | "hello\nworld\n" | "x" * 5000 | "é" | nil | 5
flags: 0 | Socket::MSG_DONTWAIT | Socket::MSG_PEEK + Socket::MSG_DONTWAIT | nil
send: send({text}, Socket::MSG_DONTWAIT) | write_nonblock({text}, exception: false) | sendmsg_nonblock({text}, exception: false) | send({text}, {flags}) | syswrite("ab") | puts({text}) | write("q") | sendmsg({text}, Socket::MSG_DONTWAIT) | send_io($stderr) | sendmsg("f", 0, nil, [:SOCKET, :RIGHTS, [1].pack("i")]) | shutdown({how}) | close_write | sendmsg("f", 0, nil, Socket::AncillaryData.unix_rights($stdin))
recv: recv_nonblock({n}, exception: false) | recv({n}, Socket::MSG_DONTWAIT) | read_nonblock({n}, exception: false) | recvmsg_nonblock(exception: false).class | recvmsg_nonblock({n}, exception: false).class | recvfrom_nonblock({n}) | readpartial(0) | recv({n}, {flags}) if $p[0].closed? | wait_readable(0)&.class | ready? | recvmsg_nonblock(100, 0, 100, exception: false).class | recvmsg_nonblock(scm_rights: true, exception: false).class | recv_nonblock(5, 0, +"buf", exception: false) | recv_io if false | close_read | nread rescue 0 | eof? if $p[0].closed?
how: 0 | 1 | 2 | :RD | :WR | :RDWR | :nope | {n}
other: local_address.afamily | remote_address.class | getsockopt(:SOCKET, :{opt}).class | setsockopt(:SOCKET, :{opt}, {n}) | setsockopt({n}, {n}, {text}) | getsockopt({n}, {n}).class | close | closed? | do_not_reverse_lookup | fileno.class | addr.size | peeraddr.size | getpeereid.size | sync | binmode.class | dup.close | to_io.class | connect_address.class | fcntl(3, 0).class | inspect.class | set_encoding("UTF-8").class | close_on_exec? | autoclose? | timeout = {n} | timeout
opt: REUSEADDR | KEEPALIVE | SNDBUF | RCVBUF | TYPE | ERROR | LINGER | RCVTIMEO | NOPE
pure: pack_sockaddr_in({n}, "127.0.0.1").size | sockaddr_un({text}).size | unpack_sockaddr_in({text}) | unpack_sockaddr_un({text}) | unpack_sockaddr_in(Socket.pack_sockaddr_in(80, "::1")) | getservbyname("http") | getservbyport({n}) | ip_address_list.class | getaddrinfo("127.0.0.1", {n}, nil, :STREAM).size | gethostname.class | getnameinfo(["AF_INET", 80, "127.0.0.1"], Socket::NI_NUMERICHOST).size
addr: tcp("127.0.0.1", {n}).inspect | unix({text}).inspect | ip("::1").ipv6_loopback? | new({text}) | new(["AF_INET", {n}, nil, "127.0.0.1"]).ip_port | udp("10.0.0.1", 5).ipv4_private? | tcp("::ffff:1.2.3.4", 1).ipv6_to_ipv4&.ip_address | new(Socket.pack_sockaddr_in(1, "1.2.3.4"), {n}, {n}, {n}).inspect | getaddrinfo({text}, {n}).class | unix("/a").unix_path | tcp("127.0.0.1", 1).marshal_dump | tcp("127.0.0.1", 1) == Addrinfo.tcp("127.0.0.1", 1)
n: 0 | 1 | 3 | 100 | 70000 | -1 | nil | 2**40 | 1.5
