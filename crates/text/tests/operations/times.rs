//! Time#strftime: seconds from the epoch, nanoseconds, offset, zone (or `utc`), format.

use text::time::{self, Civil, TimeFormatError, TimeParts};

use super::int;

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    if operation != "strftime" {
        return None;
    }
    let (seconds, nanoseconds) = (int(&arguments[0]), int(&arguments[1]) as u32);
    let (offset, zone) = (int(&arguments[2]), arguments[3].as_slice());
    let local = seconds + offset;
    let (days, second) = (local.div_euclid(86400), local.rem_euclid(86400));
    let date = time::civil_from_days(days);
    let new_year = time::days_from_civil(Civil { year: date.year, month: 1, day: 1 }).unwrap();
    let parts = TimeParts {
        year: date.year.into(),
        month: date.month,
        day: date.day,
        hour: (second / 3600) as u8,
        minute: (second / 60 % 60) as u8,
        second: (second % 60) as u8,
        weekday: (days + 4).rem_euclid(7) as u8,
        year_day: (days - new_year + 1) as u16,
        utc: zone == b"utc",
        utc_offset: offset,
        zone: (!zone.is_empty()).then_some(zone),
        epoch: seconds.into(),
        fraction: &|count| time::nanosecond_digits(nanoseconds, count),
    };
    let mut out = Vec::new();
    Some(vec![match time::strftime(&arguments[4], &parts, &mut out) {
        Ok(()) => out,
        Err(TimeFormatError::TooLong) => b"too long".to_vec(),
        Err(TimeFormatError::Unfinished) => [b"invalid format: ", &arguments[4][..]].concat(),
    }])
}
