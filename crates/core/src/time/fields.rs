//! Calendar date and time of day.

use object::{Sym, array::Arr, bigint, cell, hash::HashRef};
use runtime::{Args, Cx, R, Value, error, keys, sym};
use text::time::{Civil, civil_from_days, days_from_civil, is_leap_year};

use super::{TimeData, Zone, get, list, plain_seconds, with_determined_zone, zone};

const DAY: i128 = 86_400;
const ERA: i128 = 146_097;

/// An instant as date and time of day in its zone.
#[derive(Clone, Copy)]
pub struct Fields {
    pub year: i128,
    pub month: u8,
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub nanos: u32,
    pub sub: Value,
    pub weekday: u8,
    pub year_day: u16,
    /// An Integer or Rational.
    pub offset: Value,
    pub is_dst: bool,
}

/// Seconds since 1970 of a date and time, as if in UTC.
pub fn seconds_of(year: i128, month: u8, day: u8, hour: u8, minute: u8, second: u8) -> i128 {
    let (era, in_era) = (year.div_euclid(400), year.rem_euclid(400) as i64);
    let days = days_from_civil(Civil { year: in_era, month, day }).unwrap_or(0);
    (i128::from(days) + era * ERA) * DAY + i128::from(hour) * 3600 + i128::from(minute) * 60 + i128::from(second)
}

/// The fields of a Time.
pub fn read(cx: &mut Cx, data: TimeData) -> R<Fields> {
    let (offset, is_dst) = zone::offset_of(cx, data)?;
    let (leaps, is_leap) = zone::leap_seconds(data.at.seconds);
    let local = data.at.plus(cx, offset)?;
    let (days, clock, era, in_era) = split(local.seconds - leaps);
    let civil = civil_from_days(in_era);
    let start = days_from_civil(Civil { year: civil.year, month: 1, day: 1 }).unwrap_or(0);
    Ok(Fields {
        year: i128::from(civil.year) + era * 400,
        month: civil.month,
        day: civil.day,
        hour: (clock / 3600) as u8,
        minute: (clock / 60 % 60) as u8,
        second: (clock % 60) as u8 + u8::from(is_leap),
        nanos: local.nanos,
        sub: local.sub,
        weekday: weekday_of(days),
        year_day: (in_era - start + 1) as u16,
        offset,
        is_dst,
    })
}

/// Days, seconds of the day, eras of 400 years, days of the era.
fn split(seconds: i128) -> (i128, u32, i128, i64) {
    // Fast path with machine division, for all seconds that fit an i64.
    if let Ok(seconds) = i64::try_from(seconds) {
        const DAY: i64 = self::DAY as i64;
        const ERA: i64 = self::ERA as i64;
        let (days, clock) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        return (days.into(), clock as u32, days.div_euclid(ERA).into(), days.rem_euclid(ERA));
    }
    let (days, clock) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    (days, clock as u32, days.div_euclid(ERA), days.rem_euclid(ERA) as i64)
}

fn weekday_of(days: i128) -> u8 {
    match i64::try_from(days) {
        Ok(days) => (days % 7 + 11).rem_euclid(7) as u8,
        Err(_) => (days + 4).rem_euclid(7) as u8,
    }
}

fn of_receiver(cx: &mut Cx, args: Args) -> R<Fields> {
    let data = with_determined_zone(cx, args.me())?;
    read(cx, data)
}

/// The local time of the time's zone in seconds since 1970, as if in UTC; `None` if the zone object must be called, or
/// if there are too many seconds. The first call fixes the zone of a local time.
fn clock_seconds(cx: &mut Cx, v: Value) -> Option<i64> {
    if let Some(seconds) = plain_seconds(v) {
        return Some(seconds);
    }
    let mut data = get(v)?;
    if matches!(data.zone, Zone::Local) {
        data = with_determined_zone(cx, v).ok()?;
    }
    let offset = match data.zone {
        Zone::Utc => 0,
        Zone::Fixed(offset) => offset.as_fixnum()?,
        Zone::Object { offset, .. } => offset,
        Zone::Determined(offset) => offset.seconds().into(),
        Zone::Local => return None,
    };
    let (leaps, is_leap) = zone::leap_seconds(data.at.seconds);
    if is_leap {
        return None;
    }
    i64::try_from(data.at.seconds - leaps).ok()?.checked_add(offset)
}

/// The date of a local time in seconds.
fn civil_of(seconds: i64) -> Civil {
    civil_from_days(seconds.div_euclid(DAY as i64))
}

fn year_day_of(seconds: i64) -> i64 {
    let start = days_from_civil(Civil { year: civil_of(seconds).year, month: 1, day: 1 }).unwrap_or(0);
    seconds.div_euclid(DAY as i64) - start + 1
}

