# receiver << "literal" in compiled code, for receivers of all kinds.
class Log
  attr_reader :all
  def <<(text) = ((@all ||= []) << text.upcase!; self)
end

class Loud < String
  def <<(text) = super(text + "!")
end

def add(to) = to << "é" << "b"
def add_one(to) = to << "literal"

def each_kind
  text, list, log, loud, wide = +"a", [], Log.new, Loud.new("l"), "a".encode("UTF-16LE")
  frozen = [(add_one("f".freeze) rescue $!.message), (add_one([].freeze) rescue $!.message)]
  results = [add(text).equal?(text), add(list), add(log).all, add(loud), (add(wide) rescue $!.class), add("x".b)]
  list.each { _1 << "more" }
  [text, list, log.all, loud, frozen, results, (add_one(4) rescue $!.class), (add_one(nil) rescue $!.class)]
end

first = each_kind
p first
400.times { each_kind == first or raise }
text = +""
400.times { add(text) }
p text.size, text.encoding, add(+"".encode("US-ASCII")).encoding

def grown(list) = list.tap { _1 << "one" << "two" }
p Array.new(400) { grown([]) }.flatten.map(&:object_id).uniq.size

class String
  alias plain <<
  def <<(text) = plain("<").plain(text)
end
p add(+"a"), add([])
