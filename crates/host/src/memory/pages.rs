//! Ranges of pages. A range is a start address and a length in bytes; both are multiples of the page size unless a
//! function says otherwise. This module keeps no record of mappings: the caller owns its ranges.

use std::ptr::{self, NonNull};
use std::sync::OnceLock;

use rustix::mm::{self, Advice, MapFlags, MprotectFlags, ProtFlags};

use crate::{Errno, Result};

/// The permissions of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    None,
    Read,
    ReadWrite,
    ReadExecute,
}

impl Protection {
    fn to_map(self) -> ProtFlags {
        match self {
            Protection::None => ProtFlags::empty(),
            Protection::Read => ProtFlags::READ,
            Protection::ReadWrite => ProtFlags::READ | ProtFlags::WRITE,
            Protection::ReadExecute => ProtFlags::READ | ProtFlags::EXEC,
        }
    }

    fn to_change(self) -> MprotectFlags {
        MprotectFlags::from_bits_retain(self.to_map().bits())
    }
}

/// The size of a page in bytes.
pub fn page_size() -> usize {
    static PAGE_SIZE: OnceLock<usize> = OnceLock::new();
    *PAGE_SIZE.get_or_init(|| {
        // SAFETY: no pointers are involved.
        let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        usize::try_from(size).unwrap_or(4096)
    })
}

/// Rounds a length up to whole pages.
pub fn round_to_pages(length: usize) -> usize {
    length.next_multiple_of(page_size())
}

/// Takes `length` bytes of address space that start at a multiple of `align` (a power of two). They have no memory:
/// accessing them faults until [`commit`].
pub fn reserve(length: usize, align: usize) -> Result<NonNull<u8>> {
    map_aligned(length, align, Protection::None, MapFlags::PRIVATE | MapFlags::NORESERVE)
}

/// Maps `length` zeroed bytes, readable and writable, that start at a multiple of `align` (a power of two).
pub fn map(length: usize, align: usize) -> Result<NonNull<u8>> {
    map_aligned(length, align, Protection::ReadWrite, MapFlags::PRIVATE)
}

/// Maps enough to contain an aligned start, and unmaps the excess on both sides. Mappings of one size are mostly
/// adjacent, so the first attempt uses the exact length.
fn map_aligned(length: usize, align: usize, protection: Protection, flags: MapFlags) -> Result<NonNull<u8>> {
    if !align.is_power_of_two() || length == 0 {
        return Err(Errno(libc::EINVAL));
    }
    let start = map_anywhere(length, protection, flags)?;
    if start.addr().get() & (align - 1) == 0 {
        return Ok(start);
    }
    // SAFETY: the range was just mapped, and nothing else knows of it.
    unsafe { unmap(start, length)? };
    let padded = length.checked_add(align).ok_or(Errno(libc::ENOMEM))?;
    let start = map_anywhere(padded, protection, flags)?;
    let lead = start.addr().get().next_multiple_of(align) - start.addr().get();
    // SAFETY: `lead < align`, so the three parts cover the range that was just mapped; nothing else knows of it.
    unsafe {
        let aligned = start.add(lead);
        if lead > 0 {
            unmap(start, lead)?;
        }
        unmap(aligned.add(length), padded - lead - length)?;
        Ok(aligned)
    }
}

fn map_anywhere(length: usize, protection: Protection, flags: MapFlags) -> Result<NonNull<u8>> {
    // SAFETY: a new anonymous mapping at an address of the system's choice overlaps nothing.
    let start = unsafe { mm::mmap_anonymous(ptr::null_mut(), length, protection.to_map(), flags)? };
    NonNull::new(start.cast()).ok_or(Errno(libc::ENOMEM))
}

/// Makes reserved pages readable and writable. Each page gets memory when it is first accessed.
///
/// # Safety
/// The range must lie in mappings that the caller owns.
pub unsafe fn commit(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { protect(start, length, Protection::ReadWrite) }
}

/// Returns the memory of the range to the system immediately. The pages keep their protection and read as zeros when
/// accessed again.
///
/// # Safety
/// The range must lie in anonymous mappings that the caller owns, and nothing may rely on its contents.
pub unsafe fn decommit(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { advise(start, length, Advice::LinuxDontNeed) }
}

/// Allows the system to reclaim the memory of the range when it needs it. Cheaper than [`decommit`] if the range is
/// reused soon; until then each page keeps its contents or reads as zeros, and
/// [`resident_bytes`](crate::memory::resident_bytes) still counts it.
///
/// # Safety
/// As for [`decommit`].
pub unsafe fn decommit_lazily(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    match unsafe { advise(start, length, Advice::LinuxFree) } {
        // Locked memory, and kernels without the advice.
        // SAFETY: this function's contract is that of the call.
        Err(Errno(libc::EINVAL)) => unsafe { decommit(start, length) },
        outcome => outcome,
    }
}

/// Like [`decommit`], and makes the range one mapping again that [`exchange`] has divided.
///
/// # Safety
/// As for [`decommit`], and the range was committed.
pub unsafe fn renew(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call; a fixed mapping replaces only pages that the caller owns.
    unsafe {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        mm::mmap_anonymous(start.as_ptr().cast(), length, ProtFlags::READ | ProtFlags::WRITE, flags)?;
    }
    Ok(())
}

/// Returns the memory and restores the state of the range after [`reserve`].
///
/// # Safety
/// As for [`decommit`], and nothing may access the range until it is committed again.
pub unsafe fn withdraw(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call; a fixed mapping replaces only pages that the caller owns.
    unsafe {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        mm::mmap_anonymous(start.as_ptr().cast(), length, ProtFlags::empty(), flags)?;
    }
    Ok(())
}

