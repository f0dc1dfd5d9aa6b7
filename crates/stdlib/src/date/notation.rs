//! Common notations of dates and times: a shortcut of `_parse`; the Ruby half parses all others.

use object::{hash::HashRef, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, keys, make};

pub const SINGLETON: &[Method] = &[
    Method::new("_parse(string, comp = true)", parse).borrows(0).shortcut(),
    Method::new("_iso8601(string)", iso8601).borrows(0).shortcut(),
    Method::new("zone_to_diff(zone)", zone_to_diff).borrows(0).private().shortcut(),
];

const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
];
const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/// Longer texts are left to the Ruby half.
const LONGEST: usize = 64;
/// Digits of a fraction of a second that fit a fixnum.
const MOST_DIGITS: usize = 12;

/// The components found in a text; names and zones as slices of it.
#[derive(Default, Debug, PartialEq)]
struct Found<'t> {
    weekday: Option<usize>,
    zone: Option<&'t [u8]>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    fraction: Option<&'t [u8]>,
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    /// The date and time consist only of digits, so the fields are in the order of the text.
    compact: bool,
}

/// `_parse(string, comp = true) → hash`: the components of an ASCII text such as "2001-02-03 04:05:06 +09:00", "3 Feb
/// 2001", "Sat, 03 Feb 2001 04:05:06 GMT" or "20010203T040506Z"; other texts are left to the Ruby half.
fn parse(cx: &mut Cx, args: Args) -> R {
    let Some(string) = Str::from_value(args.at(0)).filter(|s| s.len() <= LONGEST) else {
        return Ok(Value::UNDEF);
    };
    if !string.encoding().is_ascii_compatible() || args.opt(1).is_some_and(|comp| !comp.truthy()) {
        return Ok(Value::UNDEF);
    }
    let text = string.held(cx);
    let Some(found) = read(&text) else { return Ok(Value::UNDEF) };
    let hash = HashRef::with_capacity(cx, 8);
    let hash = hash.map_err(|error| keys::raise_table_error(cx, error))?.value();
    let put = |cx: &mut Cx, name: &str, number: Option<i64>| match number {
        Some(number) => {
            let name = intern_text(cx, name).value();
            keys::store(cx, hash, name, Value::fixnum(number))
        }
        None => Ok(()),
    };
    put(cx, "wday", found.weekday.map(|day| day as i64))?;
    if found.compact {
        put(cx, "year", found.year)?;
        put(cx, "mon", found.month)?;
        put(cx, "mday", found.day)?;
    }
    let zone = found.zone.map(|zone| make::string(cx, zone, string.encoding()));
    let zone_name = intern_text(cx, "zone").value();
    if let Some(zone) = zone.filter(|_| !found.compact) {
        keys::store(cx, hash, zone_name, zone)?;
    }
    put(cx, "hour", found.hour)?;
    put(cx, "min", found.minute)?;
    put(cx, "sec", found.second)?;
    if let Some(digits) = found.fraction {
        let (numerator, denominator) = (number(digits), 10i64.pow(digits.len() as u32));
        let fraction = core_classes::rational::new(cx, Value::fixnum(numerator), Value::fixnum(denominator))?;
        let name = intern_text(cx, "sec_fraction").value();
        keys::store(cx, hash, name, fraction)?;
    }
    if !found.compact {
        put(cx, "year", found.year)?;
        put(cx, "mon", found.month)?;
        put(cx, "mday", found.day)?;
    } else if let Some(zone) = zone {
        keys::store(cx, hash, zone_name, zone)?;
    }
    put(cx, "offset", found.zone.and_then(offset_of))?;
    Ok(hash)
}

/// `_iso8601(string) → hash`: the components of a day such as "2001-02-03"; other texts are left to the Ruby half.
fn iso8601(cx: &mut Cx, args: Args) -> R {
    let Some(string) = Str::from_value(args.at(0)) else { return Ok(Value::UNDEF) };
    let &[a, b, c, d, b'-', e, f, b'-', g, h] = string.bytes(cx) else { return Ok(Value::UNDEF) };
    let (Some(century), Some(year), Some(month), Some(day)) = (two(a, b), two(c, d), two(e, f), two(g, h)) else {
        return Ok(Value::UNDEF);
    };
    let hash = HashRef::new(cx).value();
    for (name, number) in [("mday", day), ("year", century * 100 + year), ("mon", month)] {
        let name = intern_text(cx, name).value();
        keys::store(cx, hash, name, Value::fixnum(number))?;
    }
    Ok(hash)
}

/// `zone_to_diff(zone) → integer`: the seconds east of Greenwich of "Z", "UTC", "GMT", "+09:00" and "+0900"; other
/// zones are left to the Ruby half.
fn zone_to_diff(cx: &mut Cx, args: Args) -> R {
    let offset = Str::from_value(args.at(0)).and_then(|zone| offset_of(zone.bytes(cx)));
    Ok(offset.map_or(Value::UNDEF, Value::fixnum))
}

/// The seconds east of Greenwich of a plain zone.
fn offset_of(zone: &[u8]) -> Option<i64> {
    if [&b"Z"[..], b"UTC", b"GMT"].contains(&zone) {
        return Some(0);
    }
    let (sign, digits) = match zone {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits {
        [a, b, b':', c, d] | [a, b, c, d] => (two(*a, *b)?, two(*c, *d)?),
        _ => return None,
    };
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3600 + minutes * 60))
}

fn two(tens: u8, ones: u8) -> Option<i64> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| i64::from(tens - b'0') * 10 + i64::from(ones - b'0'))
}

