# Dates in specific formats: ISO 8601, RFC 3339, XML Schema, RFC 2822, HTTP, JIS X 0301; and dates from parsed
# components.
# shareable_constant_value: experimental_everything

class Date
  ISO_ZONE = '(z|[-+]\d{2}(?::?\d{2})?)'
  ISO_EXTENDED = /\A\s*
    (?: ([-+]?\d{2,}|-)-(\d{2})?(?:-(\d{2}))? | ([-+]?\d{2,})?-(\d{3}) | (\d{4}|\d{2})?-w(\d{2})-(\d) | -w-(\d) )
    (?: t(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?#{ISO_ZONE}? )?
  \s*\z/ix
  ISO_BASIC = /\A\s*
    (?: ([-+]?(?:\d{4}|\d{2})|--)(\d{2}|-)(\d{2}) | ([-+]?(?:\d{4}|\d{2}))(\d{3}) | -(\d{3}) |
        (\d{4}|\d{2})w(\d{2})(\d) | -w(\d{2})(\d) | -w-(\d) )
    (?: t?(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d+))?)?(z|[-+]\d{2}(?:\d{2})?)? )?
  \s*\z/ix
  ISO_TIME = /\A\s*(\d{2})(:?)(\d{2})(?:\2(\d{2})(?:[.,](\d+))?#{ISO_ZONE}?)?\s*\z/i
  XML_DATE = /\A\s*(-?\d{4,})(?:-(\d{2})(?:-(\d{2}))?)?(?:t(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?)?#{ISO_ZONE}?\s*\z/i
  XML_TIME = /\A\s*(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?#{ISO_ZONE}?\s*\z/i
  XML_PART = /\A\s*(?:--(\d{2})(?:-(\d{2}))?|---(\d{2}))#{ISO_ZONE}?\s*\z/i
  RFC_3339 = /\A\s*(-?\d{4})-(\d{2})-(\d{2})(?:t|\s)(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(z|[-+]\d{2}:\d{2})\s*\z/i
  RFC_2822 = /\A\s*(?:(#{DAY})\s*,\s+)?(\d{1,2})\s+(#{MONTH})\s+(-?\d{2,})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*([-+]\d{4}|[a-z]+)\s*\z/i
  HTTP_DATES = [
    /\A\s*(?<wday>#{DAY})\s*,\s+(?<mday>\d{2})\s+(?<mon>#{MONTH})\s+(?<year>-?\d{4})\s+(?<clock>\d{2}:\d{2}:\d{2})\s+(?<zone>gmt)\s*\z/i,
    /\A\s*(?<wday>sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s*,\s+
      (?<mday>\d{2})\s*-\s*(?<mon>#{MONTH})\s*-\s*(?<year>\d{2})\s+(?<clock>\d{2}:\d{2}:\d{2})\s+(?<zone>gmt)\s*\z/ix,
    /\A\s*(?<wday>#{DAY})\s+(?<mon>#{MONTH})\s+(?<mday>\d{1,2})\s+(?<clock>\d{2}:\d{2}:\d{2})\s+(?<year>\d{4})\s*\z/i,
  ].freeze
  JIS_DATE = /\A\s*([mtshr])?(\d{2})\.(\d{2})\.(\d{2})(?:t(?:(\d{2}):(\d{2})(?::(\d{2})(?:[,.](\d*))?)?#{ISO_ZONE}?)?)?\s*\z/i
  private_constant :ISO_ZONE, :ISO_EXTENDED, :ISO_BASIC, :ISO_TIME, :XML_DATE, :XML_TIME, :XML_PART, :RFC_3339,
    :RFC_2822
  private_constant :HTTP_DATES, :JIS_DATE

  # Methods that match patterns leave the caller's `$~` as it was.
  class << self
    def _iso8601(string, limit: 128)
      matched = $~
      found = {}
      return found if string.nil?
      string = text_of(string, limit)
      if (m = ISO_EXTENDED.match(string))
        iso_extended_day(found, m)
        clock_into(found, m[10], m[11], m[12], m[13], m[14])
      elsif (m = ISO_BASIC.match(string))
        iso_basic_day(found, m)
        clock_into(found, m[13], m[14], m[15], m[16], m[17])
      elsif (m = ISO_TIME.match(string))
        clock_into(found, m[1], m[3], m[4], m[5], m[6])
      end
      found
    ensure
      $~ = matched
    end

    def _xmlschema(string, limit: 128)
      matched = $~
      found = {}
      return found if string.nil?
      string = text_of(string, limit)
      if (m = XML_DATE.match(string))
        numbers_into(found, year: m[1], mon: m[2], mday: m[3])
        clock_into(found, m[4], m[5], m[6], m[7], m[8])
      elsif (m = XML_TIME.match(string))
        clock_into(found, m[1], m[2], m[3], m[4], m[5])
      elsif (m = XML_PART.match(string))
        numbers_into(found, mon: m[1], mday: m[2] || m[3])
        zone_into(found, m[4])
      end
      found
    ensure
      $~ = matched
    end

    def _rfc3339(string, limit: 128)
      matched = $~
      found = {}
      return found if string.nil?
      m = RFC_3339.match(text_of(string, limit)) or return found
      numbers_into(found, year: m[1], mon: m[2], mday: m[3], hour: m[4], min: m[5], sec: m[6])
      zone_into(found, m[8])
      found[:sec_fraction] = fraction(m[7]) if m[7]
      found
    ensure
      $~ = matched
    end

    def _rfc2822(string, limit: 128)
      matched = $~
      found = {}
      return found if string.nil?
      m = RFC_2822.match(text_of(string, limit)) or return found
      found[:wday] = weekday_number(m[1]) if m[1]
      found[:mday] = m[2].to_i
      found[:mon] = month_number(m[3])
      year = m[4].to_i
      year += year >= 50 ? 1900 : 2000 if m[4].size < 4
      found[:year] = year
      clock_into(found, m[5], m[6], m[7], nil, m[8])
      found
    ensure
      $~ = matched
    end
    alias _rfc822 _rfc2822

    def _httpdate(string, limit: 128)
      matched = $~
      found = {}
      return found if string.nil?
      string = text_of(string, limit)
      m = nil
      HTTP_DATES.find { |pattern| m = pattern.match(string) } or return found
      found[:wday] = weekday_number(m[:wday])
      if m.names.include?("zone")
        found[:mday] = m[:mday].to_i
        found[:mon] = month_number(m[:mon])
        year = m[:year].to_i
        year += year >= 69 ? 1900 : 2000 if m[:year].size == 2
        found[:year] = year
        clock_into(found, *m[:clock].split(":"), nil, m[:zone])
      else
        found[:mon] = month_number(m[:mon])
        found[:mday] = m[:mday].to_i
        clock_into(found, *m[:clock].split(":"), nil, nil)
        found[:year] = m[:year].to_i
      end
      found
    ensure
      $~ = matched
    end

    def _jisx0301(string, limit: 128)
      matched = $~
      return {} if string.nil?
      string = text_of(string, limit)
      m = JIS_DATE.match(string) or return _iso8601(string, limit: limit)
      found = { year: m[2].to_i + ERA_YEARS[(m[1] || "h").downcase], mon: m[3].to_i, mday: m[4].to_i }
      clock_into(found, m[5], m[6], m[7], m[8], m[9])
      found
    ensure
      $~ = matched
    end

    def parse(string = "-4712-01-01", comp = true, start = DEFAULT_START, limit: 128)
      # The native fast path of `_parse` takes no keyword.
      __date_from(limit == 128 ? _parse(string, comp) : _parse(string, comp, limit: limit), start)
    end

    def iso8601(string = "-4712-01-01", start = DEFAULT_START, limit: 128) =
      __date_from(limit == 128 ? _iso8601(string) : _iso8601(string, limit: limit), start)
    def xmlschema(string = "-4712-01-01", start = DEFAULT_START, limit: 128) =
      __date_from(_xmlschema(string, limit: limit), start)
    def jisx0301(string = "-4712-01-01", start = DEFAULT_START, limit: 128) =
      __date_from(_jisx0301(string, limit: limit), start)

    def rfc3339(string = "-4712-01-01T00:00:00+00:00", start = DEFAULT_START, limit: 128)
      __date_from(_rfc3339(string, limit: limit), start)
    end

    def rfc2822(string = "Mon, 1 Jan -4712 00:00:00 +0000", start = DEFAULT_START, limit: 128)
      __date_from(_rfc2822(string, limit: limit), start)
    end
    alias rfc822 rfc2822

    def httpdate(string = "Mon, 01 Jan -4712 00:00:00 GMT", start = DEFAULT_START, limit: 128)
      __date_from(_httpdate(string, limit: limit), start)
    end

    private

    def numbers_into(found, **texts) = texts.each { |key, text| found[key] = text.to_i if text }

    def clock_into(found, hour, minute, second, digits, zone)
      numbers_into(found, hour: hour, min: minute, sec: second)
      found[:sec_fraction] = fraction(digits) if digits
      zone_into(found, zone)
    end

    def zone_into(found, zone)
      return unless zone
      found[:zone] = zone
      found[:offset] = zone_to_diff(zone)
    end

    # A year that may omit its century.
    def short_year(text)
      year = text.to_i
      text.size < 4 ? year + (year >= 69 ? 1900 : 2000) : year
    end

    def iso_extended_day(found, m)
      if m[1]
        return if m[2].nil? && m[1] != "-"
        found[:mday] = m[3].to_i if m[3]
        found[:year] = short_year(m[1]) unless m[1] == "-"
        found[:mon] = m[2].to_i if m[2]
      elsif m[5]
        found[:yday] = m[5].to_i
        found[:year] = short_year(m[4]) if m[4]
      elsif m[8]
        found[:cweek] = m[7].to_i
        found[:cwday] = m[8].to_i
        found[:cwyear] = short_year(m[6]) if m[6]
      else
        found[:cwday] = m[9].to_i
      end
    end

    def iso_basic_day(found, m)
      if m[3]
        found[:mday] = m[3].to_i
        found[:year] = short_year(m[1]) unless m[1] == "--"
        found[:mon] = m[2].to_i unless m[2] == "-"
      elsif m[5]
        found[:yday] = m[5].to_i
        found[:year] = short_year(m[4])
      elsif m[6]
        found[:yday] = m[6].to_i
      elsif m[9]
        found[:cweek] = m[8].to_i
        found[:cwday] = m[9].to_i
        found[:cwyear] = short_year(m[7])
      elsif m[11]
        found[:cweek] = m[10].to_i
        found[:cwday] = m[11].to_i
      elsif m[12]
        found[:cwday] = m[12].to_i
      end
    end
  end
end

class DateTime
  class << self
    def parse(string = "-4712-01-01T00:00:00+00:00", comp = true, start = DEFAULT_START, limit: 128) = super
    def iso8601(string = "-4712-01-01T00:00:00+00:00", start = DEFAULT_START, limit: 128) = super
    def xmlschema(string = "-4712-01-01T00:00:00+00:00", start = DEFAULT_START, limit: 128) = super
    def jisx0301(string = "-4712-01-01T00:00:00+00:00", start = DEFAULT_START, limit: 128) = super
    def rfc3339(string = "-4712-01-01T00:00:00+00:00", start = DEFAULT_START, limit: 128) = super
    def rfc2822(string = "Mon, 1 Jan -4712 00:00:00 +0000", start = DEFAULT_START, limit: 128) = super
    alias rfc822 rfc2822
    def httpdate(string = "Mon, 01 Jan -4712 00:00:00 GMT", start = DEFAULT_START, limit: 128) = super
  end
end
