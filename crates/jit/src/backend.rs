//! The backend for the processor that Beni was built for.

#[cfg(target_arch = "x86_64")]
pub use crate::x64::{FRAME_POINTER, SavedRegisters, assemble, disassembled, enter, interpret};
#[cfg(not(target_arch = "x86_64"))]
pub use missing::{FRAME_POINTER, SavedRegisters, assemble, disassembled, enter, interpret};

use runtime::code::{exits::ExitStore, tier::Positions};

/// Position-independent machine code.
pub struct Assembled {
    pub bytes: Vec<u8>,
    /// What its exits store.
    pub stores: Vec<Vec<ExitStore>>,
    pub positions: Positions,
}

/// For processors that have no backend: everything is interpreted.
#[cfg(not(target_arch = "x86_64"))]
mod missing {
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

    pub fn assemble(_: &Function, _: u64) -> Option<Assembled> {
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
