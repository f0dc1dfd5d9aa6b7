//! The backend for the processor that Beni was built for.

#[cfg(target_arch = "aarch64")]
pub(crate) use crate::a64 as machine;
#[cfg(target_arch = "x86_64")]
pub(crate) use crate::x64 as machine;

pub use machine::{FRAME_POINTER, SavedRegisters, assemble, disassembled, enter, interpret, publish};

use std::mem::offset_of;

use abi::{Frame, Scope};
use runtime::code::{exits::Stores, tier::Positions};

/// What the routines of `machine::frames` rely on: the size of a frame, and that the 16 bytes with its environment,
/// which are written last, begin at 48.
const _: () = {
    assert!(size_of::<Frame>() == 96);
    assert!(offset_of!(Scope, environment) / 16 == 3 && offset_of!(Scope, slots) < 48);
};

/// Machine code for any position in the code memory.
pub struct Assembled {
    pub bytes: Vec<u8>,
    /// Where it calls or reads memory by the distance: the 4 bytes that contain the distance from the start of the code
    /// memory.
    pub distances: Vec<u32>,
    /// The address of the code memory that it was made for.
    pub memory: usize,
    /// What its exits store.
    pub stores: Stores,
    pub positions: Positions,
}

impl Assembled {
    /// Adapts the code to this distance from the start of the code memory.
    pub fn move_by(&mut self, offset: usize) {
        for at in std::mem::take(&mut self.distances) {
            if let Some(distance) = self.bytes.get_mut(at as usize..).and_then(<[u8]>::first_chunk_mut) {
                *distance = machine::moved_distance(*distance, offset);
            }
        }
    }
}
