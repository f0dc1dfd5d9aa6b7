//! Local time, by libc's rules: those of `TZ` or, without it, of the machine.
//!
//! libc rather than `jiff`, because other Rubies accept what libc accepts as `TZ` (POSIX rules, `:path`, the `right/`
//! files). libc lacks an exact inverse of `localtime_r`; it is implemented below.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memory::ToVector;

use crate::{Errno, Result, environment};

const DAY: i64 = 86_400;

/// Whether `TZ` may have changed since libc last read it. Checking costs a system call, too much for each Time object.
static STALE: AtomicBool = AtomicBool::new(true);

/// Called by `environment` when `TZ` changes.
pub(crate) fn forget() {
    STALE.store(true, Ordering::Release);
    *last_read() = None;
}

/// What libc tells of the zone at a moment.
#[derive(Clone, Copy)]
struct Local {
    seconds: i32,
    is_dst: bool,
    /// The address of the abbreviation.
    name: usize,
}

/// The last moment for which libc was asked: programs read a Time's year, month and day in sequence.
static LAST_READ: Mutex<Option<(i64, Local)>> = Mutex::new(None);

fn last_read() -> MutexGuard<'static, Option<(i64, Local)>> {
    LAST_READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time zone at some moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offset {
    /// Seconds to add to UTC, positive east of it.
    pub seconds: i32,
    pub is_dst: bool,
    /// For example `"CET"`.
    pub abbreviation: Vec<u8>,
}

/// The time zone at a moment, in seconds since 1970 UTC. `EOVERFLOW` if the year does not fit 32 bits.
pub fn offset_at(timestamp: i64) -> Result<Offset> {
    with_offset_at(timestamp, |seconds, is_dst, name| Offset { seconds, is_dst, abbreviation: name.to_vector() })
}

/// Like [`offset_at`], but passes the result to `read`: the offset in seconds, whether it is summer time, and the
/// abbreviation.
pub fn with_offset_at<T>(timestamp: i64, read: impl FnOnce(i32, bool, &[u8]) -> T) -> Result<T> {
    local_time(timestamp, |local| {
        // SAFETY: libc's string is terminated, and stays valid until libc is asked for another moment, for which the
        // lock is needed.
        let name = unsafe { std::ffi::CStr::from_ptr(local.name as *const libc::c_char) };
        read(local.seconds, local.is_dst, name.to_bytes())
    })
}

/// The offset in seconds and whether it is summer time: `offset_at` without the abbreviation.
pub fn shift_at(timestamp: i64) -> Result<(i32, bool)> {
    let shift = |local: &Local| (local.seconds, local.is_dst);
    if let Some((moment, local)) = &*last_read()
        && *moment == timestamp
    {
        return Ok(shift(local));
    }
    local_time(timestamp, shift)
}

/// Applies `read` to libc's local time.
fn local_time<T>(timestamp: i64, read: impl FnOnce(&Local) -> T) -> Result<T> {
    // The environment's lock, because libc reads `TZ`, and stores the abbreviation where the next change of zone
    // overwrites it.
    let _guard = environment::lock();
    read_again();
    Ok(read(&locked_local_time(timestamp)?))
}

/// libc's local time. The caller holds the environment's lock, so that no change of `TZ` is missed, and has called
/// [`read_again`].
fn locked_local_time(timestamp: i64) -> Result<Local> {
    let mut last = last_read();
    if let Some((moment, local)) = *last
        && moment == timestamp
    {
        return Ok(local);
    }
    // SAFETY: all zeros is a valid `tm`.
    let mut shown: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: the pointers are to locals.
    if unsafe { libc::localtime_r(&timestamp, &mut shown) }.is_null() {
        return Err(Errno::last());
    }
    let local = Local { seconds: shown.tm_gmtoff as i32, is_dst: shown.tm_isdst > 0, name: shown.tm_zone as usize };
    *last = Some((timestamp, local));
    Ok(local)
}

/// The offsets of days on which, as on the days before and after, clocks are not set: in an entry for the lowest bits
/// of each day, the day and the offset.
static CALM_DAYS: [AtomicU64; 64] = [const { AtomicU64::new(NO_DAY) }; 64];
const NO_DAY: u64 = u64::MAX;

