class Range
  def bsearch
    b = Primitive.range_begin(self)
    e = Primitive.range_end(self)
    unless (b.nil? || Primitive.is_kind_of(b, Numeric)) && (e.nil? || Primitive.is_kind_of(e, Numeric)) &&
      !(b.nil? && e.nil?)
      Primitive.raise(TypeError, "can't do binary search for #{Primitive.class_of(b)}")
    end
    unless Primitive.is_float(b) || Primitive.is_float(e) ||
      (Primitive.is_integer(b) || b.nil?) && (Primitive.is_integer(e) || e.nil?)
      Primitive.raise(TypeError, "can't do binary search for #{Primitive.class_of(b)}")
    end
    return Primitive.enumerator(self, :bsearch, nil, nil) unless defined?(yield)
    exclusive = Primitive.range_is_exclusive(self)
    if Primitive.is_float(b) || Primitive.is_float(e)
      low = Primitive.float_to_ordered(b.nil? ? -Float::INFINITY : b.to_f)
      high = Primitive.float_to_ordered(e.nil? ? Float::INFINITY : e.to_f)
      high -= 1 if exclusive
      float = true
    elsif (Primitive.is_integer(b) || b.nil?) && (Primitive.is_integer(e) || e.nil?) && !(b.nil? && e.nil?)
      float = false
      if e.nil?
        step = 1
        low = b
        while true
          high = b + step
          answer = yield(high)
          return high if answer == 0 && Primitive.is_kind_of(answer, Numeric)
          break if __goes_left?(answer)
          low = high + 1
          step *= 2
        end
      elsif b.nil?
        step = 1
        high = exclusive ? e - 1 : e
        while true
          low = high - step
          answer = yield(low)
          return low if answer == 0 && Primitive.is_kind_of(answer, Numeric)
          break unless __goes_left?(answer)
          high = low
          step *= 2
        end
      else
        low = b
        high = exclusive ? e - 1 : e
      end
    else
      Primitive.raise(TypeError, "can't do binary search for #{Primitive.class_of(b)}")
    end
    found = nil
    while low <= high
      middle = (low + high).div(2)
      x = float ? Primitive.ordered_to_float(middle) : middle
      answer = yield(x)
      return x if answer == 0 && Primitive.is_kind_of(answer, Numeric)
      found = x if answer == true
      __goes_left?(answer) ? high = middle - 1 : low = middle + 1
    end
    found
  end

  # Whether the search continues below the element, according to the block's result; TypeError for an invalid one.
  def __goes_left?(answer)
    return true if answer == true
    return false unless answer
    unless Primitive.is_kind_of(answer, Numeric)
      Primitive.raise(TypeError,
        "wrong argument type #{Primitive.class_of(answer)} (must be numeric, true, false or nil)")
    end
    answer < 0
  end
end
