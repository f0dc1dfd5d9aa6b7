# Blocks nested as deeply as the parser allows are linked without native recursion: a Fiber's stack suffices.

def depth(code)
  n = 0
  while code.is_a?(Proc)
    code = code.call
    n += 1
  end
  [n, code]
end

p Fiber.new { depth(eval("->{" * 3000 + "1" + "}" * 3000)) }.resume
p Fiber.new { eval("[1].map {" * 1000 + "1" + "}" * 1000).flatten }.resume
p Fiber.new { eval("class A;" * 1000 + "self" + ";end" * 1000).name.size }.resume

# The same for its listing, its binary form and a trace point of it.
source = "->{" * 2000 + "1" + "}" * 2000
p Fiber.new { RubyVM::InstructionSequence.compile(source).disasm.scan("== disasm").size }.resume
Fiber.new {
  binary = RubyVM::InstructionSequence.compile(source).to_binary
  p depth(RubyVM::InstructionSequence.load_from_binary(binary).eval)
}.resume
p Fiber.new { TracePoint.new(:line) {}.enable(target: eval("proc { #{source} }")) { 1 } }.resume
