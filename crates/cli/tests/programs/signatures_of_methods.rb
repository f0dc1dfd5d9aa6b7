# Arities and parameters of methods that the interpreter defines. Recorded from CRuby 4.1dev.
def show(*methods) = methods.each { |m| puts "#{m.name} #{m.arity} #{m.parameters}" }

show [].method(:[]), [].method(:dig), "".method(:sub), 1.method(:round), {}.method(:each), [].method(:first)
show method(:Integer), method(:warn), method(:pp), 1.method(:clone), [].method(:pack), Queue.new.method(:pop)
show Dir.method(:glob), Time.method(:at), Time.method(:now), File.method(:chown), Class.method(:new)
show String.instance_method(:gsub), Struct.new(:a).instance_method(:a=), Array.instance_method(:zip)
show Struct.instance_method(:select), Comparable.instance_method(:clamp), IO.instance_method(:readline)
p [].method(:dig).to_proc.arity, [].method(:first).to_proc.parameters, [].method(:dig).curry(2).arity
p [].method(:push), Array.instance_method(:zip), 1.method(:+)
class Mine < Array
  alias third first
  def first(a, b = 1) = super
end
show Mine.new.method(:third), Mine.new.method(:first)
