//! Building one sequence: registers, labels, emission, positions and tables.

mod emit;
mod finish;
mod labels;
mod position;
mod registers;
mod scope;
mod tables;

pub(crate) use emit::SINGLETON_CLASS;
pub(crate) use labels::Label;
pub(crate) use scope::{Control, EnsureBody, Heading, RegionId, Restoration, Scope, Variable};

/// A register of the frame, as instructions name it.
pub(crate) type Register = u16;

/// Self's register.
pub(crate) const SELF: Register = 0;
