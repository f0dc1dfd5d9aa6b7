# Recorded from CRuby 4.1dev.
require "bcrypt_pbkdf"
p BCryptPbkdf.key("password", "salt", 32, 4).unpack1("H*"), BCryptPbkdf.key("p\0", "s" * 16, 5, 2).bytes
p [["", "salt"], ["pass", ""]].map { |password, salt| BCryptPbkdf.key(password, salt, 8, 1) }
