# Runs one spec file under mspec and writes the result of each example, one event per line.
#
# usage: run.rb MSPEC_LIB RESULTS SPEC_FILE
#
# Environment: BENI_SPEC_SKIP is the number of examples to skip at the beginning (after a crash, the
# rest of a file runs in a new process). BENI_SPEC_VERSION is the Ruby version that the guards see, by
# default the interpreter's own. With BENI_SPEC_STRESS each allocation of an example triggers a
# collection, and the heap is verified after each example. With BENI_SPEC_SIGNAL the program handles SIGURG, with
# BENI_SPEC_REFUSE the allocation of native memory with that number fails in each example.
#
# Events, with fields separated by tabs: `start DESCRIPTION`, then one of `pass`, `skip`,
# `fail MESSAGE` (an expectation) or `error MESSAGE` (any other exception); `outside MESSAGE` for
# an exception outside of the examples; `end` after the last example.

mspec_lib, results, spec_file = ARGV
ARGV.clear
ENV["MSPEC_RUNNER"] = "1"

if (version = ENV["BENI_SPEC_VERSION"])
  Object.send(:remove_const, :RUBY_VERSION)
  RUBY_VERSION = version.freeze
end

$LOAD_PATH.unshift(mspec_lib)
require "mspec/version"
require "mspec/utils/options"
require "mspec/utils/script"
MSpecScript.set(:backtrace_filter, /mspec\//)
require "mspec"

# mspec defines these per implementation, by name. No behaviour depends on the range of Beni's fixnums.
if RUBY_ENGINE == "beni"
  def fixnum_max = (2**62) - 1
  def fixnum_min = -(2**62)
end

# Excludes the first `count` examples; mspec calls `===` once for each, in running order.
class SkipFirst
  def initialize(count)
    @left = count
  end

  def ===(_description)
    return false if @left == 0
    @left -= 1
    true
  end
end

class Recorder
  def initialize(file)
    @file = file
    @process = Process.pid
    @exception = nil
    @inside = false
    @skips = 0
  end

  def before(example)
    @exception = nil
    @inside = true
    @skips = MSpec.skips.size
    write("start", example.description)
  end

  def exception(state)
    if !@inside
      write("outside", text(state))
    elsif @exception.nil? || (@exception.failure? && !state.failure?)
      @exception = state
    end
  end

  def after(_example)
    if @exception
      write(@exception.failure? ? "fail" : "error", text(@exception))
    elsif MSpec.skips.size > @skips
      write("skip")
    else
      write("pass")
    end
    @inside = false
  end

  def finish
    write("end")
  end

  private

  def text(state)
    where = state.exception.backtrace
    where = where && where.first
    where ? "#{state.message} [#{where}]" : state.message
  rescue Exception => error
    "#{state.exception.class} (its message is not available: #{error.class})"
  end

  # A child forked by an example must not write into the results of its parent.
  def write(*fields)
    return unless Process.pid == @process
    fields = fields.map { |field| field.to_s.b[0, 400].tr("\t\n\r", "   ") }
    @file.write(fields.join("\t") + "\n")
    @file.flush
  end
end

recorder = Recorder.new(File.open(results, "ab"))
MSpec.register(:before, recorder)
MSpec.register(:exception, recorder)
MSpec.register(:after, recorder)
MSpec.register(:finish, recorder)

skip = ENV["BENI_SPEC_SKIP"].to_i
MSpec.register(:exclude, SkipFirst.new(skip)) if skip > 0

# Set for each example anew, because examples may change GC.stress themselves.
class Stress
  def before(_example)
    GC.stress = true
  end

  def after(_example)
    GC.stress = false
    GC.verify_internal_consistency
  end
end

# stress_spec.rb tests GC.stress itself and expects it to be off initially.
if ENV["BENI_SPEC_STRESS"] && !spec_file.end_with?("core/gc/stress_spec.rb")
  stress = Stress.new
  MSpec.register(:before, stress)
  MSpec.register(:after, stress)
end

# A handler that calls and allocates, at many safepoints.
trap("URG") { ["é"].each { |text| text.dup << "x" } } if ENV["BENI_SPEC_SIGNAL"]

# Lets the n-th large allocation of each example fail (refuse.c).
class Refusal
  def initialize(number)
    @number = number
  end

  def before(_example)
    Process.getpgid(1 << 30 | 1 << 27 | 1 << 26 | @number)
  end

  def after(_example)
    Process.getpgid(1 << 30)
  end
end

if (number = ENV["BENI_SPEC_REFUSE"])
  refusal = Refusal.new(number.to_i)
  MSpec.register(:before, refusal)
  MSpec.register(:after, refusal)
end

MSpec.register_files([spec_file])
MSpec.process
exit(MSpec.exit_code)
