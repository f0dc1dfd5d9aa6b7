# Dates in free text: each notation is searched in turn, and the match is removed from the text.
# shareable_constant_value: experimental_everything

class Date
  MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
  DAY = "sun|mon|tue|wed|thu|fri|sat"
  # An era after a day and before a year.
  ERA = 'c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.)'
  private_constant :MONTH, :DAY, :ERA

  # Numbers match only from their first digit, so that a very long one is scanned only once.
  WEEKDAY_TEXT = /\b(#{DAY})[^-\/\d\s]*/i
  TIME_TEXT = /
    (
      (?<!\d) (?: \d+\s*:\s*\d+ (?: \s*:\s*\d+(?:[,.]\d*)? )? | \d+\s*h (?: \s*\d+m? (?: \s*\d+s? )? )? )
      (?: \s*[ap](?:m\b|\.m\.) )?
    |
      (?<!\d) \d+\s*[ap](?:m\b|\.m\.)
    )
    (?:
      \s*
      (
        (?: gmt | utc? )? [-+]\d+ (?: [,.:]\d+ (?: :\d+ )? )?
      |
        (?-i: [[:alpha:].\s]+ ) (?: standard | daylight )\stime\b
      |
        (?-i: [[:alpha:]]+ ) (?: \sdst )?\b
      )
    )?
  /ix
  CLOCK_TEXT = /\A(\d+)\s*h?(?:\s*:?\s*(\d+)m?(?:\s*:?\s*(\d+)(?:[,.](\d*))?s?)?)?(?:\s*([ap])(?:m\b|\.m\.))?/i
  DAY_MONTH_TEXT = /((?:'|(?<!\d))\d+)[^-\d\s]*\s*(#{MONTH})[^-\d\s']*(?:\s*(#{ERA})?\s*('?-?\d+(?:(?:st|nd|rd|th)\b)?))?/i
  MONTH_DAY_TEXT = /\b(#{MONTH})[^-\d\s']*\s*('?\d+)[^-\d\s']*(?:\s*,?\s*(#{ERA})?\s*('?-?\d+))?/i
  ISO_TEXT = /((?:'[-+]?|[-+]|(?<!\d))\d+)-(\d+)-('?-?\d+)/
  ERA_YEAR_TEXT = /\b([mtshr])(\d+)\.(\d+)\.(\d+)/i
  DAY_FIRST_TEXT = /((?:'-?|-|(?<!\d))\d+)-(#{MONTH})[^-\/.]*-('?-?\d+)/i
  MONTH_FIRST_TEXT = /\b(#{MONTH})[^-\/.]*-('?-?\d+)(?:-('?-?\d+))?/i
  SLASH_TEXT = %r{((?:'-?|-|(?<!\d))\d+)/\s*('?\d+)(?:\D\s*('?-?\d+))?}
  DOT_TEXT = /((?:'-?|-|(?<!\d))\d+)\.\s*('?\d+)\.\s*('?-?\d+)/
  WEEK_TEXT = /\b(\d{2}|\d{4})?-?w(\d{2})(?:-?(\d))?\b/i
  DIGITS_TEXT = /([-+]?)(\d{2,14})(?:\s*t?\s*(\d{2,6})?(?:[,.](\d*))?)?(z\b|[-+]\d{1,4}\b|\[[-+]?\d[^\]]*\])?/i
  # The years before the first of an era.
  ERA_YEARS = { "m" => 1867, "t" => 1911, "s" => 1925, "h" => 1988, "r" => 2018 }.freeze
  private_constant :WEEKDAY_TEXT, :TIME_TEXT, :CLOCK_TEXT, :DAY_MONTH_TEXT, :MONTH_DAY_TEXT, :ISO_TEXT, :ERA_YEAR_TEXT
  private_constant :DAY_FIRST_TEXT, :MONTH_FIRST_TEXT, :SLASH_TEXT, :DOT_TEXT, :WEEK_TEXT, :DIGITS_TEXT, :ERA_YEARS

  class << self
    # The components found in a text, as a Hash.
    def _parse(string, comp = true, limit: 128)
      matched = $~
      string = text_of(string, limit)
      raise ArgumentError, "string should have ASCII compatible encoding" unless string.encoding.ascii_compatible?
      text = string.gsub(%r{[^-+',./:@[:alnum:]\[\]]+}, " ")
      Reading.new(text, comp).result
    ensure
      $~ = matched
    end

    private

    def text_of(string, limit)
      string = checked_text(string)
      if limit && string.length > limit
        raise ArgumentError, "string length (#{string.length}) exceeds the limit #{limit}"
      end
      string
    end

    def checked_text(string)
      return string if String === string
      String.try_convert(string) or
        raise(TypeError, "no implicit conversion of #{string.nil? ? "nil" : string.class} into String")
    end

    def month_number(name) = ABBR_MONTHNAMES.index(name[0, 3].capitalize)
    def weekday_number(name) = ABBR_DAYNAMES.index(name[0, 3].capitalize)
    def fraction(digits) = Rational(digits.to_i, 10**digits.size)
  end

  # A text, and the components found in it.
  class Reading
    def initialize(text, comp)
      @text = text
      @found = {}
      @comp = comp
      @before_christ = false
    end

    def result
      weekday
      time
      day_month || month_day || iso || era_year || day_first || month_first || slashes || dots || iso_parts ||
        year || month || day || digits
      era
      lone_number
      complete
      @found
    end

    private

    # Removes the match of a pattern; returns the match.
    def cut(pattern)
      match = pattern.match(@text) or return nil
      @text = "#{match.pre_match} #{match.post_match}"
      match
    end

    def weekday
      match = cut(WEEKDAY_TEXT) and @found[:wday] = number_of(:weekday_number, match[1])
    end

    def number_of(method, name) = Date.__send__(method, name)

    def time
      match = cut(TIME_TEXT) or return
      @found[:zone] = match[2] if match[2]
      clock = CLOCK_TEXT.match(match[1]) or return
      hour = clock[1].to_i
      if clock[5]
        hour %= 12
        hour += 12 if clock[5].downcase == "p"
      end
      @found[:hour] = hour
      @found[:min] = clock[2].to_i if clock[2]
      @found[:sec] = clock[3].to_i if clock[3]
      @found[:sec_fraction] = Date.__send__(:fraction, clock[4]) if clock[4]
    end

    def before_christ?(era) = !era.nil? && era.match?(/\Ab/i)

    def day_month
      match = cut(DAY_MONTH_TEXT) or return
      year_month_day(match[4], number_of(:month_number, match[2]).to_s, match[1], before_christ?(match[3]))
    end

    def month_day
      match = cut(MONTH_DAY_TEXT) or return
      year_month_day(match[4], number_of(:month_number, match[1]).to_s, match[2], before_christ?(match[3]))
    end

    def iso
      match = cut(ISO_TEXT) and year_month_day(match[1], match[2], match[3])
    end

    def era_year
      match = cut(ERA_YEAR_TEXT) or return
      @found[:year] = match[2].to_i + ERA_YEARS[match[1].downcase]
      @found[:mon] = match[3].to_i
      @found[:mday] = match[4].to_i
    end

    def day_first
      match = cut(DAY_FIRST_TEXT) and year_month_day(match[3], number_of(:month_number, match[2]).to_s, match[1])
    end

    def month_first
      match = cut(MONTH_FIRST_TEXT) and year_month_day(match[3], number_of(:month_number, match[1]).to_s, match[2])
    end

    def slashes
      match = cut(SLASH_TEXT) and year_month_day(match[1], match[2], match[3])
    end

    def dots
      match = cut(DOT_TEXT) and year_month_day(match[1], match[2], match[3])
    end

    # Weeks, and dates without the year or the month.
    def iso_parts
      if (match = cut(WEEK_TEXT))
        @found[:cwyear] = match[1].to_i if match[1]
        @found[:cweek] = match[2].to_i
        @found[:cwday] = match[3].to_i if match[3]
      elsif (match = cut(/-w-(\d)\b/i))
        @found[:cwday] = match[1].to_i
      elsif (match = cut(/--(\d{2})?-(\d{2})\b/))
        @found[:mon] = match[1].to_i if match[1]
        @found[:mday] = match[2].to_i
      elsif (match = cut(/--(\d{2})(\d{2})?\b/))
        @found[:mon] = match[1].to_i
        @found[:mday] = match[2].to_i if match[2]
      elsif !@text.match?(/[,.](?:\d{2}|\d{4})-\d{3}(?!-)\b/) && (match = cut(/\b(\d{2}|\d{4})-(\d{3})\b/))
        @found[:year] = match[1].to_i
        @found[:yday] = match[2].to_i
      elsif !@text.match?(/\d-\d{3}\b/) && (match = cut(/\b-(\d{3})\b/))
        @found[:yday] = match[1].to_i
      end
      match
    end

    def year
      match = cut(/'(\d+)\b/) and @found[:year] = match[1].to_i
    end

    def month
      match = cut(/\b(#{MONTH})\S*/i) and @found[:mon] = number_of(:month_number, match[1])
    end

    def day
      match = cut(/(?<!\d)(\d+)(?:st|nd|rd|th)\b/i) and @found[:mday] = match[1].to_i
    end

    # The components that a bare run of digits represents, by its length.
    DATES = {
      2 => [[:mday, 0, 2]], 3 => [[:yday, 0, 3]], 4 => [[:mon, 0, 2], [:mday, 2, 2]],
      5 => [[:year, 0, 2], [:yday, 2, 3]], 6 => [[:year, 0, 2], [:mon, 2, 2], [:mday, 4, 2]],
      7 => [[:year, 0, 4], [:yday, 4, 3]],
    }.freeze
    LONG = [[:year, 0, 4], [:mon, 4, 2], [:mday, 6, 2], [:hour, 8, 2], [:min, 10, 2], [:sec, 12, 2]].freeze
    TIMES = %i[sec min hour mday mon year].freeze

    def digits
      match = cut(DIGITS_TEXT) or return
      sign, date, time, fraction, zone = match.captures
      if time.nil? && fraction
        backwards(date, TIMES, sign)
      else
        calendar_digits(date, sign)
      end
      if time
        fraction ? backwards(time, %i[sec min hour], "") :
          %i[hour min sec].first(time.size / 2).each_with_index { |key, i| @found[key] = time[2 * i, 2].to_i }
      end
      @found[:sec_fraction] = Date.__send__(:fraction, fraction) if fraction
      zone_behind_digits(zone) if zone
    end

    def calendar_digits(date, sign)
      fields = DATES[date.size]
      if fields.nil? && date.size.even? && date.size >= 8
        fields = LONG.first(date.size / 2 - 1)
        @comp = false
      end
      fields&.each { |key, at, size| @found[key] = key == :year ? (sign + date[at, size]).to_i : date[at, size].to_i }
    end

    # A run of digits that is read from its end, the seconds first.
    def backwards(digits, keys, sign)
      return if digits.size > 8 && digits.size.odd?
      rest = digits
      keys.each do |key|
        break if rest.empty?
        size = key == :year && rest.size == 4 ? 4 : 2
        part = rest[-size, size] || rest
        rest = rest[0, rest.size - part.size]
        @found[key] = key == :year ? (sign + part).to_i : part.to_i
        @comp = false if size == 4
      end
    end

    def zone_behind_digits(zone)
      if zone.start_with?("[")
        offset, name = zone[1..-2].split(":", 2)
        @found[:zone] = name || offset
        offset = "+" + offset if offset.match?(/\A\d/)
      else
        offset = @found[:zone] = zone
      end
      @found[:offset] = Date.__send__(:zone_to_diff, offset)
    end

    def era
      @before_christ = true if cut(/\b(bc\b|bce\b|b\.c\.|b\.c\.e\.)/i)
    end

    # A lone number is the day if there is a time, the hour if there is a day.
    def lone_number
      match = /\A\s*(\d{1,2})\s*\z/.match(@text) or return
      number = match[1].to_i
      if @found.key?(:hour) && !@found.key?(:mday)
        @found[:mday] = number if number.between?(1, 31)
      elsif @found.key?(:mday) && !@found.key?(:hour)
        @found[:hour] = number if number.between?(0, 24)
      end
    end

    # Three texts whose order may differ from the expected one: an apostrophe, more than two digits or an ordinal suffix
    # contradict the assumed role.
    def year_month_day(year, month, day, before_christ = false)
      year, month, day = day, year, month if year && month && !day
      if year.nil?
        year, day = day, nil if day && day.size > 2
        year, day = day, nil if day&.start_with?("'")
      end
      if year && (match = /\A'?-?(\d+)(?:st|nd|rd|th)\b/i.match(year))
        year, day = day, match[1]
      end
      year, month, day = month, day, year if month && (month.start_with?("'") || month.size > 2)
      year, day = day, year if day && (day.start_with?("'") || day.size > 2)
      if year && (match = /([-+])?(\d+)/.match(year))
        @comp = false if match[1] || match[2].size > 2
        number = "#{match[1]}#{match[2]}".to_i
        @found[:year] = before_christ ? 1 - number : number
      end
      @found[:mon] = month[/\d+/].to_i if month
      @found[:mday] = day[/\d+/].to_i if day
      true
    end

    def complete
      %i[cwyear year].each do |key|
        year = @found[key] or next
        year = 1 - year if @before_christ
        year += year >= 69 ? 1900 : 2000 if @comp && year.between?(0, 99)
        @found[key] = year
      end
      zone = @found[:zone]
      @found[:offset] = Date.__send__(:zone_to_diff, zone) if zone && !@found.key?(:offset)
    end
  end
  private_constant :Reading
end
