//! The calendar, and times as text.

mod civil;
mod date_cache;
mod julian;
mod strftime;

pub use civil::{Civil, civil_from_days, days_from_civil, days_in_month, is_leap_year, iso_week, week_number};
pub use julian::{date_of_julian_day, julian_day};
pub use strftime::{Dialect, TimeFormatError, TimeParts, nanosecond_digits, strftime, strftime_in};
