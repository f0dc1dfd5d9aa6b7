//! The Marshal format of Time: eight bytes with a precision of microseconds, other data in instance variables of the
//! String.

use memory::{Grow, ToVector};
use object::{shape::ivars, string};
use runtime::{Args, Cx, R, Sym, Value, call, convert, make};
use text::encoding::EncodingId;

use super::instant::Instant;
use super::zone::{self, NamedOffset, seen_by};
use super::{TimeData, Zone, fields, new, with_determined_zone};
use crate::numeric::ops::{self, Kind, kind};
use crate::rational;

const LAST_YEAR: i128 = 1900 + 0xffff;

fn hidden(cx: &mut Cx, name: &str) -> Sym {
    ops::name(cx, name)
}

/// `_dump(level = -1) → string`: eight bytes with the fields in UTC down to microseconds, more for years outside of
/// 1900 to 67435; other data is in instance variables, as written by CRuby.
pub fn dump(cx: &mut Cx, args: Args) -> R {
    let data = with_determined_zone(cx, args.me())?;
    let f = fields::read(cx, TimeData { zone: Zone::Utc, ..data })?;
    let (year, extension) = match f.year {
        year if year > LAST_YEAR => (LAST_YEAR, Some(year - LAST_YEAR)),
        year if year < 1900 => (1900, Some(1900 - year)),
        year => (year, None),
    };
    let utc = matches!(data.zone, Zone::Utc);
    let first = 1u32 << 31
        | u32::from(utc) << 30
        | ((year - 1900) as u32) << 14
        | u32::from(f.month - 1) << 10
        | u32::from(f.day) << 5
        | u32::from(f.hour);
    let second = u32::from(f.minute) << 26 | u32::from(f.second) << 20 | (f.nanos / 1000);
    let mut bytes = first.to_le_bytes().to_vector();
    bytes.append_slice(&second.to_le_bytes());
    if let Some(extension) = extension {
        let size = extension.to_le_bytes().iter().rposition(|b| *b != 0).map_or(1, |i| i + 1);
        // A small number in Marshal's format.
        bytes.append_one(size as u8 + 5);
        bytes.append_slice(&extension.to_le_bytes()[..size]);
    }
    let s = make::string(cx, &bytes, EncodingId::BINARY);
    ivars::copy(cx, args.me(), s);
    let nanos = f.nanos % 1000;
    let rest = ops::add(cx, Value::fixnum(nanos.into()), f.sub)?;
    if !ops::is_exact_zero(rest) {
        let (n, d) = if kind(rest) == Kind::Rational { rational::parts(rest) } else { (rest, Value::fixnum(1)) };
        let (num, den) = (hidden(cx, "nano_num"), hidden(cx, "nano_den"));
        ivars::set(cx, s, num, n);
        ivars::set(cx, s, den, d);
    }
    if nanos != 0 {
        let digits = [(((nanos / 100) << 4) | (nanos / 10 % 10)) as u8, ((nanos % 10) << 4) as u8];
        let kept = if digits[1] == 0 { &digits[..1] } else { &digits[..] };
        let packed = make::string(cx, kept, EncodingId::BINARY);
        let name = hidden(cx, "submicro");
        ivars::set(cx, s, name, packed);
    }
    if !utc {
        let offset = zone::offset_of(cx, data)?.0;
        let name = hidden(cx, "offset");
        ivars::set(cx, s, name, offset);
    }
    let zone = match data.zone {
        Zone::Object { zone, .. } => call::send(cx, zone, runtime::sym::NAME, &[])?,
        _ => zone::name_of(cx, data)?,
    };
    let name = hidden(cx, "zone");
    ivars::set(cx, s, name, zone);
    Ok(s)
}

fn attribute(cx: &mut Cx, s: Value, name: &str) -> Option<Value> {
    let name = hidden(cx, name);
    Some(ivars::get(cx, s, name)).filter(|v| !v.is_undef() && !v.is_nil())
}

