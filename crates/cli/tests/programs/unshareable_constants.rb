# Recorded from CRuby 4.1dev.
# How the message names the constant to which `# shareable_constant_value: literal` refuses a value.
class B; end
def self.expression = B

['C = ["a" + "b"]', '::C = ["a" + "b"]', 'B::C ||= ["a" + "b"]', "B::\n C = ['a' + 'b']", '::B::C = ["a" + "b"]',
  'self::C = ["a" + "b"]', 'expression::C = ["a" + "b"]', 'expression::C ||= ["a" + "b"]',
  '(B)::C &&= ["a" + "b"]'].each do |text|
  B.const_set(:C, 1) if text.include?("&&")
  eval("# shareable_constant_value: literal\n#{text}")
rescue Ractor::IsolationError => error
  puts error.message
end
