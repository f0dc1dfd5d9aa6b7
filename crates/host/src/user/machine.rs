//! Facts about the machine and the system.

use crate::{Errno, Result};
use memory::ToVector;

/// The machine's and the system's names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemName {
    pub system: Vec<u8>,
    pub node: Vec<u8>,
    pub release: Vec<u8>,
    pub version: Vec<u8>,
    pub machine: Vec<u8>,
}

pub fn system_name() -> SystemName {
    let name = rustix::system::uname();
    let bytes = |field: &std::ffi::CStr| field.to_bytes().to_vector();
    SystemName {
        system: bytes(name.sysname()),
        node: bytes(name.nodename()),
        release: bytes(name.release()),
        version: bytes(name.version()),
        machine: bytes(name.machine()),
    }
}

pub fn host_name() -> Vec<u8> {
    system_name().node
}

/// The number of processors that this process may use. Limits of its control group are ignored, as by
/// `Etc.nprocessors`.
pub fn processors() -> usize {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: all zeros is an empty set.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the pointer is to a local of the given size.
        if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) } == 0 {
            // SAFETY: the set is initialized.
            return unsafe { libc::CPU_COUNT(&set) }.max(1) as usize;
        }
    }
    // SAFETY: no pointers are involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }.max(1) as usize
}

/// A value of `sysconf(3)`; `None` is "no limit" or "not offered". An unknown name is `EINVAL`.
pub fn system_configuration(name: i32) -> Result<Option<i64>> {
    // SAFETY: no pointers are involved.
    limit_of(|| unsafe { libc::sysconf(name) })
}

/// Calls one of the functions that return −1 both for errors and for "no limit".
pub(crate) fn limit_of(call: impl FnOnce() -> i64) -> Result<Option<i64>> {
    // SAFETY: the address of `errno` is always valid.
    unsafe { *crate::errno::location() = 0 };
    match call() {
        -1 => match Errno::last() {
            Errno(0) => Ok(None),
            errno => Err(errno),
        },
        value => Ok(Some(value)),
    }
}

/// A value of `confstr(3)`; `None` if the name has none. An unknown name is `EINVAL`.
pub fn configuration_string(name: i32) -> Result<Option<Vec<u8>>> {
    // SAFETY: with a size of 0 the pointer is not used.
    let size = limit_of(|| match unsafe { libc::confstr(name, std::ptr::null_mut(), 0) } {
        0 => -1,
        size => size as i64,
    })?;
    let Some(size) = size else { return Ok(None) };
    let mut buffer = memory::zeros(size as usize);
    // SAFETY: the buffer has the stated length.
    unsafe { libc::confstr(name, buffer.as_mut_ptr().cast(), buffer.len()) };
    buffer.pop();
    Ok(Some(buffer))
}
