# The errors of wrong arguments: their messages, and the innermost line of their backtraces.
require "zlib"
require "stringio"

def tried
  p yield
rescue ArgumentError, TypeError, RangeError, KeyError, EOFError => e
  puts "#{e.class}: #{e.message} #{e.backtrace.first(2).map { |line| line[/in .*/] }.inspect}"
end

zipped = Zlib.gzip("abc\ndef")
numbers = 1..2
2.times do
  tried { numbers.find_index(1, 2) }
  tried { numbers.inject(1, 2, 3) }
  tried { numbers.inject }
  tried { numbers.slice_before(1, 2) }
  tried { numbers.slice_after(1, 2) }
  tried { numbers.slice_before(1) { } }
  tried { numbers.slice_after(1) { } }
  tried { numbers.slice_before }
  tried { numbers.first(1, 2) }
  tried { numbers.last(1, 2) }
  tried { numbers.min(1, 2) }
  tried { numbers.max(1, 2) }
  tried { numbers.zip(3) }
  tried { numbers.lazy.find_index(1, 2) }
  tried { [1].inject(1, 2, 3) }
  tried { [1].fill(1, 2, 3, 4) }
  tried { [1].find_index(1, 2) }
  tried { "abc".sub }
  tried { "abc".sub("a") }
  tried { "abc".sub!("a", "b", "c") }
  tried { "abc".gsub }
  tried { IO.popen }
  tried { IO.popen("a", "b", "c", "d") }
  tried { IO.popen({}, "true", "r", 3) }
  tried { IO.popen({ "a" => "b" }) }
  tried { IO.popen("true", 3) }
  tried { IO.popen("true", 3.5) }
  tried { IO.popen("true", "r", mode: "r") }
  tried { ARGF.read("x") }
  tried { ARGF.read(-1) }
  tried { ARGF.read(2**70) }
  tried { ARGF.read(1, 3) }
  tried { ARGF.readpartial("x") }
  tried { ARGF.read_nonblock("x") }
  tried { ENV.fetch(3) }
  tried { ENV.values_at("HOME", 3).size }
  tried { ENV.slice(3) }
  tried { ENV.update(3) }
  tried { ENV.update({ a: 1 }) }
  tried { ENV.update({ "a" => 1 }) }
  tried { ENV.replace(3) }
  tried { ENV.replace({ 1 => "a" }) }
  tried { ENV.each { raise ArgumentError, "each" } }
  tried { ENV.each_key { raise ArgumentError, "each_key" } }
  tried { ENV.select! { raise ArgumentError, "select!" } }
  tried { Zlib::GzipReader.new(StringIO.new(zipped)).gets(2**70) }
  tried { Zlib::GzipReader.new(StringIO.new(zipped)).gets("c", 2**70) }
  tried { Zlib::GzipReader.new(StringIO.new(zipped)).gets(2**62) }
  tried { Regexp.new(Regexp.new("a", timeout: 1.0)).timeout }
  tried { StringIO.new("abc").pread(0, 0).encoding }
  tried { StringIO.new(nil, "w+").external_encoding }
  tried { Math.sqrt(-1) rescue $!.class.ancestors.take(3) }
end
p ENV.replace(ENV.to_h).equal?(ENV), ENV.select!{ true }, ENV.reject!{ false }, ENV.each_pair { }.equal?(ENV)
ENV["beni_a"] = "1"
p ENV.delete_if { |name, _| name == "beni_a" }.key?("beni_a")
ENV.update({ "beni_a" => "1" }, { "beni_a" => "2" }) { |name, old, new| [name, old, new].join }
p ENV["beni_a"], ENV.values_at("beni_a", "beni_b"), ENV.slice("beni_a", "beni_b")
p Pathname.new(__dir__).glob("wrong_arguments*.rb", flags: File::FNM_DOTMATCH).size
p NameError.new("x").local_variables
def local_names(a)
  b = 1
  [1].map { |c| NameError.new("x").local_variables }
end
p local_names(1)
p begin; fooo; rescue NameError => e; e.local_variables; end
