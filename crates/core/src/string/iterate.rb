class String
  # The block may make the String longer or shorter.
  def each_byte
    return Primitive.enumerator(self, :each_byte, nil, :__count_bytes) unless defined?(yield)
    at = 0
    while byte = Primitive.core(self).getbyte(at)
      yield byte
      at += 1
    end
    self
  end
end
