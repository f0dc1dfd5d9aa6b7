require "fcntl"
require "thin"

p Thin.find(/(b+)(x)?/, "aabbc", 0, 2, false)
p Thin.find(/b+/, "aabbc", 0, 1, false)
p Thin.find(/b+/, "aabbc", 0, 0, true)
p Thin.find(/\Ab/, "aabbc", 2, 2, false)
p Thin.find(/./, "aä", 1, 1, false)
p Thin.find(/c/, "aabb", 0, 0, true)
p Thin.names(/(?<year>\d+)-(?<day>\d+)(?<year>x)/)
begin
  Thin.find(/ä/, "\xE4".dup.force_encoding("ISO-8859-1"), 0, 0, true)
rescue Encoding::CompatibilityError => e
  puts e.message
end
p Thin.thread_events { Thread.new { sleep 0.001 }.join }

e = RuntimeError.new("from Ruby")
p Thin.set_message(e, "from C"), e.message, e.backtrace
p Thin.hidden

Process.setrlimit(:NOFILE, 2000, Process.getrlimit(:NOFILE).last)
reader, writer = IO.pipe
far = writer.fcntl(Fcntl::F_DUPFD, 1500)
p far >= 1500, Thin.selects(far)

status = Thin.new_status(3 << 8)
p status.pid, status.exitstatus

class Words
  attr_reader :all

  def initialize = @all = []
  def write(*words) = words.sum { |word| @all << word.to_s; word.to_s.size }
end
p Thin.prints(Words.new).all.join
p Thin.walk(by: 2).to_a
p Thin.wide("\u3042".encode("UTF-16LE"))
