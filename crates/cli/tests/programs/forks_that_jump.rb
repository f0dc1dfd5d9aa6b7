# A jump out of the block of `fork` has no target in the child, which reports it.
$stdout.sync = true
errors = Object.new
def errors.write(*texts) = $stdout.write(*texts.map { |text| text.gsub(%r{\S*/programs/}, "") })
def errors.flush = self
$stderr = errors

def status(pid)
  Process.wait(pid)
  p $?.exitstatus
end

def returning = fork { return 3 }

status(fork { break })
status(returning)
status(fork { next 3 })
catch(:tag) { status(fork { throw :tag }) }
status(fork { raise "raised" })
status(Process.fork { raise "raised" })
status(Kernel.fork { exit 4 })
module Process
  singleton_class.prepend(Module.new { def _fork = (puts "watched" ; super) })
end
status(fork { exit 5 })
