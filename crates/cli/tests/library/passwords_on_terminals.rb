# IO#getpass reads a line, whatever $/ is.
require "io/console"
require "pty"

master, slave = PTY.open
$VERBOSE = nil
$/ = "."
# The terminal repeats what it receives at a time of its own choosing.
slave.echo = false
master.write("secret.\nnext")
p slave.getpass("? ")
output = +""
output << master.readpartial(100) until output.end_with?("\n")
p output
