# --trace-calls: prints a line to standard error for each call: its location, and the method.
TracePoint.new(:call, :c_call) do |point|
  owner = point.defined_class
  of =
    if owner.singleton_class?
      attached = owner.attached_object
      Module === attached ? "#{attached.name || owner.inspect}." : "#{attached.class}(singleton)#"
    else
      "#{owner.name || owner.inspect}#"
    end
  STDERR.write("#{point.path}:#{point.lineno}: #{of}#{point.method_id}#{" (native)" if point.event == :c_call}\n")
end.enable
