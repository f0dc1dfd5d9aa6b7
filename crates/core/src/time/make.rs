//! Creation: Time.now, Time.at, Time.new and Time.local.

use abi::Type;
use numeric::big;
use object::{bigint, cell, class, string};
use runtime::{Args, Cx, R, Value, call, convert, keys, sym};
use text::number::{IntegerText, parse_integer_strict};

use super::instant::{Instant, exact_number, to_i128};
use super::zone::{self, Offset, check_offset, invalid_offset, offset_argument, zone_argument};
use super::{TimeData, Zone, fields, get, new, of, parse, set};
use crate::numeric::ops::{self, Kind, give, kind};
use crate::rational;

/// A date and time, not validated yet.
pub struct Given {
    pub year: i128,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    /// 0 or a Rational (or more than a second, which is rejected).
    pub fraction: Value,
    pub dst: Option<bool>,
}

impl Given {
    pub fn year(year: i128) -> Given {
        let fraction = Value::fixnum(0);
        Given { year, month: 1, day: 1, hour: 0, minute: 0, second: 0, fraction, dst: None }
    }

    /// ArgumentError such as "mon out of range".
    fn check(&self, cx: &mut Cx) -> R<()> {
        let at_midnight = self.hour == 24;
        let limits = [
            ("mon", self.month, 1, 12),
            ("mday", self.day, 1, 31),
            ("hour", self.hour, 0, 24),
            ("min", self.minute, 0, if at_midnight { 0 } else { 59 }),
            ("sec", self.second, 0, if at_midnight { 0 } else { 60 }),
        ];
        for (name, n, least, most) in limits {
            if n < least || n > most {
                return Err(cx.argument_error(&format!("{name} out of range")));
            }
        }
        if ops::is_exact_zero(self.fraction) {
            return Ok(());
        }
        let rest = ops::sub(cx, self.fraction, Value::fixnum(1))?;
        if ops::is_negative(cx, self.fraction)? || !ops::is_negative(cx, rest)? {
            return Err(cx.argument_error("subsecx out of range"));
        }
        Ok(())
    }

    /// The instant as if the fields were in UTC and there were no leap seconds; the second 60 is returned as 59, and as
    /// a second to be added in the end.
    fn plain(&self, cx: &mut Cx) -> R<(Instant, i128)> {
        let second = self.second.min(59);
        let seconds = fields::seconds_of(
            self.year, self.month as u8, self.day as u8, self.hour as u8, self.minute as u8, second as u8,
        );
        Ok((Instant::whole(seconds).plus(cx, self.fraction)?, i128::from(self.second - second)))
    }

    /// The instant of the fields in UTC.
    fn in_utc(&self, cx: &mut Cx) -> R<Instant> {
        let (plain, more) = self.plain(cx)?;
        Ok(Instant { seconds: zone::with_leap_seconds(plain.seconds) + more, ..plain })
    }

    /// The Time that has these fields in the zone of an argument; nil means the local zone.
    pub fn place(mut self, cx: &mut Cx, class: Value, argument: Value) -> R<TimeData> {
        let mut zone_object = Value::NIL;
        let mut offset = None;
        let named = runtime::Sym::from_value(argument).map(|name| name.bytes(cx));
        if matches!(named, Some(b"dst" | b"std")) {
            self.dst = Some(named == Some(b"dst"));
        } else if zone::may_be_object(argument) {
            zone_object = argument;
        } else if !argument.is_nil() {
            offset = offset_argument(cx, argument)?;
            if offset.is_none() {
                zone_object = zone::find_timezone(cx, class, argument)?;
                if zone_object.is_nil() {
                    return Err(invalid_offset(cx, argument));
                }
            }
        }
        if let Some(Offset::Seconds(seconds)) = offset {
            check_offset(cx, seconds)?;
        }
        self.check(cx)?;
        if !zone_object.is_nil() {
            let local = self.in_utc(cx)?;
            if let Some(data) = zone::placed_by(cx, zone_object, local)? {
                return Ok(data);
            }
            offset = offset_argument(cx, zone_object)?;
            if offset.is_none() {
                return Err(invalid_offset(cx, argument));
            }
        }
        match offset {
            Some(Offset::Utc) => Ok(TimeData { at: self.in_utc(cx)?, zone: Zone::Utc }),
            Some(Offset::Seconds(seconds)) => {
                check_offset(cx, seconds)?;
                let back = ops::neg(cx, seconds)?;
                let (plain, more) = self.plain(cx)?;
                let at = plain.plus(cx, back)?;
                let at = Instant { seconds: zone::with_leap_seconds(at.seconds) + more, ..at };
                Ok(TimeData { at, zone: Zone::Fixed(seconds) })
            }
            None => self.local(cx),
        }
    }

