# A line and its end are written as one: recorded from CRuby 3.4.11.
require "socket"
server, client = UNIXSocket.pair(:DGRAM)
server.puts "line"
server.write "a", 1, :b
server.print "x"
server.puts %w[y z]
p 5.times.map { client.recv(100) }
