# RubyVM::InstructionSequence: compilation, options, binary images, hooks of require.
ISeq = RubyVM::InstructionSequence
def sample(a, b = 1, *c, d, e:, f: 2, **g, &h)
  [1].each { |x| x + 1 }
end

image = ISeq.compile("def from_image(n) = n + 1\nfrom_image(41)", "a.rb", "/b/a.rb", 7).to_binary("extra")
p image.encoding
p ISeq.load_from_binary_extra_data(image)
loaded = ISeq.load_from_binary(image)
p loaded.eval, loaded.path, loaded.absolute_path, loaded.first_lineno, loaded.inspect, loaded.trace_points
p ISeq.load_from_binary(ISeq.of(method(:sample)).to_binary).label
p ISeq.compile_option.keys
p ISeq.compile("'x'", frozen_string_literal: true).eval.frozen?
p ISeq.load_from_binary(ISeq.compile("'x'", frozen_string_literal: true).to_binary).eval.frozen?
ISeq.compile_option = {frozen_string_literal: true}
p ISeq.compile("'x'").eval.frozen?
ISeq.compile_option = {frozen_string_literal: false}
p ISeq.compile("'x'").eval.frozen?
begin
  ISeq.compile_option = 1
rescue TypeError => e
  p e.message
end

code = ISeq.of(method(:sample))
p code.equal?(ISeq.of(method(:sample).unbind)), ISeq.of(method(:puts)), ISeq.of(proc {}).label
p ISeq.of(caller_locations(0).first).path == __FILE__
children = []
code.each_child { children << _1.label }
p children
rows = code.to_a
p rows[0], rows[5], rows[8], rows[9], rows[11].values_at(:lead_num, :post_num, :post_start, :rest_start)
p rows[13].grep(Symbol).grep(/RUBY_EVENT/).sort
p rows[4][:code_location]
p ISeq.disasm(method(:sample)).lines.first.sub(__FILE__, "FILE")
p ISeq.compile("x = 1").script_lines
RubyVM.keep_script_lines = true
p ISeq.compile("a = 1\nb = 2").script_lines
begin
  ISeq.compile("1 +")
rescue SyntaxError => e
  p e.class
end
begin
  ISeq.compile_file("/not/there.rb")
rescue SystemCallError => e
  p e.message
end

# As bootsnap does it.
folder = "/tmp/beni-iseq-#{$$}"
Dir.mkdir(folder)
begin
  file = "#{folder}/cached.rb"
  File.write(file, "$loaded = [__FILE__ == #{file.inspect}, __dir__ == #{folder.inspect}, __LINE__]\n")
  kept = ISeq.compile_file(file).to_binary
  asked = []
  ISeq.define_singleton_method(:load_iseq) { |path| asked << path; load_from_binary(kept) if path.end_with?("cached.rb") }
  File.write("#{folder}/plain.rb", "$plain = 1")
  compiled = []
  TracePoint.new(:script_compiled) { |t| compiled << [t.instruction_sequence.path == file, t.eval_script] }.enable { load file }
  p compiled
  load "#{folder}/plain.rb"
  p $loaded, $plain, asked.map { File.basename(_1) }
  ISeq.singleton_class.remove_method(:load_iseq)
ensure
  Dir.children(folder).each { File.delete("#{folder}/#{_1}") }
  Dir.rmdir(folder)
end