    fn local(&self, cx: &mut Cx) -> R<TimeData> {
        let (local, more) = self.plain(cx)?;
        let seconds = zone::from_local(cx, local.seconds, self.dst)? + more;
        let at = Instant { seconds, ..local };
        Ok(TimeData { at, zone: zone::determine_local(cx, at)? })
    }
}

/// `Time.allocate → time`: one for `initialize`; its methods raise TypeError "uninitialized Time".
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(super::uninitialized(cx, args.me()))
}

fn current() -> Instant {
    let now = host::clock::realtime();
    Instant { seconds: now.seconds.into(), nanos: now.nanoseconds, sub: Value::fixnum(0) }
}

fn in_keyword(cx: &mut Cx, args: Args) -> Value {
    let v = keys::keyword(cx, args.keywords(), sym::IN_PLACE);
    if v.is_undef() { Value::NIL } else { v }
}

/// `Time.now(in: nil) → time`: the current time in the local zone, or in that of `in:`: an offset, "UTC" or an object
/// with `utc_to_local`.
pub fn now(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::IN_PLACE])?;
    let zone = in_keyword(cx, args);
    let at = current();
    let zone = if zone.is_nil() { Zone::Local } else { zone_argument(cx, args.me(), zone, at)? };
    Ok(new(cx, args.me(), at, zone))
}

/// The number of units per second: ArgumentError "unexpected unit: x".
fn units_per_second(cx: &mut Cx, unit: Value) -> R<i64> {
    let Some(name) = runtime::Sym::from_value(unit) else {
        let shown = convert::to_s(cx, unit)?;
        let shown = shown.to_text();
        return Err(cx.argument_error(&format!("unexpected unit: {shown}")));
    };
    match name.bytes(cx) {
        b"nanosecond" | b"nsec" => Ok(1_000_000_000),
        b"microsecond" | b"usec" => Ok(1_000_000),
        b"millisecond" => Ok(1000),
        other => {
            let shown = memory::lossy_text(other);
            Err(cx.argument_error(&format!("unexpected unit: {shown}")))
        }
    }
}

/// `Time.at(time)`, `Time.at(seconds, fraction, unit = :microsecond, in: nil) → time`: seconds since 1970-01-01 00:00
/// UTC and a fraction in the unit, exactly. ArgumentError for an unknown unit, TypeError for anything but a number.
pub fn at(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::IN_PLACE])?;
    let (class, first) = (args.me(), args.at(0));
    let mut data = match args.opt(1).filter(|v| *v != Value::FALSE) {
        Some(fraction) => {
            let units = match args.opt(2) {
                None => 1_000_000,
                Some(unit) => units_per_second(cx, unit)?,
            };
            let at = match Instant::from_fixnums(first, fraction, units) {
                Some(at) => at,
                None => {
                    let seconds = exact_number(cx, first)?;
                    let fraction = exact_number(cx, fraction)?;
                    let fraction =
                        if kind(fraction) == Kind::Integer { rational::whole(cx, fraction) } else { fraction };
                    let fraction = rational::div(cx, fraction, Value::fixnum(units))?;
                    let sum = ops::add(cx, fraction, seconds)?;
                    Instant::from_exact(cx, sum)?
                }
            };
            TimeData { at, zone: Zone::Local }
        }
        None => match get(first) {
            Some(data) => data,
            None => {
                let seconds = exact_number(cx, first)?;
                TimeData { at: Instant::from_exact(cx, seconds)?, zone: Zone::Local }
            }
        },
    };
    let zone = in_keyword(cx, args);
    if !zone.is_nil() {
        data.zone = zone_argument(cx, class, zone, data.at)?;
    }
    Ok(new(cx, class, data.at, data.zone))
}

