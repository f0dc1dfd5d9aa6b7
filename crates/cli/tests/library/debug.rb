# rdbg stops at the first line of the program, steps and shows variables; `require "debug"` resolves.
require "rbconfig"
require "tempfile"

program = Tempfile.new(["debugged", ".rb"])
program.write("def foo(a)\n  b = a + 1\n  b * 2\nend\nputs foo(3)\n")
program.close
rdbg = $LOAD_PATH.resolve_feature_path("debug")[1].sub(%r{lib/debug\.rb\z}, "exe/rdbg")
environment = { "RUBY_DEBUG_NO_COLOR" => "1", "RUBY_DEBUG_NO_RELINE" => "1", "RUBY_DEBUG_NO_HISTORY" => "1" }
shown = IO.popen([environment, RbConfig.ruby, rdbg, program.path], "r+", err: %i[child out]) do |io|
  io.write("next\nstep\nstep\ninfo locals\ncontinue\n")
  io.close_write
  io.read
end
puts shown.lines.grep(/^=>|^%self|^ *[ab] =|^8/).map { |line| line.gsub(program.path, "debugged.rb") }
p RubyVM::InstructionSequence.compile_file(program.path).first_lineno
trace = TracePoint.new(:script_compiled) { |point| p point.instruction_sequence.first_lineno }
trace.enable { load program.path }

require "debug/session"
p defined?(DEBUGGER__::Session)
