# A syntax error has a backtrace down to the parser.
require "yaml"
def read = YAML.load("[")
begin
  read
rescue Psych::SyntaxError => e
  p e.backtrace_locations&.first&.label, e.backtrace.any? { |line| line.end_with?("in 'Object#read'") }, e.line, e.cause
end
