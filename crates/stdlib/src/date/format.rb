# Dates as text.
# shareable_constant_value: experimental_everything

class Date
  def strftime(format = "%F".force_encoding("US-ASCII"))
    year, month, day = __civil
    second = __second
    zone = __zone_text
    Date.__send__(
      :__strftime, format, year, month, day, second / 3600, second / 60 % 60, second % 60, wday, yday, @of, zone,
      (@jd - 2440588) * 86_400 + @df, @sf,
    )
  end

  def to_s = __ascii(__day_text)
  def iso8601 = __ascii(__day_text)
  alias xmlschema iso8601

  def rfc3339 = __ascii(strftime("%Y-%m-%dT%H:%M:%S%:z"))
  def rfc2822 = __ascii(strftime("%a, %-d %b %Y %T %z"))
  alias rfc822 rfc2822

  def httpdate
    utc = __with(@jd, @df, @sf, 0, @sg)
    __ascii(utc.strftime("%a, %d %b %Y %T GMT"))
  end

  def asctime = __ascii(strftime("%a %b %e %H:%M:%S %Y"))
  alias ctime asctime

  def jisx0301 = __ascii(strftime(__jisx0301_format))

  # The first day of each era, its letter, and the year before its first year.
  ERAS = [[2458605, "R", 2018], [2447535, "H", 1988], [2424875, "S", 1925], [2419614, "T", 1911],
    [2405160, "M", 1867]].freeze
  private_constant :ERAS

  private

  def __zone_text
    sign = @of < 0 ? "-" : "+"
    hours, minutes = (@of.abs / 60).divmod(60)
    "#{sign}#{hours < 10 ? "0" : ""}#{hours}:#{minutes < 10 ? "0" : ""}#{minutes}"
  end

  def __day_text
    year, month, day = __civil
    year =
      if year >= 1000 then year.to_s
      elsif year >= 0 then year.to_s.rjust(4, "0")
      else "-" + (-year).to_s.rjust(4, "0")
      end
    "#{year}-#{month < 10 ? "0" : ""}#{month}-#{day < 10 ? "0" : ""}#{day}"
  end

  def __ascii(text) = text.force_encoding("US-ASCII")

  # "T04:05:06.789+09:00"
  def __time_format(digits)
    digits = Primitive.to_long(digits)
    digits > 0 ? "T%H:%M:%S.%#{digits}N%:z" : "T%H:%M:%S%:z"
  end

  def __jisx0301_format
    era = ERAS.find { |first, _, _| jd >= first }
    return "%Y-%m-%d" unless era && jd >= 2405160
    "#{era[1]}#{(year - era[2]).to_s.rjust(2, "0")}.%m.%d"
  end
end
