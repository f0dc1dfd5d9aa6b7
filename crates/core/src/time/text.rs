//! Conversions to text.

use host::Errno;
use memory::Grow;
use numeric::big::{self, Int};
use runtime::{Args, Cx, R, Value, convert, make};
use text::encoding::EncodingId;
use text::time::{self as calendar, TimeFormatError, TimeParts};

use super::{TimeData, Zone, fields, of, with_determined_zone, zone};
use crate::numeric::ops::{self, Kind, int, kind};
use crate::rational;

/// The offset in whole seconds, rounded.
fn rounded(cx: &mut Cx, offset: Value) -> R<i64> {
    if let Some(n) = offset.as_fixnum() {
        return Ok(n);
    }
    let round = ops::name(cx, "round");
    let n = runtime::call::send(cx, offset, round, &[])?;
    convert::to_i64(cx, n)
}

/// The digits of the fraction of the second, truncated.
fn fraction_digits(nanos: u32, sub: Value, count: usize) -> Vec<u8> {
    if kind(sub) != Kind::Rational || count <= 9 {
        return calendar::nanosecond_digits(nanos, count);
    }
    let mut digits = calendar::nanosecond_digits(nanos, 9);
    let (n, d) = rational::parts(sub);
    let more = count - 9;
    let scaled = big::pow(Int::Fix(10), Int::Fix(more as i64), &mut big::never)
        .and_then(|power| big::mul(int(&n), power.as_int()))
        .and_then(|n| big::div(n.as_int(), int(&d)))
        .and_then(|n| big::to_s(n.as_int(), 10, &mut big::never))
        .unwrap_or_default();
    digits.set_length(count - scaled.len().min(more), b'0');
    digits.append_slice(scaled.as_bytes());
    digits
}

/// The Time in a format.
fn formatted(cx: &mut Cx, time: Value, format: &[u8]) -> R<Vec<u8>> {
    let data = with_determined_zone(cx, time)?;
    let f = fields::read(cx, data)?;
    let offset = rounded(cx, f.offset)?;
    let name = if format.contains(&b'Z') { zone::abbreviation(cx, data, time)? } else { None };
    let parts = TimeParts {
        year: f.year,
        month: f.month,
        day: f.day,
        hour: f.hour,
        minute: f.minute,
        second: f.second,
        weekday: f.weekday,
        year_day: f.year_day,
        utc: matches!(data.zone, Zone::Utc),
        utc_offset: offset,
        zone: name.as_deref(),
        epoch: data.at.seconds,
        fraction: &|count| fraction_digits(f.nanos, f.sub, count),
    };
    let mut out = memory::with_capacity(format.len() * 2 + 16);
    match calendar::strftime(format, &parts, &mut out) {
        Ok(()) => Ok(out),
        Err(error) => {
            let shown = memory::lossy_text(format);
            Err(match error {
                TimeFormatError::TooLong => cx.system_error(Errno::OUT_OF_RANGE, &shown),
                TimeFormatError::Unfinished => cx.argument_error(&format!("invalid format: {shown}")),
            })
        }
    }
}

/// `strftime(format) → string`: the fields according to the format, in its encoding. Ruby:
/// doc/language/strftime_formatting.rdoc.
pub fn strftime(cx: &mut Cx, args: Args) -> R {
    let format = args.str(cx, 0)?;
    let encoding = format.encoding();
    if !encoding.is_ascii_compatible() {
        return Err(cx.argument_error("format should have ASCII compatible encoding"));
    }
    let format = format.to_vector();
    if format.is_empty() && cx.verbose() == Some(true) {
        runtime::warning::warn_here(cx, "strftime called with empty format string")?;
    }
    let text = formatted(cx, args.me(), &format)?;
    Ok(make::string(cx, &text, encoding))
}

fn ascii(cx: &mut Cx, time: Value, format: &[u8]) -> R {
    let text = formatted(cx, time, format)?;
    Ok(make::string(cx, &text, EncodingId::US_ASCII))
}

/// `to_s → string`: `2024-01-02 03:04:05 +0100`, with `UTC` instead of the offset for a time in UTC.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let utc = matches!(of(cx, args.me())?.zone, Zone::Utc);
    ascii(cx, args.me(), if utc { b"%Y-%m-%d %H:%M:%S UTC" } else { b"%Y-%m-%d %H:%M:%S %z" })
}

