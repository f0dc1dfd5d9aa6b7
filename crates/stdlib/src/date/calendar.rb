# Conversion between days (Julian day numbers) and years, months and weeks. A `start` is the Julian day number from
# which the Gregorian calendar applies, infinite for "never" and "always".
# shareable_constant_value: experimental_everything

class Date
  module Calendar
    module_function

    # The Julian day number of a date, which is not validated.
    def civil_to_jd(year, month, day, start)
      shift = month <= 2 ? 1 : 0
      y = year + 4800 - shift
      days = day + (153 * (month + 12 * shift - 3) + 2) / 5 + 365 * y + y / 4
      jd = days - y / 100 + y / 400 - 32045
      jd < start ? days - 32083 : jd
    end

    # [year, month, day]
    def jd_to_civil(jd, start)
      if jd < start
        century = 0
        rest = jd + 32082
      else
        a = jd + 32044
        century = (4 * a + 3) / 146097
        rest = a - 146097 * century / 4
      end
      year = (4 * rest + 3) / 1461
      day_of_year = rest - 1461 * year / 4
      month = (5 * day_of_year + 2) / 153
      late = month / 10
      [100 * century + year - 4800 + late, month + 3 - 12 * late, day_of_year - (153 * month + 2) / 5 + 1]
    end

    # The Julian day number of a date whose month and day may be negative; nil if it is invalid.
    def valid_civil(year, month, day, start)
      month += 13 if month < 0
      return nil if month < 1 || month > 12
      if day < 0
        last = last_day(year, month, start) or return nil
        jd = last + day + 1
        own = jd_to_civil(jd, start)
        return own[0] == year && own[1] == month ? jd : nil
      end
      return nil if day < 1 || day > 31
      jd = civil_to_jd(year, month, day, start)
      own = jd_to_civil(jd, start)
      own[0] == year && own[1] == month && own[2] == day ? jd : nil
    end

    # The last day of a month, which a calendar reform may have shortened.
    def last_day(year, month, start)
      day = 31
      while day > 0
        jd = civil_to_jd(year, month, day, start)
        return jd if jd_to_civil(jd, start) == [year, month, day]
        day -= 1
      end
    end

    def first_day_of_year(year, start)
      day = 1
      while day <= 31
        jd = civil_to_jd(year, 1, day, start)
        return jd if jd_to_civil(jd, start) == [year, 1, day]
        day += 1
      end
    end

    def jd_to_ordinal(jd, start)
      year = jd_to_civil(jd, start)[0]
      [year, jd - first_day_of_year(year, start) + 1]
    end

    def valid_ordinal(year, day, start)
      if day < 0
        last = last_day(year, 12, start) or return nil
        jd = last + day + 1
      else
        first = first_day_of_year(year, start) or return nil
        jd = first + day - 1
        return nil if day < 1
      end
      jd_to_civil(jd, start)[0] == year ? jd : nil
    end

    # Weeks begin with Monday; the first week is the one with January 4th.
    def commercial_to_jd(year, week, day, start)
      fourth = first_day_of_year(year, start) + 3
      fourth - fourth % 7 + 7 * (week - 1) + day - 1
    end

    def jd_to_commercial(jd, start)
      year = jd_to_civil(jd - 3, start)[0]
      year += 1 if jd >= commercial_to_jd(year + 1, 1, 1, start)
      [year, 1 + (jd - commercial_to_jd(year, 1, 1, start)) / 7, jd % 7 + 1]
    end

    def valid_commercial(year, week, day, start)
      day += 8 if day < 0
      return nil if day < 1 || day > 7
      if week < 0
        last = commercial_to_jd(year + 1, 1, 1, start) + week * 7
        own = jd_to_commercial(last, start)
        return nil unless own[0] == year
        week = own[1]
      end
      jd = commercial_to_jd(year, week, day, start)
      jd_to_commercial(jd, start) == [year, week, day] ? jd : nil
    end

    # Weeks begin with day `first` (0 is Sunday); the days before the first such day are in week 0.
    def weeknum_to_jd(year, week, day, first, start)
      seventh = first_day_of_year(year, start) + 6
      seventh - (seventh - first + 1) % 7 - 7 + 7 * week + day
    end

    def jd_to_weeknum(jd, first, start)
      year = jd_to_civil(jd, start)[0]
      seventh = first_day_of_year(year, start) + 6
      week, day = (jd - (seventh - (seventh - first + 1) % 7) + 7).divmod(7)
      [year, week, day]
    end

    def valid_weeknum(year, week, day, first, start)
      day += 7 if day < 0
      if week < 0
        own = jd_to_weeknum(weeknum_to_jd(year + 1, 1, first, first, start) + week * 7, first, start)
        return nil unless own[0] == year
        week = own[1]
      end
      jd = weeknum_to_jd(year, week, day, first, start)
      jd_to_weeknum(jd, first, start) == [year, week, day] ? jd : nil
    end

    # The second of the day; nil for an invalid time. 24:00:00 is the start of the next day.
    def valid_time(hour, minute, second)
      hour += 24 if hour < 0
      minute += 60 if minute < 0
      second += 60 if second < 0
      return nil unless hour.between?(0, 24) && minute.between?(0, 59) && second.between?(0, 59)
      return nil if hour == 24 && (minute > 0 || second > 0)
      hour * 3600 + minute * 60 + second
    end

    def valid_start?(start)
      start = start.to_f
      !start.nan? && (start.infinite? || start.between?(REFORM_BEGIN_JD, REFORM_END_JD))
    end

    # The start of the Gregorian calendar given by an argument; invalid values are ignored with a warning.
    def start_of(start)
      raise TypeError, "no implicit conversion to float from #{described(start)}" unless Numeric === start
      return start if valid_start?(start)
      warn("invalid start is ignored", uplevel: 2) if $VERBOSE
      DEFAULT_START
    end

    def described(value)
      case value
      when nil, true, false then value.inspect
      when String then "string"
      else value.class.to_s
      end
    end

    # Seconds east of Greenwich, from a fraction of a day or a text; invalid values are ignored with a warning.
    def offset_of(offset)
      seconds =
        case offset
        when String
          Date.__send__(:zone_to_diff, offset) || 86_401
        when Integer, Float, Rational
          (offset * 86_400).round
        when Numeric
          fraction = offset.to_r
          raise TypeError, "expected numeric" unless Rational === fraction
          (fraction * 86_400).round
        else
          raise TypeError, "expected numeric"
        end
      return seconds if seconds.between?(-86_400, 86_400)
      warn("invalid offset is ignored", uplevel: 2) if $VERBOSE
      0
    end

    # The integer part and the fraction.
    def split(number)
      return [number, 0] if Integer === number
      number = number.to_r unless Float === number
      whole = number.floor
      [whole, number - whole]
    end
  end
  private_constant :Calendar

  # The Julian day numbers between which a `start` is valid: countries reformed their calendars in the years 1582 to
  # 1930.
  REFORM_BEGIN_JD = 2298874
  REFORM_END_JD = 2426355
  DEFAULT_START = 2299161.0
  private_constant :REFORM_BEGIN_JD, :REFORM_END_JD, :DEFAULT_START
end
