//! What `ps` shows as this process's command line. The system shows the memory in which it left the arguments, so that
//! is written over; a title longer than they were also takes the room of the environment behind them, which moves
//! elsewhere first.

use std::ops::Range;
use std::sync::OnceLock;

use crate::{Errno, Result, environment};

/// Shows a title, as much of it as there is room for. From then on, `std::env::args` gives parts of the title: look at
/// the arguments before. `ENOSYS` where the system does not say where they are.
pub fn set_title(title: &[u8]) -> Result<()> {
    static ROOM: OnceLock<Option<Range<usize>>> = OnceLock::new();
    let room = ROOM.get_or_init(|| {
        let room = find_room()?;
        environment::move_away();
        Some(room)
    });
    let room = room.clone().ok_or(Errno(libc::ENOSYS))?;
    let _guard = environment::lock();
    let start = std::ptr::with_exposed_provenance_mut::<u8>(room.start);
    // One byte stays for the NUL at the end.
    let length = title.len().min(room.len() - 1);
    // SAFETY: the range is the memory of the arguments and of the environment that the process was started with:
    // writable, and used by nobody but readers of terminated strings, for whom it stays that. The lock keeps other
    // titles away.
    unsafe {
        start.copy_from_nonoverlapping(title.as_ptr(), length);
        start.add(length).write_bytes(0, room.len() - length);
    }
    Ok(())
}

/// Where the arguments are, with the environment if that follows.
#[cfg(target_os = "linux")]
fn find_room() -> Option<Range<usize>> {
    let stat = std::fs::read("/proc/self/stat").ok()?;
    // The second field is the program's name in parentheses and may hold anything.
    let rest = &stat[stat.iter().rposition(|byte| *byte == b')')? + 1..];
    let fields: Vec<usize> =
        std::str::from_utf8(rest).ok()?.split_ascii_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    // Counted from 1 in the manual, and the first two are cut off here.
    let field = |number: usize| fields.get(number - 3).copied().filter(|address| *address != 0);
    let (start, end, environment, environment_end) = (field(48)?, field(49)?, field(50)?, field(51)?);
    let end = if environment == end { environment_end } else { end };
    (end > start).then_some(start..end)
}
