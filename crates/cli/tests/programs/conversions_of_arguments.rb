# raise takes an object with to_str, File.new one with to_int, Array#fill one with the methods of a range.
class Text
  def to_str = "hello"
  def exception = ArgumentError.new("not asked")
end
begin
  raise Text.new
rescue => error
  p error
end
class Number
  def to_int = 1
end
p File.new(Number.new, "w").tap { |file| file.autoclose = false }.fileno
class Part
  def begin = 1
  def end = -2
  def exclude_end? = false
end
p [1, 2, 3, 4].fill(0, Part.new), [1, 2, 3, 4].fill(Part.new) { |i| i * 10 }, [1, 2, 3, 4].fill(0, 1..2)
p(([1].fill(0, -3..2) rescue $!), ([1].fill(0, -3...) rescue $!), ([1].fill(0, Object) rescue $!))
p [1, 2, 3, 4].values_at(Part.new), [1, 2, 3, 4].tap { |list| p list.slice!(Part.new) }, 7.clamp(Part.new) rescue p $!
class Bounds < Part
  def end = 3
end
p 7.clamp(Bounds.new), 2.clamp(Bounds.new), 0b1010[Bounds.new], (2**70)[Bounds.new]
p Dir.glob(Struct.new(:to_ary).new(["/dev/nul?", "/dev/zer?"]))
class Target
  def to_io = $stdout
  def to_path = raise
end
$stdout.flush
Process.wait(spawn("echo written", out: Target.new))
class Asked
  def respond_to_missing?(name, all) = (p [name, all]; false)
end
Process.kill(Asked.new, 0) rescue p $!
p(((1.0..2.0).first(0) rescue $!), (1..2).first(0), ("a".."c").first(2))
