class Sch
  def block(*) = nil
  def unblock(*) = nil
  def kernel_sleep(*) = nil
  def io_wait(*) = nil
  def fiber_interrupt(*) = nil
  def fiber(&b) = Fiber.new(&b).tap(&:resume)
  def scheduler_close = $stdout.syswrite("#{$!.inspect}\n")
end
Thread.new { Thread.current.report_on_exception = false; Fiber.set_scheduler(Sch.new); raise "x" }.join rescue 0
Thread.new { Fiber.set_scheduler(Sch.new); 1 }.join