/// The offset one day before and after the day of a local time, if it is the same. The caller holds the environment's
/// lock, and has called [`read_again`].
fn offset_around(local: i64) -> Option<i32> {
    let day = u32::try_from(local.div_euclid(DAY)).ok()?;
    let entry = &CALM_DAYS[day as usize % CALM_DAYS.len()];
    let known = entry.load(Ordering::Relaxed);
    if known >> 32 == u64::from(day) && known != NO_DAY {
        return Some(known as i32);
    }
    let start = i64::from(day) * DAY;
    let offset = locked_local_time(start - DAY).ok()?.seconds;
    let is_same = locked_local_time(start + 2 * DAY).ok()?.seconds == offset;
    is_same.then(|| {
        entry.store(u64::from(day) << 32 | u64::from(offset as u32), Ordering::Relaxed);
        offset
    })
}

/// Lets libc read `TZ` again if it may have changed. The caller holds the environment's lock.
fn read_again() {
    // Changes of the environment hold its lock, too.
    if STALE.load(Ordering::Acquire) && STALE.swap(false, Ordering::AcqRel) {
        // SAFETY: takes no arguments; the lock prevents changes of the environment.
        unsafe { tzset() };
        CALM_DAYS.iter().for_each(|day| day.store(NO_DAY, Ordering::Relaxed));
        let leaps = leap_seconds_of_zone();
        HAS_LEAPS.store(!leaps.is_empty(), Ordering::Release);
        *LEAPS.lock().unwrap_or_else(PoisonError::into_inner) = leaps;
    }
}

/// Whether the zone's file counts leap seconds, as those in the folder `right` do.
static HAS_LEAPS: AtomicBool = AtomicBool::new(false);

/// The timestamps of the zone's leap seconds, in order.
static LEAPS: Mutex<Vec<i64>> = Mutex::new(Vec::new());

/// The leap seconds of the zone, each of which is the last second of a month. They are found by bisection: libc reports
/// for each moment how many there were.
fn leap_seconds_of_zone() -> Vec<i64> {
    const HALF_YEAR: i64 = 15_778_800;
    // 1972, before the first leap second, and 2037.
    let (mut at, end) = (63_072_000, 2_114_380_800);
    let mut leaps = Vec::new();
    if leaps_until(end) == 0 {
        return leaps;
    }
    while at < end {
        let next = at + HALF_YEAR;
        // Each half of a year has at most one leap second.
        if leaps_until(next) > leaps_until(at) {
            let before = leaps_until(at);
            let (mut low, mut high) = (at, next);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if leaps_until(middle) > before { high = middle } else { low = middle }
            }
            leaps.push(high);
        }
        at = next - next.rem_euclid(DAY);
    }
    leaps
}

/// The leap seconds that libc's clock in UTC has passed or shows.
fn leaps_until(timestamp: i64) -> i64 {
    // SAFETY: all zeros is a valid `tm`.
    let mut shown: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: the pointers are to locals.
    unsafe {
        libc::gmtime_r(&timestamp, &mut shown);
    }
    let year = i64::from(shown.tm_year) + 1900;
    let leap_days = |year: i64| (year - 1).div_euclid(4) - (year - 1).div_euclid(100) + (year - 1).div_euclid(400);
    let days = (year - 1970) * 365 + leap_days(year) - leap_days(1970) + i64::from(shown.tm_yday);
    let clock = i64::from(shown.tm_hour) * 3600 + i64::from(shown.tm_min) * 60 + i64::from(shown.tm_sec.min(59));
    timestamp - (days * DAY + clock)
}

/// Whether the zone counts leap seconds, or has to be read again.
#[inline]
pub fn may_count_leap_seconds() -> bool {
    STALE.load(Ordering::Acquire) || HAS_LEAPS.load(Ordering::Acquire)
}

