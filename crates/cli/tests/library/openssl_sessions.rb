# Sessions of TLS as data, their callback, providers, and settings of a whole process.
require "openssl"
require "socket"
require "tempfile"

key = OpenSSL::PKey::EC.generate("prime256v1")
certificate = OpenSSL::X509::Certificate.new
certificate.version, certificate.serial = 2, 1
certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=localhost")
certificate.public_key = key
certificate.not_before, certificate.not_after = Time.now - 60, Time.now + 3600
certificate.sign(key, "SHA256")

# Runs a client against a server that sends back each line.
connected = lambda do |client_context, session = nil, &block|
  ours, theirs = UNIXSocket.pair
  server = Thread.new do
    context = OpenSSL::SSL::SSLContext.new
    context.add_certificate(certificate, key)
    ssl = OpenSSL::SSL::SSLSocket.new(theirs, context)
    ssl.accept
    while (line = ssl.gets)
      ssl.puts(line)
    end
  ensure
    theirs.close
  end
  ssl = OpenSSL::SSL::SSLSocket.new(ours, client_context, sync_close: true)
  ssl.session = session if session
  ssl.connect
  block.call(ssl)
ensure
  ssl&.close
  server&.join
end

%i[TLS1_2 TLS1_3].each do |version|
  context = OpenSSL::SSL::SSLContext.new
  context.min_version = context.max_version = version
  context.session_cache_mode = OpenSSL::SSL::SSLContext::SESSION_CACHE_CLIENT
  came = []
  context.session_new_cb = ->((socket, session)) { came << [socket, session] }
  connected.call(context) do |ssl|
    ssl.puts "line"
    p ssl.gets
    p came.any?, came.all? { |socket, _| socket == ssl }, came.last[1] == ssl.session
    p context.session_cache_stats[:connect_good], context.session_cache_stats[:cache_num] > 0
    p context.session_remove(ssl.session)
    session = ssl.session
    p OpenSSL::SSL::Session.new(session.to_pem) == session, OpenSSL::SSL::Session.new(session.to_der) == session
    p session.to_pem.lines.first, session.dup == session, session.to_text.lines.first
    session.timeout, session.time = 7, 1_000
    copy = OpenSSL::SSL::Session.new(session.to_der)
    p copy.timeout, copy.time.to_i
  end
end

["", "nonsense", "\x30\x03\x02\x01\x01"].each do |text|
  OpenSSL::SSL::Session.new(text)
rescue ArgumentError => e
  p e.message[/unknown type/]
end

# An exception of the callback for certificates: none is sent.
context = OpenSSL::SSL::SSLContext.new
context.client_cert_cb = ->(_) { raise "none" }
connected.call(context) { |ssl| ssl.puts("line"); p ssl.gets, ssl.cert }

provider = OpenSSL::Provider.load("null")
p OpenSSL::Provider.provider_names.sort, provider.name, provider.inspect
p provider.unload, OpenSSL::Provider.provider_names, provider.inspect
begin
  provider.name
rescue OpenSSL::Provider::ProviderError => e
  p e.class
end
begin
  OpenSSL::Provider.load("no such provider")
rescue OpenSSL::Provider::ProviderError => e
  p e.class
end

Tempfile.create("cnf") do |file|
  file.puts "openssl_conf = a", "[a]", "ssl_conf = b", "[b]", "system_default = c", "[c]", "MaxProtocol = TLSv1.2",
    "Options = -SessionTicket"
  file.close
  program = "c = OpenSSL::SSL::SSLContext.new; p c.options & OpenSSL::SSL::OP_NO_TICKET != 0"
  system({ "OPENSSL_CONF" => file.path }, RbConfig.ruby, "-ropenssl", "-e", program)
end
