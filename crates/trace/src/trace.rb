class RubyVM
  def self.stat(key = nil) = key ? 0 : {constant_cache_invalidations: 0, constant_cache_misses: 0, global_cvar_state: 0, next_shape_id: 0, shape_cache_size: 0}

  def self.keep_script_lines = true

  def self.keep_script_lines=(on)
    on
  end
end

module Kernel
  def set_trace_func(handler)
    former = $__trace_func
    former.disable if former
    $__trace_func = nil
    return nil if handler.nil?
    raise TypeError, "trace_func needs to be Proc" unless handler.is_a?(Proc)

    $__trace_func = TracePoint.trace(:line, :class, :end, :call, :return, :c_call, :c_return, :raise) do |tp|
      event = tp.event
      name = event == :c_call ? "c-call" : event == :c_return ? "c-return" : event.name
      handler.call(name, tp.path, tp.lineno, tp.method_id, tp.binding, tp.defined_class || false)
    end
    handler
  end
  private :set_trace_func
end
