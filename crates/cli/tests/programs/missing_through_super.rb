# A method_missing that calls super gets the error of the call that came to it; long names count as part of the stack.
class Passes
  def method_missing(*) = super

  private

  def hidden = 1
end

def try
  p yield
rescue NameError => error
  puts "#{error.class}: #{error.message.sub(/0x\h+/, "0x0")}"
  p error.private_call? if error.is_a?(NoMethodError)
end

o = Passes.new
try { o.instance_eval { foo } }
try { o.instance_eval { foo() } }
try { o.foo(1) }
try { o.hidden }
try { o.instance_eval { bar } }
try { o.public_send(:bar) }

class Grows
  def method_missing(name, *) = send(:"#{name}x")
end
begin
  Grows.new.foo
rescue SystemStackError => error
  p error.class
  p File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i < 800_000
end
BEGIN {
  puts "second"
  BEGIN { puts "first" }
}
p((defined? (; o)), (defined? (o;)), (defined? (o)))
p (1..).step(1i).take(2), caller(100, 0), Object.subclasses.include?(Random)
