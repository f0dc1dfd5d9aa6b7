//! Frames on the VM stack.
//!
//! ```text
//! low                                                            high
//! | R0 R1 … of the first frame | R0 … of the next | … ->      <- Frame | Frame |
//! ```
//! Registers grow upwards, frame records downwards; when they meet, SystemStackError is raised. A callee's registers
//! begin in its caller's call window.

mod environment;

pub use environment::{symbol_proc, to_proc};

pub use crate::state::{
    frame_id::FrameId,
    pool::Pool,
    stack::{self, MOST_INLINED, MOST_INLINED_FRAMES, Stack, StackPool},
    stack_sizes,
};

use abi::{Frame, Value};

use crate::{Cx, R, error};

/// Words that must stay free between registers and frames, so that raising SystemStackError itself has room, and bodies
/// inlined in compiled code need no check of their own.
const RESERVE: usize = 512 + MOST_INLINED + MOST_INLINED_FRAMES * std::mem::size_of::<Frame>() / 8;

/// The number of bytes that a frame with this many registers needs above the first one: `check_stack` compares this.
#[inline(always)]
pub const fn room_for(registers: usize) -> usize {
    8 * (registers + RESERVE) + std::mem::size_of::<Frame>()
}

impl Cx {
    /// Checks that there is room for a frame whose registers start at `slots`.
    #[inline(always)]
    pub fn check_stack(&mut self, slots: *mut Value, registers: usize) -> R<()> {
        let end = slots as usize + room_for(registers);
        let frames = if self.frame.is_null() { self.stack.high as usize } else { self.frame as usize };
        if end > frames { Err(error::stack_overflow(self)) } else { Ok(()) }
    }

    /// Like `check_stack`, for a stack that has a running frame.
    #[inline(always)]
    pub fn check_inner_stack(&mut self, slots: *mut Value, registers: usize) -> R<()> {
        let end = slots as usize + room_for(registers);
        if end > self.frame as usize { Err(error::stack_overflow(self)) } else { Ok(()) }
    }
}
