# YAML, read and written.
require "yaml"
require "date"

YAMLS = ["a: b\nc: [1, 2, {x: y}]\n", "- 1\n- 2.5\n- ~\n- true\n- 2001-01-01\n- 2001-01-01 10:00:00 Z\n- :sym\n",
  "--- |\n  text\n  more\n",
         "--- >-\n folded\n  text\n\n end\n", "&a [*a, &b {x: *b}]\n", "? complex\n: value\n? [a, b]\n: - c\n",
           "%YAML 1.1\n%TAG ! tag:x,2000:\n--- !foo\na: 1\n...\n---\nb\n",
         "\"esc \\u00e9 \\x41 \\n\"\n", "'single ''quoted'''\n", "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n",
           "--- !ruby/range 1..2\n", "--- !ruby/object:Object\na: 1\n",
         "--- !ruby/regexp /a/mi\n", "--- !ruby/struct:Point\nx: 1\n", "--- !ruby/hash:Hash\na: 1\n",
           "--- !ruby/array:Array\n- 1\n", "--- !ruby/exception:RuntimeError\nmessage: m\n",
         "--- !ruby/object:Complex\nreal: 1\nimage: 2\n", "--- !ruby/class String\n", "--- !ruby/symbol x\n",
           "--- !binary |\n  aGVsbG8=\n", "--- !set {a, b}\n", "--- !omap [a: 1]\n",
         "--- !ruby/string:String\nstr: x\n", "# comment\na: b # more\n", "- - - - 1\n", "a:\n- b\n-  c\n", "0o17\n",
           "1:30:00\n", "[1_000, 0x1f, 0b1, .inf, -.INF, .nan, 1e3]\n", "--- !ruby/data:Fixed\nx: 1\n"]
PARTS = Kit::PIECES + ["- ", "? ", ": ", "\n  ", "\n\t", "--- ", "\n...\n", "%YAML 1.2\n", "%TAG !e! tag:e:\n",
  "!!str ", "!!binary ", "!<tag:x> ", "!ruby/object:",
                       "&a ", "*a", "|+\n", ">2-\n", "|9\n", "<<: ", "{a: ", "[b, ", "# c", "\\u", "\\xZZ",
                         "\\U0010FFFF", "\u2028", "\u0085"]
Point = Struct.new(:x, :y)
Fixed = Data.define(:x)

def attempt
  if Kit.roll(4) == 0
    made = Kit.value(3)
    reads made
    text = nil
    try { text = YAML.dump(made, line_width: Kit.pick([-1, 0, 1, 80]), indentation: Kit.pick([0, 1, 2, 9, 10])) }
    try { YAML.unsafe_load(text) } if text
    try { YAML.dump_stream(made, made) }
  else
    text = Kit.changed(Kit.pick(YAMLS), PARTS)
    text = text + Kit.pick(YAMLS) if Kit.roll(5) == 0
    text = text.encode(Kit.pick(["UTF-16LE", "UTF-16BE", "UTF-8"]), invalid: :replace,
      undef: :replace) if Kit.roll(9) == 0
    reads text
    try { YAML.load(text, aliases: true, permitted_classes: [Symbol, Date]) }
    try { YAML.unsafe_load(text).inspect }
    try { YAML.parse_stream(text).to_yaml }
    try { YAML.load(text, symbolize_names: true, freeze: true) }
  end
end