/// `Time._load(dump) → time`: reads the result of `_dump`, of Beni or CRuby. TypeError for anything else.
pub fn load(cx: &mut Cx, args: Args) -> R {
    let class = args.me();
    let s = args.str(cx, 0)?;
    let bytes = s.to_vector();
    let format_error = |cx: &mut Cx| cx.type_error("marshaled time format differ");
    let (Some(first), Some(second)) = (word(&bytes, 0), word(&bytes, 4)) else { return Err(format_error(cx)) };
    if first & 1 << 31 == 0 {
        let at = Instant { seconds: first.into(), nanos: (second % 1_000_000) * 1000, sub: Value::fixnum(0) };
        return Ok(new(cx, class, at, Zone::Local));
    }
    let mut year = i128::from(first >> 14 & 0xffff) + 1900;
    if bytes.len() > 8 {
        let size = usize::from(bytes[8]).saturating_sub(5);
        let Some(stored) = bytes.get(9..9 + size).filter(|stored| stored.len() <= 12) else {
            return Err(format_error(cx));
        };
        let extension = stored.iter().rev().fold(0i128, |n, b| n << 8 | i128::from(*b));
        year = if year == 1900 { year - extension } else { year + extension };
    }
    let month = first >> 10 & 0xf;
    let (year, month) = if month >= 12 { (year + 1, month - 12) } else { (year, month) };
    let clock = (second >> 20 & 0x3f) as u8;
    let plain = fields::seconds_of(
        year,
        month as u8 + 1,
        (first >> 5 & 0x1f) as u8,
        (first & 0x1f) as u8,
        (second >> 26 & 0x3f) as u8,
        clock.min(59),
    );
    let seconds = zone::with_leap_seconds(plain) + i128::from(clock - clock.min(59));
    let micro = i64::from(second & 0xf_ffff);
    let mut nanos = rational::whole(cx, Value::fixnum(micro * 1000));
    if let (Some(n), Some(d)) = (attribute(cx, s.value(), "nano_num"), attribute(cx, s.value(), "nano_den")) {
        let n = super::instant::exact_number(cx, n)?;
        let d = super::instant::exact_number(cx, d)?;
        let n = if kind(n) == Kind::Integer { rational::whole(cx, n) } else { n };
        let rest = ops::div(cx, n, d)?;
        nanos = ops::add(cx, nanos, rest)?;
    } else if let Some(packed) = attribute(cx, s.value(), "submicro") {
        let packed = convert::to_str(cx, packed)?;
        let digit = |i: usize| {
            let byte = packed.byte(i / 2).unwrap_or(0);
            i64::from(if i.is_multiple_of(2) { byte >> 4 } else { byte & 0xf }.min(9))
        };
        let rest = digit(0) * 100 + digit(1) * 10 + digit(2);
        nanos = ops::add(cx, nanos, Value::fixnum(rest))?;
    }
    let fraction = ops::div(cx, nanos, Value::fixnum(1_000_000_000))?;
    let at = Instant::whole(seconds).plus(cx, fraction)?;
    let mut seen = if first & 1 << 30 != 0 { Zone::Utc } else { Zone::Local };
    if let Some(offset) = attribute(cx, s.value(), "offset")
        && matches!(seen, Zone::Local)
        && matches!(kind(offset), Kind::Integer | Kind::Rational)
    {
        seen = Zone::Fixed(offset);
        if let Some(name) = attribute(cx, s.value(), "zone") {
            let local = zone::local_offset(cx, at.seconds)?;
            let same = string::Str::from_value(name).is_some_and(|n| n.bytes(cx) == local.abbreviation);
            if same && offset == Value::fixnum(local.seconds.into()) {
                seen = Zone::Local;
            } else {
                let found = zone::find_timezone(cx, class, name);
                let found = crate::kernel::conversions::finish(cx, true, found)?;
                if !found.is_nil()
                    && let Some(by_object) = seen_by(cx, found, at)?
                {
                    seen = by_object;
                } else if let (Some(name), Some(seconds)) = (string::Str::from_value(name), offset.as_fixnum())
                    && let Some(fixed) = i32::try_from(seconds).ok().and_then(|s| NamedOffset::fixed(s, name.bytes(cx)))
                {
                    seen = Zone::Determined(fixed);
                }
            }
        }
    }
    let time = new(cx, class, at, seen);
    copy_variables(cx, s.value(), time);
    Ok(time)
}

/// Sets the instance variables of the dumped Time.
fn copy_variables(cx: &mut Cx, from: Value, to: Value) {
    for name in ivars::names(cx, from) {
        if name.bytes(cx).starts_with(b"@") {
            let value = ivars::get(cx, from, name);
            ivars::set(cx, to, name, value);
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk::<4>()?))
}
