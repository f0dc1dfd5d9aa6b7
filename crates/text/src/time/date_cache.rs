//! A cache of the dates of recently used days: programs read year, month and day one after the other.

use std::sync::atomic::{AtomicU64, Ordering};

/// A cache of dates in one calendar.
pub struct DateCache {
    /// An entry for each value of the day's lowest bits: the day, and its year, month and day of the month; 0 if it is
    /// unused.
    dates: [AtomicU64; SIZE],
}

const SIZE: usize = 64;

impl DateCache {
    /// The days that can be cached; their dates have years from 0 to 65,535.
    pub const DAYS: std::ops::Range<i64> = 1..4_000_000;

    pub const fn new() -> DateCache {
        DateCache { dates: [const { AtomicU64::new(0) }; SIZE] }
    }

    /// Year, month and day of one of `DAYS`; `compute` computes them if they are not cached.
    #[inline]
    pub fn date_of(&self, day: i64, compute: impl FnOnce() -> (i64, u8, u8)) -> (i64, u8, u8) {
        let slot = &self.dates[day as usize % SIZE];
        let cached = slot.load(Ordering::Relaxed);
        if cached >> 32 == day as u64 {
            let [day, month, low, high, ..] = cached.to_le_bytes();
            return (u16::from_le_bytes([low, high]).into(), month, day);
        }
        let (year, month, day_of_month) = compute();
        if let Ok(short) = u16::try_from(year) {
            let date = u64::from(short) << 16 | u64::from(month) << 8 | u64::from(day_of_month);
            slot.store((day as u64) << 32 | date, Ordering::Relaxed);
        }
        (year, month, day_of_month)
    }
}
