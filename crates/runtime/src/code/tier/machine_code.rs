//! What machine code is executing, and which frames it has left open.

use super::{InlinedBody, Position, Record, Tier};
use crate::code::open_frames::OpenFrames;

impl Tier {
    /// The bytecode position of an address in machine code; `None` if the machine code is not that of this unit.
    pub fn position_of(&self, address: u64) -> Option<Position> {
        let byte = address.wrapping_sub(self.entry.get() as u64);
        self.recorded(|record| {
            let is_own = self.entry.get() != 0 && byte < record.bytes as u64;
            if is_own { record.positions.at(byte) } else { None }
        })
        .flatten()
    }

    /// The inlined bodies that are running at a position, innermost first.
    pub fn inlined_at(&self, position: Position) -> Vec<InlinedBody> {
        let chain = |record: &Record| {
            let frame = record.assumptions.frames.get(position.inlined? as usize)?;
            Some(frame.bodies(position.pc as *const u64).collect())
        };
        self.recorded(chain).flatten().unwrap_or_default()
    }

    /// Whether compiled code leaves frames open in calls. They must be written before other code is installed.
    pub fn has_open_frames(&self) -> bool {
        let has_some = |record: &Record| !(record.assumptions.open.is_empty() && record.assumptions.images.is_empty());
        self.recorded(has_some) == Some(true)
    }

    /// Whether callers may leave its frame open: it is not known that the code writes the frame anyway.
    pub fn leaves_own_frame(&self) -> bool {
        self.recorded(|record| record.assumptions.writes_own_frame) != Some(true)
    }

    /// Calls `f` with the description of open frames (see [`abi::Frame::open`]) whose tagged address is `pc`, if it is
    /// one of compiled code of this unit.
    pub fn with_open_frames<T>(&self, pc: u64, f: impl FnOnce(&OpenFrames) -> T) -> Option<T> {
        let is_it = |open: &OpenFrames| pc == std::ptr::from_ref(open) as u64 | OpenFrames::TAG;
        self.recorded(|record| record.assumptions.open.iter().find(|open| is_it(open)).map(|open| f(open))).flatten()
    }
}
