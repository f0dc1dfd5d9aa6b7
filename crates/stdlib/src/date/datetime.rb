# DateTime: a Date with a time of day; and conversions between Time and both.
# shareable_constant_value: experimental_everything

class DateTime < Date
  # In its singleton class, the constants that it inherits are not found.
  Calendar = Calendar
  DEFAULT_START = DEFAULT_START
  private_constant :Calendar, :DEFAULT_START

  class << self
    def jd(jd = 0, hour = (last = 0), minute = (last ||= 1; 0), second = (last ||= 2; 0), offset = 0,
      start = DEFAULT_START)
      check_numeric(jd, "jd")
      at([jd, hour, minute, second], last, offset, start) { |day, _| day }
    end

    def ordinal(year = -4712, yday = 1, hour = (last = 0), minute = (last ||= 1; 0), second = (last ||= 2; 0),
      offset = 0, start = DEFAULT_START)
      check_numeric(year, "year")
      check_numeric(yday, "yday")
      at([yday, hour, minute, second], last, offset, start) { |day, sg| Calendar.valid_ordinal(year.to_i, day, sg) }
    end

    def commercial(cwyear = -4712, cweek = 1, cwday = 1, hour = (last = 0), minute = (last ||= 1; 0),
      second = (last ||= 2; 0), offset = 0, start = DEFAULT_START)
      check_numeric(cwyear, "year")
      check_numeric(cweek, "cweek")
      check_numeric(cwday, "cwday")
      at([cwday, hour, minute, second], last, offset,
        start) { |day, sg| Calendar.valid_commercial(cwyear.to_i, cweek.to_i, day, sg) }
    end

    def now(start = DEFAULT_START)
      time = Time.now
      jd = Calendar.civil_to_jd(time.year, time.month, time.day, Date::GREGORIAN)
      from_local(jd, time.hour * 3600 + time.min * 60 + [time.sec, 59].min, time.nsec, time.utc_offset,
        Calendar.start_of(start))
    end

    undef_method :today

    private

    # The parts are day, hour, minute and second, of which `last` is the last that was given (all if nil).
    def at(parts, last, offset, start, &block)
      date = allocate
      date.__send__(:__set_time, parts, last, offset, start, &block)
    end

    def from_local(jd, second, nanosecond, offset, start)
      days, second = (second - offset).divmod(86_400)
      from_parts(jd + days, second, nanosecond, offset, start)
    end
  end

  def initialize(year = -4712, month = 1, mday = 1, hour = (last = 0), minute = (last ||= 1; 0),
    second = (last ||= 2; 0), offset = 0, start = DEFAULT_START)
    Date.__send__(:check_numeric, year, "year")
    Date.__send__(:check_numeric, month, "month")
    Date.__send__(:check_numeric, mday, "day")
    other = __set_time([mday, hour, minute, second], last, offset, start) do |day, sg|
      Calendar.valid_civil(year.to_i, month.to_i, day, sg)
    end
    __set(*other.__send__(:__parts)) unless other.equal?(self)
    self
  end

  UNITS = [1, 24, 1440, 86_400].freeze
  private_constant :UNITS

  public :hour, :min, :sec, :minute, :second, :sec_fraction
  alias second_fraction sec_fraction

  def offset = Rational(@of, 86_400)
  def zone = __ascii(__zone_text)
  def new_offset(offset = 0) = __with(@jd, @df, @sf, Calendar.offset_of(offset), @sg)

  def strftime(format = "%FT%T%:z".force_encoding("US-ASCII")) = super(format)
  def iso8601(digits = 0) = strftime("%Y-%m-%d" + __time_format(digits))
  alias xmlschema iso8601
  def rfc3339(digits = 0) = iso8601(digits)
  def jisx0301(digits = 0) = __ascii(strftime(__jisx0301_format + __time_format(digits)))

  def to_s
    second = __second
    hours, minutes = (second / 60).divmod(60)
    second %= 60
    time = "#{hours < 10 ? "0" : ""}#{hours}:#{minutes < 10 ? "0" : ""}#{minutes}:#{second < 10 ? "0" : ""}#{second}"
    __ascii("#{__day_text}T#{time}#{__zone_text}")
  end

  KEYS = %i[year month day yday wday hour min sec sec_fraction zone].freeze
  private_constant :KEYS

  def deconstruct_keys(keys) = __deconstruct(keys, KEYS)

  def to_date = Date.__send__(:from_parts, jd, 0, 0, 0, @sg)
  def to_datetime = self

  def to_time
    date = gregorian
    Time.new(date.year, date.mon, date.mday, date.hour, date.min, date.sec + date.sec_fraction, @of)
  end

  private

  # Sets the day that the block finds and a time; the fraction of its last component carries over into the smaller ones.
  def __set_time(given, last, offset, start)
    Date.__send__(:check_numeric, given[1], "hour")
    Date.__send__(:check_numeric, given[2], "minute")
    Date.__send__(:check_numeric, given[3], "second")
    place = given.index { |part| !(Integer === part) && part != part.floor }
    raise Error, "invalid fraction" if place && place < (last || 3)
    fraction = 0
    day, hour, minute, second = given.each_with_index.map do |part, i|
      whole, rest = Calendar.split(part)
      fraction = Float === rest ? rest / UNITS[i] : Rational(rest, UNITS[i]) if i == place
      whole
    end
    start = Calendar.start_of(start)
    offset = Calendar.offset_of(offset)
    seconds = Calendar.valid_time(hour, minute, second) or raise(Error, "invalid date")
    jd = yield(day, start) or raise(Error, "invalid date")
    days, seconds = (seconds - offset).divmod(86_400)
    __set(jd + days, seconds, 0, offset, start)
    fraction == 0 ? self : self + fraction
  end
end

class Time
  def to_time = self

  def to_date
    jd = Date.const_get(:Calendar).civil_to_jd(year, month, day, Date::GREGORIAN)
    Date.__send__(:from_parts, jd, 0, 0, 0, 2299161.0)
  end

  def to_datetime
    jd = Date.const_get(:Calendar).civil_to_jd(year, month, day, Date::GREGORIAN)
    nanoseconds = subsec * 1_000_000_000
    nanoseconds = nanoseconds.numerator if nanoseconds.denominator == 1
    DateTime.__send__(:from_local, jd, hour * 3600 + min * 60 + [sec, 59].min, nanoseconds, utc_offset, 2299161.0)
  end
end
