//! Offsets from UTC: fixed ones, those of the system, and those of zone objects.

use abi::Type;
use heap::Trace;
use host::zone::{Moment, moments_of, offset_at, shift_at, with_offset_at};
use memory::ToVector;
use object::{cell, class};
use runtime::{Args, Cx, Known, R, Sym, Unwind, Value, call, make, sym};
use text::encoding::EncodingId;

use super::instant::{Instant, exact_number};
use super::{TimeData, get, new, of, set, with_determined_zone};
use crate::numeric::ops::{self, Kind, kind};

/// The zone of a Time.
#[derive(Clone, Copy, Trace)]
pub enum Zone {
    Utc,
    /// The local zone, determined on use.
    Local,
    /// The local zone as it was at the first conversion from or to a local time, even if `TZ` changes later; or a fixed
    /// offset with a name.
    Determined(#[trace(skip)] NamedOffset),
    /// Seconds east of Greenwich, an Integer or Rational.
    Fixed(Value),
    /// An object with `utc_to_local`, and its result for this instant.
    Object {
        zone: Value,
        offset: i64,
        is_dst: bool,
    },
}

/// An offset of the local zone, with an abbreviation of limited length.
#[derive(Clone, Copy)]
pub struct NamedOffset {
    seconds: i32,
    is_dst: bool,
    /// Whether it is a fixed offset with a name, as Marshal reads it.
    is_fixed: bool,
    name_length: u8,
    name: [u8; 26],
}

impl NamedOffset {
    /// Seconds east of Greenwich.
    pub fn seconds(&self) -> i32 {
        self.seconds
    }

    /// A fixed offset with a name; `None` for a name that is too long.
    pub fn fixed(seconds: i32, name: &[u8]) -> Option<NamedOffset> {
        let mut stored = [0; 26];
        stored.get_mut(..name.len())?.copy_from_slice(name);
        Some(NamedOffset { seconds, is_dst: false, is_fixed: true, name_length: name.len() as u8, name: stored })
    }

