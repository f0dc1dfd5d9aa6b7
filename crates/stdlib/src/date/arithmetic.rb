# Arithmetic with dates.
# shareable_constant_value: experimental_everything

class Date
  def +(other)
    case other
    when Integer
      return __with(@jd + other, @df, @sf, @of, @sg)
    when Float
      days = other.floor
      nanoseconds = ((other - days) * 86_400_000_000_000).round
    when Numeric
      other = other.to_r
      raise TypeError, "expected numeric" unless Rational === other
      days = other.floor
      nanoseconds = (other - days) * 86_400_000_000_000
      nanoseconds = nanoseconds.numerator if nanoseconds.denominator == 1
    else
      raise TypeError, "expected numeric"
    end
    more, nanosecond = (@sf + nanoseconds).divmod(1_000_000_000)
    nanosecond = nanosecond.numerator if Rational === nanosecond && nanosecond.denominator == 1
    day, second = (@df + more).divmod(86_400)
    __with(@jd + days + day, second, nanosecond, @of, @sg)
  end

  def -(other)
    case other
    when Date
      days, seconds, nanoseconds = other.__send__(:__parts)
      Rational((@jd - days) * 86_400_000_000_000 + (@df - seconds) * 1_000_000_000 + (@sf - nanoseconds),
        86_400_000_000_000)
    when Numeric
      self + -other
    else
      raise TypeError, "expected numeric"
    end
  end

  # The same day `months` months later, or the last day of that month.
  def >>(months)
    raise TypeError, "expected numeric" unless Numeric === months
    year, month, day = __civil
    year, month = (year * 12 + month - 1 + months).divmod(12)
    until (found = Calendar.valid_civil(year, month.to_i + 1, day, @sg))
      day -= 1
      raise Error, "invalid date" if day < 1
    end
    self + (found - jd)
  end

  def <<(months)
    raise TypeError, "expected numeric" unless Numeric === months
    self >> -months
  end

  def next_day(days = 1) = self + days
  def prev_day(days = 1) = self - days
  def next_month(months = 1) = self >> months
  def prev_month(months = 1) = self << months
  def next_year(years = 1) = self >> years * 12
  def prev_year(years = 1) = self << years * 12
  def next = next_day
  alias succ next

  def <=>(other)
    case other
    when Date
      days, seconds, nanoseconds = other.__send__(:__parts)
      order = @jd <=> days
      order = @df <=> seconds if order == 0
      order == 0 ? @sf <=> nanoseconds : order
    when Numeric
      ajd <=> other
    else
      __compare_coerced(other, :<=>)
    end
  end

  # Compares what `coerce` of an object makes of both; nil for an object without it.
  def __compare_coerced(other, operation)
    return unless other.respond_to?(:coerce, true)
    pair = other.__send__(:coerce, self)
    return if pair.nil?
    raise TypeError, "coerce must return [x, y]" unless Array === pair && pair.size == 2
    pair[0].__send__(operation, pair[1])
  end

  # Whether it is the same day, regardless of the time; nil for what cannot be compared with a day.
  def ===(other)
    case other
    when Date then jd == other.jd
    when Numeric then jd == other
    else __compare_coerced(other, :==)
    end
  end

  def step(limit, by = 1)
    return to_enum(:step, limit, by) unless block_given?
    date = self
    order = by <=> 0
    raise ArgumentError, "comparison failed" if order.nil?
    if order > 0
      while date <= limit
        yield date
        date += by
      end
    elsif order < 0
      while date >= limit
        yield date
        date += by
      end
    else
      yield date while true
    end
    self
  end

  def upto(max)
    return to_enum(:upto, max) unless block_given?
    date = self
    while date <= max
      yield date
      date += 1
    end
    self
  end

  def downto(min)
    return to_enum(:downto, min) unless block_given?
    date = self
    while date >= min
      yield date
      date -= 1
    end
    self
  end
end
