# `super` passes keywords to native methods at each call, not only at the first.
class Packer < Array
  def pack(*a, **k) = super(*a, **k)
  def first(*, **) = super
end
list, buffer = Packer.new([65]), +""
400.times { list.pack("C", buffer: buffer) }
p buffer.size, list.first

class Bare < Array
  def pack(format, buffer:) = super(format, buffer: buffer)
end
list, buffer = Bare.new([65]), +""
400.times { list.pack("C", buffer: buffer) }
p buffer.size
