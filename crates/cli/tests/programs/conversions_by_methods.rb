# Objects that stand for a duration or a pattern; encodings of streams; `return` in evaluated strings.
require "tmpdir"
duration = Object.new
def duration.divmod(_) = [0, 0.001]
p sleep(duration)
def duration.divmod(_) = 3
begin
  sleep(duration)
rescue TypeError => error
  puts error.message
end

pattern = Object.new
def pattern.to_regexp = /x+/
p Regexp.union(pattern), Regexp.union("a.", pattern), Regexp.union([pattern])

def raised
  p yield
rescue StandardError, LocalJumpError => error
  puts "#{error.class}: #{error.message}"
end

latin, japanese = "é".encode("ISO-8859-1"), "あ"
raised { /#{latin}#{japanese}/ }
raised { /あ#{latin}/i }
raised { "#{latin}#{japanese}" }
raised { /#{latin}x/.encoding }

wide = "1".encode("UTF-16LE")
raised { Complex(wide) }
raised { Complex(1, wide, exception: false) }
raised { Rational(wide, exception: false) }
raised { Integer(wide, exception: false) }

path = File.join(Dir.tmpdir, "conversions_by_methods_#{$$}")
File.write(path, "text")
File.open(path, "wb") { |file| p file.set_encoding_by_bom }
raised { File.open(path, "rb") { |file| file.set_encoding_by_bom } }
reader, writer = IO.pipe
writer.close
raised { writer.reopen(reader) }
Encoding.default_internal = "IBM437"
File.open(path, "r:ibm866") do |file|
  file.set_encoding(nil, nil)
  p file.external_encoding, file.internal_encoding
  file.set_encoding("utf-8", nil)
  p file.external_encoding, file.internal_encoding
end
Encoding.default_internal = nil
File.delete(path)

3.times do
  raised { proc { eval "return 3" }.call }
  raised { lambda { eval "return 3" }.call }
  raised { eval "[1].each { return 9 }" }
  raised { eval "lambda { return 9 }.call" }
  raised { instance_eval("return 3") }
  raised { Class.new.class_eval("return 3") }
end
def in_method = proc { eval "return 6" }.call
p in_method
eval "p 1; return; p 2"
p :not_reached
