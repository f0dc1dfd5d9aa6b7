//! Fast paths for Dates whose fields are fixnums; the Ruby half handles numbers of any size and kind.

use std::sync::atomic::AtomicU32;

use abi::{Type, Value};
use object::{Sym, class, shape::ivars};
use runtime::{Args, Cx, Method, R, convert, make, sym};
use text::{
    encoding::EncodingId,
    time::{TimeParts, date_of_julian_day, julian_day, nanosecond_digits},
};

pub const METHODS: &[Method] = &[
    Method::new("initialize(year = -4712, month = 1, mday = 1, start = ITALY)", initialize).private().shortcut(),
    // `year`, `mon`, `mday`, `wday`, `yday`, `jd`, `cweek`, `cwyear`, `cwday`: the fast path for small fields; others
    // are left to the Ruby half.
    Method::new("year", |cx, args| civil(cx, args, |(year, _, _)| year)).shortcut(),
    Method::new("mon", |cx, args| civil(cx, args, |(_, month, _)| month.into())).shortcut(),
    Method::new("mday", |cx, args| civil(cx, args, |(_, _, day)| day.into())).shortcut(),
    Method::new("wday", |cx, args| day(cx, args, |day, _| (day + 1).rem_euclid(7))).shortcut(),
    Method::new("yday", |cx, args| day(cx, args, year_day)).shortcut(),
    Method::new("jd", |cx, args| day(cx, args, |day, _| day)).shortcut(),
    Method::new("cweek", |cx, args| week(cx, args, |(week, _)| week)).shortcut(),
    Method::new("cwyear", |cx, args| week(cx, args, |(_, year)| year)).shortcut(),
    Method::new("cwday", |cx, args| day(cx, args, |day, _| day.rem_euclid(7) + 1)).shortcut(),
    // `sunday?` … `saturday?`: whether it is this day of the week; large days are left to the Ruby half.
    Method::new("sunday?", |cx, args| is_weekday(cx, args, 0)).shortcut(),
    Method::new("monday?", |cx, args| is_weekday(cx, args, 1)).shortcut(),
    Method::new("tuesday?", |cx, args| is_weekday(cx, args, 2)).shortcut(),
    Method::new("wednesday?", |cx, args| is_weekday(cx, args, 3)).shortcut(),
    Method::new("thursday?", |cx, args| is_weekday(cx, args, 4)).shortcut(),
    Method::new("friday?", |cx, args| is_weekday(cx, args, 5)).shortcut(),
    Method::new("saturday?", |cx, args| is_weekday(cx, args, 6)).shortcut(),
    Method::new("leap?", is_leap).shortcut(),
    Method::new("===(other)", is_same_day).shortcut(),
    Method::new("to_s", day_text).shortcut(),
    Method::new("iso8601", day_text).shortcut(),
    Method::new("strftime(format = nil)", strftime).borrows(0).shortcut(),
    Method::new("+(days)", plus).shortcut(),
    Method::new("-(days)", minus).shortcut(),
    Method::new("<=>(other)", compare).shortcut(),
    Method::new(">>(months)", later_month).shortcut(),
];

pub const DATE_TIME: &[Method] = &[Method::new(
    "initialize(year = -4712, month = 1, mday = 1, hour = 0, minute = 0, second = 0, offset = 0, start = ITALY)",
    initialize_time,
)
.private()
.shortcut()];

pub const SINGLETON: &[Method] = &[Method::new("valid_civil?(year, month, mday, start = ITALY)", is_valid).shortcut()];

/// The fast paths of Date::Calendar.
pub const CALENDAR: &[Method] = &[
    Method::new("civil_to_jd(year, month, day, start)", civil_to_jd).shortcut(),
    Method::new("jd_to_civil(jd, start)", jd_to_civil).shortcut(),
    Method::new("valid_civil(year, month, day, start)", valid_civil).shortcut(),
    Method::new("start_of(start)", start_of).shortcut(),
];

pub const FIELDS: [Sym; 5] = [sym::DATE_DAY, sym::DATE_SECOND, sym::DATE_NANOSECOND, sym::DATE_OFFSET, sym::DATE_START];
const DAY: i64 = 86_400;
/// Years and days below this limit are computed in machine words; others are left to the Ruby half.
const LIMIT: i64 = 1 << 40;
const ITALY: f64 = 2_299_161.0;

