# Tags that the YAML library cannot read raise a SyntaxError, and do not affect the next document.
# (CRuby reads the first two: see docs/differences.md.)
require "yaml"

["[!a, b]", "{!a, b: 1}", "[!<, b]", "[b, !<tag:yaml.org,2002:str> 1]"].each do |text|
  p YAML.load(text)
rescue Psych::SyntaxError => error
  puts "#{text}: #{error.message}"
end
