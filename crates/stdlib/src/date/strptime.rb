# Dates in texts of a given format; and completing a date from its components.
# shareable_constant_value: experimental_everything

class Date
  ZONE_TEXT = /\G(?:(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\s+time\b|(?-i:[[:alpha:]]+)(?:\s+dst)?\b)/i
  # Directives that are a number: the number of digits, the minimum, the maximum, and the component.
  NUMBERS = {
    "H" => [2, 0, 24, :hour], "k" => [2, 0, 24, :hour], "I" => [2, 1, 12, :hour], "l" => [2, 1, 12, :hour],
    "d" => [2, 1, 31, :mday], "e" => [2, 1, 31, :mday], "j" => [3, 1, 366, :yday], "m" => [2, 1, 12, :mon],
    "M" => [2, 0, 59, :min], "S" => [2, 0, 60, :sec], "U" => [2, 0, 53, :wnum0], "W" => [2, 0, 53, :wnum1],
    "u" => [1, 1, 7, :cwday], "V" => [2, 1, 53, :cweek], "w" => [1, 0, 6, :wday],
  }.freeze
  # Directives that expand to others.
  COMPOSED = {
    "c" => "%a %b %e %H:%M:%S %Y", "D" => "%m/%d/%y", "x" => "%m/%d/%y", "F" => "%Y-%m-%d", "n" => " ", "t" => " ",
    "R" => "%H:%M",
    "r" => "%I:%M:%S %p", "T" => "%H:%M:%S", "X" => "%H:%M:%S", "v" => "%e-%b-%Y", "+" => "%a %b %e %H:%M:%S %Z %Y",
  }.freeze
  private_constant :ZONE_TEXT, :NUMBERS, :COMPOSED

  class << self
    # The components found by the format, as a Hash; nil if the text does not match.
    def _strptime(string, format = "%F") = read_format(string, format)

    def strptime(string = "-4712-01-01", format = "%F", start = DEFAULT_START)
      __date_from(read_format(string, format), start)
    end

    private

    def read_format(string, format)
      matched = $~
      string = checked_text(string)
      format = checked_text(format)
      check_encoding(string, "string") unless string.ascii_only?
      check_encoding(format, "format") unless format.ascii_only?
      found = {}
      at = read_directives(string, 0, format, found) or return nil
      found[:leftover] = string[at..] if at < string.length
      century = found.delete(:_cent)
      if century
        found[:cwyear] += century * 100 if found[:cwyear]
        found[:year] += century * 100 if found[:year]
      end
      half = found.delete(:_merid)
      found[:hour] = found[:hour] % 12 + half if half && found[:hour]
      found
    ensure
      $~ = matched
    end

    def check_encoding(text, name)
      return if text.encoding.ascii_compatible?
      raise ArgumentError, "#{name} should have ASCII compatible encoding"
    end

    # Reads from a position; returns the end position, or nil.
    def read_directives(string, at, format, found)
      place = 0
      while place < format.length
        letter = format[place]
        if letter.match?(/\s/)
          at += 1 while at < string.length && string[at].match?(/\s/)
          place += 1
        elsif letter == "%" &&
          (directive = /\G%(?:E(?=[cCxXyY])|O(?=[deHImMSuUVwWy])|:{1,3}(?=z))?(.)/m.match(format, place)) &&
            known_directive?(directive[1])
          place = directive.end(0)
          at = read_directive(string, at, directive[1], format, place, found) or return nil
        else
          return nil unless string[at] == letter
          at += 1
          place += 1
        end
      end
      at
    end

    def known_directive?(letter) =
      NUMBERS.key?(letter) || COMPOSED.key?(letter) || "aAbBhCgGLNpPQsYyZz%".include?(letter)

    # Whether a number follows in the format, so that digits must be counted.
    def number_follows?(format, place)
      format.match?(/\G(?:\d|%[EO]?(?:[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy\d]))/, place)
    end

    def read_directive(string, at, letter, format, place, found)
      if (composed = COMPOSED[letter])
        return read_directives(string, at, composed, found)
      elsif (number = NUMBERS[letter])
        return read_number(string, at, letter, number, found)
      end
      case letter
      when "a", "A" then read_name(string, at, DAYNAMES, ABBR_DAYNAMES, :wday, found)
      when "b", "B", "h" then read_name(string, at, MONTHNAMES, ABBR_MONTHNAMES, :mon, found)
      when "C" then read_digits(string, at, /\G[-+]?\d{1,#{number_follows?(format, place) ? 2 : ""}}/) { |text|
        found[:_cent] = text.to_i }
      when "Y", "G"
        pattern = number_follows?(format, place) ? /\G[-+]?\d{1,4}/ : /\G[-+]?\d+/
        read_digits(string, at, pattern) { |text| found[letter == "Y" ? :year : :cwyear] = text.to_i }
      when "y", "g"
        read_digits(string, at, /\G\d{1,2}/) do |text|
          found[letter == "y" ? :year : :cwyear] = text.to_i
          found[:_cent] ||= text.to_i >= 69 ? 19 : 20
        end
      when "L", "N"
        digits = number_follows?(format, place) ? (letter == "L" ? 3 : 9) : ""
        read_digits(string, at, /\G[-+]?\d{1,#{digits}}/) do |text|
          found[:sec_fraction] = Rational(text.to_i, 10**text.delete("-+").size)
        end
      when "p", "P"
        read_digits(string, at, /\G[ap](?:m\b|\.m\.)/i) { |text| found[:_merid] = text.match?(/\Ap/i) ? 12 : 0 }
      when "Q" then read_digits(string, at, /\G-?\d+/) { |text| found[:seconds] = Rational(text.to_i, 1000) }
      when "s" then read_digits(string, at, /\G-?\d+/) { |text| found[:seconds] = text.to_i }
      when "Z", "z"
        read_digits(string, at, ZONE_TEXT) do |text|
          found[:zone] = text
          found[:offset] = zone_to_diff(text)
        end
      when "%" then string[at] == "%" ? at + 1 : nil
      end
    end

    def read_digits(string, at, pattern)
      match = pattern.match(string, at) or return nil
      yield match[0]
      match.end(0)
    end

    def read_number(string, at, letter, number, found)
      width, least, most, key = number
      if "deHkIl".include?(letter) && string[at] == " "
        at += 1
        width = 1
      end
      match = /\G\d{1,#{width}}/.match(string, at) or return nil
      value = match[0].to_i
      return nil unless value.between?(least, most)
      found[key] = value
      match.end(0)
    end

    def read_name(string, at, names, short_names, key, found)
      names.each_with_index do |name, i|
        next unless name
        [name, short_names[i]].each do |text|
          next unless string[at, text.size]&.casecmp?(text)
          found[key] = i
          return at + text.size
        end
      end
      nil
    end

    # The date that was found.
    def __date_from(found, start)
      start = Calendar.start_of(start)
      raise Error, "invalid date" if found.nil? || found.empty?
      year, mon, mday = found[:year], found[:mon], found[:mday]
      if year && mon && mday && found.size == 3
        jd = Calendar.valid_civil(year, mon, mday, start)
      else
        # Nothing needs to be completed if there is only a day.
        complete(found) unless year && mon && mday && plain_day?(found)
        jd = found_day(found, start)
      end
      raise Error, "invalid date" unless jd
      from_parts(jd, 0, 0, 0, start)
    end

    # Whether no other components compete with year, month and day.
    def plain_day?(found) = OTHER_DAYS.none? { |key| found.key?(key) }

    OTHER_DAYS = %i[seconds jd yday cwyear cweek cwday wnum0 wnum1].freeze
    private_constant :OTHER_DAYS

    # Groups of components that determine a day; of equally complete ones the first wins.
    GROUPS = [
      [:time, %i[hour min sec].freeze].freeze,
      [:ordinal, %i[year yday hour min sec].freeze].freeze,
      [:civil, %i[year mon mday hour min sec].freeze].freeze,
      [:jd, %i[jd hour min sec].freeze].freeze,
      [:commercial, %i[cwyear cweek cwday hour min sec].freeze].freeze,
      [:wday, %i[wday hour min sec].freeze].freeze,
      [:wnum0, %i[year wnum0 wday hour min sec].freeze].freeze,
      [:wnum1, %i[year wnum1 wday hour min sec].freeze].freeze,
    ].freeze
    private_constant :GROUPS

    # Adds the implied components: today's year, the first of the month.
    def complete(found)
      split_seconds(found)
      name, keys = GROUPS.max_by { |_, keys| keys.count { |key| found[key] } }
      count = keys.count { |key| found[key] }
      complete_day(found, name) if count > 0 && count < keys.size
      found[:jd] ||= Date.today.jd if count > 0 && name == :time && self <= DateTime
      found[:hour] ||= 0
      found[:min] ||= 0
      found[:sec] ||= 0
      found[:sec] = 59 if found[:sec] == 60
    end

    def complete_day(found, name)
      today = Date.today
      case name
      when :ordinal
        found[:year] ||= today.year
        found[:yday] ||= 1
      when :civil
        %i[year mon mday].each { |key| found[key] ? break : found[key] = today.__send__(key) }
        found[:mon] ||= 1
        found[:mday] ||= 1
      when :commercial
        unless found[:wday] && !found[:cwyear] && found[:cweek].nil?
          %i[cwyear cweek cwday].each { |key| found[key] ? break : found[key] = today.__send__(key) }
        end
        found[:cwyear] ||= today.cwyear
        found[:cweek] ||= 1
        found[:cwday] ||= 1 unless found[:wday]
      when :wday
        found[:jd] = (today - today.wday + found[:wday]).jd
      when :wnum0
        found[:year] ||= today.year
        found[:wnum0] ||= 0
        found[:wday] ||= 0 unless found[:cwday]
      when :wnum1
        found[:year] ||= today.year
        found[:wnum1] ||= 0
        found[:wday] ||= 1 unless found[:cwday]
      end
    end

    # Splits seconds since 1970 into day and time.
    def split_seconds(found)
      seconds = found.delete(:seconds) or return
      seconds += found[:offset] if found[:offset]
      days, seconds = seconds.divmod(86_400)
      hours, seconds = seconds.divmod(3600)
      minutes, seconds = seconds.divmod(60)
      seconds, fraction = seconds.divmod(1)
      found.merge!(jd: 2440588 + days, hour: hours, min: minutes, sec: seconds, sec_fraction: fraction)
    end

    def found_day(found, start)
      jd, year, yday, mon, mday = found.values_at(:jd, :year, :yday, :mon, :mday)
      return jd if jd
      if year && yday && (jd = Calendar.valid_ordinal(year, yday, start))
        return jd
      end
      if year && mon && mday && (jd = Calendar.valid_civil(year, mon, mday, start))
        return jd
      end
      wday = found[:wday]
      cwday = found[:cwday] || (wday == 0 ? 7 : wday)
      if found[:cwyear] && found[:cweek] && cwday &&
        (jd = Calendar.valid_commercial(found[:cwyear], found[:cweek], cwday, start))
        return jd
      end
      wday ||= found[:cwday] && found[:cwday] % 7
      return nil unless year && wday
      if found[:wnum0] && (jd = Calendar.valid_weeknum(year, found[:wnum0], wday, 0, start))
        return jd
      end
      found[:wnum1] && Calendar.valid_weeknum(year, found[:wnum1], (wday - 1) % 7, 1, start)
    end
  end
end

class DateTime
  class << self
    def _strptime(string, format = "%FT%T%z") = read_format(string, format)

    def strptime(string = "-4712-01-01T00:00:00+00:00", format = "%FT%T%z", start = DEFAULT_START)
      __date_from(read_format(string, format), start)
    end

    private

    def __date_from(found, start)
      start = Calendar.start_of(start)
      raise Date::Error, "invalid date" if found.nil? || found.empty?
      complete(found)
      jd = found_day(found, start) or raise(Date::Error, "invalid date")
      seconds = Calendar.valid_time(found[:hour], found[:min], found[:sec]) or raise(Date::Error, "invalid date")
      nanoseconds = (found[:sec_fraction] || 0) * 1_000_000_000
      nanoseconds = nanoseconds.numerator if nanoseconds.denominator == 1
      offset = found[:offset] || 0
      unless offset.between?(-86_400, 86_400)
        warn("invalid offset is ignored", uplevel: 2) if $VERBOSE
        offset = 0
      end
      from_local(jd, seconds, nanoseconds, offset, start)
    end
  end
end
