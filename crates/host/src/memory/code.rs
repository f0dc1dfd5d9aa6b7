//! Memory for machine code: the same pages mapped twice, so that no page is writable and executable at once.

use std::{ops::Range, ptr::NonNull};

use crate::{Errno, Result};

/// A range of code memory; mapped until the process ends.
pub struct CodeMemory {
    writable: NonNull<u8>,
    executable: NonNull<u8>,
    length: usize,
    /// The written range whose pages are still in the writable mapping.
    written: Range<usize>,
}

/// Written pages are taken out of the writable mapping once there are so many bytes: each time, the other processors
/// must forget the addresses.
const MOST_WRITTEN: usize = 64 << 10;

// SAFETY: it owns the mapping at these addresses, which is not bound to a thread.
unsafe impl Send for CodeMemory {}

impl CodeMemory {
    /// Maps `length` bytes, a multiple of the page size. Pages get memory when they are written. The executable mapping
    /// is less than 2 GB below the address `near` if there is room, so that calls between the two reach each other.
    ///
    /// The memory is anonymous if the system can map such memory twice (emulators of other processors cannot): `perf`
    /// looks for names of code in anonymous memory only. Otherwise it is a memory file.
    #[cfg(target_os = "linux")]
    pub fn map(length: usize, near: usize) -> Result<CodeMemory> {
        let place = reserve_below(length, near);
        let (writable, executable) = twice::anonymous(length, place).or_else(|_| twice::memory_file(length, place))?;
        Ok(CodeMemory { writable, executable, length, written: 0..0 })
    }

    #[cfg(not(target_os = "linux"))]
    pub fn map(_: usize, _: usize) -> Result<CodeMemory> {
        Err(Errno(libc::ENOSYS))
    }

    /// Copies code to `at` and returns where it can be executed.
    pub fn write(&mut self, at: usize, code: &[u8]) -> Result<NonNull<u8>> {
        if at.checked_add(code.len()).is_none_or(|end| end > self.length) {
            return Err(Errno(libc::ENOMEM));
        }
        // SAFETY: the range lies in the mapping, to which only this object writes.
        unsafe {
            std::ptr::copy_nonoverlapping(code.as_ptr(), self.writable.as_ptr().add(at), code.len());
        }
        self.note_written(at..at + code.len());
        // SAFETY: the range lies in the mapping, which is as long as the writable one.
        Ok(unsafe { self.executable.add(at) })
    }

    /// Code is mostly written behind the code before it; what is written elsewhere begins a new range.
    fn note_written(&mut self, range: Range<usize>) {
        let is_next = self.written.end <= range.start && range.start - self.written.end <= super::page_size();
        if !is_next {
            self.forget_written();
            self.written.start = range.start;
        }
        self.written.end = range.end;
        if self.written.len() >= MOST_WRITTEN {
            self.forget_written();
        }
    }

    /// Takes the written pages out of the writable mapping: the executable one keeps them, but the process would be
    /// charged for both mappings.
    fn forget_written(&mut self) {
        if self.written.is_empty() {
            return;
        }
        let page = super::page_size();
        let start = self.written.start & !(page - 1);
        let pages = self.written.end.next_multiple_of(page).min(self.length) - start;
        // SAFETY: whole pages of the mapping; it is shared, so that what was written stays. A failure
        // leaves them mapped, which is harmless.
        unsafe {
            libc::madvise(self.writable.as_ptr().add(start).cast(), pages, libc::MADV_DONTNEED);
        }
        self.written = self.written.end..self.written.end;
    }

    pub fn length(&self) -> usize {
        self.length
    }

    /// The addresses at which the code is executed.
    pub fn addresses(&self) -> Range<usize> {
        let start = self.executable.as_ptr() as usize;
        start..start + self.length
    }
}

/// Ways to map the same memory twice: writable, and executable at a reserved place or anywhere.
#[cfg(target_os = "linux")]
mod twice {
    use std::ptr::{NonNull, null_mut};

    use crate::{Errno, Fd, Result, errno::check};

    const WRITABLE: libc::c_int = libc::PROT_READ | libc::PROT_WRITE;
    const EXECUTABLE: libc::c_int = libc::PROT_READ | libc::PROT_EXEC;

    pub type Mappings = (NonNull<u8>, NonNull<u8>);

