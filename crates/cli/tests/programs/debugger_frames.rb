# The native part of the `debug` gem: frames with their bindings.
module DEBUGGER__
  VERSION = "1.0"
  FrameInfo = Struct.new(:location, :self, :binding, :iseq, :class, :frame_depth)
end
require "debug/debug.so"
p DEBUGGER__::SO_VERSION == DEBUGGER__::VERSION

class Place
  def outer(a)
    [1].each do |b|
      inner { |c| return DEBUGGER__.capture_frames(nil) + [DEBUGGER__.frame_depth] }
    end
  end

  def inner = yield(3)
end

*frames, depth = Place.new.outer(5)
frames.each do |f|
  names = f.binding&.local_variables
  p [f.location.lineno, f.location.label, f.self.class, names, f.iseq&.type, f.class, f.frame_depth]
end
p depth
p frames.first.binding.eval("a + b + c")
p DEBUGGER__.capture_frames(File.expand_path(__dir__)).map(&:iseq).compact.size
code = RubyVM::InstructionSequence.of(Place.instance_method(:outer))
p code.type, code.parameters_symbols, code.first_line, code.last_line
