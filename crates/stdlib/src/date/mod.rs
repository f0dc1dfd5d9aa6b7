//! Date and DateTime: in Ruby, with `strftime` and the fast paths in Rust.
//!
//! `small`, `reading`, `notation`: shortcuts of the Ruby halves for common dates, formats and notations.
//!
//! Ruby halves: `calendar` (the calendars), `date`, `arithmetic`, `format`, `datetime`, `parse` (any format), `formats`
//! (specific formats), `strptime`, `zones`.

mod notation;
mod reading;
mod small;

use host::Errno;
use memory::Grow;
use object::{Known, string::Str};
use runtime::{Args, Cx, Method, R, Value, convert, define, internal, library, make, ruby_half};
use text::time::{self as calendar, Dialect, TimeFormatError, TimeParts};

const SINGLETON: &[Method] = &[Method::new(
    "__strftime(format, year, month, day, hour, minute, second, weekday, year_day, offset, zone, epoch, nanoseconds)",
    strftime,
)
.private()];

/// `date_core`
pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, object, "Date", object)?;
    cx.set_root(runtime::Root::Date, class);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::define_singleton_methods(cx, class, small::SINGLETON);
    define::define_singleton_methods(cx, class, reading::SINGLETON);
    define::define_singleton_methods(cx, class, notation::SINGLETON);
    define::define_methods(cx, class, small::METHODS);
    let date_time = library::class(cx, object, "DateTime", class)?;
    define::define_methods(cx, date_time, small::DATE_TIME);
    let calendar = library::module(cx, class, "Calendar")?;
    define::define_singleton_methods(cx, calendar, small::CALENDAR);
    for half in [
        &ruby_half!("date/calendar")[..],
        ruby_half!("date/date"),
        ruby_half!("date/arithmetic"),
        ruby_half!("date/format"),
        ruby_half!("date/datetime"),
        ruby_half!("date/zones"),
        ruby_half!("date/parse"),
        ruby_half!("date/formats"),
        ruby_half!("date/strptime"),
    ] {
        internal::load(cx, half)?;
    }
    object::class::make::set_field_count(cx, class, small::FIELDS.len() as u16);
    Ok(())
}

/// A year within the range that the formatter supports.
fn wide(cx: &mut Cx, v: Value) -> R<i128> {
    if let Some(n) = v.as_fixnum() {
        return Ok(n.into());
    }
    let text = convert::to_s(cx, v)?;
    match memory::lossy_text(text.bytes(cx)).parse() {
        Ok(n) => Ok(n),
        Err(_) => Err(cx.system_error(Errno::OUT_OF_RANGE, "year")),
    }
}

/// `__strftime(format, year, …) → string`: `Date#strftime` and `DateTime#strftime` with the fields that the Ruby half
/// has computed. Ruby: doc/language/strftime_formatting.rdoc.
fn strftime(cx: &mut Cx, args: Args) -> R {
    let format = args.str(cx, 0)?;
    let pattern = format.held(cx);
    let number = |cx: &mut Cx, i: usize| convert::to_i64(cx, args.at(i));
    let nanoseconds = args.at(12);
    let nanos = if nanoseconds.is_fixnum() { nanoseconds } else { convert::to_integer(cx, nanoseconds)? };
    let digits = fraction_digits(cx, nanoseconds, &pattern)?;
    let zone = Str::of(args.at(10)).to_vector();
    let nanos = convert::to_i64(cx, nanos)? as u32;
    let parts = TimeParts {
        year: wide(cx, args.at(1))?,
        month: number(cx, 2)? as u8,
        day: number(cx, 3)? as u8,
        hour: number(cx, 4)? as u8,
        minute: number(cx, 5)? as u8,
        second: number(cx, 6)? as u8,
        weekday: number(cx, 7)? as u8,
        year_day: number(cx, 8)? as u16,
        utc: false,
        utc_offset: number(cx, 9)?,
        zone: Some(&zone),
        epoch: wide(cx, args.at(11))?,
        fraction: &|count| match &digits {
            Some(digits) => {
                let mut digits = digits.clone();
                digits.set_length(count, b'0');
                digits
            }
            None => calendar::nanosecond_digits(nanos, count),
        },
    };
    format_parts(cx, format.value(), &parts)
}

/// The parts of a date and time as text.
fn format_parts(cx: &mut Cx, format: Value, parts: &TimeParts) -> R {
    let format = Str::of(format);
    let mut out = memory::with_capacity(format.len() * 2 + 16);
    match calendar::strftime_in(Dialect::Date, format.bytes(cx), parts, &mut out) {
        Ok(()) => {}
        Err(TimeFormatError::TooLong) => {
            let shown = format.to_text();
            return Err(cx.system_error(Errno::OUT_OF_RANGE, &shown));
        }
        // An incomplete directive at the end of the format is literal text.
        Err(TimeFormatError::Unfinished) => {
            let at = format.bytes(cx).iter().rposition(|b| *b == b'%').unwrap_or(0);
            out.append_slice(&format.bytes(cx)[at..]);
        }
    }
    Ok(make::string(cx, &out, format.encoding()))
}

/// The digits of a fraction finer than nanoseconds, as many as the format's directives can need.
fn fraction_digits(cx: &mut Cx, nanoseconds: Value, format: &[u8]) -> R<Option<Vec<u8>>> {
    if nanoseconds.is_fixnum() {
        return Ok(None);
    }
    let count = format
        .split(|b| !b.is_ascii_digit())
        .filter_map(|digits| std::str::from_utf8(digits).ok()?.parse::<usize>().ok())
        .fold(9, usize::max)
        .min(1 << 16);
    let name = |cx: &mut Cx, text: &str| object::symbol::table::intern_text(cx, text);
    let (times, power, floor) = (name(cx, "*"), name(cx, "**"), name(cx, "floor"));
    let scale = runtime::call::send(cx, Value::fixnum(10), power, &[Value::fixnum(count as i64 - 9)])?;
    let scaled = runtime::call::send(cx, nanoseconds, times, &[scale])?;
    let whole = runtime::call::send(cx, scaled, floor, &[])?;
    let text = convert::to_s(cx, whole)?;
    let mut digits = memory::filled(b'0', count.saturating_sub(text.len()));
    digits.append_slice(text.bytes(cx));
    Ok(Some(digits))
}
