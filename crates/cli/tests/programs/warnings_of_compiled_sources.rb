# RubyVM::InstructionSequence.compile warns as `eval` does, reads an open File, and checks its options.
sequence = RubyVM::InstructionSequence
$stderr = $stdout
[nil, false, true].each do |verbose|
  $VERBOSE = verbose
  puts verbose.inspect
  sequence.compile("nil # shareable_constant_value: true\nfoo *a\nif a = 1 then end", "t", "t", 3)
  sequence.compile("x = /[aa]/; 5")
end
$VERBOSE = false
begin
  sequence.compile("1", debug_level: "")
rescue TypeError => e
  puts e.message
end
p sequence.compile("1", debug_level: 5).eval

require "tempfile"
Tempfile.create("source") do |f|
  f.write "1 +\n 2\n"
  f.close
  p sequence.new(f).eval, sequence.compile_prism(f, "a.rb", "b.rb", 9).path, sequence.compile(f).path
end
p((sequence.new(3) rescue $!.class))
text = sequence.compile('"foo"', "f.rb", "f.rb", 2, frozen_string_literal: true, debug_frozen_string_literal: true).eval
p((text << "x" rescue $!.message))
