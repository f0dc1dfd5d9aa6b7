//! Which bytecode the addresses in machine code belong to.

use abi::Value;

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
