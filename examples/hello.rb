# The smallest program worth running: cargo xtask run examples/hello.rb [NAME]

name = ARGV.first || "world"
puts "Hello, #{name}!"
puts "This is #{RUBY_ENGINE}, a Ruby #{RUBY_VERSION}."