/// A Date whose parts are fixnums.
struct Small {
    day: i64,
    second: i64,
    nanosecond: i64,
    offset: i64,
    start: f64,
    start_value: Value,
}

impl Small {
    fn of(cx: &mut Cx, v: Value) -> Option<Small> {
        let [day, second, nanosecond, offset, start_value] = fields(cx, v);
        Some(Small {
            day: small(day)?,
            second: small(second)?,
            nanosecond: small(nanosecond)?,
            offset: small(offset)?,
            start: number(start_value)?,
            start_value,
        })
    }

    fn local_day(&self) -> i64 {
        self.day + (self.second + self.offset).div_euclid(DAY)
    }

    fn local_second(&self) -> i64 {
        (self.second + self.offset).rem_euclid(DAY)
    }

    /// The local day number and the start of a Date, which determine all its calendar fields.
    fn day_of(cx: &mut Cx, v: Value) -> Option<(i64, f64)> {
        let [day, second, _, offset, start] = fields(cx, v);
        let (day, offset, start) = (small(day)?, small(offset)?, number(start)?);
        let beyond = if offset == 0 { 0 } else { (small(second)? + offset).div_euclid(DAY) };
        Some((day + beyond, start))
    }

    fn civil(&self) -> (i64, u8, u8) {
        date_of_julian_day(self.local_day(), self.start)
    }

    /// An object of the class of `like` with the same time on another day.
    fn on(&self, cx: &mut Cx, like: Value, day: i64) -> Value {
        let root = class::root_shape(class::real_class(cx, like));
        let made = ivars::new_object(cx, Type::Object, root);
        let number = Value::fixnum;
        let values = [number(day), number(self.second), number(self.nanosecond), number(self.offset), self.start_value];
        fill(cx, made, values);
        made
    }
}

/// The most recently seen shape of Dates.
static SHAPE: AtomicU32 = AtomicU32::new(u32::MAX);

/// The fields of a Date; undef where one is not set.
fn fields(cx: &mut Cx, v: Value) -> [Value; 5] {
    match ivars::leading(cx, v, &FIELDS, &SHAPE) {
        Some(fields) => fields,
        None => FIELDS.map(|name| ivars::get(cx, v, name)),
    }
}

/// The number of the day within its year. -1 if the year has no January 1st because the calendar changed then: the Ruby
/// half computes it.
fn year_day(day: i64, start: f64) -> i64 {
    year_day_of(day, date_of_julian_day(day, start), start)
}

/// Like [`year_day`], of a day whose year, month and day of the month are known.
fn year_day_of(day: i64, (year, month, month_day): (i64, u8, u8), start: f64) -> i64 {
    // In a year that lies in the Gregorian calendar the months tell.
    if (day - 366) as f64 > start {
        const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
        let leap_day = i64::from(month > 2 && text::time::is_leap_year(year));
        return BEFORE[usize::from(month) - 1] + i64::from(month_day) + leap_day;
    }
    let first = julian_day(year, 1, 1, start);
    if date_of_julian_day(first, start) == (year, 1, 1) { day - first + 1 } else { -1 }
}

fn fill(cx: &mut Cx, date: Value, values: [Value; 5]) {
    static FILLED: ivars::Filled = ivars::Filled::new();
    ivars::fill(cx, date, &FIELDS, values, &FILLED);
}

fn small(v: Value) -> Option<i64> {
    v.as_fixnum().filter(|n| n.abs() < LIMIT)
}

/// The start of the Gregorian calendar as a Float.
fn number(v: Value) -> Option<f64> {
    v.as_fixnum().map(|n| n as f64).or_else(|| object::float::get(v))
}

/// The Julian day number of a date: the inner `None` if there is no such day, the outer one if month or day are
/// negative.
fn found(year: i64, month: i64, day: i64, start: f64) -> Option<Option<i64>> {
    if month < 0 || day < 0 {
        return None;
    }
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return Some(None);
    }
    let number = julian_day(year, month, day, start);
    Some((date_of_julian_day(number, start) == (year, month as u8, day as u8)).then_some(number))
}

