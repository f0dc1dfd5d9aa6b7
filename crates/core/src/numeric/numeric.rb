class Numeric
  def step(limit = (no_limit = true; nil), step = (no_step = true; nil), by: (no_by = true; nil), to: (no_to = true; nil))
    unless no_to
      Primitive.raise(ArgumentError, "to is given twice") unless no_limit
      limit = to
    end
    unless no_by
      Primitive.raise(ArgumentError, "step is given twice") unless no_step
      step = by
    end
    if no_step && no_by
      step = 1
    end
    unless defined?(yield)
      Primitive.raise(ArgumentError, "step can't be 0") if step == 0
      arguments = no_limit ? [] : [limit]
      arguments << step unless no_step
      keywords = {}
      keywords[:by] = by unless no_by
      keywords[:to] = to unless no_to
      if (step.nil? || Numeric === step) && (limit.nil? || Numeric === limit)
        sequence = Primitive.arithmetic_sequence(self, :step, arguments, self, limit, step.nil? ? 1 : step, false)
        Primitive.hidden_set(sequence, :__options, keywords) unless keywords.empty?
        return sequence
      end
      return to_enum(:step, *arguments, **keywords)
    end
    step = 1 if step.nil?
    Primitive.raise(ArgumentError, "step can't be 0") if step == 0
    up = step > 0
    if Float === self || Float === limit || Float === step
      first = Float(self)
      unit = Float(step)
      last = limit.nil? ? (unit < 0 ? -Float::INFINITY : Float::INFINITY) : Float(limit)
      if unit.infinite?
        yield first if unit > 0 ? first <= last : first >= last
        return self
      end
      span = (last - first) / unit
      error = (first.abs + last.abs + (last - first).abs) / unit.abs * Float::EPSILON
      error = 0.5 if error > 0.5
      return self if span.nan?
      if span.infinite?
        return self if span < 0
        i = 0
        while true
          yield i * unit + first
          i += 1
        end
      end
      count = (span + error).floor
      i = 0
      while i <= count
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
end
