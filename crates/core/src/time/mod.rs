//! Time: instants with exact fractions of a second, in a time zone.
//!
//! Children: `instant` (exact seconds), `zone` (offsets, zone objects, local time), `fields` (date and time of day),
//! `make` (now, at, new, local), `parse` (Time.new of a String), `arithmetic`, `text`, `marshal`.

mod arithmetic;
mod fields;
mod instant;
mod make;
mod marshal;
mod parse;
mod text;
mod zone;

pub use instant::Instant;
pub use zone::Zone;

use heap::Trace;
use object::{
    class,
    native::{self, NativeData},
};
use runtime::{Cx, Known, Method, R, Value, define, make as objects};

const METHODS: &[Method] = &[
    Method::new(
        "initialize(year = nil, month = nil, day = nil, hour = nil, minute = nil, second = nil, \
         zone = nil, in: nil, precision: 9)",
        make::initialize,
    )
    .private(),
    Method::new("initialize_copy(other)", make::initialize_copy).private(),
    Method::new("to_i", arithmetic::to_i).frameless(0),
    Method::new("to_f", arithmetic::to_f),
    Method::new("to_r", arithmetic::to_r),
    Method::new("usec", arithmetic::usec).frameless(0),
    Method::new("nsec", arithmetic::nsec).frameless(0),
    Method::new("subsec", arithmetic::subsec),
    Method::new("<=>(other)", arithmetic::compare).borrows(0),
    Method::new("eql?(other)", arithmetic::eql).borrows(0),
    Method::new("hash", arithmetic::hash),
    Method::new("+(seconds)", arithmetic::plus),
    Method::new("-(other)", arithmetic::minus),
    Method::new("round(digits = 0)", arithmetic::round),
    Method::new("floor(digits = 0)", arithmetic::floor),
    Method::new("ceil(digits = 0)", arithmetic::ceil),
    Method::new("localtime(zone = nil)", zone::localtime),
    Method::new("getlocal(zone = nil)", zone::getlocal),
    Method::new("gmtime", zone::gmtime),
    Method::new("getgm", zone::getgm),
    Method::new("utc?", zone::is_utc).frameless(0),
    Method::new("zone", zone::zone_name),
    Method::new("utc_offset", zone::utc_offset),
    Method::new("isdst", zone::is_dst),
    Method::new("sec", fields::second).quick(fields::second::quick),
    Method::new("min", fields::minute).quick(fields::minute::quick),
    Method::new("hour", fields::hour).quick(fields::hour::quick),
    Method::new("mday", fields::day).quick(fields::day::quick),
    Method::new("mon", fields::month).quick(fields::month::quick),
    Method::new("year", fields::year).quick(fields::year::quick),
    Method::new("wday", fields::weekday).quick(fields::weekday::quick),
    Method::new("yday", fields::year_day).quick(fields::year_day::quick),
    // `sunday?` … `saturday?`: whether it is this day of the week in the zone of the time.
    Method::new("sunday?", |cx, args| fields::is_weekday(cx, args, 0)),
    Method::new("monday?", |cx, args| fields::is_weekday(cx, args, 1)),
    Method::new("tuesday?", |cx, args| fields::is_weekday(cx, args, 2)),
    Method::new("wednesday?", |cx, args| fields::is_weekday(cx, args, 3)),
    Method::new("thursday?", |cx, args| fields::is_weekday(cx, args, 4)),
    Method::new("friday?", |cx, args| fields::is_weekday(cx, args, 5)),
    Method::new("saturday?", |cx, args| fields::is_weekday(cx, args, 6)),
    Method::new("to_a", fields::to_a),
    Method::new("deconstruct_keys(keys)", fields::deconstruct_keys),
    Method::new("to_s", text::to_s),
    Method::new("inspect", text::inspect),
    Method::new("ctime", text::ctime),
    Method::new("strftime(format)", text::strftime).borrows(0),
    Method::new("xmlschema(digits = 0)", text::xmlschema),
    Method::new("_dump(level = nil)", marshal::dump).private(),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", make::allocate),
    Method::new("now(in: nil)", make::now),
    Method::new("at(time, fraction = nil, unit = nil, in: nil)", make::at),
    Method::new(
        "utc(year, month = nil, day = nil, hour = nil, minute = nil, second = nil, \
         usec = nil, weekday = nil, dst = nil, zone = nil)",
        make::utc,
    ),
    Method::new(
        "local(year, month = nil, day = nil, hour = nil, minute = nil, second = nil, \
         usec = nil, weekday = nil, dst = nil, zone = nil)",
        make::local,
    ),
    Method::new("_load(dump)", marshal::load).private(),
];

/// The data of a Time.
#[derive(Clone, Copy)]
pub struct TimeData {
    pub at: Instant,
    pub zone: Zone,
}

/// The layout of `TimeData` in a cell, whose words have 64 bits.
#[derive(Clone, Copy, Trace)]
struct Stored {
    #[trace(skip)]
    seconds: [u64; 2],
    sub: Value,
    zone: Zone,
    nanos: u32,
}

/// The nanoseconds of what `allocate` made, until it is initialized.
const UNINITIALIZED: u32 = u32::MAX;

