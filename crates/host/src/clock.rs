//! Clocks, sleeping, and the processor time of processes.

use std::mem;
use std::ops::Add;
use std::time::Duration;

use crate::errno::check;
use crate::{Errno, Result};

/// Seconds and nanoseconds since the clock's epoch. The nanoseconds are less than a second and count forward, even for
/// a time before the epoch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Timespec {
    pub seconds: i64,
    pub nanoseconds: u32,
}

impl Timespec {
    pub(crate) fn from_system(time: libc::timespec) -> Timespec {
        Timespec { seconds: time.tv_sec, nanoseconds: time.tv_nsec as u32 }
    }

    pub(crate) fn to_system(self) -> libc::timespec {
        libc::timespec { tv_sec: self.seconds, tv_nsec: self.nanoseconds.into() }
    }

    pub(crate) fn from_timeval(time: libc::timeval) -> Timespec {
        Timespec { seconds: time.tv_sec, nanoseconds: time.tv_usec as u32 * 1000 }
    }

    /// From a duration, saturating.
    pub fn from_duration(duration: Duration) -> Timespec {
        let seconds = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        Timespec { seconds, nanoseconds: duration.subsec_nanos() }
    }

    pub fn as_seconds(self) -> f64 {
        self.seconds as f64 + f64::from(self.nanoseconds) / 1e9
    }
}

impl Add for Timespec {
    type Output = Timespec;

    fn add(self, other: Timespec) -> Timespec {
        let nanoseconds = self.nanoseconds + other.nanoseconds;
        let carry = i64::from(nanoseconds / 1_000_000_000);
        let seconds = self.seconds.saturating_add(other.seconds).saturating_add(carry);
        Timespec { seconds, nanoseconds: nanoseconds % 1_000_000_000 }
    }
}

/// The clocks of `Process.clock_gettime`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// A clock of the system, by its number.
    System(i32),
    GetTimeOfDayRealtime,
    TimeRealtime,
    TimesMonotonic,
    GetRusageProcessCpu,
    TimesProcessCpu,
    ClockProcessCpu,
}

/// The system's clocks under their names in `Process`.
#[cfg(target_os = "linux")]
pub static CLOCKS: &[(&str, i32)] = &[
    ("CLOCK_REALTIME", libc::CLOCK_REALTIME),
    ("CLOCK_MONOTONIC", libc::CLOCK_MONOTONIC),
    ("CLOCK_PROCESS_CPUTIME_ID", libc::CLOCK_PROCESS_CPUTIME_ID),
    ("CLOCK_THREAD_CPUTIME_ID", libc::CLOCK_THREAD_CPUTIME_ID),
    ("CLOCK_REALTIME_COARSE", libc::CLOCK_REALTIME_COARSE),
    ("CLOCK_MONOTONIC_RAW", libc::CLOCK_MONOTONIC_RAW),
    ("CLOCK_MONOTONIC_COARSE", libc::CLOCK_MONOTONIC_COARSE),
    ("CLOCK_BOOTTIME", libc::CLOCK_BOOTTIME),
    ("CLOCK_REALTIME_ALARM", libc::CLOCK_REALTIME_ALARM),
    ("CLOCK_BOOTTIME_ALARM", libc::CLOCK_BOOTTIME_ALARM),
    ("CLOCK_TAI", libc::CLOCK_TAI),
];

impl Clock {
    pub const REALTIME: Clock = Clock::System(libc::CLOCK_REALTIME);
    pub const MONOTONIC: Clock = Clock::System(libc::CLOCK_MONOTONIC);
    pub const PROCESS_CPU: Clock = Clock::System(libc::CLOCK_PROCESS_CPUTIME_ID);
    pub const THREAD_CPU: Clock = Clock::System(libc::CLOCK_THREAD_CPUTIME_ID);

