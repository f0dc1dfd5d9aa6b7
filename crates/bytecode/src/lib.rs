//! Register bytecode: the opcode table, instructions, unlinked sequences and their disassembly.
//!
//! A [`Sequence`] is the compiler's output: plain data without a `Value`, which the runtime links into executable code.
//! `docs/bytecode.md` describes the conventions for frames that the compiler and the interpreter share.

#![forbid(unsafe_code)]

mod compact;
pub mod disassemble;
pub mod image;
pub mod instruction;
pub mod intrinsic;
pub mod literal;
mod names;
pub mod opcode;
pub mod sequence;
pub mod varint;
pub mod verify;

pub use instruction::Instruction;
pub use intrinsic::Intrinsic;
pub use literal::{Literal, Symbol};
pub use opcode::{Family, Opcode, Operands};
pub use sequence::{CallFlags, CallInfo, Events, Handler, HandlerKind, Kind, Parameters, Sequence, is_helper};
