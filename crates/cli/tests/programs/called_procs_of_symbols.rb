# Procs of Symbols that are called with arguments, keywords and blocks: they run in place of the call. Readers and
# writers of objects whose variables are not in their cells. Recorded from CRuby 4.1dev.
class Receiver
  def one(x) = [:one, x]
  def any(*list, **options, &block) = [list, options, block&.call]
  def word(word: 0) = word
  def where = caller(1, 1)
  def method_missing(name, *list, **options) = [name, list, options]
  def respond_to_missing?(...) = true

  private def hidden = 1
  protected def guarded = 2
end

module Refined
  refine Receiver do
    def one(x) = [:refined, x]
  end

  def self.call(receiver) = receiver.then(&:word)
end

class Later
  using Refined
  def self.call(receiver) = [:one.to_proc.call(receiver, 1), [receiver].map { |x| :one.to_proc.(x, 2) }]
end

def shown
  yield
rescue => error
  puts "#{error.class}: #{error.message[/[^#]*/]}", error.backtrace.first(2).map { |line| line[/in .*/] }
end

def called
  receiver = Receiver.new
  one, any, word, missing = [:one, :any, :word, :unknown].map(&:to_proc)
  keywords = {word: 5}
  list = [receiver, 1]
  p one.call(receiver, 1), one.(receiver, 2), one[receiver, 3], one.yield(receiver, 4), (one === receiver rescue $!.class)
  p any.call(receiver), any.call(receiver, 1, a: 2) { 3 }, any.call(*list, **keywords), any.call(receiver, {a: 1})
  p word.call(receiver, word: 4), word.call(receiver, **keywords), word.call(receiver), word.call(receiver, **{})
  p missing.call(receiver, 1, b: 2), :hidden.to_proc.call(receiver), :guarded.to_proc.call(receiver)
  p :+.to_proc.call(1, 2), :upcase.to_proc.call("a"), :new.to_proc.call(String, "x")
  p :call.to_proc.call(one, receiver, 6), :call.to_proc.call(:call.to_proc, :to_s.to_proc, 7)
  p Later.call(receiver), (one >> :last.to_proc).call(receiver, 8), one.lambda?, :send.to_proc.call(receiver, :one, 9)
  p define_singleton_method(:own, &:one), own(receiver, 10)
  text = "unfrozen"
  p :<<.to_proc.call(text, "!"), text, :concat.to_proc.call("a", "b", "c")
  shown { one.call }
  shown { one.call(receiver) }
  shown { :upcase.to_proc.call(1) }
  shown { word.call(receiver, other: 1) }
end

Row = Struct.new(:x) { attr_accessor :note; attr_writer :secret; def secret = @secret }
class Words < Array; attr_accessor :note; end
class Named < Hash; attr_accessor :note; end
class Text < String; attr_accessor :note; end

def attributes
  objects = [Row.new(1), Words[1], Named[1, 2], Text.new("a"), Class.new { class << self; attr_accessor :note; end }]
  objects.each do |object|
    p object.note, object.note = [1], object.note, object.note << 2
    object.note += [3]
    p object.note, object.public_send(:note=, 4), object.dup.note
    shown { object.note(1) }
    shown { object.send(:note=) }
    shown { object.freeze.note = 5 }
    p object.note
  end
  row = Row.new(1)
  row.secret = 2
  p row.secret, (row.send(:note=, **{a: 1})), row.note, row.note(**{}), row
  events = []
  TracePoint.new(:c_call, :c_return) { |point| events << [point.event, point.method_id] }.enable { row.note; row.secret = 3 }
  p events.last(4)
end

[:called, :attributes].each do |name|
  puts name
  send(name)
  output, $stdout = $stdout, File.open(File::NULL, "w")
  60.times { send(name) }
  $stdout = output
  send(name)
end
