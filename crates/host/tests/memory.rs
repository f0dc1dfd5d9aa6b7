//! Ranges of pages: taken, aligned, given back, grown and moved.

use host::memory;

const MEGABYTE: usize = 1 << 20;

#[test]
fn a_reservation_is_aligned_and_holds_no_memory() {
    let align = 4 * MEGABYTE;
    let start = memory::reserve(64 * MEGABYTE, align).unwrap();
    assert_eq!(start.addr().get() % align, 0);
    assert_eq!(memory::resident_pages(start, MEGABYTE).unwrap(), 0);
    // SAFETY: the range is this test's own.
    unsafe {
        memory::commit(start, MEGABYTE).unwrap();
        start.write_bytes(7, MEGABYTE);
        assert_eq!(memory::resident_pages(start, MEGABYTE).unwrap(), MEGABYTE / memory::page_size());
        memory::decommit(start, MEGABYTE).unwrap();
        assert_eq!(memory::resident_pages(start, MEGABYTE).unwrap(), 0);
        assert_eq!(start.read(), 0);
        start.write(1);
        memory::decommit_lazily(start, MEGABYTE).unwrap();
        memory::withdraw(start, MEGABYTE).unwrap();
        assert_eq!(memory::resident_pages(start, MEGABYTE).unwrap(), 0);
        memory::unmap(start, 64 * MEGABYTE).unwrap();
    }
}

#[test]
fn growing_keeps_the_contents() {
    let start = memory::map(MEGABYTE, 16 * MEGABYTE).unwrap();
    // SAFETY: the ranges are this test's own.
    unsafe {
        start.add(MEGABYTE - 1).write(42);
        memory::advise_huge_pages(start, MEGABYTE, false).unwrap();
        let grown = memory::resize(start, MEGABYTE, 3 * MEGABYTE).unwrap();
        assert_eq!(grown.add(MEGABYTE - 1).read(), 42);
        assert_eq!(grown.add(3 * MEGABYTE - 1).read(), 0);
        memory::resize_in_place(grown, 3 * MEGABYTE, 2 * MEGABYTE).unwrap();
        let target = memory::reserve(4 * MEGABYTE, 4 * MEGABYTE).unwrap();
        memory::move_to(grown, 2 * MEGABYTE, 4 * MEGABYTE, target).unwrap();
        assert_eq!(target.add(MEGABYTE - 1).read(), 42);
        memory::unmap(target, 4 * MEGABYTE).unwrap();
    }
}

#[test]
fn impossible_requests_are_errors() {
    assert_eq!(memory::map(0, 4096), Err(host::Errno(libc::EINVAL)));
    assert_eq!(memory::map(4096, 3), Err(host::Errno(libc::EINVAL)));
    assert_eq!(memory::reserve(usize::MAX / 2, 4096), Err(host::Errno(libc::ENOMEM)));
}

#[test]
fn usage_is_plausible() {
    assert!(memory::resident_bytes() > 100_000);
    assert!(memory::mapped_bytes() >= memory::resident_bytes());
    assert!(memory::peak_resident_bytes() > 100_000);
    assert!(memory::available_to_process() >= 64 * MEGABYTE);
    assert_eq!(memory::round_to_pages(1), memory::page_size());
}
