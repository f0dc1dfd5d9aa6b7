//! Time#strftime.

use super::civil::{is_leap_year, iso_week, week_number};
use memory::Grow;

/// A time split into its parts.
#[derive(Clone, Copy)]
pub struct TimeParts<'a> {
    /// The year.
    pub year: i128,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 60.
    pub second: u8,
    /// 0 for Sunday.
    pub weekday: u8,
    /// 1 to 366.
    pub year_day: u16,
    /// Whether it is a UTC time.
    pub utc: bool,
    /// Seconds east of Greenwich, rounded.
    pub utc_offset: i64,
    /// The name of the time zone.
    pub zone: Option<&'a [u8]>,
    /// Seconds from 1970-01-01 00:00:00 UTC, rounded down.
    pub epoch: i128,
    /// The first n digits of the fraction of the second, truncated.
    pub fraction: &'a dyn Fn(usize) -> Vec<u8>,
}

/// Digits of a number of nanoseconds, for [`TimeParts::fraction`].
pub fn nanosecond_digits(nanoseconds: u32, count: usize) -> Vec<u8> {
    let mut digits = memory::filled(b'0', count.max(9));
    let mut rest = nanoseconds;
    for digit in digits[..9].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    digits.truncate(count);
    digits
}

/// The reason why a time cannot be formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeFormatError {
    /// Errno::ERANGE with the format: a width makes the result too long.
    TooLong,
    /// ArgumentError "invalid format: %s": the format ends inside a directive.
    Unfinished,
}

/// The class whose `strftime` it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Time's.
    Time,
    /// Date and DateTime, which also have `%Q` and `%+`.
    Date,
}

/// Appends the formatted time, as `Time#strftime` does; the result has the encoding of the format.
pub fn strftime(format: &[u8], time: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<(), TimeFormatError> {
    strftime_in(Dialect::Time, format, time, out)
}

/// Appends the formatted time in either dialect.
pub fn strftime_in(
    dialect: Dialect,
    format: &[u8],
    time: &TimeParts<'_>,
    out: &mut Vec<u8>,
) -> Result<(), TimeFormatError> {
    let limit = match dialect {
        Dialect::Time => format.len().saturating_mul(1 << 20).max(1024),
        Dialect::Date => format.len().saturating_mul(1024).checked_next_power_of_two().unwrap_or(usize::MAX),
    };
    let mut rest = format;
    // The next directive is a few bytes away: a search by `memchr` would take longer to start.
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        out.append_slice(&rest[..at]);
        rest = &rest[at..];
        let (directive, len) = Directive::parse(rest, dialect);
        match directive {
            Some(directive) if directive.width.is_some_and(|width| out.len() + width >= limit) => {
                return Err(TimeFormatError::TooLong);
            }
            Some(directive) => directive.write(time, out)?,
            None if len > rest.len() => return Err(TimeFormatError::Unfinished),
            None => out.append_slice(&rest[..len]),
        }
        rest = &rest[len..];
    }
    out.append_slice(rest);
    Ok(())
}

/// One `%…`.
#[derive(Clone, Copy, Debug, Default)]
struct Directive {
    letter: u8,
    /// `-`
    left: bool,
    /// `^`
    upper: bool,
    /// `#`
    change: bool,
    /// `_` or `0`
    padding: Option<u8>,
    width: Option<usize>,
    colons: u8,
    /// Whether the directive is in Date's dialect.
    date: bool,
}