/// An Integer of an argument: Strings are read as decimal numbers.
pub fn integer_argument(cx: &mut Cx, v: Value) -> R {
    if !cell::is(v, Type::String) {
        return convert::to_integer(cx, v);
    }
    match parse_integer_strict(object::string::Str::of(v).bytes(cx), 10) {
        Ok(IntegerText::Small(n)) => Ok(bigint::from_i64(cx, n)),
        Ok(IntegerText::Big { negative, radix, digits }) => {
            let n = ops::interruptible(cx, |interrupt| big::parse_digits(&digits, radix, negative, interrupt))?;
            give(cx, n.unwrap_or(big::Integer::Fix(0)))
        }
        Err(_) => {
            let shown = call::inspect_text(cx, v)?;
            Err(cx.argument_error(&format!("invalid value for Integer(): {shown}")))
        }
    }
}

/// ArgumentError "argument out of range" for more than this number of bits.
fn small(cx: &mut Cx, v: Value, bits: u32) -> R<i64> {
    let n = integer_argument(cx, v)?;
    let n = convert::to_i32(cx, n)?;
    if n < 0 || n >= 1 << bits {
        return Err(cx.argument_error("argument out of range"));
    }
    Ok(n.into())
}

fn month(cx: &mut Cx, v: Value) -> R<i64> {
    const NAMES: [&[u8; 3]; 12] =
        [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
    if v.is_fixnum() {
        return small(cx, v, 4);
    }
    let text = convert::try_str(cx, v)?;
    if let Some(s) = text {
        let lower = s.bytes(cx).to_ascii_lowercase();
        if let Some(at) = NAMES.iter().position(|name| name[..] == lower[..]) {
            return Ok(at as i64 + 1);
        }
    }
    small(cx, text.map_or(v, string::Str::value), 4)
}

/// Whole seconds and their fraction.
fn second(cx: &mut Cx, v: Value) -> R<(i64, Value)> {
    if cell::is(v, Type::String) {
        return Ok((small(cx, v, 6)?, Value::fixnum(0)));
    }
    if v.is_fixnum() {
        return Ok((small(cx, v, 6)?, Value::fixnum(0)));
    }
    let exact = exact_number(cx, v)?;
    let at = Instant::from_exact(cx, exact)?;
    let whole = bigint::from_i128(cx, at.seconds);
    Ok((small(cx, whole, 6)?, at.fraction(cx)?))
}

/// The given parts, nil for missing ones.
fn given(cx: &mut Cx, v: [Value; 6]) -> R<Given> {
    let year = integer_argument(cx, v[0])?;
    // The seconds since 1970 fit 128 bits.
    if bigint::operand(&year).is_some_and(|n| n.magnitude_bits() > 101) {
        return Err(cx.argument_error("year too big"));
    }
    let mut given = Given::year(to_i128(cx, year)?);
    if !v[1].is_nil() {
        given.month = month(cx, v[1])?;
    }
    if !v[2].is_nil() {
        given.day = small(cx, v[2], 5)?;
    }
    if !v[3].is_nil() {
        given.hour = small(cx, v[3], 5)?;
    }
    if !v[4].is_nil() {
        given.minute = small(cx, v[4], 6)?;
    }
    if !v[5].is_nil() {
        (given.second, given.fraction) = second(cx, v[5])?;
    }
    Ok(given)
}

fn optional(args: Args, i: usize) -> Value {
    args.opt(i).unwrap_or(Value::NIL)
}

/// `Time.new(year, …, zone = nil, in: nil)`, `Time.new(string)`, `Time.new`: from fields, from a text such as
/// "2001-02-03 04:05:06 +09:00", or the current time. ArgumentError for a field out of range and a text of another
/// form.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    let mut precision = Value::UNDEF;
    if args.keywords().is_some() {
        let name = ops::name(cx, "precision");
        keys::only_keywords(cx, args.keywords(), &[sym::IN_PLACE, name])?;
        precision = keys::keyword(cx, args.keywords(), name);
    }
    let me = args.me();
    if super::is_initialized(me) {
        return Err(cx.type_error("already initialized Time"));
    }
    let class = class::real_class(cx, me);
    let keyword = in_keyword(cx, args);
    let mut zone = optional(args, 6);
    if !zone.is_nil() && !keyword.is_nil() {
        return Err(cx.argument_error("timezone argument given as positional and keyword arguments"));
    }
    if zone.is_nil() {
        zone = keyword;
    }
    let Some(first) = args.opt(0) else {
        let at = current();
        let zone = if zone.is_nil() { Zone::Local } else { zone_argument(cx, class, zone, at)? };
        set(cx, me, TimeData { at, zone })?;
        return Ok(me);
    };
    if args.len() == 1
        && let Some(text) = convert::try_str(cx, first)?
    {
        let precision = match precision {
            Value::UNDEF => 9,
            Value::NIL => usize::MAX,
            v => usize::try_from(convert::to_i64(cx, v)?).unwrap_or(usize::MAX),
        };
        let (given, named) = parse::parse(cx, text.value(), precision)?;
        let data = given.place(cx, class, named.unwrap_or(zone))?;
        set(cx, me, data)?;
        return Ok(me);
    }
    let parts = [first, optional(args, 1), optional(args, 2), optional(args, 3), optional(args, 4), optional(args, 5)];
    let given = given(cx, parts)?;
    let data = given.place(cx, class, zone)?;
    set(cx, me, data)?;
    Ok(me)
}

