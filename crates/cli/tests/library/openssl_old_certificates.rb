# A TLS client accepts a certificate of X.509 version 1 when it verifies none or trusts the certificate itself. Other
# Ractors read certificates too.
require "openssl"
require "socket"

KEY = OpenSSL::PKey::EC.generate("prime256v1")
CERT = OpenSSL::X509::Certificate.new
CERT.version = 0
CERT.serial = 1
CERT.subject = CERT.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
CERT.public_key = KEY
CERT.not_before = Time.now - 60
CERT.not_after = Time.now + 3600
CERT.sign(KEY, "SHA256")

def connect(version, mode, store = nil)
  server_context = OpenSSL::SSL::SSLContext.new
  server_context.cert, server_context.key = CERT, KEY
  server_context.tmp_dh_callback = proc { raise "not called" }
  context = OpenSSL::SSL::SSLContext.new
  context.min_version = context.max_version = version
  context.verify_mode = mode
  context.cert_store = store
  near, far = UNIXSocket.pair
  server = Thread.new { OpenSSL::SSL::SSLSocket.new(far, server_context).accept.read(5) rescue nil }
  client = OpenSSL::SSL::SSLSocket.new(near, context).connect
  client.write("hello")
  [client.ssl_version, client.peer_cert == CERT, server.value]
rescue OpenSSL::SSL::SSLError => e
  e.message[/certificate verify failed/]
ensure
  near.close
  far.close
end

store = OpenSSL::X509::Store.new
store.add_cert(CERT)
%i[TLS1_2 TLS1_3].each do |version|
  p connect(version, OpenSSL::SSL::VERIFY_NONE)
  p connect(version, OpenSSL::SSL::VERIFY_PEER, store)
  p connect(version, OpenSSL::SSL::VERIFY_PEER)
end

Warning[:experimental] = false
p Ractor.new(CERT.to_pem.freeze) { |pem| OpenSSL::X509::Certificate.new(pem).version }.value
