# Date: a day, as its Julian day number, with a time of the day that only DateTime shows. All but the offset is in UTC.
#
# @jd: day; @df: second of the day; @sf: nanoseconds (Integer or Rational); @of: seconds east of Greenwich; @sg: start
# of the Gregorian calendar
# shareable_constant_value: experimental_everything

class Date
  include Comparable

  class Error < ArgumentError
  end

  ITALY = 2299161
  ENGLAND = 2361222
  JULIAN = Float::INFINITY
  GREGORIAN = -Float::INFINITY

  MONTHNAMES = [
    nil, "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December"
  ].each { |name| name.force_encoding("US-ASCII").freeze if name }.freeze
  ABBR_MONTHNAMES = [
    nil, "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  ].each { |name| name.force_encoding("US-ASCII").freeze if name }.freeze
  DAYNAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    .each { |name| name.force_encoding("US-ASCII").freeze if name }.freeze
  ABBR_DAYNAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    .each { |name| name.force_encoding("US-ASCII").freeze if name }.freeze

  class << self

    def civil(*arguments) = new(*arguments)

    def jd(jd = 0, start = DEFAULT_START)
      check_numeric(jd, "jd")
      day, fraction = Calendar.split(jd)
      with_fraction(from_parts(day, 0, 0, 0, Calendar.start_of(start)), fraction)
    end

    def ordinal(year = -4712, yday = 1, start = DEFAULT_START)
      check_numeric(year, "year")
      check_numeric(yday, "yday")
      day, fraction = Calendar.split(yday)
      start = Calendar.start_of(start)
      found = Calendar.valid_ordinal(year.to_i, day, start) or raise(Error, "invalid date")
      with_fraction(from_parts(found, 0, 0, 0, start), fraction)
    end

    def commercial(cwyear = -4712, cweek = 1, cwday = 1, start = DEFAULT_START)
      check_numeric(cwyear, "year")
      check_numeric(cweek, "cweek")
      check_numeric(cwday, "cwday")
      day, fraction = Calendar.split(cwday)
      start = Calendar.start_of(start)
      found = Calendar.valid_commercial(cwyear.to_i, cweek.to_i, day, start) or raise(Error, "invalid date")
      with_fraction(from_parts(found, 0, 0, 0, start), fraction)
    end

    def today(start = DEFAULT_START)
      now = Time.now
      from_parts(Calendar.civil_to_jd(now.year, now.month, now.day, GREGORIAN), 0, 0, 0, Calendar.start_of(start))
    end

    def valid_jd?(jd, _start = DEFAULT_START) = Numeric === jd

    def valid_civil?(year, month, mday, start = DEFAULT_START)
      return false unless Numeric === year && Numeric === month && Numeric === mday
      !Calendar.valid_civil(year.to_i, month.to_i, mday.to_i, Calendar.start_of(start)).nil?
    end
    alias valid_date? valid_civil?

    def valid_ordinal?(year, yday, start = DEFAULT_START)
      return false unless Numeric === year && Numeric === yday
      !Calendar.valid_ordinal(year.to_i, yday.to_i, Calendar.start_of(start)).nil?
    end

    def valid_commercial?(year, week, day, start = DEFAULT_START)
      return false unless Numeric === year && Numeric === week && Numeric === day
      !Calendar.valid_commercial(year.to_i, week.to_i, day.to_i, Calendar.start_of(start)).nil?
    end

    def julian_leap?(year)
      check_numeric(year, "year")
      year % 4 == 0
    end

    def gregorian_leap?(year)
      check_numeric(year, "year")
      year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    end
    alias leap? gregorian_leap?

    # Loads the format that Marshal wrote before there was marshal_dump.
    def _load(text)
      date = allocate
      date.marshal_load(Marshal.load(text))
      date
    end

    private

    def check_numeric(value, name)
      raise TypeError, "invalid #{name} (not numeric)" unless Numeric === value
    end

    def from_parts(jd, second, nanosecond, offset, start)
      date = allocate
      date.__send__(:__set, jd, second, nanosecond, offset, start)
      date
    end

    def with_fraction(date, fraction) = fraction == 0 ? date : date + fraction
  end

  def initialize(year = -4712, month = 1, mday = 1, start = DEFAULT_START)
    Date.__send__(:check_numeric, year, "year")
    Date.__send__(:check_numeric, month, "month")
    Date.__send__(:check_numeric, mday, "day")
    start = Calendar.start_of(start)
    jd = Calendar.valid_civil(year.to_i, month.to_i, mday.to_i, start) or raise(Error, "invalid date")
    __set(jd, 0, 0, 0, start)
    self
  end

  def initialize_copy(other)
    raise FrozenError, "can't modify frozen #{self.class}: #{inspect}" if frozen?
    __set(*other.__send__(:__parts))
    self
  end

  def ajd = @jd + Rational(@df * 1_000_000_000 + @sf, 86_400_000_000_000) - Rational(1, 2)
  def amjd = ajd - Rational(4800001, 2)
  def jd = @of == 0 ? @jd : @jd + (@df + @of).div(86_400)
  def mjd = jd - 2400001
  def ld = jd - 2299160
  def day_fraction
    return 0 if @df == 0 && @sf == 0 && @of == 0 && !(DateTime === self)
    Rational(__second * 1_000_000_000 + @sf, 86_400_000_000_000)
  end

  def year = __civil[0]
  def mon = __civil[1]
  def mday = __civil[2]
  alias month mon
  alias day mday
  def yday = Calendar.jd_to_ordinal(jd, @sg)[1]
  def wday = (jd + 1) % 7
  def cwyear = Calendar.jd_to_commercial(jd, @sg)[0]
  def cweek = Calendar.jd_to_commercial(jd, @sg)[1]
  def cwday = jd % 7 + 1

  def sunday? = wday == 0
  def monday? = wday == 1
  def tuesday? = wday == 2
  def wednesday? = wday == 3
  def thursday? = wday == 4
  def friday? = wday == 5
  def saturday? = wday == 6

  def start = @sg.to_f
  def julian? = jd < @sg
  def gregorian? = !julian?

  def leap?
    return Date.gregorian_leap?(year) if gregorian?
    Calendar.jd_to_civil(Calendar.civil_to_jd(year, 3, 1, JULIAN) - 1, JULIAN)[2] == 29
  end

  def new_start(start = DEFAULT_START) = __with(@jd, @df, @sf, @of, Calendar.start_of(start))
  def italy = new_start(ITALY)
  def england = new_start(ENGLAND)
  def julian = new_start(JULIAN)
  def gregorian = new_start(GREGORIAN)

  def instance_variables = super - FIELDS
  FIELDS = %i[@jd @df @sf @of @sg].freeze
  private_constant :FIELDS

  def hash = [@jd, @df, @sf].hash
  def eql?(other) = Date === other && self == other

  def inspect
    start = @sg.to_f.infinite? ? (@sg > 0 ? "Inf" : "-Inf") : @sg.to_i
    nanoseconds = Integer === @sf || @sf.denominator != 1 ? @sf : @sf.numerator
    nanoseconds = nanoseconds.inspect
    "#<#{self.class}: #{self} ((#{@jd}j,#{@df}s,#{nanoseconds}n),#{'%+d' % @of}s,#{start}j)>".force_encoding("US-ASCII")
  end

  def marshal_dump
    cycles, jd = @jd.divmod(CYCLE)
    [cycles, jd, @df, @sf, @of, @sg.to_f]
  end

  def marshal_load(parts)
    raise FrozenError, "can't modify frozen #{self.class}: #{inspect}" if frozen?
    raise TypeError, "expected array" unless Array === parts
    case parts.size
    when 6
      cycles, jd, second, nanosecond, offset, start = parts
      __set(cycles * CYCLE + jd, second, nanosecond, offset, start)
    when 2, 3
      # The formats of Ruby 1.6 and 1.8: the astronomical day, the offset as a fraction of a day, the start.
      ajd, offset, start = parts.size == 3 ? parts : [parts[0] - Rational(1, 2), 0, parts[1]]
      start = start ? GREGORIAN : JULIAN if start == true || start == false
      jd, rest = (ajd + Rational(1, 2)).divmod(1)
      second, rest = (rest * 86_400).divmod(1)
      __set(jd, second, rest * 1_000_000_000, (offset * 86_400).to_i, start)
    else
      raise TypeError, "invalid size"
    end
    self
  end

  KEYS = %i[year month day yday wday].freeze
  # The number of days after which all calendars repeat, 71149239 to the power of two.
  CYCLE = 0x7fffffff / 71149239 * 71149239
  private_constant :KEYS, :CYCLE

  def deconstruct_keys(keys) = __deconstruct(keys, KEYS)

  def to_date = instance_of?(Date) ? self : Date.__send__(:from_parts, jd, 0, 0, 0, @sg)
  def to_datetime = DateTime.__send__(:from_parts, @jd, 0, 0, 0, @sg)

  def to_time
    year, month, day = Calendar.jd_to_civil(jd, GREGORIAN)
    Time.local(year, month, day)
  end

  private

  def __set(jd, second, nanosecond, offset, start)
    @jd = jd
    @df = second
    @sf = nanosecond
    @of = offset
    @sg = start
  end

  def __parts = [@jd, @df, @sf, @of, @sg]

  # A new object of the same class.
  def __with(*parts)
    date = self.class.allocate
    date.__send__(:__set, *parts)
    date
  end

  def __civil = Calendar.jd_to_civil(jd, @sg)
  def __second = @of == 0 ? @df : (@df + @of) % 86_400

  def hour = __second / 3600
  def min = __second / 60 % 60
  def sec = __second % 60
  alias minute min
  alias second sec

  def sec_fraction = Rational(@sf, 1_000_000_000)

  def __deconstruct(keys, known)
    unless keys.nil? || Array === keys
      raise TypeError, "wrong argument type #{keys.class} (expected Array or nil)"
    end
    (keys ? keys & known : known).to_h { |key| [key, __send__(key)] }
  end
end