/// Year, month, day and start of `args` from `0` on.
fn given(args: Args) -> Option<(i64, i64, i64, f64)> {
    let part = |i: usize, otherwise: i64| args.opt(i).map_or(Some(otherwise), small);
    let start = args.opt(3).map_or(Some(ITALY), number).filter(|start| *start == ITALY || start.is_infinite())?;
    Some((part(0, -4712)?, part(1, 1)?, part(2, 1)?, start))
}

/// `initialize(year = -4712, month = 1, mday = 1, start = ITALY) → self`: the frequent case of `Date#initialize`: small
/// fields that are a date. Anything else, errors too, is left to the Ruby half.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let Some((year, month, day, start)) = given(args) else { return Ok(Value::UNDEF) };
    let Some(Some(number)) = found(year, month, day, start) else { return Ok(Value::UNDEF) };
    cx.check_frozen(me)?;
    let start = args.opt(3).unwrap_or_else(|| object::float::new(cx, ITALY));
    let none = Value::fixnum(0);
    fill(cx, me, [Value::fixnum(number), none, none, none, start]);
    Ok(me)
}

/// `DateTime#initialize(year, month, mday, hour, minute, second, offset, start)`: the frequent case: whole numbers, of
/// which trailing ones may be missing, in UTC. Anything else is left to the Ruby half.
fn initialize_time(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let part = |i: usize, otherwise: i64| args.opt(i).map_or(Some(otherwise), small);
    let clock = |i: usize, most: i64| part(i, 0).filter(|n| (0..=most).contains(n));
    let start = args.opt(7).map_or(Some(ITALY), number).filter(|start| *start == ITALY || start.is_infinite());
    let (Some(year), Some(month), Some(day), Some(start)) = (part(0, -4712), part(1, 1), part(2, 1), start) else {
        return Ok(Value::UNDEF);
    };
    let (Some(hour), Some(minute), Some(second)) = (clock(3, 23), clock(4, 59), clock(5, 59)) else {
        return Ok(Value::UNDEF);
    };
    let Some(Some(number)) = found(year, month, day, start).filter(|_| part(6, 0) == Some(0)) else {
        return Ok(Value::UNDEF);
    };
    cx.check_frozen(me)?;
    let start = args.opt(7).unwrap_or_else(|| object::float::new(cx, ITALY));
    let (none, second) = (Value::fixnum(0), Value::fixnum(hour * 3600 + minute * 60 + second));
    fill(cx, me, [Value::fixnum(number), second, none, none, start]);
    Ok(me)
}

/// `Date.valid_civil?(year, month, mday, start = ITALY) → true or false`: the frequent case: small fields that do not
/// count from the end. Anything else is left to the Ruby half.
fn is_valid(_: &mut Cx, args: Args) -> R {
    let Some((year, month, day, start)) = given(args) else { return Ok(Value::UNDEF) };
    Ok(found(year, month, day, start).map_or(Value::UNDEF, |found| Value::bool(found.is_some())))
}

fn civil(cx: &mut Cx, args: Args, part: impl Fn((i64, u8, u8)) -> i64) -> R {
    let day = Small::day_of(cx, args.me());
    Ok(day.map_or(Value::UNDEF, |(day, start)| Value::fixnum(part(date_of_julian_day(day, start)))))
}

fn day(cx: &mut Cx, args: Args, part: impl Fn(i64, f64) -> i64) -> R {
    let n = Small::day_of(cx, args.me()).map(|(day, start)| part(day, start));
    Ok(n.filter(|n| *n >= 0).map_or(Value::UNDEF, Value::fixnum))
}

/// The week of ISO 8601 and its year, by the Thursday of the week; years whose January 1st the change of calendars left
/// out are left to the Ruby half.
fn week(cx: &mut Cx, args: Args, part: impl Fn((i64, i64)) -> i64) -> R {
    let Some((day, start)) = Small::day_of(cx, args.me()) else { return Ok(Value::UNDEF) };
    let thursday = day - day.rem_euclid(7) + 3;
    let (year, _, _) = date_of_julian_day(thursday, start);
    let first = julian_day(year, 1, 1, start);
    if (first.min(day) as f64) >= start {
        return Ok(Value::fixnum(part(((thursday - first) / 7 + 1, year))));
    }
    Ok(early_week(day, start).map_or(Value::UNDEF, |found| Value::fixnum(part(found))))
}

