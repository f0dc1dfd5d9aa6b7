//! Which bytecode the addresses in machine code belong to.

use abi::Value;
use bytecode::varint::{fold_wide, read_wide, unfold_wide, write_wide};

/// The bytecode positions of machine code, in the order of the machine code: for each one, how much its numbers differ
/// from those of the one before, mostly in one byte each. A program with much machine code has hundreds of thousands,
/// and only a profile reads them.
#[derive(Default)]
pub struct Positions {
    bytes: Vec<u8>,
    last: Placed,
}

/// The bytecode position of a piece of machine code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Position {
    /// The word in the unit's own code: of the instruction, or of the call whose body is inlined.
    pub own_word: u32,
    /// The address behind the instruction, in the code of the inlined body or in the unit's own code.
    pub pc: u64,
    /// The inlined body, by its number in `Assumptions::frames`; `None` for the unit's own code.
    pub inlined: Option<u32>,
}

/// A position and the byte of the machine code from which on it holds.
#[derive(Clone, Copy, Default)]
struct Placed {
    byte: u64,
    position: Position,
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
        let (new, old) = (Placed { byte: byte as u64, position }, self.last);
        if self.bytes.is_empty() || old.position != position {
            for (new, old) in new.numbers().into_iter().zip(old.numbers()) {
                write_wide(&mut self.bytes, fold_wide(new.wrapping_sub(old) as i64));
            }
            self.last = new;
        }
    }

    /// The position of a byte of the machine code; `None` before the first one.
    pub fn at(&self, byte: u64) -> Option<Position> {
        let mut rest = self.bytes.as_slice();
        let mut next = Placed::default();
        let up_to_byte = std::iter::from_fn(|| {
            next = next.after(&mut rest)?;
            (next.byte <= byte).then_some(next.position)
        });
        up_to_byte.last()
    }

    /// No more positions follow.
    pub fn finish(&mut self) {
        self.bytes.shrink_to_fit();
    }
}

impl Placed {
    fn numbers(&self) -> [u64; 4] {
        let Position { own_word, pc, inlined } = self.position;
        [self.byte, u64::from(own_word), pc, inlined.map_or(0, |number| u64::from(number) + 1)]
    }

    /// The one whose differences are at the front, which are taken off.
    fn after(&self, rest: &mut &[u8]) -> Option<Placed> {
        let mut numbers = self.numbers();
        for number in &mut numbers {
            *number = number.wrapping_add(unfold_wide(read_wide(rest)?) as u64);
        }
        let [byte, own_word, pc, inlined] = numbers;
        let inlined = inlined.checked_sub(1).map(|number| number as u32);
        Some(Placed { byte, position: Position { own_word: own_word as u32, pc, inlined } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_were() {
        let position = |n: u32| Position {
            own_word: if n % 9 == 8 { u32::MAX } else { n / 2 },
            pc: [0x7f00_1234_5678, 16, u64::MAX][n as usize % 3].wrapping_add(u64::from(n) * 8),
            inlined: (!n.is_multiple_of(4)).then_some(n.wrapping_mul(0x2000_0001)),
        };
        let mut positions = Positions::default();
        for n in 0..200 {
            positions.add(n as usize * 10 + 5, position(n));
            positions.add(n as usize * 10 + 7, position(n));
        }
        positions.finish();
        assert_eq!(positions.at(4), None);
        for n in 0..200 {
            for byte in [5, 8, 14] {
                assert_eq!(positions.at(u64::from(n) * 10 + byte), Some(position(n)));
            }
        }
        assert_eq!(positions.at(u64::MAX), Some(position(199)));
        assert_eq!(Positions::default().at(0), None);
    }
}