/// `initialize_copy(other) → self`: copies the instant and the zone. TypeError for another object.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    if args.me() == args.at(0) {
        return Ok(args.me());
    }
    let data = of(cx, args.at(0))?;
    set(cx, args.me(), data)?;
    Ok(args.me())
}

/// The arguments of `Time.utc` and `Time.local`: in the usual order, or in that of Time#to_a if there are ten.
fn date_arguments(cx: &mut Cx, args: Args) -> R<Given> {
    let v = |i: usize| optional(args, i);
    if args.len() == 9 {
        return Err(cx.arity_error(9, 1, Some(8)));
    }
    let reversed = args.len() == 10;
    let mut parts = if reversed { [v(5), v(4), v(3), v(2), v(1), v(0)] } else { [v(0), v(1), v(2), v(3), v(4), v(5)] };
    let micro = if args.len() == 7 { v(6) } else { Value::NIL };
    if !micro.is_nil() && !parts[5].is_nil() {
        let whole = small(cx, parts[5], 6)?;
        parts[5] = Value::fixnum(whole);
    }
    let mut given = given(cx, parts)?;
    if reversed {
        given.dst = Some(v(8).truthy());
    }
    if !micro.is_nil() && micro != Value::fixnum(0) {
        let micro = if cell::is(micro, Type::String) { integer_argument(cx, micro)? } else { exact_number(cx, micro)? };
        let micro = if kind(micro) == Kind::Integer { rational::whole(cx, micro) } else { micro };
        given.fraction = rational::div(cx, micro, Value::fixnum(1_000_000))?;
    }
    // Days beyond the month's end continue in the next month.
    let last = match given.month {
        2 => fields::days_in_february(given.year).into(),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if given.day > last && given.day <= 31 {
        given.day -= last;
        given.month += 1;
    }
    given.check(cx)?;
    Ok(given)
}

/// `Time.utc(year, …) → time`: the instant with these fields in UTC; ten arguments are in the order of `Time#to_a`.
/// ArgumentError for a field out of range. Alias: `gm`.
pub fn utc(cx: &mut Cx, args: Args) -> R {
    let given = date_arguments(cx, args)?;
    let at = given.in_utc(cx)?;
    Ok(new(cx, args.me(), at, Zone::Utc))
}

/// `Time.local(year, …) → time`: the instant with these fields in the local zone; ten arguments are in the order of
/// `Time#to_a`. ArgumentError for a field out of range. Alias: `mktime`.
pub fn local(cx: &mut Cx, args: Args) -> R {
    let given = date_arguments(cx, args)?;
    let data = given.local(cx)?;
    Ok(new(cx, args.me(), data.at, data.zone))
}
