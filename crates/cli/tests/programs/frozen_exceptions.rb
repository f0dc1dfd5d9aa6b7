# A frozen exception gets neither a backtrace nor a cause when it is raised; one that has a backtrace is copied.
FROZEN = RuntimeError.new("frozen").freeze

def show(label)
  yield
rescue => e
  p [label, e.class, e.message, e.equal?(FROZEN), e.frozen?, e.backtrace, e.backtrace_locations, e.cause]
end

3.times do
  show(:raised) { raise FROZEN }
  show(:cause) { raise FROZEN, cause: ArgumentError.new("c") }
  show(:handled) { begin; raise "a"; rescue; raise FROZEN; end }
  show(:again) { begin; raise FROZEN; rescue; raise; end }
  show(:shareable) { raise Ractor.make_shareable(TypeError.new("s")) }
  show(:fiber) { Fiber.new { raise FROZEN }.resume }
  show(:copied) do
    raise "a"
  rescue
    error = TypeError.new("placed")
    error.set_backtrace(["a:1"])
    raise error.freeze
  end
  begin
    raise FROZEN, "message"
  rescue FrozenError => e
    p e.message
  end
end

# Instances without members.
p Struct.new.new, Data.define.new, Class.new(Struct.new(:a)).new(1), Data.define(:a, :b).new(1, 2)
Nothing = Data.define
p Nothing.new
