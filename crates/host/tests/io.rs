//! Waiting for descriptors, several buffers at once. These tests start no children: until exec they would hold copies
//! of all descriptors, and delay the end of a pipe.

use std::io::{IoSlice, IoSliceMut};

use host::clock::monotonic_nanoseconds;
use host::io::{self, Events, PollEntry};
use host::{Errno, Fd, fs};

const SOON: u64 = 2_000_000;

#[test]
fn waiting_ends_with_data_or_with_the_deadline() {
    let (read, write) = fs::pipe().unwrap();
    let mut keeps_waiting = || true;
    let before = monotonic_nanoseconds();
    assert_eq!(io::wait_for(read, Events::READABLE, Some(before + SOON), &mut keeps_waiting), Ok(Events::NONE));
    assert!(monotonic_nanoseconds() >= before + SOON);
    assert_eq!(io::wait_for(write, Events::WRITABLE, None, &mut keeps_waiting), Ok(Events::WRITABLE));
    assert_eq!(io::select(&[read], &[], &[], Some(before), &mut keeps_waiting), Ok(None));
    fs::write(write, b"x").unwrap();
    let selected = io::select(&[write, read], &[write], &[read], None, &mut keeps_waiting).unwrap().unwrap();
    assert_eq!((selected.readable, selected.writable, selected.exceptional), (vec![1], vec![0], vec![]));
    assert_eq!(io::bytes_waiting(read), Ok(1));
    fs::close(write).unwrap();
    let mut entries = [PollEntry::new(read, Events::READABLE), PollEntry::new(Fd(-1), Events::READABLE)];
    assert_eq!(io::poll(&mut entries, None, &mut keeps_waiting), Ok(1));
    assert!(entries[0].ready().intersects(Events::HANGUP));
    fs::close(read).unwrap();
    assert_eq!(io::select(&[Fd(-1)], &[], &[], None, &mut keeps_waiting), Err(Errno(libc::EBADF)));
    assert_eq!(io::wait_for(Fd(9999), Events::READABLE, None, &mut keeps_waiting), Err(Errno(libc::EBADF)));
}

#[test]
fn buffers_are_taken_one_after_the_other() {
    let (read, write) = fs::pipe().unwrap();
    assert_eq!(io::write_vectored(write, &[IoSlice::new(b"abc"), IoSlice::new(b"de")]), Ok(5));
    let (mut first, mut second) = ([0; 2], [0; 8]);
    let mut buffers = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
    assert_eq!(io::read_vectored(read, &mut buffers), Ok(5));
    assert_eq!((&first, &second[..3]), (b"ab", &b"cde"[..]));
    fs::close(read).unwrap();
    fs::close(write).unwrap();
}
