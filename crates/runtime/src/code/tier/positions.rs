//! Which bytecode the addresses in machine code belong to, and which frames compiled code has left open.

use abi::Value;

use super::{Record, Tier};
use crate::code::open_frames::OpenFrames;

/// The bytecode positions of machine code, in the order of the machine code.
#[derive(Default)]
pub struct Positions(pub(super) Vec<(u32, Position)>);

/// The bytecode position of a piece of machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The word in the unit's own code: of the instruction, or of the call whose body is inlined.
    pub own_word: u32,
    /// The address behind the instruction, in the code of the inlined body or in the unit's own code.
    pub pc: u64,
    /// The inlined body, by its number in `Assumptions::frames`; `None` for the unit's own code.
    pub inlined: Option<u32>,
}

/// An inlined body while it runs.
#[derive(Clone, Copy, Debug)]
pub struct InlinedBody {
    pub code: Value,
    /// The entry of the method, nil for a block.
    pub entry: Value,
    /// The address behind the instruction that it is executing.
    pub pc: u64,
}

impl Positions {
    /// The machine code from this byte on belongs to the position.
    pub fn add(&mut self, byte: usize, position: Position) {
        if self.0.last().is_none_or(|(_, last)| *last != position) {
            self.0.push((byte as u32, position));
        }
    }
}

impl Tier {
    /// The bytecode position of an address in machine code; `None` if the machine code is not that of this unit.
    pub fn position_of(&self, address: u64) -> Option<Position> {
        let byte = address.wrapping_sub(self.entry.get() as u64);
        self.recorded(|record| {
            let positions = &record.positions.0;
            let is_own = self.entry.get() != 0 && byte < record.bytes as u64;
            let n = positions.partition_point(|(start, _)| u64::from(*start) <= byte);
            is_own.then(|| positions.get(n.checked_sub(1)?).map(|(_, position)| *position)).flatten()
        })
        .flatten()
    }

    /// The inlined bodies that are running at a position, innermost first.
    pub fn inlined_at(&self, position: Position) -> Vec<InlinedBody> {
        let chain = |record: &Record| {
            let number = position.inlined? as usize;
            let (mut bodies, mut pc) = (Vec::new(), position.pc);
            let mut frame = record.assumptions.frames.get(number);
            while let Some(body) = frame {
                bodies.push(InlinedBody { code: body.code(), entry: body.entry(), pc });
                pc = body.caller_pc as u64;
                frame = body.below.as_ref();
            }
            Some(bodies)
        };
        self.recorded(chain).flatten().unwrap_or_default()
    }

    /// Whether compiled code leaves frames open in calls. They must be written before other code is installed.
    pub fn has_open_frames(&self) -> bool {
        self.recorded(|record| !record.assumptions.open.is_empty()) == Some(true)
    }

    /// Calls `f` with the description of open frames (see [`abi::Frame::open`]) whose tagged address is `pc`, if it is
    /// one of compiled code of this unit.
    pub fn with_open_frames<T>(&self, pc: u64, f: impl FnOnce(&OpenFrames) -> T) -> Option<T> {
        let is_it = |open: &&Box<OpenFrames>| pc == std::ptr::from_ref(&***open) as u64 | OpenFrames::TAG;
        // SAFETY: used under the global lock; `f` reads the description only.
        let record = unsafe { (*self.record.get()).as_deref()? };
        record.assumptions.open.iter().find(is_it).map(|open| f(open))
    }
}
