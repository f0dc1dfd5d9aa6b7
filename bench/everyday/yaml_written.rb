# Writes settings as YAML.
require "yaml"
settings = Array.new(2_500) do |i|
  { "name" => "entry #{i}", "value" => i * 1.25, "on" => i.odd?, "list" => [i, "x: y", nil], "text" => "two\nlines\n",
    "nested" => { "key" => "#{i}", "sym" => :name } }
end
text = settings.to_yaml
puts text.bytesize, text.lines.first(12).join