    pub fn anonymous(length: usize, place: Option<NonNull<u8>>) -> Result<Mappings> {
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping wherever there is room.
        let writable = mapped(unsafe { libc::mmap(null_mut(), length, WRITABLE, flags, -1, 0) })?;
        let start = writable.as_ptr().cast();
        // SAFETY: with an old size of 0 the call leaves the shared mapping as it is; what it replaces is the reserved
        // range.
        let duplicate = mapped(unsafe {
            match place {
                Some(place) => {
                    libc::mremap(start, 0, length, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, place.as_ptr())
                }
                None => libc::mremap(start, 0, length, libc::MREMAP_MAYMOVE),
            }
        });
        let executable = duplicate.and_then(|executable| {
            // SAFETY: the range was just mapped and is used by nobody else.
            check(unsafe { libc::mprotect(executable.as_ptr().cast(), length, EXECUTABLE) })?;
            Ok(executable)
        });
        if executable.is_err() {
            // SAFETY: nobody else knows the mapping.
            unsafe { libc::munmap(start, length) };
        }
        Ok((writable, executable?))
    }

    pub fn memory_file(length: usize, place: Option<NonNull<u8>>) -> Result<Mappings> {
        // SAFETY: the name is a C string; the call makes a new descriptor.
        let fd = unsafe { libc::memfd_create(c"beni-code".as_ptr(), libc::MFD_CLOEXEC) };
        check(fd)?;
        let fd = Fd(fd);
        // SAFETY: the descriptor was just created; the mappings are new, or replace the reserved range.
        let mappings = check(unsafe { libc::ftruncate(fd.0, length as libc::off_t) }).and_then(|_| unsafe {
            let writable = mapped(libc::mmap(null_mut(), length, WRITABLE, libc::MAP_SHARED, fd.0, 0))?;
            let (at, flags) = match place {
                Some(place) => (place.as_ptr().cast(), libc::MAP_SHARED | libc::MAP_FIXED),
                None => (null_mut(), libc::MAP_SHARED),
            };
            Ok((writable, mapped(libc::mmap(at, length, EXECUTABLE, flags, fd.0, 0))?))
        });
        // SAFETY: this function owns the descriptor; the mappings keep the memory.
        unsafe { libc::close(fd.0) };
        mappings
    }

    fn mapped(start: *mut libc::c_void) -> Result<NonNull<u8>> {
        match NonNull::new(start) {
            Some(start) if start.as_ptr() != libc::MAP_FAILED => Ok(start.cast()),
            _ => Err(Errno::last()),
        }
    }
}

/// Reserves addresses at the first free one of some places below `near`.
#[cfg(target_os = "linux")]
fn reserve_below(length: usize, near: usize) -> Option<NonNull<u8>> {
    const STEP: usize = 64 << 20;
    const FURTHEST: usize = 1 << 30;
    let page = super::page_size();
    for distance in (STEP..=FURTHEST).step_by(STEP) {
        let Some(wanted) = near.checked_sub(distance + length).filter(|wanted| *wanted > FURTHEST) else { break };
        let wanted = wanted & !(page - 1);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: with this flag the new mapping overlaps nothing.
        let start = unsafe { libc::mmap(wanted as *mut libc::c_void, length, libc::PROT_NONE, flags, -1, 0) };
        if start as usize == wanted {
            return NonNull::new(start.cast());
        }
        if start != libc::MAP_FAILED {
            // The system does not know the flag. SAFETY: the mapping was just made.
            unsafe { libc::munmap(start, length) };
            break;
        }
    }
    None
}

/// Makes all threads of this process fetch instructions anew, after code was written and the caches were synchronized:
/// a thread may have fetched instructions ahead that were replaced. A system without this call does so at each switch
/// of threads, and code is passed to another thread only by a switch.
#[cfg(target_os = "linux")]
pub fn synchronize_instructions() {
    const SYNCHRONIZE: libc::c_int = 1 << 5;
    const REGISTER: libc::c_int = 1 << 6;
    // SAFETY: the call takes numbers and changes no memory.
    let call = |command: libc::c_int| unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
    // The process must have registered before.
    if call(SYNCHRONIZE) != 0 && call(REGISTER) == 0 {
        call(SYNCHRONIZE);
    }
}

#[cfg(not(target_os = "linux"))]
pub fn synchronize_instructions() {}