    /// The clock with the name that was given to `Process.clock_gettime` as a symbol.
    pub fn from_symbol(name: &str) -> Option<Clock> {
        Some(match name {
            "GETTIMEOFDAY_BASED_CLOCK_REALTIME" => Clock::GetTimeOfDayRealtime,
            "TIME_BASED_CLOCK_REALTIME" => Clock::TimeRealtime,
            "TIMES_BASED_CLOCK_MONOTONIC" => Clock::TimesMonotonic,
            "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID" => Clock::GetRusageProcessCpu,
            "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID" => Clock::TimesProcessCpu,
            "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => Clock::ClockProcessCpu,
            name => Clock::System(CLOCKS.iter().find(|(known, _)| *known == name)?.1),
        })
    }

    /// The clock's time. An unknown clock is `EINVAL`.
    pub fn now(self) -> Result<Timespec> {
        match self {
            Clock::System(number) => {
                let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
                // SAFETY: the pointer is to a local.
                check(unsafe { libc::clock_gettime(number, &mut time) })?;
                Ok(Timespec::from_system(time))
            }
            Clock::GetTimeOfDayRealtime => Clock::REALTIME.now().map(|time| truncated(time, 1000)),
            Clock::TimeRealtime => Clock::REALTIME.now().map(|time| truncated(time, 1_000_000_000)),
            Clock::TimesMonotonic => Ok(of_ticks(ticks().0)),
            Clock::GetRusageProcessCpu => {
                let times = processor_times();
                Ok(times.user + times.system)
            }
            Clock::TimesProcessCpu => {
                let (_, ticks) = ticks();
                Ok(of_ticks(ticks.tms_utime.wrapping_add(ticks.tms_stime)))
            }
            Clock::ClockProcessCpu => Clock::PROCESS_CPU.now().map(|time| truncated(time, 1000)),
        }
    }

    /// The resolution of the clock.
    pub fn resolution(self) -> Result<Timespec> {
        let nanoseconds = match self {
            Clock::System(number) => {
                let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
                // SAFETY: the pointer is to a local.
                check(unsafe { libc::clock_getres(number, &mut time) })?;
                return Ok(Timespec::from_system(time));
            }
            Clock::TimeRealtime => return Ok(Timespec { seconds: 1, nanoseconds: 0 }),
            Clock::TimesMonotonic | Clock::TimesProcessCpu => return Ok(of_ticks(1)),
            Clock::GetTimeOfDayRealtime | Clock::GetRusageProcessCpu | Clock::ClockProcessCpu => 1000,
        };
        Ok(Timespec { seconds: 0, nanoseconds })
    }
}

fn truncated(time: Timespec, unit: u32) -> Timespec {
    Timespec { nanoseconds: time.nanoseconds / unit * unit, ..time }
}

/// The number of `times(2)`'s ticks per second.
pub fn ticks_per_second() -> i64 {
    // SAFETY: no pointers are involved.
    unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1)
}

fn ticks() -> (i64, libc::tms) {
    // SAFETY: all zeros is a valid `tms`.
    let mut times: libc::tms = unsafe { mem::zeroed() };
    // SAFETY: the pointer is to a local.
    let now = unsafe { libc::times(&mut times) };
    (now, times)
}

fn of_ticks(ticks: i64) -> Timespec {
    let each = ticks_per_second();
    let nanoseconds = (ticks.rem_euclid(each) * (1_000_000_000 / each)) as u32;
    Timespec { seconds: ticks.div_euclid(each), nanoseconds }
}

/// The wall clock.
pub fn realtime() -> Timespec {
    Clock::REALTIME.now().unwrap_or_default()
}

/// Nanoseconds since an arbitrary point before startup, for durations and deadlines. Does not overflow for 584 years.
pub fn monotonic_nanoseconds() -> u64 {
    let time = Clock::MONOTONIC.now().unwrap_or_default();
    time.seconds as u64 * 1_000_000_000 + u64::from(time.nanoseconds)
}

/// Processor time of this process, all threads together.
pub fn process_cpu_nanoseconds() -> u64 {
    let time = Clock::PROCESS_CPU.now().unwrap_or_default();
    time.seconds as u64 * 1_000_000_000 + u64::from(time.nanoseconds)
}

