# YAML from streams: they are asked for parts, and their encoding matters only if it is UTF-16.
require "yaml"
require "stringio"
require "tempfile"

source = Object.new
def source.external_encoding = nil
def source.read(length)
  @parts ||= ["a: [1,", " 2]\n", "b: \u00e4\n"]
  @parts.shift
end
p YAML.load(source)

def source.read(length) = self
begin
  YAML.load(source)
rescue TypeError => e
  p e.class
end

Tempfile.create("yaml") do |file|
  ["UTF-16LE", "UTF-16BE", "UTF-8", "Shift_JIS"].each do |encoding|
    File.binwrite(file.path, "--- \u3042\n".encode(encoding))
    p File.open(file.path, "rb:#{encoding}") { |io| YAML.load(io) }
  rescue YAML::SyntaxError => e
    p [encoding, e.class]
  end
end
