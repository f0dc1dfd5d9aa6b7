//! The pages of the binary that this process has mapped.

/// Unmaps the pages of the binary that hold constants. They stay in the system's cache of files, from which an access
/// maps them again, sixteen at a time. Startup reads a third of all constants only once: names and code of methods.
#[cfg(target_os = "linux")]
pub fn forget_constants() {
    use std::ffi::{c_int, c_void};
    use std::ptr::NonNull;

    use rustix::mm::{self, Advice};

    /// A page of constants, to find their segment.
    static CONSTANT: [u8; 64] = [1; 64];

    unsafe extern "C" fn forget_in(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
        let constant = CONSTANT.as_ptr() as usize;
        // SAFETY: the C library passes the description of a loaded object and its program headers.
        let (base, headers) = unsafe {
            let info = &*info;
            (info.dlpi_addr as usize, std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)))
        };
        for header in headers {
            let start = base + header.p_vaddr as usize;
            let end = start + header.p_memsz as usize;
            // Segments that are writable, or were until their relocation, have contents of their own.
            if header.p_type == libc::PT_LOAD && header.p_flags == libc::PF_R && (start..end).contains(&constant) {
                let page = super::page_size();
                let (first, last) = (start.next_multiple_of(page), end / page * page);
                if let Some(pages) = NonNull::new(first as *mut c_void).filter(|_| first < last) {
                    // SAFETY: the pages of a read-only segment are those of the file: they are read from it again.
                    let _ = unsafe { mm::madvise(pages.as_ptr(), last - first, Advice::LinuxDontNeed) };
                }
                return 1;
            }
        }
        0
    }

    // SAFETY: the function has the type of a callback, and does not unwind.
    unsafe { libc::dl_iterate_phdr(Some(forget_in), std::ptr::null_mut()) };
}

#[cfg(not(target_os = "linux"))]
pub fn forget_constants() {}

#[cfg(test)]
mod tests {
    #[test]
    fn constants_are_the_same_afterwards() {
        static TEXT: &str = "a constant that startup has read";
        let before = std::hint::black_box(TEXT).to_owned();
        super::forget_constants();
        assert_eq!(std::hint::black_box(TEXT), before);
    }
}