    pub fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    fn name(&self) -> &[u8] {
        &self.name[..usize::from(self.name_length)]
    }
}

impl Zone {
    fn is_determined_local(&self) -> bool {
        matches!(self, Zone::Determined(offset) if !offset.is_fixed)
    }
}

/// The local zone at an instant, by its present settings.
pub fn determine_local(cx: &mut Cx, at: Instant) -> R<Zone> {
    let offset = with_offset_at(representable(at.seconds), |seconds, is_dst, abbreviation| {
        let mut name = [0; 26];
        name.get_mut(..abbreviation.len())?.copy_from_slice(abbreviation);
        let name_length = abbreviation.len() as u8;
        Some(NamedOffset { seconds, is_dst, is_fixed: false, name_length, name })
    });
    let offset = offset.map_err(|errno| cx.system_error(errno, "localtime"))?;
    Ok(offset.map_or(Zone::Local, Zone::Determined))
}

/// The meaning of an argument for an offset.
pub enum Offset {
    Utc,
    Seconds(Value),
}

/// The seconds of 400 years, after which the calendar repeats, including weekdays.
pub const CYCLE: i128 = 146_097 * 86_400;

/// An instant in the range of the system's zone data, at the same position in the cycle of 400 years.
fn representable(seconds: i128) -> i64 {
    const LIMIT: i128 = 1 << 35;
    // Instants long past are moved to the earliest years, before the zones' first changes; those far ahead to the years
    // from 2000 on, so that the current rules apply.
    if (-LIMIT..LIMIT).contains(&seconds) {
        return seconds as i64;
    }
    let from = if seconds < 0 { -LIMIT } else { 946_684_800 };
    ((seconds - from).rem_euclid(CYCLE) + from) as i64
}

/// The leap seconds up to an instant, and whether it is one: both zero unless the local zone counts leap seconds.
pub fn leap_seconds(seconds: i128) -> (i128, bool) {
    let near = seconds.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let (count, is_leap) = host::zone::leap_seconds(near);
    (count.into(), is_leap)
}

/// The instant that clocks in UTC show as `plain`, which counts no leap seconds.
pub fn with_leap_seconds(plain: i128) -> i128 {
    match i64::try_from(plain) {
        Ok(near) => host::zone::with_leap_seconds(near).into(),
        Err(_) => plain + leap_seconds(plain).0,
    }
}

/// The system's zone at an instant.
pub fn local_offset(cx: &mut Cx, seconds: i128) -> R<host::zone::Offset> {
    offset_at(representable(seconds)).map_err(|errno| cx.system_error(errno, "localtime"))
}

/// The instant of a local time; `dst` decides if the local time occurs twice.
pub fn from_local(cx: &mut Cx, local: i128, dst: Option<bool>) -> R<i128> {
    let near = representable(local);
    let moment = match moments_of(near) {
        Ok(Moment::Once(at)) => at,
        Ok(Moment::Twice { earlier, later }) => {
            if dst == Some(true) {
                earlier
            } else {
                later
            }
        }
        Ok(Moment::Never { by_offset_before, .. }) => by_offset_before,
        Err(errno) => return Err(cx.system_error(errno, "mktime")),
    };
    Ok(local + i128::from(moment - near))
}

/// Whether the value can be a zone object.
pub fn may_be_object(v: Value) -> bool {
    !v.is_nil() && kind(v) != Kind::Integer && !cell::is(v, Type::String)
}

/// ArgumentError for an invalid offset.
#[cold]
pub fn invalid_offset(cx: &mut Cx, v: Value) -> Unwind {
    match runtime::convert::to_s(cx, v) {
        Ok(shown) => {
            let shown = shown.to_text();
            cx.argument_error(&format!(
                "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {shown}"
            ))
        }
        Err(unwind) => unwind,
    }
}

/// The offset of an argument; `None` for a String that is not an offset.
pub fn offset_argument(cx: &mut Cx, v: Value) -> R<Option<Offset>> {
    if kind(v) == Kind::Integer {
        return Ok(Some(Offset::Seconds(v)));
    }
    match runtime::convert::try_str(cx, v)? {
        Some(s) => Ok(offset_text(s.bytes(cx))),
        None => Ok(Some(Offset::Seconds(exact_number(cx, v)?))),
    }
}

fn offset_text(text: &[u8]) -> Option<Offset> {
    let seconds = |n: i64| Some(Offset::Seconds(Value::fixnum(n)));
    match text {
        b"Z" => return Some(Offset::Utc),
        [letter @ b'A'..=b'I'] => return seconds(i64::from(letter - b'A' + 1) * 3600),
        [letter @ b'K'..=b'M'] => return seconds(i64::from(letter - b'A') * 3600),
        [letter @ b'N'..=b'Y'] => return seconds(-i64::from(letter - b'M') * 3600),
        _ if text.eq_ignore_ascii_case(b"UTC") => return Some(Offset::Utc),
        _ => {}
    }
    let (sign, rest) = match text.split_first()? {
        (b'+', rest) => (1, rest),
        (b'-', rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes, rest_seconds): (&[u8], &[u8], &[u8]) = match rest.len() {
        2 => (rest, b"00", b"00"),
        4 => (&rest[..2], &rest[2..], b"00"),
        6 => (&rest[..2], &rest[2..4], &rest[4..]),
        5 if rest[2] == b':' => (&rest[..2], &rest[3..], b"00"),
        8 if rest[2] == b':' && rest[5] == b':' => (&rest[..2], &rest[3..5], &rest[6..]),
        _ => return None,
    };
    let two = |digits: &[u8]| match digits {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(i64::from(a - b'0') * 10 + i64::from(b - b'0')),
        _ => None,
    };
    let (hours, minutes, rest_seconds) = (two(hours)?, two(minutes)?, two(rest_seconds)?);
    if minutes > 59 || rest_seconds > 59 {
        return None;
    }
    let total = hours * 3600 + minutes * 60 + rest_seconds;
    if sign < 0 && total == 0 { Some(Offset::Utc) } else { seconds(sign * total) }
}

/// ArgumentError "utc_offset out of range" beyond a day.
pub fn check_offset(cx: &mut Cx, offset: Value) -> R<()> {
    let day = Value::fixnum(86_400);
    let too_small = ops::add(cx, offset, day)?;
    let too_big = ops::sub(cx, offset, day)?;
    if ops::is_negative(cx, too_small)? || ops::is_zero(cx, too_small)? || !ops::is_negative(cx, too_big)? {
        return Err(cx.argument_error("utc_offset out of range"));
    }
    Ok(())
}

/// The result of the class's `find_timezone` for a name, or nil.
pub fn find_timezone(cx: &mut Cx, class: Value, name: Value) -> R {
    let find = ops::name(cx, "find_timezone");
    Ok(call::send_if_responds(cx, class, find, &[name])?.unwrap_or(Value::NIL))
}

/// The seconds of a zone object's result. Of a Time, its displayed fields are read.
fn seconds_of(cx: &mut Cx, v: Value, as_local: bool) -> R<i128> {
    if let Some(data) = get(v) {
        return match data.zone {
            Zone::Fixed(offset) if as_local => Ok(data.at.plus(cx, offset)?.seconds),
            _ => Ok(data.at.seconds),
        };
    }
    let n = if kind(v) == Kind::Integer { v } else { call::send(cx, v, sym::TO_I, &[])? };
    let n = runtime::convert::to_integer(cx, n)?;
    super::instant::to_i128(cx, n)
}

fn daylight_saving(cx: &mut Cx, zone: Value, time: Value) -> R<bool> {
    let name = ops::name(cx, "dst?");
    Ok(call::send_if_responds(cx, zone, name, &[time])?.is_some_and(Value::truthy))
}

/// The zone object's local time for an instant; `None` if it is not a zone object.
pub fn seen_by(cx: &mut Cx, zone: Value, at: Instant) -> R<Option<Zone>> {
    let class = cx.class(Known::Time);
    let utc = new(cx, class, at, Zone::Utc);
    let name = ops::name(cx, "utc_to_local");
    let Some(local) = call::send_if_responds(cx, zone, name, &[utc])? else { return Ok(None) };
    let offset = seconds_of(cx, local, true)? - at.seconds;
    check_zone_offset(cx, offset)?;
    let is_dst = daylight_saving(cx, zone, utc)?;
    Ok(Some(Zone::Object { zone, offset: offset as i64, is_dst }))
}

fn check_zone_offset(cx: &mut Cx, offset: i128) -> R<()> {
    if offset.abs() >= 86_400 { Err(cx.argument_error("utc_offset out of range")) } else { Ok(()) }
}

/// The zone object's instant for a local time; `None` if it is not a zone object.
pub fn placed_by(cx: &mut Cx, zone: Value, local: Instant) -> R<Option<TimeData>> {
    let class = cx.class(Known::Time);
    let time = new(cx, class, local, Zone::Utc);
    let name = ops::name(cx, "local_to_utc");
    let Some(utc) = call::send_if_responds(cx, zone, name, &[time])? else { return Ok(None) };
    let seconds = seconds_of(cx, utc, false)?;
    let offset = local.seconds - seconds;
    check_zone_offset(cx, offset)?;
    let is_dst = daylight_saving(cx, zone, time)?;
    let zone = Zone::Object { zone, offset: offset as i64, is_dst };
    Ok(Some(TimeData { at: Instant { seconds, ..local }, zone }))
}

/// The zone of an argument (`in:`, or that of localtime), at an instant.
pub fn zone_argument(cx: &mut Cx, class: Value, v: Value, at: Instant) -> R<Zone> {
    if may_be_object(v)
        && let Some(zone) = seen_by(cx, v, at)?
    {
        return Ok(zone);
    }
    match offset_argument(cx, v)? {
        Some(Offset::Utc) => Ok(Zone::Utc),
        Some(Offset::Seconds(offset)) => {
            check_offset(cx, offset)?;
            Ok(Zone::Fixed(offset))
        }
        None => {
            let zone = find_timezone(cx, class, v)?;
            if zone.is_nil() {
                return Err(invalid_offset(cx, v));
            }
            match seen_by(cx, zone, at)? {
                Some(zone) => Ok(zone),
                None => Err(invalid_offset(cx, v)),
            }
        }
    }
}

/// `localtime(zone = nil) → self`: shows the same instant in the local zone or the given one from now on. ArgumentError
/// for an unknown one.
pub fn localtime(cx: &mut Cx, args: Args) -> R {
    let data = of(cx, args.me())?;
    let zone = match args.non_nil(0) {
        None if matches!(data.zone, Zone::Local) || data.zone.is_determined_local() => return Ok(args.me()),
        None => determine_local(cx, data.at)?,
        Some(v) => {
            let class = class::real_class(cx, args.me());
            zone_argument(cx, class, v, data.at)?
        }
    };
    set(cx, args.me(), TimeData { zone, ..data })?;
    Ok(args.me())
}

/// `getlocal(zone = nil) → time`: a new Time at the same instant in the local zone or the given one. ArgumentError for
/// an unknown one.
pub fn getlocal(cx: &mut Cx, args: Args) -> R {
    let data = of(cx, args.me())?;
    let class = class::real_class(cx, args.me());
    let zone = match args.non_nil(0) {
        None if data.zone.is_determined_local() => data.zone,
        None => determine_local(cx, data.at)?,
        Some(v) => zone_argument(cx, class, v, data.at)?,
    };
    Ok(new(cx, class, data.at, zone))
}

/// `gmtime → self`: shows the same instant in UTC from now on. Alias: `utc`.
pub fn gmtime(cx: &mut Cx, args: Args) -> R {
    let data = of(cx, args.me())?;
    if !matches!(data.zone, Zone::Utc) {
        set(cx, args.me(), TimeData { zone: Zone::Utc, ..data })?;
    }
    Ok(args.me())
}

/// `getgm → time`: a new Time at the same instant in UTC. Alias: `getutc`.
pub fn getgm(cx: &mut Cx, args: Args) -> R {
    let data = of(cx, args.me())?;
    let class = class::real_class(cx, args.me());
    Ok(new(cx, class, data.at, Zone::Utc))
}

/// `utc? → true or false`: whether the time is in UTC; an offset of 0 does not count. Alias: `gmt?`.
pub fn is_utc(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(matches!(of(cx, args.me())?.zone, Zone::Utc)))
}

/// `zone → string, object or nil`: the abbreviation of the zone, or the given zone object; nil for a fixed offset.
pub fn zone_name(cx: &mut Cx, args: Args) -> R {
    let data = with_determined_zone(cx, args.me())?;
    name_of(cx, data)
}

pub fn name_of(cx: &mut Cx, data: TimeData) -> R {
    match data.zone {
        Zone::Utc => Ok(make::string(cx, b"UTC", EncodingId::US_ASCII)),
        Zone::Fixed(_) => Ok(Value::NIL),
        Zone::Object { zone, .. } => Ok(zone),
        Zone::Local | Zone::Determined(_) => {
            let name = match data.zone {
                Zone::Determined(offset) => offset.name().to_vector(),
                _ => local_offset(cx, data.at.seconds)?.abbreviation,
            };
            let encoding = if name.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 };
            Ok(make::string(cx, &name, encoding))
        }
    }
}

