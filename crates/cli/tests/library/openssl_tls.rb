# TLS between two threads: verification of certificates and host names, choice of protocol, session resumption.
require "openssl"
require "socket"
require "net/http"

ca_key, key = OpenSSL::PKey::RSA.new(2048), OpenSSL::PKey::EC.generate("prime256v1")
make = lambda do |subject, public, issuer, extensions, serial|
  cert = OpenSSL::X509::Certificate.new
  cert.version, cert.serial, cert.subject, cert.public_key = 2, serial, OpenSSL::X509::Name.parse(subject), public
  cert.issuer = issuer ? issuer.subject : cert.subject
  cert.not_before, cert.not_after = Time.now - 60, Time.now + 3600
  factory = OpenSSL::X509::ExtensionFactory.new(issuer || cert, cert)
  extensions.each { |oid, value, critical| cert.add_extension(factory.create_extension(oid, value, critical)) }
  cert.sign(ca_key, "SHA256")
end
CA = make.("/CN=CA", ca_key, nil, [["basicConstraints", "CA:TRUE", true]], 1)
CERT = make.("/CN=localhost", key, CA, [["subjectAltName", "DNS:localhost,DNS:*.example"]], 2)
STORE = OpenSSL::X509::Store.new.add_cert(CA)

server_context = OpenSSL::SSL::SSLContext.new
server_context.cert, server_context.key = CERT, key
server_context.alpn_select_cb = ->(protocols) { protocols.last }
LISTENER = TCPServer.new("127.0.0.1", 0)
server = OpenSSL::SSL::SSLServer.new(LISTENER, server_context)
REFUSALS = Queue.new
thread = Thread.new do
  loop do
    socket = server.accept
    while (line = socket.gets)
      break socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello") if line == "\r\n"
      socket.puts(line.upcase) unless line.include?(":") || line.start_with?("GET")
    end
    socket.close
  rescue OpenSSL::SSL::SSLError => error
    REFUSALS << "server: #{error.message[/state=error: (.*)/, 1]}"
  rescue IOError
    break
  end
end

def connect(host = "localhost", **options)
  context = OpenSSL::SSL::SSLContext.new
  context.set_params(cert_store: STORE, **options)
  socket = OpenSSL::SSL::SSLSocket.new(TCPSocket.new("127.0.0.1", LISTENER.addr[1]), context)
  socket.hostname = host
  socket.sync_close = true
  yield socket if block_given?
  socket.connect
rescue OpenSSL::SSL::SSLError => error
  puts "#{error.class}: #{error.message.sub(/peeraddr=\S+/, "peeraddr=…")}", REFUSALS.pop
  socket.close
end

a = connect(alpn_protocols: %w[h2 http/1.1])
p a.ssl_version, a.alpn_protocol, a.peer_cert == CERT, a.verify_result, a.session_reused?
a.puts "hello"
p a.gets
a.puts "x" * 50_000
p a.gets.size
text = Object.new
def text.to_str = "as text\n"
p a.syswrite(text), a.gets
begin
  a.syswrite(1)
rescue TypeError => error
  puts error.message
end
p((a.read_nonblock(5, exception: false)))
begin
  a.read_nonblock(5)
rescue OpenSSL::SSL::SSLErrorWaitReadable => error
  puts error.message, error.is_a?(IO::WaitReadable)
end
p a.post_connection_check("localhost")
begin
  a.post_connection_check("other")
rescue OpenSSL::SSL::SSLError => error
  puts error.message
end
a.close
b = connect(max_version: :TLS1_2)
p b.ssl_version, b.cipher
b.close
c = connect("www.example") { }
p c.peer_cert_chain.size
c.close
connect("other")
connect(cert_store: OpenSSL::X509::Store.new)
connect(verify_callback: ->(_, _) { false })
d = connect("other", verify_mode: OpenSSL::SSL::VERIFY_NONE)
p d.peer_cert == CERT
d.close
begin
  OpenSSL::SSL::SSLContext.new.ciphers = "nothing"
rescue OpenSSL::SSL::SSLError => error
  puts error.message
end

http = Net::HTTP.new("localhost", LISTENER.addr[1])
http.use_ssl, http.cert_store, http.ipaddr = true, STORE, "127.0.0.1"
p http.get("/").body
LISTENER.close
thread.join
