# IO#getpass reads a line, whatever $/ says.
require "io/console"
require "pty"

master, slave = PTY.open
$VERBOSE = nil
$/ = "."
master.write("secret.\nnext")
p slave.getpass("? ")
output = +""
output << master.readpartial(100) until output.end_with?("? \r\n")
p true
