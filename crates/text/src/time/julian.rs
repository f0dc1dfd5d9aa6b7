//! Julian day numbers and the two calendars: days before `start` are Julian, later ones Gregorian.

use super::date_cache::DateCache;

/// The number of a day; month and day may be out of range. Exact for years of up to a dozen digits.
pub fn julian_day(year: i64, month: i64, day: i64, start: f64) -> i64 {
    let shift = i64::from(month <= 2);
    let y = year + 4800 - shift;
    let days = day + (153 * (month + 12 * shift - 3) + 2).div_euclid(5) + 365 * y + y.div_euclid(4);
    let gregorian = days - y.div_euclid(100) + y.div_euclid(400) - 32045;
    if (gregorian as f64) < start { days - 32083 } else { gregorian }
}

/// Year, month and day of a day number.
pub fn date_of_julian_day(day: i64, start: f64) -> (i64, u8, u8) {
    static CACHE: DateCache = DateCache::new();
    if day as f64 >= start && DateCache::DAYS.contains(&day) {
        return CACHE.date_of(day, || compute_date(day, start));
    }
    compute_date(day, start)
}

fn compute_date(day: i64, start: f64) -> (i64, u8, u8) {
    let (century, rest) = if (day as f64) < start {
        (0, day + 32082)
    } else {
        let a = day + 32044;
        let century = (4 * a + 3).div_euclid(146_097);
        (century, a - (146_097 * century).div_euclid(4))
    };
    let year = (4 * rest + 3).div_euclid(1461);
    let day_of_year = rest - (1461 * year).div_euclid(4);
    let month = (5 * day_of_year + 2) / 153;
    let late = month / 10;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    (100 * century + year - 4800 + late, (month + 3 - 12 * late) as u8, day as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITALY: f64 = 2_299_161.0;

    #[test]
    fn days_and_dates_are_each_others_inverse() {
        for (year, month, day, number) in [
            (-4712, 1, 1, 0),
            (1582, 10, 4, 2_299_160),
            (1582, 10, 15, 2_299_161),
            (2000, 2, 29, 2_451_604),
            (2024, 12, 31, 2_460_676),
        ] {
            assert_eq!(julian_day(year, month, day, ITALY), number);
            assert_eq!(date_of_julian_day(number, ITALY), (year, month as u8, day as u8));
        }
    }

    #[test]
    fn calendars_convert_both_ways() {
        assert_eq!(date_of_julian_day(2_299_161, f64::INFINITY), (1582, 10, 5));
        assert_eq!(date_of_julian_day(2_299_160, f64::NEG_INFINITY), (1582, 10, 14));
        for day in (-2_000_000..4_000_000).step_by(997) {
            let (year, month, day_of_month) = date_of_julian_day(day, ITALY);
            assert_eq!(julian_day(year, month.into(), day_of_month.into(), ITALY), day);
        }
    }
}
