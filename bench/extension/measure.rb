# Nanoseconds per call across the border to C, the median of several runs: cd bench/extension && RUBY extconf.rb && make
# && RUBY -I. measure.rb
require "border"

class Holder
  def initialize = @value = 1
  def noop = nil
end

COUNT = (ARGV[0] || 2_000_000).to_i

def measure(name, per = COUNT)
  times = 5.times.map do
    start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    yield
    (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) * 1e9 / per
  end
  puts format("%-18s %8.2f", name, times.sort[2])
end

holder = Holder.new
measure("loop alone") { i = 0; i += 1 while i < COUNT }
measure("empty") { i = 0; while i < COUNT; Border.empty; i += 1; end }
measure("empty2") { i = 0; while i < COUNT; Border.empty2(i, i); i += 1; end }
measure("rb_funcall") { Border.funcall(COUNT, holder) }
measure("rb_yield") { Border.yield_(COUNT, 1) { |x| x } }
measure("rb_ary_push") { Border.ary_push(COUNT, []) }
measure("rb_ary_entry") { Border.ary_entry(COUNT, [1]) }
measure("rb_str_cat") { Border.str_cat(COUNT, +"") }
measure("rb_str_new") { Border.str_new(COUNT, nil) }
measure("rb_hash_aset") { Border.hash_aset(COUNT, {}) }
measure("rb_hash_aref") { Border.hash_aref(COUNT, {1 => 2}) }
measure("rb_ivar_get") { Border.ivar_get(COUNT, holder) }
measure("RSTRING_PTR") { Border.string_pointer(COUNT, "some text") }
measure("TypedData") { Border.make_data(COUNT, Border::Point) }
