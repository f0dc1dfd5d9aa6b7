# What `trap` returns and which signals have a name.

p trap(:CHLD, "DEFAULT"), trap(:CHLD, "IGNORE"), trap(:CHLD, nil), trap(:CHLD, "DEFAULT")
p trap(:INT, "DEFAULT"), trap(:TSTP, "DEFAULT"), trap(:PIPE, "DEFAULT")
p SignalException.new(0).message
[SignalException, "EXIT"].tap { |args| raise(*args) rescue p $! }
SignalException.new(:SIGEXIT) rescue p $!
