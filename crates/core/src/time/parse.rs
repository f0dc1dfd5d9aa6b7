//! `Time.new("2024-01-02 03:04:05 +09:00")`.

use object::string::Str;
use runtime::{Cx, R, Value, call, make};
use text::encoding::EncodingId;

use super::make::Given;
use crate::numeric::ops;
use crate::rational;

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn digits(&self) -> usize {
        self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count()
    }

    fn rest(&self, from: usize, to: usize) -> String {
        memory::lossy_text(&self.text[from.min(self.text.len())..to.min(self.text.len())])
    }

    /// Reads two digits after the next separator; ArgumentError otherwise.
    fn two(&mut self, cx: &mut Cx, name: &str, most: i64) -> R<i64> {
        let separator = self.at;
        self.at += 1;
        let at = self.at;
        if self.digits() != 2 {
            let after = match self.text[separator] {
                c @ (b'-' | b':') => format!(" after '{}'", char::from(c)),
                _ => String::new(),
            };
            let shown = self.rest(separator, separator + 11);
            return Err(cx.argument_error(&format!("two digits {name} is expected{after}: {shown}")));
        }
        let n = i64::from(self.text[at] - b'0') * 10 + i64::from(self.text[at + 1] - b'0');
        self.at += 2;
        if n > most {
            return Err(cx.argument_error(&format!("{name} out of range")));
        }
        Ok(n)
    }
}

/// Parses the date, and the zone if the text names one. `precision` is the number of digits of the fraction to use.
pub fn parse(cx: &mut Cx, text: Value, precision: usize) -> R<(Given, Option<Value>)> {
    if !Str::of(text).encoding().is_ascii_compatible() {
        return Err(cx.argument_error("time string should have ASCII compatible encoding"));
    }
    let bytes = object::string::Str::of(text).to_vector();
    let mut r = Reader { text: &bytes, at: 0 };
    let space = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_whitespace() || *b == 0x0b);
    let sign = usize::from(matches!(r.peek(), Some(b'+' | b'-')));
    r.at = sign;
    let count = r.digits();
    if space(bytes.first()) || space(bytes.last()) || count == 0 {
        let shown = call::inspect_text(cx, text)?;
        return Err(cx.argument_error(&format!("can't parse: {shown}")));
    }
    if count < 4 {
        let shown = r.rest(sign, sign + count);
        return Err(cx.argument_error(&format!("year must be 4 or more digits: {shown}")));
    }
    if count > 18 {
        return Err(cx.argument_error("year too big"));
    }
    let year = bytes[sign..sign + count].iter().fold(0, |year, digit| 10 * year + i128::from(digit - b'0'));
    let mut given = Given::year(if bytes.first() == Some(&b'-') { -year } else { year });
    r.at = sign + count;
    if r.at == bytes.len() {
        return Ok((given, None));
    }
    let has_time = date_and_time(cx, &mut r, &mut given, precision)?;
    while space(bytes.get(r.at)) {
        r.at += 1;
    }
    let start = r.at;
    while r.at < bytes.len() && !space(bytes.get(r.at)) {
        r.at += 1;
    }
    let end = r.at;
    while space(bytes.get(r.at)) {
        r.at += 1;
    }
    if r.at < bytes.len() {
        let shown = r.rest(r.at, bytes.len());
        return Err(cx.argument_error(&format!("can't parse at: {shown}")));
    }
    if end > start {
        let zone = make::string(cx, &bytes[start..end], EncodingId::UTF_8);
        return Ok((given, Some(zone)));
    }
    if !has_time {
        return Err(cx.argument_error("no time information"));
    }
    Ok((given, None))
}

/// Reads `-mm-dd hh:mm:ss.fraction` as far as present; returns whether a time of day is present.
fn date_and_time(cx: &mut Cx, r: &mut Reader, given: &mut Given, precision: usize) -> R<bool> {
    if r.peek() != Some(b'-') {
        return Ok(false);
    }
    given.month = r.two(cx, "mon", 15)?;
    if r.peek() != Some(b'-') {
        return Ok(false);
    }
    given.day = r.two(cx, "mday", 31)?;
    if !matches!(r.peek(), Some(b' ' | b'T')) || !r.text.get(r.at + 1).is_some_and(u8::is_ascii_digit) {
        return Ok(false);
    }
    let start = r.at + 1;
    given.hour = r.two(cx, "hour", 31)?;
    no_fraction(cx, r, "hour", start)?;
    need_colon(cx, r, "min", start)?;
    given.minute = r.two(cx, "min", 63)?;
    no_fraction(cx, r, "min", start)?;
    need_colon(cx, r, "sec", start)?;
    given.second = r.two(cx, "sec", 63)?;
    if r.peek() == Some(b'.') {
        r.at += 1;
        let all = r.digits();
        let count = all.min(precision);
        if count == 0 {
            let shown = r.rest(start, r.at + 1);
            return Err(cx.argument_error(&format!("subsecond expected after dot: {shown}")));
        }
        let digits = &r.text[r.at..r.at + count];
        let n = ops::interruptible(cx, |interrupt| numeric::big::parse_digits(digits, 10, false, interrupt))?;
        let n = ops::give(cx, n.unwrap_or(numeric::big::Integer::Fix(0)))?;
        let unit = crate::integer::pow(cx, Value::fixnum(10), Value::fixnum(count as i64))?;
        given.fraction = rational::new(cx, n, unit)?;
        r.at += all;
    }
    Ok(true)
}

fn no_fraction(cx: &mut Cx, r: &Reader, name: &str, start: usize) -> R<()> {
    if r.peek() != Some(b'.') {
        return Ok(());
    }
    let shown = r.rest(start, r.at + 1);
    Err(cx.argument_error(&format!("fraction {name} is not supported: {shown}")))
}

fn need_colon(cx: &mut Cx, r: &Reader, name: &str, start: usize) -> R<()> {
    if r.peek() == Some(b':') {
        return Ok(());
    }
    let shown = r.rest(start, r.at + 1);
    Err(cx.argument_error(&format!("missing {name} part: {shown}")))
}
