# Deliberate differences of Beni's instruction sequences.
begin
  RubyVM::AbstractSyntaxTree.parse("1")
rescue NotImplementedError => e
  puts e.message
end
p RubyVM::InstructionSequence.compile_parsey("1 + 1").eval
x = 1
code = eval("proc { x }")
begin
  RubyVM::InstructionSequence.of(code).to_binary
rescue NotImplementedError => e
  puts e.message
end
p ObjectSpace.count_iseq > 1
n = 0
ObjectSpace.each_iseq { n += 1 if _1.path == __FILE__ }
p n > 1
p ObjectSpace.memsize_of_all_iseq > 1000
image = RubyVM::InstructionSequence.compile("1 + 1").to_binary
broken = image.dup
broken.setbyte(40, broken.getbyte(40) ^ 1)
[broken, "zzz", image[0, 50]].each do |bytes|
  RubyVM::InstructionSequence.load_from_binary(bytes)
rescue RuntimeError => e
  puts e.message
end