/// A method without arguments for each field, and in a module of its name the method for compiled code, which leaves to
/// the other what takes a call. `else` makes an Integer of a field of a time that is out of the ordinary.
macro_rules! readers {
    ($($(#[$documentation:meta])* $name:ident = |$seconds:ident| $of_seconds:expr, else $large:expr;)*) => {$(
        $(#[$documentation])*
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            if let Some($seconds) = clock_seconds(cx, args.me()) {
                return Ok(Value::fixnum($of_seconds));
            }
            let field = of_receiver(cx, args)?.$name;
            Ok($large(cx, field.into()))
        }

        pub mod $name {
            use super::*;

            pub fn quick(_: &mut Cx, args: Args) -> R {
                Ok(plain_seconds(args.me()).map_or(Value::UNDEF, |$seconds| Value::fixnum($of_seconds)))
            }
        }
    )*};
}

readers! {
    /// `sec → integer`: the second of the minute in the zone of the time, from 0 to 60.
    second = |seconds| seconds.rem_euclid(60), else small;
    /// `min → integer`: the minute of the hour in the zone of the time, from 0 to 59.
    minute = |seconds| seconds.rem_euclid(3600) / 60, else small;
    /// `hour → integer`: the hour of the day in the zone of the time, from 0 to 23.
    hour = |seconds| seconds.rem_euclid(DAY as i64) / 3600, else small;
    /// `mday → integer`: the day of the month in the zone of the time, from 1 to 31. Alias: `day`.
    day = |seconds| civil_of(seconds).day.into(), else small;
    /// `mon → integer`: the month in the zone of the time, from 1 to 12. Alias: `month`.
    month = |seconds| civil_of(seconds).month.into(), else small;
    /// `wday → integer`: the day of the week in the zone of the time, from 0 (Sunday) to 6.
    weekday = |seconds| weekday_of(seconds.div_euclid(DAY as i64).into()).into(), else small;
    /// `yday → integer`: the day of the year in the zone of the time, from 1 to 366.
    year_day = |seconds| year_day_of(seconds), else small;
    /// `year → integer`: the year in the zone of the time, of any size and sign.
    year = |seconds| civil_of(seconds).year, else bigint::from_i128;
}

fn small(_: &mut Cx, field: i64) -> Value {
    Value::fixnum(field)
}

pub fn is_weekday(cx: &mut Cx, args: Args, day: u8) -> R {
    if let Some(seconds) = clock_seconds(cx, args.me()) {
        return Ok(Value::bool(weekday_of(seconds.div_euclid(DAY as i64).into()) == day));
    }
    Ok(Value::bool(of_receiver(cx, args)?.weekday == day))
}

/// `to_a → [sec, min, hour, day, month, year, wday, yday, isdst, zone]`: the fields in the zone of the time, in an
/// order that `Time.local` accepts too.
pub fn to_a(cx: &mut Cx, args: Args) -> R {
    let data = with_determined_zone(cx, args.me())?;
    let f = read(cx, data)?;
    let year = bigint::from_i128(cx, f.year);
    let zone = zone::name_of(cx, data)?;
    let number = |n: u8| Value::fixnum(n.into());
    Ok(list(
        cx,
        &[
            number(f.second),
            number(f.minute),
            number(f.hour),
            number(f.day),
            number(f.month),
            year,
            number(f.weekday),
            Value::fixnum(f.year_day.into()),
            Value::bool(f.is_dst),
            zone,
        ],
    ))
}

/// `deconstruct_keys(keys) → hash`: the fields that the array names, or all for nil, for patterns. TypeError for
/// anything else.
pub fn deconstruct_keys(cx: &mut Cx, args: Args) -> R {
    let wanted = args.at(0);
    if !wanted.is_nil() && !cell::is(wanted, abi::Type::Array) {
        let got = error::class_name_of(cx, wanted);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Array or nil)")));
    }
    let data = with_determined_zone(cx, args.me())?;
    let f = read(cx, data)?;
    if wanted.is_nil() {
        let mut pairs = [Value::NIL; 2 * NAMED.len()];
        for (name, pair) in NAMED.iter().zip(pairs.chunks_exact_mut(2)) {
            pair.copy_from_slice(&[name.value(), named(cx, &f, data, *name)?.unwrap_or(Value::NIL)]);
        }
        let made = HashRef::from_pairs(cx, &pairs);
        return keys::raise(cx, made).map(HashRef::value);
    }
    let hash = HashRef::new(cx).value();
    let mut i = 0;
    while let Some(key) = Arr::of(wanted).get(i) {
        i += 1;
        let Some(name) = Sym::from_value(key) else { continue };
        if let Some(value) = named(cx, &f, data, name)? {
            keys::store_symbol(cx, hash, name, value)?;
        }
    }
    Ok(hash)
}

/// The fields that patterns know, in the order in which `deconstruct_keys(nil)` has them.
const NAMED: [Sym; 11] = [
    sym::YEAR,
    sym::MONTH,
    sym::DAY,
    sym::YDAY,
    sym::WDAY,
    sym::HOUR,
    sym::MIN,
    sym::SEC,
    sym::SUBSEC,
    sym::DST,
    sym::ZONE,
];

/// The field that patterns know by a name.
fn named(cx: &mut Cx, f: &Fields, data: TimeData, name: Sym) -> R<Option<Value>> {
    let number = |n: u8| Value::fixnum(n.into());
    Ok(Some(match name {
        sym::YEAR => bigint::from_i128(cx, f.year),
        sym::MONTH => number(f.month),
        sym::DAY => number(f.day),
        sym::YDAY => Value::fixnum(f.year_day.into()),
        sym::WDAY => number(f.weekday),
        sym::HOUR => number(f.hour),
        sym::MIN => number(f.minute),
        sym::SEC => number(f.second),
        sym::SUBSEC => data.at.fraction(cx)?,
        sym::DST => Value::bool(f.is_dst),
        sym::ZONE => zone::name_of(cx, data)?,
        _ => return Ok(None),
    }))
}

/// The number of days in February.
pub fn days_in_february(year: i128) -> u8 {
    if is_leap_year(year.rem_euclid(400) as i64) { 29 } else { 28 }
}
