# Characters beyond U+FFFF are written as escapes, as libyaml does. Recorded from CRuby 4.1dev.
require "yaml"
puts "😀".to_yaml, "a😀b: c".to_yaml, ["x\n😀\ny\n", {"😀" => "é"}, "\uF8FF", "\uF8FF😀\uF8FF", :"😀"].to_yaml
long = "word 😀 " * 40
puts long.to_yaml, ("\uF8FF" * 100).to_yaml, {long => 1, "😀" * 20 => 2, "😀 😀" => 3, "😀" * 40 => 4}.to_yaml
p YAML.load(long.to_yaml) == long, YAML.load([long, "\uF8FF😀"].to_yaml), YAML.load(({"😀" * 20 => "😀" * 5000}).to_yaml).size
puts "é à\uFEFF".to_yaml, YAML.dump("😀", line_width: 10), YAML.dump("a 😀 b 😀 c", line_width: 5)
docs = ["😀" * 3000, "b" * 20_000 + "😀", "c"]
p YAML.load(docs.to_yaml) == docs, YAML.dump_stream("😀", "x😀").lines.size
