//! Which bytecode the addresses in machine code belong to.

use abi::Value;

/// The bytecode positions of machine code, in the order of the machine code. Packed, because only the profiler reads
/// them: a program with much machine code has hundreds of thousands. Each number is stored as its difference from the
/// one before, mostly in one byte.
#[derive(Default)]
pub struct Positions {
    bytes: Vec<u8>,
    last: Option<(u32, Position)>,
}

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

const START: (u32, Position) = (0, Position { own_word: 0, pc: 0, inlined: None });

impl Positions {
    /// The machine code from this byte on belongs to the position.
    pub fn add(&mut self, byte: usize, position: Position) {
        if self.last.is_some_and(|(_, last)| last == position) {
            return;
        }
        let (last_byte, last) = self.last.unwrap_or(START);
        let byte = byte as u32;
        put(&mut self.bytes, difference(byte.into(), last_byte.into()));
        put(&mut self.bytes, difference(position.own_word.into(), last.own_word.into()));
        put(&mut self.bytes, difference(position.pc, last.pc));
        put(&mut self.bytes, position.inlined.map_or(0, |n| u64::from(n) + 1));
        self.last = Some((byte, position));
    }

    /// The position that machine code at a byte belongs to: the last one that begins there or before.
    pub(super) fn at(&self, byte: u64) -> Option<Position> {
        let mut rest = &self.bytes[..];
        let (mut found, mut last) = (None, START);
        while !rest.is_empty() {
            let start = sum(last.0.into(), take(&mut rest)) as u32;
            if u64::from(start) > byte {
                break;
            }
            let own_word = sum(last.1.own_word.into(), take(&mut rest)) as u32;
            let pc = sum(last.1.pc, take(&mut rest));
            let inlined = take(&mut rest).checked_sub(1).map(|n| n as u32);
            last = (start, Position { own_word, pc, inlined });
            found = Some(last.1);
        }
        found
    }

    /// Gives back memory that was reserved for more positions.
    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }
}

/// The difference with its sign in the lowest bit, so that small negative ones are short, too.
fn difference(number: u64, before: u64) -> u64 {
    let difference = number.wrapping_sub(before) as i64;
    ((difference << 1) ^ (difference >> 63)) as u64
}

fn sum(before: u64, difference: u64) -> u64 {
    before.wrapping_add((difference >> 1) ^ (difference & 1).wrapping_neg())
}

/// Appends a number: seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number at the front, which is taken off.
fn take(rest: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, tail)) = rest.split_first() {
        *rest = tail;
        number |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_were() {
        let position = |n: u32| Position {
            own_word: if n % 9 == 8 { u32::MAX } else { n / 2 },
            pc: [0x7f00_1234_5678, 16, u64::MAX][n as usize % 3].wrapping_add(u64::from(n) * 8),
            inlined: (n % 4 != 0).then_some(n.wrapping_mul(0x2000_0001)),
        };
        let mut positions = Positions::default();
        for n in 0..200 {
            positions.add(n as usize * 10 + 5, position(n));
            positions.add(n as usize * 10 + 7, position(n));
        }
        positions.shrink();
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