/// Changes the permissions of the pages of the range.
///
/// # Safety
/// The range must lie in mappings that the caller owns, and no access may violate the new protection.
pub unsafe fn protect(start: NonNull<u8>, length: usize, protection: Protection) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { mm::mprotect(start.as_ptr().cast(), length, protection.to_change())? };
    Ok(())
}

/// Unmaps the range, including its address space.
///
/// # Safety
/// The range must lie in mappings that the caller owns, and nothing may refer to it any more.
pub unsafe fn unmap(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { mm::munmap(start.as_ptr().cast(), length)? };
    Ok(())
}

/// Changes the length of a mapping in place. Fails with `ENOMEM` if other mappings are in the way.
///
/// # Safety
/// The range must be one mapping that the caller owns; if it shrinks, nothing may refer to the removed part.
#[cfg(target_os = "linux")]
pub unsafe fn resize_in_place(start: NonNull<u8>, old_length: usize, new_length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { mm::mremap(start.as_ptr().cast(), old_length, new_length, mm::MremapFlags::empty())? };
    Ok(())
}

/// Changes the length of a mapping, moving it if necessary: pages are remapped, not copied. The new start is only
/// guaranteed to be page-aligned; [`exchange`] moves to a chosen address.
///
/// # Safety
/// The range must be one mapping that the caller owns, and nothing may refer to it any more when this returns another
/// start.
#[cfg(target_os = "linux")]
pub unsafe fn resize(start: NonNull<u8>, old_length: usize, new_length: usize) -> Result<NonNull<u8>> {
    // SAFETY: this function's contract is that of the call.
    let start = unsafe { mm::mremap(start.as_ptr().cast(), old_length, new_length, mm::MremapFlags::MAYMOVE)? };
    NonNull::new(start.cast()).ok_or(Errno(libc::ENOMEM))
}

/// What became of a request to move pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// The target has the pages; the old range stays mapped and reads as zeros.
    Moved,
    /// The system refuses; the old range is as before, and the target reads as zeros.
    Refused,
    /// The system refuses; the old range is as before, and the target does not belong to the caller any more.
    Lost,
}

/// Moves the pages of a range to another one without copying them.
///
/// # Safety
/// Both ranges must lie in private, writable, anonymous mappings that the caller owns and not overlap; the source must
/// be in one mapping, the target must have no memory, and nothing may refer to either.
#[cfg(target_os = "linux")]
pub unsafe fn exchange(start: NonNull<u8>, length: usize, target: NonNull<u8>) -> Exchange {
    const STAY_MAPPED: libc::c_int = 4;
    let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED | STAY_MAPPED;
    // SAFETY: this function's contract is that of the call.
    let moved = unsafe { libc::mremap(start.as_ptr().cast(), length, length, flags, target.as_ptr()) };
    if moved != libc::MAP_FAILED {
        return Exchange::Moved;
    }
    if Errno::last() == Errno(libc::EINVAL) {
        // The system does not know the flag.
        return Exchange::Refused;
    }
    // The system may have unmapped the target before it failed, and another thread may have got the address since.
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: with this flag the new mapping replaces nothing.
    let restored = unsafe { libc::mmap(target.as_ptr().cast(), length, protection, flags, -1, 0) };
    if restored == target.as_ptr().cast() { Exchange::Refused } else { Exchange::Lost }
}

#[cfg(not(target_os = "linux"))]
pub unsafe fn exchange(_: NonNull<u8>, _: usize, _: NonNull<u8>) -> Exchange {
    Exchange::Refused
}

/// Commits memory for the whole range now, as if each page had been written to: one call costs less than a fault per
/// page. A hint: systems without it return an error and commit each page on access.
///
/// # Safety
/// The range must lie in writable mappings that the caller owns.
pub unsafe fn populate(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { advise(start, length, Advice::LinuxPopulateWrite) }
}

/// Requests huge pages for the range, or none. A hint: systems without them accept it silently.
///
/// # Safety
/// The range must lie in mappings that the caller owns.
pub unsafe fn advise_huge_pages(start: NonNull<u8>, length: usize, wanted: bool) -> Result<()> {
    let advice = if wanted { Advice::LinuxHugepage } else { Advice::LinuxNoHugepage };
    // SAFETY: this function's contract is that of the call.
    match unsafe { advise(start, length, advice) } {
        Err(Errno(libc::EINVAL)) => Ok(()),
        outcome => outcome,
    }
}

/// Makes every access to the range fault, permanently. If the kernel supports guard pages (Linux 6.13) the surrounding
/// mapping stays one; otherwise it is split into three.
///
/// # Safety
/// The range must lie in an anonymous mapping that the caller owns, and nothing may use it.
pub unsafe fn guard(start: NonNull<u8>, length: usize) -> Result<()> {
    const GUARD_INSTALL: libc::c_int = 102;
    // SAFETY: this function's contract is that of the call. A kernel without this advice refuses it and does nothing.
    if unsafe { libc::madvise(start.as_ptr().cast(), length, GUARD_INSTALL) } == 0 {
        return Ok(());
    }
    // SAFETY: this function's contract is that of the call.
    unsafe { protect(start, length, Protection::None) }
}

unsafe fn advise(start: NonNull<u8>, length: usize, advice: Advice) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    unsafe { mm::madvise(start.as_ptr().cast(), length, advice)? };
    Ok(())
}
