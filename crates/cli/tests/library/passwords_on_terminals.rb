# IO#getpass reads a line, whatever $/ says.
require "io/console"
require "pty"

master, slave = PTY.open
$VERBOSE = nil
$/ = "."
master.write("secret.\nnext")
p slave.getpass("? ")
p master.readpartial(100).end_with?("? \r\n")
