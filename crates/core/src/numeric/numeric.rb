class Numeric
  def step(limit = (no_limit = true; nil), step = (no_step = true; nil), by: (no_by = true; nil),
    to: (no_to = true; nil))
    unless no_to
      Primitive.raise(ArgumentError, "to is given twice") unless no_limit
      limit = to
    end
    unless no_by
      Primitive.raise(ArgumentError, "step is given twice") unless no_step
      step = by
    end
    step = 1 if no_step && no_by
    unless defined?(yield)
      Primitive.raise(ArgumentError, "step can't be 0") if step == 0
      unless (step.nil? || Numeric === step) && (limit.nil? || Numeric === limit)
        return to_enum(:step, limit, step) { __step_size(limit, step.nil? ? 1 : step) }
      end
      arguments = no_limit ? [] : [limit]
      arguments << step unless no_step
      keywords = {}
      keywords[:by] = by unless no_by
      keywords[:to] = to unless no_to
      sequence = Primitive.arithmetic_sequence(self, :step, arguments, self, limit, step.nil? ? 1 : step, false)
      Primitive.hidden_set(sequence, :__options, keywords) unless keywords.empty?
      return sequence
    end
    if step.nil?
      Primitive.raise(TypeError, "step must be numeric") unless no_step
      step = 1
    end
    Primitive.raise(ArgumentError, "step can't be 0") if step == 0
    up = Primitive.responds(step, :>, false) ? step > 0 : Primitive.compare(step, 0) > 0
    if Primitive.is_float(self) || Primitive.is_float(limit) || Primitive.is_float(step)
      # Multiplies, so that rounding errors do not accumulate.
      first = Primitive.to_float(self)
      unit = Primitive.to_float(step)
      last = limit.nil? ? (unit < 0 ? -Float::INFINITY : Float::INFINITY) : Primitive.to_float(limit)
      # Between equal infinities there are no steps, except infinite ones.
      return self if (last - first).nan? && !unit.infinite?
      n = Primitive.float_step_size(first, last, unit, false)
      if unit.infinite?
        yield first if n > 0
        return self
      end
      i = 0
      while i < n
        value = i * unit + first
        value = last if unit >= 0 ? last < value : value < last
        yield value
        i += 1
      end
      return self
    end
    i = self
    if limit.nil?
      while true
        yield i
        i += step
      end
    elsif up
      while i <= limit
        yield i
        i += step
      end
    else
      while i >= limit
        yield i
        i += step
      end
    end
    self
  end

  # The number of values that `step` yields; raises its errors.
  def __step_size(limit, step)
    up = Primitive.responds(step, :>, false) ? step > 0 : Primitive.compare(step, 0) > 0
    return Float::INFINITY if limit.nil?
    return Primitive.float_step_size(self, limit, step, false) if Float === self || Float === limit || Float === step
    return 0 if up ? self > limit : self < limit
    (limit - self).div(step) + 1
  end

  def singleton_method_added(name)
    singleton_class.__send__(:remove_method, name)
    Primitive.raise(TypeError, "can't define singleton method \"#{name}\" for #{Primitive.class_of(self)}")
  end
end
