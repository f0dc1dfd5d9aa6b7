# `in {}` asks deconstruct_keys for everything; conversions that fail in Ruby code of the core are TypeErrors.
class Keys
  def initialize(hash) = @hash = hash
  def self.asked() = @asked
  def self.asked=(keys)
    @asked = keys
  end

  def deconstruct_keys(keys)
    Keys.asked = keys
    @hash
  end
end

def try
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

try { case Keys.new({}); in {} then Keys.asked; end }
try { case Keys.new({ a: 1 }); in { a: } then Keys.asked; end }
try { case Keys.new(1); in {} then 1; end }
try { spawn({ nil => "x" }, "true") }
try { IO.popen(5) }
try { (Rational(-1, 2)..Rational(9, 4)).bsearch }
