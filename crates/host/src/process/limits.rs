//! Resource limits, priorities, and resource usage.

use crate::Result;
use crate::clock::Timespec;
use crate::errno::check;

/// The resources of [`limits`] under their names in `Process`, without `RLIMIT_`.
#[cfg(target_os = "linux")]
pub static RESOURCES: &[(&str, u32)] = &[
    ("AS", libc::RLIMIT_AS),
    ("CORE", libc::RLIMIT_CORE),
    ("CPU", libc::RLIMIT_CPU),
    ("DATA", libc::RLIMIT_DATA),
    ("FSIZE", libc::RLIMIT_FSIZE),
    ("MEMLOCK", libc::RLIMIT_MEMLOCK),
    ("MSGQUEUE", libc::RLIMIT_MSGQUEUE),
    ("NICE", libc::RLIMIT_NICE),
    ("NOFILE", libc::RLIMIT_NOFILE),
    ("NPROC", libc::RLIMIT_NPROC),
    ("RSS", libc::RLIMIT_RSS),
    ("RTPRIO", libc::RLIMIT_RTPRIO),
    ("RTTIME", libc::RLIMIT_RTTIME),
    ("SIGPENDING", libc::RLIMIT_SIGPENDING),
    ("STACK", libc::RLIMIT_STACK),
];

/// No limit: `Process::RLIM_INFINITY`.
pub const UNLIMITED: u64 = libc::RLIM_INFINITY;

/// A soft limit, which a process may change up to the hard one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub soft: u64,
    pub hard: u64,
}

pub fn limits(resource: u32) -> Result<Limits> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a local.
    check(unsafe { libc::getrlimit(resource as _, &mut limit) })?;
    Ok(Limits { soft: limit.rlim_cur, hard: limit.rlim_max })
}

pub fn set_limits(resource: u32, limits: Limits) -> Result<()> {
    let limit = libc::rlimit { rlim_cur: limits.soft, rlim_max: limits.hard };
    // SAFETY: the pointer is to a local.
    check(unsafe { libc::setrlimit(resource as _, &limit) }).map(|_| ())
}

/// The nice value, −20 to 19, of a process, group or user (0 is this process's). The kernel's own call, which returns
/// 20 − n and therefore never a value that looks like a failure.
#[cfg(target_os = "linux")]
pub fn priority(kind: u32, id: u32) -> Result<i32> {
    // SAFETY: no pointers are involved.
    let shifted = check(unsafe { libc::syscall(libc::SYS_getpriority, kind as libc::c_long, id as libc::c_long) })?;
    Ok(20 - shifted as i32)
}

pub fn set_priority(kind: u32, id: u32, priority: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setpriority(kind as _, id, priority) }).map(|_| ())
}

/// The resource usage of a process. Memory is in bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResourceUsage {
    pub user: Timespec,
    pub system: Timespec,
    pub peak_resident: u64,
    pub minor_faults: u64,
    pub major_faults: u64,
    pub blocks_in: u64,
    pub blocks_out: u64,
    pub voluntary_switches: u64,
    pub involuntary_switches: u64,
}

/// The processes whose usage is counted.
pub const OF_PROCESS: i32 = libc::RUSAGE_SELF;

impl ResourceUsage {
    pub(crate) fn from_system(usage: &libc::rusage) -> ResourceUsage {
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        ResourceUsage {
            user: Timespec::from_timeval(usage.ru_utime),
            system: Timespec::from_timeval(usage.ru_stime),
            peak_resident: usage.ru_maxrss as u64 * unit,
            minor_faults: usage.ru_minflt as u64,
            major_faults: usage.ru_majflt as u64,
            blocks_in: usage.ru_inblock as u64,
            blocks_out: usage.ru_oublock as u64,
            voluntary_switches: usage.ru_nvcsw as u64,
            involuntary_switches: usage.ru_nivcsw as u64,
        }
    }
}

pub fn resource_usage(of: i32) -> Result<ResourceUsage> {
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a local.
    check(unsafe { libc::getrusage(of, &mut usage) })?;
    Ok(ResourceUsage::from_system(&usage))
}
