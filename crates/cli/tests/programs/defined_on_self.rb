# `defined?` of a call with a receiver sees what the call's caller may call: no private method, even of self.
class Asked
  def asked
    [defined?(m1), defined?(self.m1), defined?(m2), defined?(self.m2), defined?(m3), defined?(self.m3),
     defined?(self.m2.to_s), defined?(self.absent)]
  end

  def m1 = 1
  private def m2 = 2
  protected def m3 = 3
end

300.times { |i| p Asked.new.asked if i % 299 == 0 }