/// `ctime → string`: `Thu Jan  1 00:00:00 1970`, like ctime(3). Alias: `asctime`.
pub fn ctime(cx: &mut Cx, args: Args) -> R {
    ascii(cx, args.me(), b"%a %b %e %T %Y")
}

/// `inspect → string`: like `to_s`, with the exact fraction of the second.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let data: TimeData = of(cx, args.me())?;
    let mut text = formatted(cx, args.me(), b"%Y-%m-%d %H:%M:%S")?;
    if data.at.is_plain() {
        if data.at.nanos != 0 {
            let digits = format!(".{:09}", data.at.nanos);
            text.append_slice(digits.trim_end_matches('0').as_bytes());
        }
    } else {
        let fraction = data.at.fraction(cx)?;
        let shown = convert::to_s(cx, fraction)?;
        text.append_one(b' ');
        text.append_slice(shown.bytes(cx));
    }
    if matches!(data.zone, Zone::Utc) {
        text.append_slice(b" UTC");
    } else {
        let offset = zone::offset_of(cx, data)?.0;
        let offset = rounded(cx, offset)?;
        let (sign, size) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs());
        text.append_slice(format!(" {sign}{:02}{:02}", size / 3600, size / 60 % 60).as_bytes());
        if size % 60 != 0 {
            text.append_slice(format!("{:02}", size % 60).as_bytes());
        }
    }
    Ok(make::string(cx, &text, EncodingId::US_ASCII))
}

/// `xmlschema(digits = 0) → string`: `2024-01-02T03:04:05+01:00`, with `digits` digits of the second; `Z` in UTC.
/// Alias: `iso8601`. ISO 8601.
pub fn xmlschema(cx: &mut Cx, args: Args) -> R {
    let digits = match args.opt(0) {
        None => 0,
        Some(v) => convert::to_i64(cx, v)?.clamp(0, 1 << 30) as usize,
    };
    let data = of(cx, args.me())?;
    let f = fields::read(cx, data)?;
    let mut text = memory::with_capacity(48);
    if f.year < 0 {
        text.append_one(b'-');
    }
    let year = f.year.unsigned_abs();
    if year >= 10_000 {
        text.append_slice((year / 100).to_string().as_bytes());
    }
    // The parts of fixed size are written in one piece, because times are often converted to text.
    let mut fixed = *b"0000-00-00T00:00:00";
    for (at, number) in [(0, (year / 100 % 100) as u8), (2, (year % 100) as u8), (5, f.month), (8, f.day), (11, f.hour)]
        .into_iter()
        .chain([(14, f.minute), (17, f.second)])
    {
        fixed[at] = b'0' + number / 10;
        fixed[at + 1] = b'0' + number % 10;
    }
    text.append_slice(if year >= 10_000 { &fixed[2..] } else { &fixed });
    if (1..=9).contains(&digits) {
        text.append_one(b'.');
        let mut place = 1_000_000_000;
        for _ in 0..digits {
            place /= 10;
            text.append_one(b'0' + (f.nanos as u32 / place % 10) as u8);
        }
    } else if digits > 0 {
        // Twice the digits: for the text here, and for the String with its copy.
        if text.try_reserve(digits.saturating_mul(2)).is_err() {
            return Err(cx.no_memory());
        }
        text.append_one(b'.');
        text.append_from(fraction_digits(f.nanos, f.sub, digits));
    }
    if matches!(data.zone, Zone::Utc) {
        text.append_one(b'Z');
    } else {
        let offset = rounded(cx, f.offset)?;
        let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.unsigned_abs() / 60);
        if minutes >= 6000 {
            text.append_slice(format!("{sign}{}:{:02}", minutes / 60, minutes % 60).as_bytes());
        } else {
            text.append_one(sign as u8);
            push_two(&mut text, &[(minutes / 60) as u8, (minutes % 60) as u8], b":");
        }
    }
    Ok(make::string(cx, &text, EncodingId::US_ASCII))
}

/// Appends numbers below 100 with two digits each, and a separator between them.
fn push_two(out: &mut Vec<u8>, numbers: &[u8], between: &[u8]) {
    for (at, number) in numbers.iter().enumerate() {
        if at > 0 {
            out.append_slice(between);
        }
        out.append_slice(&[b'0' + number / 10, b'0' + number % 10]);
    }
}
