//! Trace points, and instruction sequences as objects.
//!
//! A trace point replaces the opcode of the words whose events it waits for; [`patch`] puts them in and takes them out, [`fire`] runs the blocks,
//! [`point`] is TracePoint, [`sequence`] RubyVM::InstructionSequence.

#![forbid(unsafe_code)]

pub mod fire;
pub mod patch;
pub mod point;
pub mod sequence;

use runtime::{Cx, internal};

/// Makes the classes.
pub fn define(cx: &mut Cx) {
    point::define(cx);
    sequence::define(cx);
    if let Err(unwind) = internal::load(cx, runtime::ruby_half!("trace")) {
        let _ = cx.take_exception(unwind);
    }
}
