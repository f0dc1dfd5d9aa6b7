//! Days counted from 1970-01-01, and dates of the proleptic Gregorian calendar.

use super::date_cache::DateCache;

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Civil {
    /// The year; 0 is the year before 1.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

const DAYS_IN_ERA: i64 = 146_097;
/// Days from 0000-03-01, where the eras of 400 years start, to 1970-01-01.
const EPOCH: i64 = 719_468;

/// Days from 1970-01-01 to a date; `None` beyond the range of i64. Days beyond the end of the month count into the
/// next.
pub fn days_from_civil(date: Civil) -> Option<i64> {
    // The year starts in March here, so that the leap day is its last day.
    let year = if date.month <= 2 { date.year.checked_sub(1)? } else { date.year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month = (i64::from(date.month) + 9) % 12;
    let day_of_year = (153 * month + 2) / 5 + i64::from(date.day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era.checked_mul(DAYS_IN_ERA)?.checked_add(day_of_era - EPOCH)
}

/// The date this many days after 1970-01-01.
pub fn civil_from_days(days: i64) -> Civil {
    static CACHE: DateCache = DateCache::new();
    if !DateCache::DAYS.contains(&days) {
        return compute_civil(days);
    }
    let (year, month, day) = CACHE.date_of(days, || {
        let Civil { year, month, day } = compute_civil(days);
        (year, month, day)
    });
    Civil { year, month, day }
}

fn compute_civil(days: i64) -> Civil {
    let (mut era, mut day_of_era) = (days.div_euclid(DAYS_IN_ERA), days.rem_euclid(DAYS_IN_ERA) + EPOCH);
    era += day_of_era / DAYS_IN_ERA;
    day_of_era %= DAYS_IN_ERA;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    Civil { year: year_of_era + era * 400 + next, month: month as u8, day: day as u8 }
}

/// Whether February has 29 days.
pub fn is_leap_year(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// How many days a month (1 to 12) has.
pub fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The week of the year, 0 to 53, for weeks that start on Sunday or Monday; days before the first such day are in week
/// 0. `year_day` counts from 1, `weekday` from 0 for Sunday.
pub fn week_number(year_day: u16, weekday: u8, from_monday: bool) -> u16 {
    let weekday = if from_monday { (weekday + 6) % 7 } else { weekday };
    (year_day + 6).saturating_sub(u16::from(weekday)) / 7
}

/// The week of ISO 8601, 1 to 53, and the year it belongs to: -1 for the previous, 0, or 1 for the next.
pub fn iso_week(leap: bool, leap_before: bool, year_day: u16, weekday: u8) -> (u16, i8) {
    let from_monday = i32::from((weekday + 6) % 7);
    let week = (i32::from(year_day) - 1 - from_monday + 10) / 7;
    // A year has 53 weeks if it starts on a Thursday, or on a Wednesday if it is a leap year.
    let weeks = |start: i32, leap: bool| if start == 3 || leap && start == 2 { 53 } else { 52 };
    let start = (from_monday - (i32::from(year_day) - 1)).rem_euclid(7);
    if week < 1 {
        let before = (start - 365 - i32::from(leap_before)).rem_euclid(7);
        return (weeks(before, leap_before), -1);
    }
    if week as u16 > weeks(start, leap) { (1, 1) } else { (week as u16, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_agree() {
        let mut date = Civil { year: -401, month: 1, day: 1 };
        let mut days = days_from_civil(date).unwrap();
        while date.year < 2405 {
            assert_eq!(civil_from_days(days), date);
            assert_eq!(days_from_civil(date), Some(days));
            days += 1;
            date.day += 1;
            if date.day > days_in_month(date.year, date.month) {
                (date.day, date.month) = (1, date.month + 1);
            }
            if date.month > 12 {
                (date.month, date.year) = (1, date.year + 1);
            }
        }
        assert_eq!(days_from_civil(Civil { year: 1970, month: 1, day: 1 }), Some(0));
        assert_eq!(days_from_civil(Civil { year: i64::MAX, month: 1, day: 1 }), None);
        civil_from_days(i64::MAX);
        civil_from_days(i64::MIN);
    }
}
