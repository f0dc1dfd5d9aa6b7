# Monitor: who owns it, how often it was entered, what waits, copies and subclasses.
require "monitor"

def show
  p yield
rescue ThreadError => error
  p [error.class, error.message]
end

monitor = Monitor.new
p monitor.mon_locked?, monitor.mon_owned?
show { monitor.exit }
show { monitor.mon_check_owner }
p monitor.enter, monitor.try_enter, monitor.mon_enter, monitor.mon_try_enter, monitor.try_mon_enter
p monitor.mon_locked?, monitor.mon_owned?, monitor.mon_check_owner
p Thread.new { [monitor.try_enter, monitor.mon_locked?, monitor.mon_owned?, (monitor.exit rescue $!.class)] }.value
p Fiber.new { [monitor.try_enter, monitor.mon_owned?, (monitor.exit rescue $!.class)] }.resume
5.times { p monitor.exit }
show { monitor.exit }
p monitor.mon_locked?
p monitor.synchronize { monitor.synchronize { |*all| [all, monitor.mon_owned?] } }
show { monitor.synchronize { monitor.exit; 1 } }
p((monitor.synchronize { raise "x" } rescue $!.message), monitor.mon_locked?)
p [1, 2].each { |x| monitor.synchronize { break x } }, monitor.mon_locked?

# A waiting thread gives the monitor up, however often it entered, and has it as often again.
condition = monitor.new_cond
ready = false
waiting = Thread.new do
  monitor.synchronize { monitor.synchronize { condition.wait_until { ready } and monitor.mon_owned? } }
end
Thread.pass until waiting.stop?
p monitor.mon_locked?
monitor.synchronize { ready = true; condition.signal }
p waiting.value, monitor.mon_locked?
p monitor.synchronize { condition.wait(0.001) }
show { condition.signal }

# A subclass whose constructor calls no other, and whose methods `synchronize` does not call.
class Own < Monitor
  def initialize(name) = @name = name
  def enter = raise("unused")
  def exit = raise("unused")
end
own = Own.new("a")
p own.synchronize { own.mon_owned? }, own.mon_locked?, own.try_enter
p Monitor.allocate.try_enter

counted = 0
count = lambda do
  value = counted
  Thread.pass if value % 50 == 0
  counted = value + 1
end
4.times.map { Thread.new { 500.times { monitor.synchronize(&count) } } }.each(&:join)
p counted
100.times { monitor.enter; monitor.synchronize { counted += 1 }; monitor.exit }
p counted, monitor.mon_locked?
object = Object.new.extend(MonitorMixin)
p object.mon_synchronize { object.mon_owned? }, object.mon_locked?, object.mon_try_enter, object.mon_exit
show { object.mon_exit }