/// `week` for days around the change of calendars and before it.
fn early_week(day: i64, start: f64) -> Option<(i64, i64)> {
    // The Monday of the week with January 4th, the first one of the year.
    let monday = |year| {
        let first = julian_day(year, 1, 1, start);
        let fourth = first + 3;
        (date_of_julian_day(first, start) == (year, 1, 1)).then(|| fourth - fourth.rem_euclid(7))
    };
    let mut year = date_of_julian_day(day - 3, start).0;
    if day >= monday(year + 1)? {
        year += 1;
    }
    Some((1 + (day - monday(year)?).div_euclid(7), year))
}

/// `to_s`, `iso8601 → string`: `2001-02-03`, for years of four digits; others are left to the Ruby half.
fn day_text(cx: &mut Cx, args: Args) -> R {
    let Some(date) = Small::of(cx, args.me()) else { return Ok(Value::UNDEF) };
    // DateTime's Ruby half does more.
    let (year, month, day) = date.civil();
    if !(0..=9999).contains(&year) {
        return Ok(Value::UNDEF);
    }
    let two = |n: u8| [b'0' + n / 10, b'0' + n % 10];
    let century = two((year / 100) as u8);
    let (year, month, day) = (two((year % 100) as u8), two(month), two(day));
    let text = [century[0], century[1], year[0], year[1], b'-', month[0], month[1], b'-', day[0], day[1]];
    Ok(make::string(cx, &text, EncodingId::US_ASCII))
}

/// `strftime(format = nil) → string`: the frequent case: a date of small fields and a format. Ruby:
/// doc/language/strftime_formatting.rdoc.
fn strftime(cx: &mut Cx, args: Args) -> R {
    let (Some(format), Some(date)) = (args.opt(0), Small::of(cx, args.me())) else { return Ok(Value::UNDEF) };
    let civil = date.civil();
    let year_day = year_day_of(date.local_day(), civil, date.start);
    if year_day < 0 {
        return Ok(Value::UNDEF);
    }
    let format = convert::to_str(cx, format)?;
    let (year, month, day) = civil;
    let second = date.local_second();
    let minutes = date.offset.abs() / 60;
    let sign = if date.offset < 0 { '-' } else { '+' };
    let has_zone = format.bytes(cx).iter().any(|byte| matches!(byte, b'Z' | b'+'));
    let zone = if has_zone { format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60) } else { String::new() };
    let parts = TimeParts {
        year: year.into(),
        month,
        day,
        hour: (second / 3600) as u8,
        minute: (second / 60 % 60) as u8,
        second: (second % 60) as u8,
        weekday: (date.local_day() + 1).rem_euclid(7) as u8,
        year_day: year_day as u16,
        utc: false,
        utc_offset: date.offset,
        zone: Some(zone.as_bytes()),
        epoch: i128::from((date.day - 2_440_588) * DAY + date.second),
        fraction: &|count| nanosecond_digits(date.nanosecond as u32, count),
    };
    super::format_parts(cx, format.value(), &parts)
}

/// `self + days → date`: the frequent case: the date `days` whole days later; the time of day does not change.
fn plus(cx: &mut Cx, args: Args) -> R {
    let (Some(days), Some(date)) = (small(args.at(0)), Small::of(cx, args.me())) else { return Ok(Value::UNDEF) };
    Ok(date.on(cx, args.me(), date.day + days))
}

/// `self - days → date`: the frequent case: the date `days` whole days earlier; the time of day does not change.
fn minus(cx: &mut Cx, args: Args) -> R {
    let (Some(days), Some(date)) = (small(args.at(0)), Small::of(cx, args.me())) else { return Ok(Value::UNDEF) };
    Ok(date.on(cx, args.me(), date.day - days))
}

fn is_weekday(cx: &mut Cx, args: Args, weekday: i64) -> R {
    let day = Small::day_of(cx, args.me());
    Ok(day.map_or(Value::UNDEF, |(day, _)| Value::bool((day + 1).rem_euclid(7) == weekday)))
}

/// `leap? → true or false`: the frequent case: whether the year of a Gregorian day has a 29th of February.
fn is_leap(cx: &mut Cx, args: Args) -> R {
    let Some((day, start)) = Small::day_of(cx, args.me()) else { return Ok(Value::UNDEF) };
    let (year, _, _) = date_of_julian_day(day, start);
    let is_fourth = year % 4 == 0;
    if day as f64 >= start {
        return Ok(Value::bool(is_fourth && (year % 100 != 0 || year % 400 == 0)));
    }
    // The calendar may change within the year.
    let is_julian = (julian_day(year, 3, 1, start) as f64) < start;
    Ok(if is_julian { Value::bool(is_fourth) } else { Value::UNDEF })
}

