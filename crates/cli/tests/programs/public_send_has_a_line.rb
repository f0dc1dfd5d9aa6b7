# Kernel#public_send has a line in backtraces, although it pushes no frame.
class Receiver
  def fails(*) = raise("fails")
  def labels = caller_locations(0).first(3).map { |place| [place.lineno, place.label, place.base_label] }
  def caller_of(start) = caller(start, 1)
  def runs = yield
  def method_missing(name, *) = name == :missing ? raise("missing") : super
  def respond_to_missing?(*) = true
  def with_keyword(a:) = a
  def to_proc = raise("to_proc")
  def warns(level) = warn("warned", uplevel: level)
  private def hidden = 1
end

class Own
  def public_send(*) = fails
  def fails = raise("own")
end

def shown
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}", e.backtrace.first(3).map { |line| "  #{line[/\d+:in .*/]}" }
end

receiver = Receiver.new
$stderr = $stdout
2.times do
  shown { receiver.public_send(:fails) }
  shown { receiver.public_send(:labels) }
  shown { [1, 2, 3].map { |start| receiver.public_send(:caller_of, start)[0][/\d+:in .*/] } }
  shown { receiver.public_send(:runs) { raise "block" } }
  shown { receiver.public_send(:missing) }
  shown { receiver.public_send(:hidden) }
  shown { receiver.public_send(:with_keyword) }
  shown { 1.public_send(:+, nil) }
  shown { receiver.public_send(:fails, &receiver) }
  shown { receiver.public_send }
  shown { receiver.public_send(*[:fails]) }
  shown { receiver.public_send(:send, :fails) }
  shown { receiver.public_send(:instance_eval) { raise "instance_eval" } }
  shown { receiver.public_send(:fails, 1, b: 2) }
  shown { receiver&.public_send(:fails) }
  shown { Own.new.public_send(:fails) }
  shown { [1].public_send(:each) { raise "each" } }
  shown { receiver.method(:public_send).call(:fails) }
  shown { Class.new { def initialize() = raise("initialize") }.public_send(:new) }
  shown { proc { raise "proc" }.public_send(:call) }
end

def hot(receiver) = receiver.public_send(:fails)
50.times { hot(receiver) rescue nil }
shown { hot(receiver) }
def warm(receiver) = receiver.public_send(:labels)
50.times { warm(receiver) }
shown { warm(receiver) }
