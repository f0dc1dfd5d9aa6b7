# Methods whose receivers are frozen or change while they run, or whose arguments are at the border of what they
# accept, cold and in a loop.
class Tagged < Hash
  attr_accessor :tag

  def initialize_copy(other) = raise("not called")
end

class Text < String; end

class Called
  def initialize(value) = @value = value
  def to_str = "z"
  def to_int = @value
end

class Missed
  private def method_missing(*arguments) = arguments
end

def outcome
  yield
rescue StandardError => error
  "#{error.class}: #{error.message}"
end

def copies
  hash = Tagged.new
  hash.tag = 1
  hash[:a] = nil
  [hash.merge({ 1 => 2 }).tag, hash.merge.tag, hash.compact.tag, hash.compact.class, hash.reject {}.class]
end

def changed
  outcomes = []
  try = lambda do |text, &change|
    text = +text
    outcomes << [outcome { change.(text) }, text, $~&.begin(0)]
  end
  try.("hello") { |s| s.gsub(/l/) { s.upcase!; "X" } }
  try.("hello") { |s| s.gsub!(/l/) { s.upcase!; "X" } }
  try.("hello") { |s| s.sub!(/l/) { s.upcase!; "X" } }
  try.("hello") { |s| s.sub(/l/) { s.upcase!; "X" } }
  try.("abc") { |s| s.gsub("b") { s.upcase!; "!" } }
  try.("hello") { |s| s.gsub(/l/) { s << "a" } }
  try.("abcabc") { |s| s.gsub(/b/, Hash.new { s.tr!("a", "x"); "X" }) }
  try.("abcabc") { |s| s.gsub(/b/, Hash.new { s << "a" }) }
  try.("abcabc") { |s| s.gsub(//) { s.upcase!; "-" } }
  try.("hello") { |s| seen = []; s.scan(/l/) { seen << $&; s.upcase! }; [seen, $~] }
  try.("hello") { |s| seen = []; s.scan(/l/) { seen << $&; s.tr!("h", "x") }; [seen, $~.pre_match] }
  try.("hello") { |s| s.sub!(/l/) { s.freeze; "X" } }
  outcomes
end

FROZEN = "hello".freeze

# FrozenError is raised after the errors of the arguments.
def frozen
  f = FROZEN
  [
    outcome { f[Called.new(10)] = Called.new(0) }, outcome { f[1] = 1 }, outcome { f[1, -1] = 1 },
    outcome { f[11..] = "a" }, outcome { f["z"] = 1 }, outcome { f["e"] = 1 }, outcome { f[/z/] = 1 },
    outcome { f[/e/, Called.new(1)] = "a" }, outcome { f[1] = "a" }, outcome { f.insert(10, "a") },
    outcome { f.tr!("z", 1) }, outcome { f.tr!("z", "y") }, outcome { "".freeze.tr!("a", "b") },
    outcome { f.delete! }, outcome { f.delete!("c-a") }, outcome { f.squeeze!(1) }, outcome { f.upcase!(:a) },
    outcome { f << nil }, outcome { f.setbyte(10, 1) }, outcome { f.append_as_bytes(nil) }, outcome { f.sub!(1, 2) },
    outcome { f.gsub!(1, 2) }, outcome { "a".sub(1, 2) }, outcome { f.force_encoding("none") }
  ]
end

def sequences
  [
    (1..3).step(0.1).last(2), (1...3).step(0.1).last(2), 1.step(10, 3).last(2), 10.step(1, -4).last, 5.step(1).last,
    [1, 2].lazy.zip(Class.new { def to_ary = [3] }.new).to_a, (1..2).lazy.with_index(1.5).to_a,
    (1..2).lazy.with_index.inspect, (1..3).to_s.encoding, (1..3).inspect.encoding, (nil..1).inspect, ("a"...).inspect
  ]
end

def others
  [
    Text.new("a").encode.class, Text.new("é").encode("UTF-16LE").class, Missed.new.method_missing(:x),
    outcome { Process.kill("EXIT", $$) }, outcome { Struct.new("Test-", :a) }, outcome { Hash.new(capacity: "a") },
    outcome { Process.maxgroups = "x" }, outcome { /b/.match(nil, Object.new) }, Class.new.private_constant.class,
    outcome { UncaughtThrowError.new(1, 2).to_s }, outcome { eval("1", proc {}) }
  ]
end

class Told < StandardError
  def backtrace = "told"
end

def positions
  first, second = RuntimeError.new("first"), RuntimeError.new("second")
  (raise first, cause: second) rescue nil
  circular = (raise second, cause: first) rescue $!.backtrace[0][/'.*'/]
  [(raise Told rescue $@), circular]
end

all = -> { [copies, changed, frozen, sequences, others, positions] }
cold = all.()
cold.each { |part| puts part.map(&:inspect) }
300.times { |i| abort "round #{i}" unless all.() == cold }
