# A method that a block defines is named in backtraces as the block is. Recorded from CRuby 4.1dev.
class A
  define_method(:x) { caller_locations(0, 1).map { |l| [l.label, l.base_label] } }
  def self.make = define_method(:y) { [1].each { return caller_locations(0, 1).map { |l| [l.label, l.base_label] } } }
  make
end
p A.new.x, A.new.y
failing = proc { raise "x" }
A.define_method(:z, &failing)
p((A.new.z rescue $!.backtrace_locations.map(&:label)))
A.define_singleton_method(:q) { caller_locations(0, 1).first.label }
p A.q
def A.s = [1].map { caller_locations(0, 1).first.label }
p A.s
