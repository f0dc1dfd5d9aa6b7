# Shared by the programs of this folder: `measure` runs a block repeatedly and prints the processor time, in seconds, of
# its first, its fastest and its median run.

# The gems, as Debian's packages install them, are at the end of the load path: the interpreter's own libraries come
# first.
folders = ENV.fetch("GEM_FOLDERS", "/usr/share/rubygems-integration/all/gems:/usr/lib/ruby/vendor_ruby").split(":")
folders.each do |folder|
  $LOAD_PATH.concat(Dir[File.join(folder, "*", "lib", "concurrent-ruby")], Dir[File.join(folder, "*", "lib")], [folder])
end

# Ruby files, and their text, for programs that parse Ruby.
CORE = File.expand_path("../../crates/core/src", __dir__)
RUBY_FILES = %w[set/set.rb enumerator/enumerator.rb].map { |name| File.join(CORE, name) }
RUBY_TEXT = RUBY_FILES.map { |file| File.read(file) }.join("\n")

# Runs the block until MEASURED_SECONDS have passed or MEASURED_RUNS runs were made, and at least twice.
def measure
  seconds, most = ENV.fetch("MEASURED_SECONDS", "3").to_f, ENV.fetch("MEASURED_RUNS", "300").to_i
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  times = []
  until times.size >= 2 && (times.size >= most || Process.clock_gettime(Process::CLOCK_MONOTONIC) - began > seconds)
    before = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    yield
    times << Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - before
  end
  sorted = times.sort
  $stderr.puts format("%.4f %.4f %.4f", times.first, sorted.first, sorted[sorted.size / 2])
end
