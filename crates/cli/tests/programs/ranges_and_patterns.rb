# Recorded from CRuby 3.4.11: ranges of objects that convert to Strings or raise, and invalid patterns.
def t; p yield; rescue Exception => e; puts "#{e.class}: #{e.message[0, 150]}"; end
t { eval("\n\n/(?<a>.)(?<b/", nil, "x.rb", 5) }
t { eval("1\ndef zz = /[/; 5", nil, "y.rb") }
t { 2.times { begin; eval('/\1/'); rescue SyntaxError; end }; eval('/a/').match("a") }
o = Object.new
def o.<=>(_) = raise("cmp")
t { (o..3) }
t { (..10).step(2).to_a }
s = Object.new
def s.to_str = "9"
def s.<=>(x) = "9" <=> x
t { (s.."11").to_a }
t { (s..).first(2) }
require "delegate"
t { ("9"..SimpleDelegator.new("10")).to_a }
t { (SimpleDelegator.new("9").."10").to_a }
t { (BasicObject.new..1) }
t { (Object.new..1) }
