# Recorded from CRuby 4.1dev.
require "puma/puma_http11"
parser, environment = Puma::HttpParser.new, {}
request = "POST /a/b?c=d HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nX-Y: z\r\n\r\nabc"
p parser.execute(environment, request, 0), parser.finished?, parser.error?, parser.body
environment.sort.each { |pair| p pair }
parser.reset
p((parser.execute({}, "GET\t/ HTTP/1.1\r\n\r\n", 0) rescue $!.class))
