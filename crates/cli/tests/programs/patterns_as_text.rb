# Warnings about patterns, their text in other encodings, and the errors of interpolated parts.
module Warning
  def self.warn(message, **) = puts(message.sub(/^.*warning/, "warning"))
end
$VERBOSE = true
Regexp.new('[aa]')
eval('/^(?:a?)?$/; def x = /\A\Qfoo\E\z/')
eval('/[[:alpha:foo]0]/')
$VERBOSE = false
Regexp.new('[aa]')
Regexp.new('[a-b-c]')
$VERBOSE = nil
%w[UTF-16BE UTF-16LE UTF-32BE].each { |name| p Regexp.new("ab\u3042".encode(name)).to_s.encode("UTF-8") }
p Regexp.union(%r{/}, "").source, %r{/}.to_s
['\\', '\x', '\u{ }', '\M'].each do |part|
  /#{part}/
rescue ArgumentError => e
  puts e.message
end
begin
  "foo".sub!(/(?<x>o)/, '\k<x')
rescue RuntimeError => e
  puts e.message
end
p Regexp.new("a", timeout: 1e20).timeout == 18446744073.709553
p Regexp.allocate.fixed_encoding?
# A pattern of many groups, whose positions need much memory.
many = Regexp.new("^#{"(a*)" * 5_000}x$", timeout: 0.000001)
begin
  many =~ "a" * 100_000 + "x"
rescue Regexp::TimeoutError
  nil
end
p :survived