/// The abbreviation for `%Z`.
pub fn abbreviation(cx: &mut Cx, data: TimeData, time: Value) -> R<Option<Vec<u8>>> {
    match data.zone {
        Zone::Utc => Ok(Some(b"UTC".to_vector())),
        Zone::Fixed(_) => Ok(None),
        Zone::Determined(offset) => Ok(Some(offset.name().to_vector())),
        Zone::Local => Ok(Some(local_offset(cx, data.at.seconds)?.abbreviation)),
        Zone::Object { zone, .. } => {
            for name in ["abbr", "name"] {
                let name: Sym = ops::name(cx, name);
                let arguments = if name == sym::NAME { &[][..] } else { &[time][..] };
                if let Some(s) = call::send_if_responds(cx, zone, name, arguments)?
                    && cell::is(s, Type::String)
                {
                    return Ok(Some(object::string::Str::of(s).to_vector()));
                }
            }
            Ok(None)
        }
    }
}

/// Seconds east of Greenwich, and whether daylight saving time applies.
pub fn offset_of(cx: &mut Cx, data: TimeData) -> R<(Value, bool)> {
    match data.zone {
        Zone::Utc => Ok((Value::fixnum(0), false)),
        Zone::Fixed(offset) => Ok((offset, false)),
        Zone::Object { offset, is_dst, .. } => Ok((Value::fixnum(offset), is_dst)),
        Zone::Determined(offset) => Ok((Value::fixnum(offset.seconds.into()), offset.is_dst)),
        Zone::Local => {
            let shift = shift_at(representable(data.at.seconds));
            let (seconds, is_dst) = shift.map_err(|errno| cx.system_error(errno, "localtime"))?;
            Ok((Value::fixnum(seconds.into()), is_dst))
        }
    }
}

/// `utc_offset → integer`: the seconds that its zone is ahead of UTC. Aliases: `gmt_offset`, `gmtoff`.
pub fn utc_offset(cx: &mut Cx, args: Args) -> R {
    let data = with_determined_zone(cx, args.me())?;
    Ok(offset_of(cx, data)?.0)
}

/// `isdst → true or false`: whether daylight saving time applies in its zone. Alias: `dst?`.
pub fn is_dst(cx: &mut Cx, args: Args) -> R {
    let data = with_determined_zone(cx, args.me())?;
    Ok(Value::bool(offset_of(cx, data)?.1))
}
