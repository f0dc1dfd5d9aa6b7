//! Ranges of pages: reserved, aligned, returned, grown and moved.

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
        let target = memory::map(4 * MEGABYTE, 4 * MEGABYTE).unwrap();
        if memory::exchange(grown, 2 * MEGABYTE, target.add(MEGABYTE)) == memory::Exchange::Moved {
            assert_eq!(target.add(2 * MEGABYTE - 1).read(), 42);
            assert_eq!(memory::resident_pages(grown, 2 * MEGABYTE).unwrap(), 0);
        }
        grown.write(1);
        assert_eq!((target.read(), target.add(4 * MEGABYTE - 1).read()), (0, 0));
        memory::unmap(grown, 2 * MEGABYTE).unwrap();
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

#[test]
fn files_are_memory() {
    let path = format!("{}/beni-host-map-{}", std::env::temp_dir().display(), std::process::id());
    let fd = host::fs::open(path.as_bytes(), host::fs::READ_WRITE | host::fs::CREATE, 0o600).unwrap();
    host::fs::write(fd, b"abcdef").unwrap();
    let start = memory::map_file(fd, 0, 6, memory::Protection::ReadWrite, true).unwrap();
    // SAFETY: the mapping is this test's own.
    unsafe {
        start.add(1).write(b'B');
        memory::sync_file(start, 6).unwrap();
        memory::unmap(start, 6).unwrap();
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"aBcdef");
    host::fs::close(fd).unwrap();
    host::fs::unlink(path.as_bytes()).unwrap();
    assert_eq!(memory::map_file(host::Fd(-1), 0, 6, memory::Protection::Read, false), Err(host::Errno(libc::EBADF)));
}

#[test]
fn written_code_is_resident_once() {
    const LENGTH: usize = 16 * MEGABYTE;
    let mut code = memory::CodeMemory::map(LENGTH, 0).unwrap();
    let before = memory::resident_bytes();
    for at in (0..LENGTH).step_by(1000) {
        code.write(at, &[0xc3; 1000][..1000.min(LENGTH - at)]).unwrap();
    }
    let grown = memory::resident_bytes().saturating_sub(before);
    assert!(grown < LENGTH / 2, "{grown}");
    // SAFETY: the first byte was written.
    assert_eq!(unsafe { code.write(0, &[0xc3]).unwrap().read() }, 0xc3);
}

#[cfg(target_os = "linux")]
#[test]
fn code_is_mapped_where_direct_calls_reach_the_program() {
    let program = code_is_mapped_where_direct_calls_reach_the_program as *const () as usize;
    let near = memory::CodeMemory::map(MEGABYTE, program).unwrap().addresses();
    let next = memory::CodeMemory::map(MEGABYTE, program).unwrap().addresses();
    assert!(near.end <= program && program - near.start < 1 << 31, "{near:x?} {program:x}");
    assert!(next.end <= near.start || near.end <= next.start, "{near:x?} {next:x?}");
}

#[cfg(target_os = "linux")]
#[test]
fn code_is_mapped_where_perf_looks_for_names() {
    // `perf` takes a mapping for anonymous memory, whose names a program may write down, if this is its file's name.
    const ANONYMOUS: &str = "/dev/zero";
    let code = memory::CodeMemory::map(MEGABYTE, 0).unwrap().addresses();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let line = maps.lines().find(|line| line.starts_with(&format!("{:x}-", code.start))).unwrap();
    assert!(line.contains("r-xs") && line.contains(ANONYMOUS), "{line}");
}
