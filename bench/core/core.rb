# Many methods of the core classes, each on a small and a large receiver: nanoseconds per call.
#
#   ruby bench/core/core.rb [PATTERN]                 a line for each row: class, receiver, call, a tab, nanoseconds
#   cargo xtask bench core --against ruby [PATTERN]   two interpreters alternately, rows above 1.1, means
#
# The table `methods.txt` has sections. `= Class` begins one; `small CODE` and `large CODE` make its receivers `r`;
# `with CODE` sets up what the calls need. Every other line is a call of `r`, or with `~` before it an expression.
require "set"
require "stringio"
require "strscan"
require "json"
require "date"
require "time"

SECONDS = 0.004
TABLE = File.join(__dir__, "methods.txt")

def processor_time = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# The minimum of three measurements, each long enough, in nanoseconds per call.
def measure(loop_of)
  # Interpreters with a compiler compile the loop after some calls.
  50.times { loop_of.call(2) }
  count = 1
  least = nil
  done = 0
  until done == 3
    started = processor_time
    loop_of.call(count)
    taken = processor_time - started
    if taken < SECONDS
      count *= taken < SECONDS / 10 ? 10 : 2
      next
    end
    least = [least || taken / count, taken / count].min
    done += 1
  end
  (least * 1e9).round(1)
end

def run_section(name, setup, receivers, calls, pattern)
  receivers.each do |size, receiver|
    calls.each do |call|
      label = "#{name} #{size} #{call.delete_prefix("~ ")}"
      next if pattern && !label.include?(pattern)
      code = call.start_with?("~ ") ? call[2..] : "r.#{call}"
      begin
        made = eval("#{setup}; r = #{receiver}; ->(n) { i = 0; while i < n; #{code}; i += 1; end }", TOPLEVEL_BINDING.dup)
        puts "#{label}\t#{measure(made)}"
      rescue StandardError, ScriptError => error
        warn "#{label}: #{error.class}: #{error.message}"
      end
    end
  end
end

GC.start
name = nil
setup, receivers, calls = "nil", {}, []
(File.readlines(TABLE, chomp: true) + ["= end"]).each do |line|
  case line
  when "", /\A#/ then next
  when /\A= (.*)/
    run_section(name, setup, receivers, calls, ARGV[0]) if name
    name, setup, receivers, calls = $1, "nil", {}, []
  when /\A(small|large) (.*)/ then receivers[$1] = $2
  when /\Awith (.*)/ then setup = $1
  else calls << line
  end
end