/// Processor time of this thread.
pub fn thread_cpu_nanoseconds() -> u64 {
    let time = Clock::THREAD_CPU.now().unwrap_or_default();
    time.seconds as u64 * 1_000_000_000 + u64::from(time.nanoseconds)
}

/// Processor time of a thread of this process; 0 if it has ended.
#[cfg(target_os = "linux")]
pub fn cpu_nanoseconds_of(thread: crate::thread::ThreadId) -> u64 {
    // The number of a thread's clock: the complement of the thread's number, and bits for a thread's processor time.
    const THREAD_CPU: i32 = 0b110;
    let time = Clock::System(!thread.0 << 3 | THREAD_CPU).now().unwrap_or_default();
    time.seconds as u64 * 1_000_000_000 + u64::from(time.nanoseconds)
}

/// Sleeps until [`monotonic_nanoseconds`] is at least `deadline`; `EINTR` if a signal arrives first.
pub fn sleep_until(deadline: u64) -> Result<()> {
    let seconds = (deadline / 1_000_000_000) as i64;
    let time = libc::timespec { tv_sec: seconds, tv_nsec: (deadline % 1_000_000_000) as i64 };
    sleep(libc::TIMER_ABSTIME, time)
}

/// Sleeps for a duration; `EINTR` if a signal arrives first.
pub fn sleep_for(duration: Duration) -> Result<()> {
    sleep(0, Timespec::from_duration(duration).to_system())
}

#[cfg(target_os = "linux")]
fn sleep(flags: i32, time: libc::timespec) -> Result<()> {
    // SAFETY: the first pointer is to a local, the second may be null.
    match unsafe { libc::clock_nanosleep(libc::CLOCK_MONOTONIC, flags, &time, std::ptr::null_mut()) } {
        0 => Ok(()),
        errno => Err(Errno(errno)),
    }
}

/// Processor time that this process and its finished children have used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProcessorTimes {
    pub user: Timespec,
    pub system: Timespec,
    pub children_user: Timespec,
    pub children_system: Timespec,
}

/// The data of `Process.times`, from `getrusage(2)`, which is finer than `times(2)`.
pub fn processor_times() -> ProcessorTimes {
    let of = |who| crate::process::resource_usage(who).map(|usage| (usage.user, usage.system)).unwrap_or_default();
    let (user, system) = of(libc::RUSAGE_SELF);
    let (children_user, children_system) = of(libc::RUSAGE_CHILDREN);
    ProcessorTimes { user, system, children_user, children_system }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_clock_runs() {
        for (name, number) in CLOCKS {
            let clock = Clock::System(*number);
            assert!(clock.now().is_ok() || name.ends_with("ALARM"), "{name}");
        }
        assert_eq!(Clock::System(9999).now(), Err(Errno(libc::EINVAL)));
    }

    #[test]
    fn emulated_clocks_have_the_resolution_that_they_report() {
        let clock = Clock::from_symbol("TIME_BASED_CLOCK_REALTIME").unwrap();
        assert_eq!(clock.now().unwrap().nanoseconds, 0);
        let clock = Clock::from_symbol("GETTIMEOFDAY_BASED_CLOCK_REALTIME").unwrap();
        assert_eq!(clock.now().unwrap().nanoseconds % 1000, 0);
        assert_eq!(Clock::TimesMonotonic.resolution().unwrap().nanoseconds, 10_000_000);
    }

    #[test]
    fn sleeping_takes_its_time() {
        let start = monotonic_nanoseconds();
        sleep_for(Duration::from_millis(2)).unwrap();
        sleep_until(start + 4_000_000).unwrap();
        assert!(monotonic_nanoseconds() - start >= 4_000_000);
    }

    #[test]
    fn nanoseconds_carry() {
        let time = Timespec { seconds: -1, nanoseconds: 600_000_000 };
        assert_eq!(time + time, Timespec { seconds: -1, nanoseconds: 200_000_000 });
    }
}