/// `self === other → true or false`: the frequent case: whether another Date is the same day.
fn is_same_day(cx: &mut Cx, args: Args) -> R {
    let dates = cx.root(runtime::Root::Date);
    if !class::is_a(cx, args.at(0), dates) {
        return Ok(Value::UNDEF);
    }
    let (mine, other) = (Small::day_of(cx, args.me()), Small::day_of(cx, args.at(0)));
    Ok(mine.zip(other).map_or(Value::UNDEF, |((a, _), (b, _))| Value::bool(a == b)))
}

/// `self <=> other → integer`: the frequent case: another Date, both of small fields; day, second and nanosecond in UTC
/// are compared.
fn compare(cx: &mut Cx, args: Args) -> R {
    let dates = cx.root(runtime::Root::Date);
    if !class::is_a(cx, args.at(0), dates) {
        return Ok(Value::UNDEF);
    }
    let (mine, others) = (fields(cx, args.me()), fields(cx, args.at(0)));
    for i in 0..3 {
        let (Some(a), Some(b)) = (small(mine[i]), small(others[i])) else { return Ok(Value::UNDEF) };
        if a != b {
            return Ok(Value::fixnum(a.cmp(&b) as i64));
        }
    }
    Ok(Value::fixnum(0))
}

/// `self >> months → date`: the frequent case: the same day `months` months later, or the last day of that month.
fn later_month(cx: &mut Cx, args: Args) -> R {
    let (Some(months), Some(date)) = (small(args.at(0)), Small::of(cx, args.me())) else { return Ok(Value::UNDEF) };
    let (year, month, day) = date.civil();
    let all = year * 12 + i64::from(month) - 1 + months;
    let (year, month) = (all.div_euclid(12), all.rem_euclid(12) + 1);
    let number = (1..=day).rev().find_map(|day| found(year, month, day.into(), date.start).flatten());
    let Some(number) = number else { return Ok(Value::UNDEF) };
    Ok(date.on(cx, args.me(), date.day + number - date.local_day()))
}

/// `civil_to_jd(year, month, day, start) → integer`: the frequent case: the Julian day number of a date; days before
/// `start` are in the Julian calendar.
fn civil_to_jd(_: &mut Cx, args: Args) -> R {
    let part = |i| small(args.at(i));
    Ok(match (part(0), part(1), part(2), number(args.at(3))) {
        (Some(year), Some(month), Some(day), Some(start)) => Value::fixnum(julian_day(year, month, day, start)),
        _ => Value::UNDEF,
    })
}

/// `jd_to_civil(jd, start) → array`: the frequent case: year, month and day of a Julian day number; days before `start`
/// are in the Julian calendar.
fn jd_to_civil(cx: &mut Cx, args: Args) -> R {
    let (Some(day), Some(start)) = (small(args.at(0)), number(args.at(1))) else { return Ok(Value::UNDEF) };
    let (year, month, day) = date_of_julian_day(day, start);
    Ok(make::array(cx, &[Value::fixnum(year), Value::fixnum(month.into()), Value::fixnum(day.into())]))
}

/// `valid_civil(year, month, day, start) → integer or nil`: the frequent case: the Julian day number of a date, nil if
/// it is invalid; months and days that count from the end are left to the Ruby half.
fn valid_civil(_: &mut Cx, args: Args) -> R {
    let part = |i| small(args.at(i));
    Ok(match (part(0), part(1), part(2), number(args.at(3))) {
        (Some(year), Some(month), Some(day), Some(start)) => match found(year, month, day, start) {
            Some(found) => found.map_or(Value::NIL, Value::fixnum),
            None => Value::UNDEF,
        },
        _ => Value::UNDEF,
    })
}

/// `start_of(start) → number`: returns the usual starts unchanged; the Ruby half validates others.
fn start_of(_: &mut Cx, args: Args) -> R {
    let usual = object::float::get(args.at(0)).is_some_and(|start| start == ITALY || start.is_infinite());
    Ok(if usual { args.at(0) } else { Value::UNDEF })
}
