//! Environment variables. All changes go through this module and take the lock below, as do calls into libc that read
//! the environment internally (mainly for the time zone). libc's resolver reads it without the lock, because it may
//! take minutes: programs do not change the variables it uses (`RES_OPTIONS`, `LOCALDOMAIN`).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Errno, Result};

static ENVIRONMENT: Mutex<()> = Mutex::new(());

/// Prevents changes of the environment while the guard lives.
pub(crate) fn lock() -> MutexGuard<'static, ()> {
    ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A variable's value.
pub fn get(name: &[u8]) -> Option<Vec<u8>> {
    expect_copies(name, b"");
    let _guard = lock();
    std::env::var_os(OsStr::from_bytes(name)).map(OsString::into_vec)
}

/// Sets a variable. An empty name, or one with `=` in it, or a NUL anywhere, is `EINVAL`.
pub fn set(name: &[u8], value: &[u8]) -> Result<()> {
    check_name(name)?;
    if value.contains(&0) {
        return Err(Errno(libc::EINVAL));
    }
    expect_copies(name, value);
    let _guard = lock();
    // SAFETY: all other readers of the environment hold this lock or std's, see the top of this file.
    unsafe { std::env::set_var(OsStr::from_bytes(name), OsStr::from_bytes(value)) };
    changed(name);
    Ok(())
}

/// Removes a variable, if there is one.
pub fn remove(name: &[u8]) -> Result<()> {
    check_name(name)?;
    expect_copies(name, b"");
    let _guard = lock();
    // SAFETY: all other readers of the environment hold this lock or std's, see the top of this file.
    unsafe { std::env::remove_var(OsStr::from_bytes(name)) };
    changed(name);
    Ok(())
}

/// All variables, in the environment's order. Entries without `=` are not variables.
pub fn all() -> Vec<(Vec<u8>, Vec<u8>)> {
    let _guard = lock();
    std::env::vars_os().map(|(name, value)| (name.into_vec(), value.into_vec())).collect()
}

/// Copies all variables out of the memory that the process was started with, which is about to be overwritten.
pub(crate) fn copy_out_of_initial_block() {
    let _guard = lock();
    let variables: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    // SAFETY: all other readers of the environment hold this lock or std's, see the top of this file.
    unsafe {
        libc::clearenv();
        for (name, value) in variables {
            // An entry without a name is dropped: nothing can look it up.
            if check_name(name.as_bytes()).is_ok() {
                std::env::set_var(name, value);
            }
        }
    }
}

/// The standard library copies names and values, and libc copies them again.
fn expect_copies(name: &[u8], value: &[u8]) {
    if name.len() + value.len() > 4096 {
        memory::expect((name.len() + value.len() + 64) * 2);
    }
}

/// Notifies the modules that cache a value derived from a variable.
fn changed(name: &[u8]) {
    if name == b"TZ" {
        crate::zone::forget();
    }
}

fn check_name(name: &[u8]) -> Result<()> {
    if name.is_empty() || name.contains(&b'=') || name.contains(&0) { Err(Errno(libc::EINVAL)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_set_listed_and_removed() {
        set(b"BENI_HOST_TEST", b"\xff=1").unwrap();
        assert_eq!(get(b"BENI_HOST_TEST").unwrap(), b"\xff=1");
        assert!(all().contains(&(b"BENI_HOST_TEST".to_vec(), b"\xff=1".to_vec())));
        remove(b"BENI_HOST_TEST").unwrap();
        assert_eq!(get(b"BENI_HOST_TEST"), None);
    }

    #[test]
    fn bad_names_are_refused() {
        for name in [&b""[..], b"A=B", b"A\0B"] {
            assert_eq!(set(name, b""), Err(Errno(libc::EINVAL)));
            assert_eq!(remove(name), Err(Errno(libc::EINVAL)));
        }
    }
}