fn number(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'))
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    fn accept(&mut self, byte: u8) -> bool {
        let is_next = self.rest().first() == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// The following bytes of a kind.
    fn run(&mut self, of: impl Fn(&u8) -> bool) -> &'t [u8] {
        let rest = self.rest();
        let run = &rest[..rest.iter().take_while(|byte| of(byte)).count()];
        self.at += run.len();
        run
    }

    /// A number with at least `least` and at most `most` digits.
    fn digits(&mut self, least: usize, most: usize) -> Option<i64> {
        let run = self.run(u8::is_ascii_digit);
        (least..=most).contains(&run.len()).then(|| number(run))
    }

    /// The index in a list of the next word, which is written in full or as its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<usize> {
        let word = self.run(u8::is_ascii_alphabetic);
        let is_it = |name: &&str| {
            word.eq_ignore_ascii_case(name.as_bytes()) || word.eq_ignore_ascii_case(&name.as_bytes()[..3])
        };
        names.iter().position(is_it)
    }

    /// `hh:mm`, `hh:mm:ss`, a fraction; then the zone, if there is one.
    fn time(&mut self, found: &mut Found<'t>) -> Option<()> {
        found.hour = Some(self.digits(1, 2)?);
        if !self.accept(b':') {
            return None;
        }
        found.minute = Some(self.digits(2, 2)?);
        if self.accept(b':') {
            found.second = Some(self.digits(2, 2)?);
            if self.accept(b'.') {
                let digits = self.run(u8::is_ascii_digit);
                if digits.is_empty() || digits.len() > MOST_DIGITS {
                    return None;
                }
                found.fraction = Some(digits);
            }
        }
        self.accept(b' ');
        self.zone(found)
    }

    /// The rest of the text: a plain zone, or nothing.
    fn zone(&mut self, found: &mut Found<'t>) -> Option<()> {
        let rest = self.rest();
        self.at = self.text.len();
        if !rest.is_empty() {
            offset_of(rest)?;
            found.zone = Some(rest);
        }
        Some(())
    }

    fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }
}

/// The components of the text, if it is in one of the notations.
fn read(text: &[u8]) -> Option<Found<'_>> {
    let mut reader = Reader { text, at: 0 };
    let mut found = Found::default();
    let leading = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (leading, text.get(leading)) {
        (4, Some(separator @ (b'-' | b'/'))) => {
            found.year = Some(reader.digits(4, 4)?);
            reader.at += 1;
            found.month = Some(reader.digits(2, 2)?);
            if !reader.accept(*separator) {
                return None;
            }
            found.day = Some(reader.digits(2, 2)?);
            if !reader.is_at_end() {
                let is_iso = *separator == b'-' && reader.accept(b'T');
                if !is_iso && !reader.accept(b' ') {
                    return None;
                }
                reader.time(&mut found)?;
            }
        }
        (8, None | Some(b'T')) => {
            let digits = reader.run(u8::is_ascii_digit);
            found.compact = true;
            found.year = Some(number(&digits[..4]));
            found.month = Some(number(&digits[4..6]));
            found.day = Some(number(&digits[6..]));
            if reader.accept(b'T') {
                let clock = reader.run(u8::is_ascii_digit);
                if clock.len() != 6 {
                    return None;
                }
                found.hour = Some(number(&clock[..2]));
                found.minute = Some(number(&clock[2..4]));
                found.second = Some(number(&clock[4..]));
                reader.zone(&mut found)?;
            }
        }
        (1 | 2, Some(b':')) => reader.time(&mut found)?,
        _ => words(&mut reader, &mut found)?,
    }
    reader.is_at_end().then_some(found)
}

/// `Sat, 3 Feb 2001 04:05:06 GMT`, `Feb 3, 2001`: the weekday and the time may be missing.
fn words<'t>(reader: &mut Reader<'t>, found: &mut Found<'t>) -> Option<()> {
    let start = reader.at;
    found.weekday = reader.name(&DAYS);
    if found.weekday.is_some() {
        reader.accept(b',');
        if !reader.accept(b' ') {
            return None;
        }
    } else {
        reader.at = start;
    }
    if reader.rest().first().is_some_and(u8::is_ascii_digit) {
        found.day = Some(reader.digits(1, 2)?);
        if !reader.accept(b' ') {
            return None;
        }
        found.month = Some(reader.name(&MONTHS)? as i64 + 1);
    } else {
        found.month = Some(reader.name(&MONTHS)? as i64 + 1);
        if !reader.accept(b' ') {
            return None;
        }
        found.day = Some(reader.digits(1, 2)?);
        reader.accept(b',');
    }
    if !reader.accept(b' ') {
        return None;
    }
    found.year = Some(reader.digits(4, 4)?);
    if reader.accept(b' ') {
        reader.time(found)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_of_every_day_are_read() {
        for text in ["2001-02-03", "2001/02/03", "3 Feb 2001", "03 february 2001", "Feb 3, 2001", "20010203"] {
            let found = read(text.as_bytes()).unwrap_or_default();
            assert_eq!(
                (found.year, found.month, found.day, found.hour),
                (Some(2001), Some(2), Some(3), None),
                "{text}"
            );
        }
        let http = read(b"Sat, 03 Feb 2001 04:05:06 GMT").unwrap_or_default();
        assert_eq!((http.weekday, http.second, http.zone), (Some(6), Some(6), Some(&b"GMT"[..])));
        let iso = read(b"2001-02-03T04:05:06.25-05:30").unwrap_or_default();
        assert_eq!((iso.fraction, iso.zone.and_then(offset_of)), (Some(&b"25"[..]), Some(-19_800)));
    }

    #[test]
    fn all_others_are_left() {
        for text in
            ["", "2001-2-3", "2001-02-03 4", "3 Feb 01", "2001-02-03 04:05 pm", "x", "Sat", "H13.02.03", "12345"]
        {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }
}
