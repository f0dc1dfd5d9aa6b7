//! How much memory this process uses and may use, in bytes.

use std::ptr::NonNull;

use super::page_size;
use crate::{Result, errno};

/// The resident memory of this process. Zero if unknown.
pub fn resident_bytes() -> usize {
    pages_of_statm(1).map_or(0, |pages| pages * page_size())
}

/// Address space that this process has mapped, reservations included. Zero if unknown.
pub fn mapped_bytes() -> usize {
    pages_of_statm(0).map_or(0, |pages| pages * page_size())
}

fn pages_of_statm(field: usize) -> Option<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    statm.split_ascii_whitespace().nth(field)?.parse().ok()
}

/// The peak resident memory of this process.
pub fn peak_resident_bytes() -> usize {
    crate::process::resource_usage(crate::process::OF_PROCESS).map_or(0, |usage| usage.peak_resident as usize)
}

/// The soft limit on this process's address space, if there is one.
pub fn address_space_limit() -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the pointer is to a local.
    let outcome = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    (outcome == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as usize)
}

/// Whether the limit on this process's address space leaves this many bytes in one piece. Always if there is no limit.
pub fn address_space_leaves(bytes: usize) -> bool {
    if address_space_limit().is_none() {
        return true;
    }
    let reserved = super::reserve(bytes, page_size());
    // SAFETY: the range was just reserved, and nothing else knows of it.
    reserved.is_ok_and(|start| unsafe { super::unmap(start, super::round_to_pages(bytes)) }.is_ok())
}

/// The machine's memory, or the limit of this process's control group if that is less. Zero if unknown.
pub fn available_to_process() -> usize {
    // SAFETY: no pointers are involved.
    let pages = unsafe { libc::sysconf(libc::_SC_PHYS_PAGES) };
    let physical = usize::try_from(pages).unwrap_or(0).saturating_mul(page_size());
    let limit = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| std::fs::read_to_string(path).ok()?.trim().parse::<usize>().ok());
    limit.map_or(physical, |limit| limit.min(physical))
}

/// The number of resident pages of the range, for tests.
///
/// The range must start at a page; an unmapped page in it is `ENOMEM`.
pub fn resident_pages(start: NonNull<u8>, length: usize) -> Result<usize> {
    let mut pages = memory::filled(0, length.div_ceil(page_size()));
    // SAFETY: the call only reads page tables, and writes one byte a page into the vector.
    errno::check(unsafe { libc::mincore(start.as_ptr().cast(), length, pages.as_mut_ptr().cast()) })?;
    Ok(pages.iter().filter(|page: &&u8| **page & 1 == 1).count())
}

/// Makes the C library return memory that it need not keep. By default it raises both limits to twice the largest block
/// that was ever freed: after one block of 8 MB was freed, it keeps 16 MB of free memory permanently.
///
/// Small blocks are merged with their neighbours when they are freed. By default the C library keeps lists of them, and
/// merges all of these whenever a large block is freed: a program that frees trees of many thousand small nodes then
/// spends most of its time there.
#[cfg(target_env = "gnu")]
pub fn limit_kept_memory() {
    const MAPPED_FROM: libc::c_int = 1 << 20;
    const KEPT: libc::c_int = 512 << 10;
    let is_set = |name| std::env::var_os(name).is_some();
    // SAFETY: the calls change limits; a refusal leaves them as they are.
    unsafe {
        libc::mallopt(libc::M_MXFAST, 0);
        if !["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"].into_iter().any(is_set) {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        }
    }
}

#[cfg(not(target_env = "gnu"))]
pub fn limit_kept_memory() {}

/// Makes the C library return all pages that contain nothing but free blocks, not only those at the end of its memory.
#[cfg(target_env = "gnu")]
pub fn return_free_memory() {
    // SAFETY: the call takes the allocator's own lock and touches free blocks alone.
    unsafe { libc::malloc_trim(0) };
}

#[cfg(not(target_env = "gnu"))]
pub fn return_free_memory() {}

/// The same after the parser has read a source of this many bytes, if that is a large one: its tree, several times as
/// long, lies between what is kept.
pub fn return_free_memory_of(source: usize) {
    const LARGE: usize = 32 << 10;
    if source >= LARGE {
        return_free_memory();
    }
}
