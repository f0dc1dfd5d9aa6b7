# Thread.each_caller_location and caller_locations of single frames, which capture no more than they show.
def first = Thread.each_caller_location { |location| return location.to_s }
def all = [].tap { |list| Thread.each_caller_location { |location| list << location.lineno << location.label } }
def each(*range) = [].tap { |list| Thread.each_caller_location(*range) { |location| list << location.to_s[/:.*/] } }
def within(*range) = each(*range)
def list(*range) = caller_locations(*range)&.map { |location| location.to_s[/:.*/] }
def own = caller_locations(1, 1)[0]

2.times do
  p first[/:.*/], all, each, within(1, 1), within(2), within(1, 0), within(9), within(9, 1), within(0), within(0, 1)
  p within(1..2), within(0..0), within(50, 1), within(1, 2)
  p list, list(1, 1), list(0, 1), list(2, 1), list(90, 1), list(1, 0), list(1, 2), list(0..0), list(1..1)
end
[["x"], [-1, 1], [1, -1], [1, 1, 1]].each { |range| p((each(*range) rescue $!), (list(*range) rescue $!)) }
location = own
GC.start
p location.path == __FILE__, location.absolute_path == File.realpath(__FILE__), location.lineno, location.label
p location.base_label, location.inspect == location.to_s.inspect, location == own, own.class
raises = 0
3.times { Thread.each_caller_location { raise "stop" } rescue raises += 1 }
p raises
callers = -> { [].tap { |list| Thread.each_caller_location { |place| list << place.lineno } }.size }
deep = ->(n) { n == 0 ? callers.() : deep.(n - 1) }
p deep.(100) - deep.(90)
