# Tags that the YAML library cannot read raise a SyntaxError, and do not affect the next document.
# (CRuby reads the first two: see docs/differences.md.)
require "yaml"

["[!a, b]", "{!a, b: 1}", "[!<, b]", "[b, !<tag:yaml.org,2002:str> 1]"].each do |text|
  p YAML.load(text)
rescue Psych::SyntaxError => error
  puts "#{text}: #{error.message}"
end
# Tags beyond ASCII, written as bytes.
p YAML.parse("--- !%E3%83%90%41 x\n").root.tag, YAML.parse("%TAG !e! tag:%C3%A9,\n--- !e!x y\n").root.tag
class Öl; attr_accessor :name; end
oil = Öl.new
oil.name = 1
puts YAML.dump(oil)
p YAML.unsafe_load(YAML.dump(oil)).name
io = StringIO.new
emitter = Psych::Emitter.new(io)
emitter.start_stream(Psych::Nodes::Stream::UTF8)
emitter.start_document([1, 1], [["!", "鍵"]], true)
emitter.scalar("foo", nil, nil, true, false, Psych::Nodes::Scalar::ANY)
emitter.end_document(false)
emitter.end_stream
puts io.string
