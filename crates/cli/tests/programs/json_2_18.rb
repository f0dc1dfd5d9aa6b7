# Additions of json 2.18 since 2.9: Coder, Fragment, duplicate keys, on_load, positions in errors; as in its own tests.
require "json"
Warning[:deprecated] = true
p JSON::VERSION
coder = JSON::Coder.new { |object, is_key| is_key ? "key #{object}" : object.to_s }
puts coder.dump({ 1 => Object, :a => 2r, "b" => Float::NAN, c: JSON::Fragment.new("[1, 2]") })
p coder.load('{"a": [1.5, null]}')
[
  -> { JSON.generate({ 1 => 2 }, strict: true) },
  -> { JSON.generate(Object, strict: true) },
  -> { JSON.generate({ a: 1, "a" => 2 }, allow_duplicate_key: false) },
  -> { JSON.generate(["\xff"]) },
  -> { JSON.parse("{\n  \"a\": foo }") },
  -> { JSON.parse('{"a":1,"a":2}', allow_duplicate_key: false) },
  -> { JSON.parse('["\q"]') },
  -> { JSON.parse('["\ud800\u0041"]') },
  -> { JSON.parse("[\"a\nb\"]") },
  -> { JSON.parse("[1 2]") },
  -> { JSON.parse("[01]") },
  -> { JSON.parse("[1] /* a") },
  -> { JSON.parse('["a') },
  -> { JSON.parse("") },
  -> { JSON::Coder.new(max_nesting: 2).dump([[[]]]) },
].each do |test|
  test.call
rescue => error
  p error.class, error.message, (error.cause && error.cause.class)
  p [error.line, error.column] if JSON::ParserError === error && error.line
end
p JSON.parse("[\"a\nb\"]", allow_control_characters: true), JSON.parse("[1,]", allow_trailing_comma: true)
p JSON.parse('{"a":[1,{"b":2.5}]}', on_load: ->(v) { Integer === v ? v + 1 : v }, freeze: true)
p JSON.load('{"a":[1,null]}', ->(v) { v || 0 }), JSON.load("", allow_nan: true), JSON.unsafe_load("[NaN]")[0].nan?
p JSON.parse("[1.5, 1e3]", decimal_class: Class.new { def self.try_convert(text) = text })
p JSON.parse('{"a":{}}', object_class: Class.new(Hash), array_class: Class.new(Array))["a"].class.superclass
puts [1e20, 1e14, 1e15, 1.5e-7, 1.25e-9, 123456789.125, -0.0, 5e-324].to_json
puts JSON.pretty_generate({ a: [], b: {}, c: [1, { d: nil }] }), JSON.generate({ a: "</\u2028>" }, script_safe: true, space: " ")
p JSON::State.new(strict: true, as_json: ->(v) { v }).to_h.except(:as_json)
$VERBOSE = false
def Warning.warn(message, category: nil) = puts("#{message[/\d+: warning: .*/m].chomp}")
JSON.parse('{"a":1,"a":2}')
JSON.generate({ a: 1, "a" => 2 })
JSON.fast_generate([])
JSON.load_default_options
