# Generation recorded from CRuby 3.4.11 (json 2.9.1); the changes of json 2.18.0 (error messages, `1e+20`, symbols in
# strict mode) follow its own tests.
require "json"
def t; r = yield; p r; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
class Obj; def to_s; "obj!"; end; end
class Own; def to_json(*a) = "[#{a.size}]"; end
class SubString < String; end
class SubArray < Array; end
objects = [nil, true, -5, 2**70, 1.5, 1e20, "a\"b\\c/\n\u0001", "é\u2028😀", :sym, [], {}, [1, [2, {a: 1}]], {a: 1, "b" => nil, 3 => 4, nil => 5},
  Obj.new, Own.new, [Own.new], SubString.new("x"), SubArray[1, 2], 1..3, "\xff", "é".encode("UTF-16LE"), 0.0 / 0]
options = [nil, {indent: "  ", space: " ", object_nl: "\n", array_nl: "\n"}, {ascii_only: true}, {script_safe: true}, {allow_nan: true}, {strict: true}, {max_nesting: 2}]
objects.each { |object| options.each { |o| t { JSON.generate(object, o) } }; t { object.to_json }; t { JSON.dump(object) } }
a = []; a << a; t { JSON.generate(a) }
state = JSON::State.new(indent: "  ", space: " ")
t { state.to_h }; t { state.indent = 1 }; t { state.generate([{1 => 2}]) }; t { state.dup.indent }; t { JSON::State.from_state(state).equal?(state) }
["", "{", '{"a":1,}', "[1", "[1 2]", "nul", "NaN", "01", "-", "1.", "1e5", '"abc', '"\\u12"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\x"',
 "/* c */ [1, // d\n 2]", "1 // c", "[1]]", "123456789012345678901234567890", '{"a":1,"a":2}', '{"a":[1,{"b":]}', "[1}", '["a\tb"]', "[" * 101,
 '{"json_class":"Range"}', "[true,false,null]", "[1e+]", "nullnull"].each do |text|
  [{}, {allow_nan: true}, {symbolize_names: true}, {freeze: true}, {allow_trailing_comma: true}].each { |o| t { JSON.parse(text, o) } }
end
class Made; def self.json_creatable? = true; def self.json_create(hash) = [:made, hash]; end
t { JSON.parse('{"json_class":"Made","a":1}', create_additions: true) }
t { JSON.parse('["12x"]', create_additions: true, match_string: {/\A\d+x/ => Made}) }
t { JSON.parse("[1.5]", decimal_class: Float) }
t { JSON.parse('{"a":"b"}', freeze: true).then { [_1.frozen?, _1["a"].frozen?] } }
t { JSON.parse(nil) }; t { JSON.parse("[1]", 1) }; t { JSON.load("[1,[2]]", proc { |x| p x }) }

# Text between escapes, and the code range of the result.
[
  'plain \\n and \\"more\\"', 'é \\n ü', '\\u00e9', '\\u0041\\n', '\\ud83d\\ude00!', '\\\\\\\\',
  'x' * 30 + '\\t' + 'y' * 30, '\\u00e9' + 'z' * 20, '\\/',
].each do |text|
  s = JSON.parse("[\"#{text}\"]")[0]
  p s, s.ascii_only?, s.valid_encoding?, s.encoding
end

# Keys that come again: in the same order, in another one, longer and shorter, with escapes, at the end of the text.
[
  '[{"a":1,"b":2},{"a":3,"b":4},{"b":5,"a":6},{"a":7}]', '[{"ab":1,"abc":2},{"abc":1,"ab":2},{"a":1,"ab":2,"abc":3}]',
  '[{"a":1},{"\\u0061":2},{"a":3}]', '[{"é":1,"a key of more than eight bytes":{"x":1}},{"é":2,"a key of more than eight bytes":{"x":2}}]',
  '[{"a":1},{"a', '[{"a":1},{"a"', '[{"a":1},{"a":', '[{"a":1},{"b":1,"a":1},{"a":2,"a":3}]', '[{"":1},{"":2}]',
].each { |text| [{}, {symbolize_names: true}].each { |o| t { JSON.parse(text, o) } } }
t { JSON.parse("[0.1, 1.5, -0.0, 0e5, 1E400, 5e-324, 9007199254740993.0, 0.30000000000000004, 123456789.123456789, 1.7976931348623157e308]") }
t { JSON.parse("[12345678901234567, 123456789012345678, 9223372036854775807, 9223372036854775808, -9223372036854775808]") }
t { JSON.parse("[3.141592653589793, 2.718281828459045235360287, 0.000001234567890123456789, 1234567890123456789012.5]") }

# The text of a key is written again, as long as the settings are the same.
class Changing
  def to_json(state, *) = (state.space = "  "; state.ascii_only = true; "1")
end
key = "é".freeze
rows = [{ key => 1, s: 2 }, { key => 1, s: 2 }]
t { JSON.generate(rows) }
t { JSON.generate(rows, ascii_only: true, space: " ", indent: " ", object_nl: "\n") }
t { JSON.generate([{ key => 1 }, { key => Changing.new, s: 1 }, { key => 2, s: 1 }]) }
changing = +"changed"
by_identity = {}.compare_by_identity
by_identity[changing] = 1
t { [JSON.generate(by_identity), changing << "!", JSON.generate([by_identity, by_identity])] }
t { JSON.generate((0...100).map { |i| { "key#{i % 50}" => i, i => i } }).hash == JSON.generate((0...100).map { |i| { "key#{i % 50}" => i, i.to_s => i } }).hash }
t { JSON.dump({ a: Float::NAN }) }
t { JSON::State.new(indent: " ").freeze.generate([1]) }
class Pairs < Array
  def []=(key, value)
    push([key, value])
  end
end
nested = '{"a":[1,{"b":[]}],"c":{"d":null},"e":[[]]}'
t { JSON.parse(nested, object_class: Pairs) }
t { JSON.parse(nested, array_class: Pairs).then { |made| [made.class, made["a"].class, made["e"][0].class, made] } }
t { JSON.parse(nested, object_class: Pairs, array_class: Pairs) }
t { JSON.parse(nested, object_class: Class.new(Hash), on_load: ->(value) { value.nil? ? :none : value }) }
