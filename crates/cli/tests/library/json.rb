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