impl Directive {
    /// The directive at the start of `text`, which starts with `%`, and its length. If it is invalid, `None` with its
    /// length, which is beyond the end if the text ends inside a directive.
    fn parse(text: &[u8], dialect: Dialect) -> (Option<Directive>, usize) {
        let mut directive = Directive { date: dialect == Dialect::Date, ..Directive::default() };
        let mut at = 1;
        loop {
            let Some(&byte) = text.get(at) else { return (None, text.len() + 1) };
            let flag = matches!(byte, b'-' | b'^' | b'#' | b'_');
            if flag && directive.width.is_some_and(|width| width > 0) {
                return (None, at + 1);
            }
            match byte {
                b'-' => (directive.left, directive.padding, directive.width) = (true, None, None),
                b'^' => directive.upper = true,
                b'#' => directive.change = true,
                b'_' => directive.padding = Some(b' '),
                b'0'..=b'9' => {
                    if byte == b'0' {
                        directive.padding = Some(b'0');
                    }
                    let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let width = std::str::from_utf8(&text[at..at + digits]).ok();
                    match width.and_then(|width| width.parse::<i32>().ok()) {
                        Some(width) => directive.width = Some(width as usize),
                        None => return (None, at + 1),
                    }
                    at += digits;
                    continue;
                }
                b':' => {
                    let colons = text[at..].iter().take_while(|&&byte| byte == b':').count();
                    match text.get(at + colons) {
                        Some(b'z') if colons <= 3 => directive.colons = colons as u8,
                        _ => return (None, at + 1),
                    }
                    at += colons;
                    continue;
                }
                // Locale-specific alternatives, which do not exist.
                b'E' if text.get(at + 1).is_some_and(|next| b"cCxXyY".contains(next)) => {}
                b'O' if text.get(at + 1).is_some_and(|next| b"deHkIlmMSuUVwWy".contains(next)) => {}
                b'%' | b'a' | b'A' | b'b' | b'B' | b'c' | b'C' | b'd' | b'D' | b'e' | b'F' | b'g' | b'G' | b'h'
                | b'H' | b'I' | b'j' | b'k' | b'l' | b'L' | b'm' | b'M' | b'n' | b'N' | b'p' | b'P' | b'r' | b'R'
                | b's' | b'S' | b't' | b'T' | b'u' | b'U' | b'v' | b'V' | b'w' | b'W' | b'x' | b'X' | b'y' | b'Y'
                | b'z' | b'Z' => {
                    directive.letter = byte;
                    return (Some(directive), at + 1);
                }
                b'Q' | b'+' if dialect == Dialect::Date => {
                    directive.letter = byte;
                    return (Some(directive), at + 1);
                }
                _ => return (None, at + 1),
            }
            at += 1;
        }
    }

