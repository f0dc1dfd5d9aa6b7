# Signals whose exception the main thread masks are raised where the mask ends; a fiber that ends after a transfer.
def masked(masks)
  inner = false
  begin
    Thread.handle_interrupt(masks) do
      Process.kill(:INT, Process.pid)
      sleep 0.05
      p Thread.pending_interrupt?
    rescue Interrupt
      inner = true
    end
  rescue Interrupt
    puts "outer"
  end
  p inner
end
masked(SignalException => :never)
masked(Interrupt => :never)
masked(RuntimeError => :never)
begin
  Process.kill(:TERM, Process.pid)
  sleep 1
rescue SignalException
  p $!, $!.signo
end
log = []
one = Fiber.new do
  two = Fiber.new { log << :two }
  two.resume
  log << :one
end
other = Fiber.new { one.transfer; log << :never }
resumed = Fiber.new { other.transfer; log << :resumed }
resumed.resume
p log << :root
