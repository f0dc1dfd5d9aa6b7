//! Shared libraries that are loaded while the program runs.

use std::ffi::{CStr, c_void};

/// A loaded library, which stays loaded until the process ends.
pub struct Library(*mut c_void);

/// Loads the library in a file; all functions that it needs must exist. On failure, returns the system's message.
pub fn open(path: &CStr) -> Result<Library, String> {
    // SAFETY: the path is a string; running the library's constructors is intended.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if handle.is_null() { Err(message()) } else { Ok(Library(handle)) }
}

/// The place of an address in a shared library.
pub struct Place {
    pub file: &'static CStr,
    /// The offset from the start of the library in memory.
    pub offset: usize,
    /// The exported function that contains the address.
    pub function: Option<&'static CStr>,
}

/// The loaded library that contains an address; `None` for the executable. For crash reports: it waits for libraries
/// that are being loaded, but does not allocate.
pub fn place_of(address: usize) -> Option<Place> {
    // SAFETY: all zeros is a valid `Dl_info`; libraries stay loaded, so the names stay valid.
    unsafe {
        let (mut found, mut own): (libc::Dl_info, libc::Dl_info) = (std::mem::zeroed(), std::mem::zeroed());
        libc::dladdr(place_of as *const c_void, &mut own);
        if libc::dladdr(address as *const c_void, &mut found) == 0
            || found.dli_fname.is_null()
            || found.dli_fbase == own.dli_fbase
        {
            return None;
        }
        let function = (!found.dli_sname.is_null()).then(|| CStr::from_ptr(found.dli_sname));
        let offset = address.wrapping_sub(found.dli_fbase as usize);
        Some(Place { file: CStr::from_ptr(found.dli_fname), offset, function })
    }
}

fn message() -> String {
    // SAFETY: dlerror returns null, or a string that lives until this thread's next call.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
    }
}

impl Library {
    /// The address of a function or variable.
    pub fn symbol(&self, name: &CStr) -> Option<*const c_void> {
        // SAFETY: the handle is that of a loaded library.
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!address.is_null()).then_some(address.cast_const())
    }
}