    fn write(&self, time: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<(), TimeFormatError> {
        let hour12 = if time.hour.is_multiple_of(12) { 12 } else { time.hour % 12 };
        match self.letter {
            b'c' => self.composite(b"%a %b %e %H:%M:%S %Y", time, out)?,
            b'D' | b'x' => self.composite(b"%m/%d/%y", time, out)?,
            b'F' => self.composite(b"%Y-%m-%d", time, out)?,
            b'T' | b'X' => self.composite(b"%H:%M:%S", time, out)?,
            b'R' => self.composite(b"%H:%M", time, out)?,
            b'r' => self.composite(b"%I:%M:%S %p", time, out)?,
            b'v' if self.date => self.composite(b"%e-%^b-%Y", time, out)?,
            b'v' => self.composite(b"%e-%^b-%4Y", time, out)?,
            b'+' => self.composite(b"%a %b %e %H:%M:%S %Z %Y", time, out)?,
            b'Q' => {
                let milliseconds: i128 = memory::lossy_text(&(time.fraction)(3)).parse().unwrap_or(0);
                self.number(b'0', 1, time.epoch * 1000 + milliseconds, out);
            }
            b'%' => self.text(b"%", Case::Keep, out),
            b'n' => self.text(b"\n", Case::Keep, out),
            b't' => self.text(b"\t", Case::Keep, out),
            b'a' => self.name(&weekday(time)[..3.min(weekday(time).len())], out),
            b'A' => self.name(weekday(time), out),
            b'b' | b'h' => self.name(&month(time)[..3.min(month(time).len())], out),
            b'B' => self.name(month(time), out),
            b'p' | b'P' => self.meridian(time.hour, out),
            b'Z' => {
                let zone = if time.utc { b"UTC" } else { time.zone.unwrap_or_default() };
                if !zone.is_empty() {
                    self.text(zone, if self.change { Case::Lower } else { self.case() }, out);
                }
            }
            b'z' => self.zone_offset(time, out),
            b'd' => self.number(b'0', 2, time.day.into(), out),
            b'e' => self.number(b' ', 2, time.day.into(), out),
            b'H' => self.number(b'0', 2, time.hour.into(), out),
            b'k' => self.number(b' ', 2, time.hour.into(), out),
            b'I' => self.number(b'0', 2, hour12.into(), out),
            b'l' => self.number(b' ', 2, hour12.into(), out),
            b'j' => self.number(b'0', 3, time.year_day.into(), out),
            b'm' => self.number(b'0', 2, time.month.into(), out),
            b'M' => self.number(b'0', 2, time.minute.into(), out),
            b'S' => self.number(b'0', 2, time.second.into(), out),
            b's' => self.number(b'0', 1, time.epoch, out),
            b'w' => self.number(b'0', 1, time.weekday.into(), out),
            b'u' => {
                let day = if time.weekday == 0 { 7 } else { time.weekday };
                self.number(b'0', 1, day.into(), out);
            }
            b'U' | b'W' => {
                let week = week_number(time.year_day, time.weekday, self.letter == b'W');
                self.number(b'0', 2, week.into(), out);
            }
            b'V' => self.number(b'0', 2, week(time).0.into(), out),
            b'G' => self.year(time.year + i128::from(week(time).1), out),
            b'g' => {
                let year = time.year + i128::from(week(time).1);
                self.number(b'0', 2, year.rem_euclid(100), out);
            }
            b'Y' => self.year(time.year, out),
            b'y' => self.number(b'0', 2, time.year.rem_euclid(100), out),
            b'C' => self.number(b'0', 2, time.year.div_euclid(100), out),
            _ => {
                let count = match self.width {
                    None | Some(0) if self.letter == b'L' => 3,
                    None | Some(0) => 9,
                    Some(width) => width,
                };
                out.append_from((time.fraction)(count));
            }
        }
        Ok(())
    }

    fn case(&self) -> Case {
        if self.upper { Case::Upper } else { Case::Keep }
    }

    /// Pads up to the width for text of this many bytes.
    fn pad(&self, len: usize, padding: u8, out: &mut Vec<u8>) {
        if !self.left
            && let Some(missing) = self.width.and_then(|width| width.checked_sub(len))
        {
            out.set_length(out.len() + missing, padding);
        }
    }

    fn text(&self, text: &[u8], case: Case, out: &mut Vec<u8>) {
        self.pad(text.len(), self.padding.unwrap_or(b' '), out);
        let start = out.len();
        out.append_slice(text);
        case.apply(&mut out[start..]);
    }

    fn name(&self, text: &str, out: &mut Vec<u8>) {
        let case = if self.change { Case::Upper } else { self.case() };
        self.text(text.as_bytes(), case, out);
    }

    fn meridian(&self, hour: u8, out: &mut Vec<u8>) {
        let text: &[u8] = if hour < 12 { b"AM" } else { b"PM" };
        let lower = match self.letter {
            b'p' => self.change,
            _ => !self.change && !self.upper,
        };
        self.text(text, if lower { Case::Lower } else { self.case() }, out);
    }

    fn composite(&self, format: &[u8], time: &TimeParts<'_>, out: &mut Vec<u8>) -> Result<(), TimeFormatError> {
        if !self.upper && self.width.is_none() {
            return strftime(format, time, out);
        }
        let mut text = Vec::new();
        strftime(format, time, &mut text)?;
        self.case().apply(&mut text);
        let width = if self.date && self.left { None } else { self.width };
        let missing = width.and_then(|width| width.checked_sub(text.len()));
        out.set_length(out.len() + missing.unwrap_or(0), self.padding.unwrap_or(b' '));
        out.append_from(text);
        Ok(())
    }

    fn number(&self, padding: u8, width: usize, value: i128, out: &mut Vec<u8>) {
        let width = match self.width {
            _ if self.left => 1,
            None | Some(0) => width,
            Some(width) => width,
        };
        let padding = self.padding.unwrap_or(padding);
        if let Ok(small @ 0..10_000) = u32::try_from(value)
            && width <= 4
        {
            return push_small(small, width, padding, out);
        }
        let digits = value.unsigned_abs().to_string();
        let sign: &[u8] = if value < 0 { b"-" } else { b"" };
        let missing = width.saturating_sub(sign.len() + digits.len());
        if padding == b'0' {
            out.append_slice(sign);
            out.set_length(out.len() + missing, b'0');
        } else {
            out.set_length(out.len() + missing, b' ');
            out.append_slice(sign);
        }
        out.append_slice(digits.as_bytes());
    }

    fn year(&self, year: i128, out: &mut Vec<u8>) {
        self.number(b'0', if year < 0 { 5 } else { 4 }, year, out);
    }

    /// `+hhmm`, with colons `+hh:mm`, `+hh:mm:ss`, or the shortest form.
    fn zone_offset(&self, time: &TimeParts<'_>, out: &mut Vec<u8>) {
        let offset = if time.utc { 0 } else { time.utc_offset };
        let negative = offset < 0 || time.utc && self.left;
        let offset = offset.unsigned_abs();
        let (hours, minutes, seconds) = (offset / 3600, offset / 60 % 60, offset % 60);
        let parts = match self.colons {
            0 | 1 => 1,
            2 => 2,
            _ if seconds != 0 => 2,
            _ if minutes != 0 => 1,
            _ => 0,
        };
        // The width that remains for the hours.
        let behind = match (self.colons, parts) {
            (0, _) => 2,
            (_, parts) => 3 * parts,
        };
        let width = self.width.unwrap_or(0).saturating_sub(behind + 1).max(if self.date && self.left { 1 } else { 2 });
        let sign = if negative { b'-' } else { b'+' };
        if width == 2 && hours < 100 && self.padding != Some(b' ') {
            out.append_one(sign);
            push_small(hours as u32, 2, b'0', out);
        } else {
            let hours = hours.to_string();
            let missing = width.saturating_sub(hours.len());
            if self.padding == Some(b' ') {
                out.set_length(out.len() + missing, b' ');
                out.append_one(sign);
            } else {
                out.append_one(sign);
                out.set_length(out.len() + missing, b'0');
            }
            out.append_slice(hours.as_bytes());
        }
        for part in [minutes, seconds].into_iter().take(parts) {
            if self.colons > 0 {
                out.append_one(b':');
            }
            push_small(part as u32, 2, b'0', out);
        }
    }
}

/// Appends a number below 10,000, padded to a width of at most four.
fn push_small(value: u32, width: usize, padding: u8, out: &mut Vec<u8>) {
    let digit = |value: u32| b'0' + (value % 10) as u8;
    let mut digits = [digit(value / 1000), digit(value / 100), digit(value / 10), digit(value)];
    let count = value.checked_ilog10().map_or(1, |log| log as usize + 1);
    digits[..4 - count].fill(padding);
    out.append_slice(&digits[4 - count.max(width)..]);
}

#[derive(Clone, Copy)]
enum Case {
    Keep,
    Upper,
    Lower,
}

impl Case {
    fn apply(self, text: &mut [u8]) {
        match self {
            Case::Keep => {}
            Case::Upper => text.make_ascii_uppercase(),
            Case::Lower => text.make_ascii_lowercase(),
        }
    }
}

fn weekday(time: &TimeParts<'_>) -> &'static str {
    const NAMES: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    NAMES.get(usize::from(time.weekday)).copied().unwrap_or("?")
}

fn month(time: &TimeParts<'_>) -> &'static str {
    const NAMES: [&str; 12] = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ];
    NAMES.get(usize::from(time.month).wrapping_sub(1)).copied().unwrap_or("?")
}

fn week(time: &TimeParts<'_>) -> (u16, i8) {
    // Only the year's position in the cycle of 400 matters.
    let year = time.year.rem_euclid(400) as i64;
    iso_week(is_leap_year(year), is_leap_year(year + 399), time.year_day, time.weekday)
}
