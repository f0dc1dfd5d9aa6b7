# A byte order mark is not part of the first line.
require "yaml"
p YAML.load("\uFEFFa: b\nc: d\n"), YAML.load("\uFEFF- 1\n- 2\n"), YAML.load("\uFEFFa: b\nc: d\n".encode("UTF-16LE"))
