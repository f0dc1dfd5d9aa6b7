# JSON, read and written.
require "json"

JSONS = ['{"a":[1,2.5,-0,1e3,null,true,false],"b":{"c":"d\u00e9\n"}}', "[]", '"x"', "[[[[[[]]]]]]",
  '{"json_class":"Range","a":[1,2]}',
         '[NaN,Infinity,-Infinity]', '/* c */ [1, // d
2]', '"\ud83d\ude00\ud83d"', "1" * 400, "-1.#{"0" * 200}1e-5", '{"a":1,"a":2}', "[" * 90 + "]" * 90]
PARTS = Kit::PIECES + %w[null true false NaN Infinity -Infinity \\u \\ud800 \\udc00 // /* */ {"a": "b" 1e 1. -]
READ = {symbolize_names: true, create_additions: true, allow_nan: true, max_nesting: 5, freeze: true,
  decimal_class: Float,
        allow_trailing_comma: true, object_class: Hash, array_class: Array, allow_duplicate_key: false,
        allow_control_characters: true, allow_invalid_escape: true}
WRITE = {indent: "  ", space: " ", object_nl: "\n", array_nl: "\xff", allow_nan: true, max_nesting: 3,
  script_safe: true,
         ascii_only: true, strict: true, as_json: proc { |value| value.to_s }}

def options(all) = all.to_a.select { Kit.roll(5) == 0 }.to_h

def attempt
  if Kit.roll(3) == 0
    made, chosen = Kit.value(4), options(WRITE)
    reads made, chosen
    try { JSON.generate(made, chosen) }
    try { JSON.pretty_generate(made) }
    try { JSON.parse(JSON.dump(made)) }
  else
    text, chosen = Kit.changed(Kit.pick(JSONS), PARTS), options(READ)
    reads text, chosen
    try { JSON.parse(text, chosen) }
    try { JSON.load(text) }
  end
end
