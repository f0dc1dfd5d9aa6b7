# Writes of several parts, such as a line and its newline, are one system call: recorded from CRuby 3.4.11.
require "socket"
server, client = UNIXSocket.pair(:DGRAM)
server.puts "line"
server.write "a", 1, :b
server.print "x"
server.puts %w[y z]
p 5.times.map { client.recv(100) }
