//! The backend for the processor that Beni was built for.

#[cfg(target_arch = "x86_64")]
pub use crate::x64::{FRAME_POINTER, SavedRegisters, assemble, disassembled, enter, interpret};
#[cfg(not(target_arch = "x86_64"))]
pub use missing::{FRAME_POINTER, SavedRegisters, assemble, disassembled, enter, interpret};

use runtime::code::{exits::ExitStore, tier::Positions};

/// Machine code for any position in the code memory.
pub struct Assembled {
    pub bytes: Vec<u8>,
    /// Where it calls by the distance, of 32 bits: the distances from the start of the code memory.
    pub calls: Vec<u32>,
    /// The address of the code memory that it was made for.
    pub memory: usize,
    /// What its exits store.
    pub stores: Vec<Vec<ExitStore>>,
    pub positions: Positions,
}

impl Assembled {
    /// Adapts the code to this distance from the start of the code memory.
    pub fn move_by(&mut self, offset: usize) {
        for at in std::mem::take(&mut self.calls) {
            if let Some(distance) = self.bytes.get_mut(at as usize..).and_then(<[u8]>::first_chunk_mut) {
                *distance = i32::from_le_bytes(*distance).wrapping_sub(offset as i32).to_le_bytes();
            }
        }
    }
}

/// For processors that have no backend: everything is interpreted.
#[cfg(not(target_arch = "x86_64"))]
mod missing {
    use std::ops::Range;

    use abi::Value;
    use runtime::{
        Cx,
        code::tier::{Entry, Outcome},
    };

    use super::Assembled;
    use crate::ir::Function;

    pub const FRAME_POINTER: usize = 0;

    pub struct SavedRegisters {
        pub words: [u64; 1],
        pub doubles: [f64; 1],
    }

    pub fn assemble(_: &Function, _: u64, _: Range<usize>) -> Option<Assembled> {
        None
    }

    pub unsafe extern "C" fn enter(_: *mut Cx, _: *mut Value, _: u64, _: Entry) -> Outcome {
        unreachable!("there is no compiled code")
    }

    pub unsafe extern "C" fn interpret() {}

    pub fn disassembled(_: &[u8]) -> String {
        String::new()
    }
}