/// The leap seconds up to a timestamp, itself included, and whether it is one: clocks then show the second 60. Zero
/// except in zones that count leap seconds.
pub fn leap_seconds(timestamp: i64) -> (i64, bool) {
    if STALE.load(Ordering::Acquire) {
        let _guard = environment::lock();
        read_again();
    }
    if !HAS_LEAPS.load(Ordering::Acquire) {
        return (0, false);
    }
    let leaps = LEAPS.lock().unwrap_or_else(PoisonError::into_inner);
    let count = leaps.partition_point(|leap| *leap <= timestamp);
    (count as i64, count > 0 && leaps[count - 1] == timestamp)
}

/// The timestamp whose clock in UTC shows a time, which is given by its timestamp without leap seconds.
pub fn with_leap_seconds(plain: i64) -> i64 {
    let mut timestamp = plain;
    loop {
        let next = plain.saturating_add(leap_seconds(timestamp).0);
        if next <= timestamp {
            return next;
        }
        timestamp = next;
    }
}

unsafe extern "C" {
    // Missing in the `libc` crate for this system.
    fn tzset();
}

/// The moments for which clocks show a given local time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Exactly one, as nearly always.
    Once(i64),
    /// Two: clocks were set back, and showed the time before and after.
    Twice { earlier: i64, later: i64 },
    /// None: clocks were set forward over it. The moments computed with the offset before the change, and with the
    /// offset after it.
    Never { by_offset_before: i64, by_offset_after: i64 },
}

/// The moments when local clocks show a time; `local` is the timestamp that this time would have in UTC.
pub fn moments_of(local: i64) -> Result<Moment> {
    let _guard = environment::lock();
    read_again();
    let offset_at = |timestamp: i64| locked_local_time(timestamp).map(|local| i64::from(local.seconds));
    if let Some(offset) = offset_around(local).map(i64::from) {
        let moment = with_leap_seconds(local - offset);
        if offset_at(moment)? == offset {
            return Ok(Moment::Once(moment));
        }
    }
    let before = offset_at(local.saturating_sub(DAY))?;
    let after = offset_at(local.saturating_add(DAY))?;
    let moment_by = |offset: i64| with_leap_seconds(local - offset);
    // Rarely, there are two changes within the two days, and an offset applies only between them.
    let between = offset_at(moment_by(before))?;
    if before == after && before == between {
        return Ok(Moment::Once(moment_by(before)));
    }
    let mut found: Vec<i64> = Vec::new();
    for offset in [before, between, after] {
        let moment = moment_by(offset);
        if !found.contains(&moment) && offset_at(moment)? == offset {
            found.push(moment);
        }
    }
    found.sort();
    Ok(match found[..] {
        [] => Moment::Never { by_offset_before: moment_by(before), by_offset_after: moment_by(after) },
        [moment] => Moment::Once(moment),
        [earlier, .., later] => Moment::Twice { earlier, later },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single test, because `TZ` belongs to the whole process. The rules are spelled out, so that no zone files are
    /// needed.
    #[test]
    fn zones_change_with_the_variable() {
        environment::set(b"TZ", b"CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        // 2024-01-01 and 2024-07-01, 00:00 UTC.
        let (winter, summer) = (1_704_067_200, 1_719_792_000);
        assert_eq!(offset_at(winter).unwrap(), Offset { seconds: 3600, is_dst: false, abbreviation: b"CET".to_vec() });
        assert_eq!(offset_at(summer).unwrap(), Offset { seconds: 7200, is_dst: true, abbreviation: b"CEST".to_vec() });
        assert_eq!(moments_of(winter), Ok(Moment::Once(winter - 3600)));
        // 2024-03-31 02:30 does not happen, 2024-10-27 02:30 does twice.
        let (gap, fold) = (1_711_852_200, 1_729_996_200);
        let never = Moment::Never { by_offset_before: gap - 3600, by_offset_after: gap - 7200 };
        assert_eq!(moments_of(gap), Ok(never));
        assert_eq!(moments_of(fold), Ok(Moment::Twice { earlier: fold - 7200, later: fold - 3600 }));

        environment::set(b"TZ", b"XYZ+3:30").unwrap();
        assert_eq!(offset_at(winter).unwrap().seconds, -12_600);
        assert_eq!(offset_at(i64::MAX), Err(Errno(libc::EOVERFLOW)));
        environment::remove(b"TZ").unwrap();
        assert!(offset_at(0).is_ok());
    }
}
