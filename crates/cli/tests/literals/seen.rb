# Wherever a program can keep, change or identify a literal that was passed, it is a String of its own, and the same one
# for the duration of the call.

def own?(s) = !s.frozen? && s.dup == s

class Spy
  attr_reader :seen
  def initialize = @seen = []
  def ==(other) = (@seen << other; false)
  def <=>(other) = (@seen << other; nil)
  def coerce(other) = (@seen << other; [0, 1])
  def to_str = "spy"
  def write(*parts) = (@seen.concat(parts); 1)
  def respond_to_missing?(name, _) = (@seen << name; false)
  def dig(*keys) = (@seen.concat(keys); 1)
end

def shown(name, seen)
  all = seen.map { |s| String === s ? own?(s) : s }
  puts "#{name}: #{all.inspect} #{seen.uniq(&:object_id).size}"
end

spy = Spy.new
2.times { [spy, 1, spy].include?("literal") }
shown "Array#include?", spy.seen
spy = Spy.new
{ a: spy, b: spy }.value?("literal")
shown "Hash#value?", spy.seen
spy = Spy.new
{ "a" => spy }.dig("a", "b")
shown "Hash#dig", spy.seen
spy = Spy.new
$stdout.dup.then { |out| $stdout = spy; puts("a", "b"); print("c"); $stdout = out }
$stdout = STDOUT
shown "puts", spy.seen.reject { |s| s == "\n" }
spy = Spy.new
"literal" == spy
shown "String#==", spy.seen
kept = []
2.times { {}.fetch("absent") { |key| kept << key } }
shown "Hash#fetch", kept
begin
  {}.fetch("absent")
rescue KeyError => e
  shown "KeyError#key", [e.key]
end
kept = []
table = Hash.new { |_, key| kept << key; 1 }
table.values_at("a", "b")
shown "default block", kept
identity = { "a".freeze => 1 }.compare_by_identity
p identity["a"], identity.key?("a"), identity.fetch("a", 2), identity.delete("a"), identity.size
identity["b"] = 1
identity.store("b", 2)
p identity.size
list = [] << "a"
list[0] << "b"
p list, [].push("c").tap { |l| l[0] << "d" }
class Base
  def <<(other) = other << "!"
  def [](other) = other << "?"
  def +(other) = other << "+"
end
2.times { p Base.new << "a", Base.new["a"], Base.new + "a" }
"x".instance_exec { p frozen? }
p "a".equal?("a")
"abc" =~ /b/
p $~.string, $~.string.frozen?, $~.pre_match << "z"
"abc".sub("b") { $~.regexp.inspect }.then { |s| p s }
pattern = +"b"
"abc".match(pattern)
matched = nil
"abc".sub(pattern) { matched = $~; "" }
pattern << "x"
p matched.regexp
class String
  alias old_key? hash
  def hash = (($hashed ||= []) << self; old_key?)
end
{ "q" => 1 }.key?("q")
class String
  alias hash old_key?
end
p $hashed.to_a.none? { |s| s.equal?("q".freeze) && !s.frozen? }
class Bound
  include Comparable
  attr_reader :seen
  def initialize(number) = (@number, @seen = number, [])
  def <=>(other)
    return 0 if other.is_a?(Bound)
    @seen << other
    other << "!" unless other.frozen?
    @number
  end
end
from, to = Bound.new(-1), Bound.new(1)
2.times { p (from..to).cover?("c"), (from..to) === "d" }
p from.seen, from.seen.map(&:frozen?)
middle = Bound.new(1)
2.times { p middle.clamp("b", "c") }
p middle.seen, middle.seen.map(&:frozen?)
require "set"
2.times { p Set[1, 2].join("-"), Set[[1, [2]]].join("+") }
2.times { p Dir.home("root").frozen?, (Dir.home("nobody at all") rescue $!.message.delete_suffix("\n")) }
