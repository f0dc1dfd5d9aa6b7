//! The backend for the processor that Beni was built for.

#[cfg(target_arch = "aarch64")]
pub(crate) use crate::a64 as machine;
#[cfg(target_arch = "x86_64")]
pub(crate) use crate::x64 as machine;

pub use machine::{FRAME_POINTER, SavedRegisters, assemble, disassembled, enter, interpret, publish};

use runtime::code::{exits::Stores, tier::Positions};

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
