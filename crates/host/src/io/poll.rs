//! Waiting until descriptors are ready.

use std::ops::BitOr;

use crate::clock::monotonic_nanoseconds;
use crate::errno::check;
use crate::{Errno, Fd, Result};

/// The readiness of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct Events(i16);

impl Events {
    pub const NONE: Events = Events(0);
    pub const READABLE: Events = Events(libc::POLLIN);
    /// Out-of-band data.
    pub const PRIORITY: Events = Events(libc::POLLPRI);
    pub const WRITABLE: Events = Events(libc::POLLOUT);
    /// These three are reported without being requested.
    pub const ERROR: Events = Events(libc::POLLERR);
    pub const HANGUP: Events = Events(libc::POLLHUP);
    pub const NOT_OPEN: Events = Events(libc::POLLNVAL);

    pub fn intersects(self, other: Events) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The system's bits, which are also the values of `IO::READABLE` and similar constants.
    pub fn bits(self) -> i16 {
        self.0
    }

    pub fn from_bits(bits: i16) -> Events {
        Events(bits)
    }
}

impl BitOr for Events {
    type Output = Events;

    fn bitor(self, other: Events) -> Events {
        Events(self.0 | other.0)
    }
}

/// A descriptor to wait for, with the events to wait for and those that occurred. A negative number is ignored.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PollEntry(libc::pollfd);

impl PollEntry {
    pub fn new(fd: Fd, wanted: Events) -> PollEntry {
        PollEntry(libc::pollfd { fd: fd.0, events: wanted.0, revents: 0 })
    }

    pub fn fd(&self) -> Fd {
        Fd(self.0.fd)
    }

    pub fn wanted(&self) -> Events {
        Events(self.0.events)
    }

    pub fn ready(&self) -> Events {
        Events(self.0.revents)
    }
}

/// Waits until one of the descriptors is ready, or until [`monotonic_nanoseconds`] reaches `deadline`; returns the
/// number of ready ones. When a signal arrives, `keeps_waiting` is called: if it returns `false`, the wait ends with
/// `EINTR`.
pub fn poll(
    entries: &mut [PollEntry],
    deadline: Option<u64>,
    keeps_waiting: &mut dyn FnMut() -> bool,
) -> Result<usize> {
    loop {
        match poll_once(entries, deadline.map(|deadline| deadline.saturating_sub(monotonic_nanoseconds()))) {
            Err(Errno(libc::EINTR)) if keeps_waiting() => {}
            outcome => return outcome,
        }
    }
}

/// Waits for at most this many nanoseconds. Any signal ends the wait with `EINTR`.
#[cfg(target_os = "linux")]
pub fn poll_once(entries: &mut [PollEntry], timeout: Option<u64>) -> Result<usize> {
    let timeout = timeout.map(|nanoseconds| libc::timespec {
        tv_sec: (nanoseconds / 1_000_000_000) as i64,
        tv_nsec: (nanoseconds % 1_000_000_000) as i64,
    });
    let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: an entry has the system's layout; the timeout is null or a local; no mask is given.
    let outcome =
        unsafe { libc::ppoll(entries.as_mut_ptr().cast(), entries.len() as libc::nfds_t, timeout, std::ptr::null()) };
    check(outcome).map(|count| count as usize)
}

/// Waits for one descriptor, as [`poll`] does. Returns no events if the deadline expired. A number that is not open is
/// `EBADF`.
pub fn wait_for(
    fd: Fd,
    wanted: Events,
    deadline: Option<u64>,
    keeps_waiting: &mut dyn FnMut() -> bool,
) -> Result<Events> {
    let mut entry = [PollEntry::new(fd, wanted)];
    if fd.0 < 0 {
        return Err(Errno(libc::EBADF));
    }
    poll(&mut entry, deadline, keeps_waiting)?;
    let ready = entry[0].ready();
    if ready.intersects(Events::NOT_OPEN) { Err(Errno(libc::EBADF)) } else { Ok(ready) }
}

/// The ready descriptors among those given to [`select`], by their indices in its lists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selected {
    pub readable: Vec<usize>,
    pub writable: Vec<usize>,
    pub exceptional: Vec<usize>,
}

/// `select(2)` for any number of descriptors of any size, implemented by `poll(2)`. `None` if the deadline expired;
/// `EBADF` if one is not open.
pub fn select(
    read: &[Fd],
    write: &[Fd],
    except: &[Fd],
    deadline: Option<u64>,
    keeps_waiting: &mut dyn FnMut() -> bool,
) -> Result<Option<Selected>> {
    let with = |list: &[Fd], wanted| list.iter().map(move |fd| PollEntry::new(*fd, wanted)).collect::<Vec<_>>();
    let mut entries = with(read, Events::READABLE);
    entries.extend(with(write, Events::WRITABLE));
    entries.extend(with(except, Events::PRIORITY));
    if entries.iter().any(|entry| entry.fd().0 < 0) {
        return Err(Errno(libc::EBADF));
    }
    if poll(&mut entries, deadline, keeps_waiting)? == 0 {
        return Ok(None);
    }
    if entries.iter().any(|entry| entry.ready().intersects(Events::NOT_OPEN)) {
        return Err(Errno(libc::EBADF));
    }
    // Ready in the sense of select(2): the call would not block, because data is available, the call fails, or the end
    // is reached.
    let places = |entries: &[PollEntry], events: Events| {
        let ready = entries.iter().enumerate().filter(|(_, entry)| entry.ready().intersects(events));
        ready.map(|(place, _)| place).collect()
    };
    let (readers, others) = entries.split_at(read.len());
    let (writers, exceptional) = others.split_at(write.len());
    Ok(Some(Selected {
        readable: places(readers, Events::READABLE | Events::HANGUP | Events::ERROR),
        writable: places(writers, Events::WRITABLE | Events::ERROR | Events::HANGUP),
        exceptional: places(exceptional, Events::PRIORITY),
    }))
}
