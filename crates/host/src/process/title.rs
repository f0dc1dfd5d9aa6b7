//! The command line that `ps` shows for this process. The system reads it from the memory that held the original
//! arguments, so a title overwrites them; a longer title also uses the space of the environment after them, which is
//! moved elsewhere first.

use std::ops::Range;
use std::sync::OnceLock;

use crate::{Errno, Result, environment};

/// Sets a title, truncated to the available space. After that, `std::env::args` returns parts of the title: read the
/// arguments before. `ENOSYS` if the system does not report their address.
pub fn set_title(title: &[u8]) -> Result<()> {
    static ROOM: OnceLock<Option<Range<usize>>> = OnceLock::new();
    let room = ROOM.get_or_init(|| {
        let room = find_room()?;
        environment::copy_out_of_initial_block();
        Some(room)
    });
    let room = room.clone().ok_or(Errno(libc::ENOSYS))?;
    let _guard = environment::lock();
    let start = std::ptr::with_exposed_provenance_mut::<u8>(room.start);
    // One byte stays for the NUL at the end.
    let length = title.len().min(room.len() - 1);
    // SAFETY: the range is the memory of the process's initial arguments and environment: writable, and read only as
    // terminated strings, which remain terminated. The lock excludes concurrent calls.
    unsafe {
        start.copy_from_nonoverlapping(title.as_ptr(), length);
        start.add(length).write_bytes(0, room.len() - length);
    }
    Ok(())
}

/// The address range of the arguments, including the environment if that follows.
#[cfg(target_os = "linux")]
fn find_room() -> Option<Range<usize>> {
    let stat = std::fs::read("/proc/self/stat").ok()?;
    // The second field is the program's name in parentheses and may hold anything.
    let rest = &stat[stat.iter().rposition(|byte| *byte == b')')? + 1..];
    let fields: Vec<usize> =
        std::str::from_utf8(rest).ok()?.split_ascii_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    // The manual counts from 1, and the first two fields were removed.
    let field = |number: usize| fields.get(number - 3).copied().filter(|address| *address != 0);
    let (start, end, environment, environment_end) = (field(48)?, field(49)?, field(50)?, field(51)?);
    let end = if environment == end { environment_end } else { end };
    (end > start).then_some(start..end)
}
