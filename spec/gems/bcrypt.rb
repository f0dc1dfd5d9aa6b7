# Recorded from CRuby 4.1dev.
require "bcrypt"
p BCrypt::Engine.hash_secret("secret", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.")
made = BCrypt::Password.create("secret", cost: 4)
p made == "secret", made == "Secret", made.cost, made.size
p((BCrypt::Password.new("none") rescue $!.class))
