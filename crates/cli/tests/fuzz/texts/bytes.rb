# Formats of the standard library that are made of bytes: compressed data, certificates, templates, tables, addresses.
require "zlib"
require "stringio"
require "strscan"
require "openssl"
require "uri"
require "erb"
require "cgi/escape"
require "socket"
require "digest"
require "base64" rescue nil

KEY = OpenSSL::PKey::EC.generate("prime256v1") rescue nil
BINARIES = [Zlib.deflate("text" * 50), Zlib.gzip("text" * 50), OpenSSL::ASN1::Sequence([OpenSSL::ASN1::Integer(5),
  OpenSSL::ASN1::OctetString("x"), OpenSSL::ASN1::ObjectId("CN")]).to_der,
            KEY&.to_der, KEY&.to_pem, KEY&.public_to_pem, Socket.sockaddr_in(80, "127.0.0.1"),
              Socket.sockaddr_un("/tmp/x")].compact
ADDRESSES = ["http://user:pw@host:80/p/a?q=1#f", "mailto:a@b", "ftp://h/p;type=a", "//x", "http://[::1]:8/", "urn:x:y",
  "ldap://h/dc=a?b?sub?(c)", "http://日本/"]
TEMPLATES = ["a <%= 1 %> b <%# c %> <%- 2 -%>\n% x\n%% y <%% z", "<%", "%>", "<%= \"%>\" %>"]

def binary
  text = Kit.changed(Kit.pick(BINARIES)).b
  reads text
  try { Zlib.inflate(text) }
  try { Zlib.gunzip(text) }
  try { Zlib::Inflate.new(Kit.pick([15, -15, 31, 47])).inflate(text) { |part| part } }
  try { Zlib::GzipReader.new(StringIO.new(text)).then { |gz| [gz.read(Kit.roll(9)), gz.gets, gz.ungetc("é"),
    gz.each_char.first(3), gz.pos, gz.rewind, gz.unused] } }
  try { OpenSSL::ASN1.decode_all(text).map(&:to_der) }
  try { OpenSSL::PKey.read(text) }
  try { OpenSSL::X509::Certificate.new(text).inspect }
  try { OpenSSL::X509::CRL.new(text).inspect }
  try { OpenSSL::PKCS7.new(text) }
  try { OpenSSL::PKCS12.new(text, "x") }
  try { Addrinfo.new(text).inspect }
  try { Socket.unpack_sockaddr_in(text) }
  try { Zlib.crc32(text, Kit.pick(Kit::NUMBERS)) + Zlib.adler32(text) }
  try { text.unpack1("m") + text.crypt(text) }
end

def textual
  address, template = Kit.changed(Kit.pick(ADDRESSES)), Kit.changed(Kit.pick(TEMPLATES), Kit::PIECES + ["<%", "%>",
    "-%>", "<%=", "\n%"])
  reads address, template
  try { URI.parse(address).then { |uri| [uri.to_s, uri.normalize, uri.merge("x/../y"),
    uri.route_to("http://host/z")] } }
  try { URI.extract(address) }
  try { URI.decode_www_form(address) + [URI.encode_www_form_component(address), URI.decode_uri_component(address)] }
  try { CGI.unescapeHTML(CGI.escapeHTML(address)) + CGI.escape(address) + CGI.unescape(address) }
  try { ERB.new(template, trim_mode: Kit.pick([nil, "-", "<>", ">", "%", "%-"])).src }
  try { Addrinfo.tcp(address.delete("^0-9.:[]"), 0, Socket::AF_UNSPEC, Socket::SOCK_STREAM,
    Socket::AI_NUMERICHOST) if address.match?(/\A[0-9.:\[\]]+\z/) }
  scanner = StringScanner.new(address)
  12.times do
    name = Kit.pick(%i[getch get_byte peek scan check skip match? scan_until unscan terminate rest pos= scan_integer
      peek_byte matched pre_match post_match captures values_at [] reset exist? string= << scan_byte charpos])
    argument = Kit.pick([/\w+/, /(?<n>\d)/, "a", 3, -1, 2**62, address, :n, /$/, /\G./])
    try { name.end_with?("=") || scanner.method(name).arity != 0 ? scanner.public_send(name,
      argument) : scanner.public_send(name) }
  end
  stream = StringIO.new(address.dup)
  12.times do
    name = Kit.pick(%i[read gets getc getbyte ungetc ungetbyte write pos= truncate seek each_line readpartial pread
      set_encoding lineno= string= reopen putc each_char each_codepoint sysread readlines close_read rewind])
    argument = Kit.pick([0, 1, 5, -1, 2**31, "a", "é", nil, "", 2**62, "UTF-16LE", [1], 1.5])
    try { stream.public_send(name, *[argument, Kit.pick([1, "b", 0])].first(Kit.roll(3))) }
    try { stream.truncate(10) } if stream.size > 100_000
  end
end

def attempt = Kit.roll(2) == 0 ? binary : textual
