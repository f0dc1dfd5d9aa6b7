//! Password hashes by the system's `crypt`, which determines the available methods.

use memory::ToVector;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use crate::{Errno, Result, c_string};

type CryptR = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> *mut c_char;

/// The size of the largest `struct crypt_data` of any library, which was glibc's.
const SCRATCH: usize = 131_232 + 64;

/// The library is loaded on first use: not every system has it, and nothing else needs it.
fn library() -> Option<CryptR> {
    static FOUND: OnceLock<Option<CryptR>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        [c"libcrypt.so.1", c"libcrypt.so.2"].into_iter().find_map(|name| {
            // SAFETY: both are terminated strings; a loaded library stays loaded.
            let symbol = unsafe {
                let library = libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
                if library.is_null() {
                    return None;
                }
                libc::dlsym(library, c"crypt_r".as_ptr())
            };
            // SAFETY: this is the type that POSIX systems document for crypt_r; null is None.
            unsafe { std::mem::transmute::<*mut c_void, Option<CryptR>>(symbol) }
        })
    })
}

/// `crypt(3)`; none if the system lacks it. For an unknown salt current libraries return a string that no salt begins
/// with, older ones `EINVAL`.
pub fn crypt(phrase: &[u8], salt: &[u8]) -> Result<Option<Vec<u8>>> {
    let Some(crypt_r) = library() else { return Ok(None) };
    let mut scratch = memory::filled(0u64, SCRATCH.div_ceil(8));
    c_string::with_c_string(phrase, |phrase| {
        c_string::with_c_string(salt, |salt| {
            // SAFETY: terminated strings, and a zeroed structure at least as large as the library's.
            let hash = unsafe { crypt_r(phrase.as_ptr(), salt.as_ptr(), scratch.as_mut_ptr().cast()) };
            if hash.is_null() {
                return Err(Errno::last());
            }
            // SAFETY: a terminated string within the structure.
            Ok(Some(unsafe { CStr::from_ptr(hash) }.to_bytes().to_vector()))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_hashes() {
        if let Some(hash) = crypt(b"nutmeg", b"Mi").unwrap() {
            assert_eq!(hash, b"MiqkFWCm1fNJI");
        }
    }
}
