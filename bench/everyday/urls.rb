# Parses and builds URLs; escapes and reads their parameters.
require "uri"
require "cgi/escape"
hosts = Hash.new(0)
size = 0
8_000.times do |i|
  query = URI.encode_www_form(q: "ruby & rust #{i}", page: i % 9, tags: %w[ä b])
  uri = URI.parse("https://user@host#{i % 20}.example.com:8080/a/b/#{i}?#{query}#top")
  hosts[uri.host] += uri.port
  size += URI.decode_www_form(uri.query).to_h["q"].size + uri.to_s.size
  size += CGI.unescape(CGI.escape("a b/ü?#{i}")).size + CGI.escapeHTML("<#{i}> & \"x\"").size
  size += URI.join("http://example.com/x/y/", "../z#{i}").path.size if i % 4 == 0
end
puts hosts.size, hosts["host7.example.com"], size, URI("http://a/b?c=d").request_uri