impl From<TimeData> for Stored {
    fn from(TimeData { at: Instant { seconds, nanos, sub }, zone }: TimeData) -> Stored {
        Stored { seconds: [seconds as u64, (seconds >> 64) as u64], sub, zone, nanos }
    }
}

impl From<&Stored> for TimeData {
    fn from(&Stored { seconds: [low, high], sub, zone, nanos }: &Stored) -> TimeData {
        let seconds = (i128::from(high as i64) << 64) | i128::from(low);
        TimeData { at: Instant { seconds, nanos, sub }, zone }
    }
}

impl NativeData for Stored {
    object::one_vtable!(Stored);

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::WhenFrozen
    }
}

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Time);
    let comparable = define::class_or_module_named(cx, "Comparable");
    if class::ancestors::include(cx, class, comparable).is_err() {
        panic!("Time cannot include Comparable");
    }
    define::define_methods(cx, class, METHODS);
    define::synonyms(
        cx,
        class,
        &[
            ("tv_sec", "to_i"),
            ("tv_usec", "usec"),
            ("tv_nsec", "nsec"),
            ("utc", "gmtime"),
            ("getutc", "getgm"),
            ("gmt?", "utc?"),
            ("gmtoff", "utc_offset"),
            ("gmt_offset", "utc_offset"),
            ("dst?", "isdst"),
            ("day", "mday"),
            ("month", "mon"),
            ("asctime", "ctime"),
        ],
    );
    define::aliases(cx, class, &[("iso8601", "xmlschema")]);
    define::define_singleton_methods(cx, class, SINGLETON);
    let singleton = class::singleton_class(cx, class);
    define::aliases(cx, singleton, &[("gm", "utc"), ("mktime", "local")]);
}

/// Whether `initialize` has run.
pub fn is_initialized(v: Value) -> bool {
    native::get::<Stored>(&v).is_some_and(|stored| stored.nanos != UNINITIALIZED)
}

/// A Time for `initialize`.
pub fn uninitialized(cx: &mut Cx, class: Value) -> Value {
    let at = Instant { nanos: UNINITIALIZED, ..Instant::whole(0) };
    native::embed(cx, class, Stored::from(TimeData { at, zone: Zone::Local }))
}

/// The data of a Time, if it is one.
pub fn get(v: Value) -> Option<TimeData> {
    native::get::<Stored>(&v).filter(|stored| stored.nanos != UNINITIALIZED).map(TimeData::from)
}

/// The local time of the time's zone in seconds since 1970, as if in UTC, if this takes no call: the zone is known, and
/// does not count leap seconds.
#[inline]
fn plain_seconds(v: Value) -> Option<i64> {
    let Stored { seconds: [low, high], zone, nanos, .. } = native::get::<Stored>(&v)?;
    let offset = match zone {
        Zone::Utc => 0,
        Zone::Determined(offset) => offset.seconds().into(),
        Zone::Fixed(offset) => offset.as_fixnum()?,
        _ => return None,
    };
    let seconds = *low as i64;
    let is_short = *high as i64 == seconds >> 63;
    if !is_short || *nanos == UNINITIALIZED || host::zone::may_count_leap_seconds() {
        return None;
    }
    seconds.checked_add(offset)
}

/// The data of the receiver.
pub fn of(cx: &mut Cx, v: Value) -> R<TimeData> {
    match get(v) {
        Some(data) => Ok(data),
        None => Err(cx.type_error("uninitialized Time")),
    }
}

/// The data of the receiver, whose local zone is fixed from now on, even if `TZ` changes later.
pub fn with_determined_zone(cx: &mut Cx, v: Value) -> R<TimeData> {
    let mut data = of(cx, v)?;
    if matches!(data.zone, Zone::Local) {
        data.zone = zone::determine_local(cx, data.at)?;
        store_zone(cx, v, data.zone);
    }
    Ok(data)
}

/// A Time of the class `class`.
pub fn new(cx: &mut Cx, class: Value, at: Instant, zone: Zone) -> Value {
    native::embed(cx, class, Stored::from(TimeData { at, zone }))
}

/// A Time for files and processes: an instant in local time.
pub fn local_time(cx: &mut Cx, seconds: i64, nanoseconds: u32) -> Value {
    let class = cx.class(Known::Time);
    new(cx, class, Instant { seconds: seconds.into(), nanos: nanoseconds, sub: Value::fixnum(0) }, Zone::Local)
}

/// Replaces the data of a Time; FrozenError for a frozen one.
pub fn set(cx: &mut Cx, v: Value, data: TimeData) -> R<()> {
    cx.check_frozen(v)?;
    match native::get_mut::<Stored>(cx, v) {
        Some(slot) => {
            *slot = data.into();
            Ok(())
        }
        None => Err(cx.type_error("uninitialized Time")),
    }
}

/// Stores the zone of a local time.
fn store_zone(cx: &mut Cx, v: Value, zone: Zone) {
    if let Some(slot) = native::get_mut::<Stored>(cx, v) {
        slot.zone = zone;
    }
}

/// An Array of these values.
fn list(cx: &mut Cx, values: &[Value]) -> Value {
    objects::array(cx, values)
}
