//! The positions of a code's words, packed: each row is stored as its difference from the one before, mostly in four
//! bytes, where a [`Position`] takes sixteen.

use bytecode::{
    sequence::Position,
    varint::{self, unfold},
};

/// Rows from one entry of the index to the next.
const STRIDE: usize = 32;
/// What the first row of each stride is compared with.
const START: Position = Position { word: 0, line: 0, column: 0, end_column: 0 };

/// The rows in the order of their words.
pub struct Positions {
    bytes: Box<[u8]>,
    /// First word and place in `bytes` of each stride but the first.
    index: Box<[(u32, u32)]>,
}

impl Positions {
    pub fn new(rows: &[Position]) -> Positions {
        let (mut bytes, mut index, mut before) = (memory::with_capacity(rows.len() * 4), Vec::new(), START);
        for (i, row) in rows.iter().enumerate() {
            if i % STRIDE == 0 {
                before = START;
                if i > 0 {
                    index.push((row.word, bytes.len() as u32));
                }
            }
            put(&mut bytes, row.word.wrapping_sub(before.word) as i32);
            put(&mut bytes, row.line.wrapping_sub(before.line));
            put(&mut bytes, row.column.wrapping_sub(before.column) as i32);
            put(&mut bytes, row.end_column.wrapping_sub(row.column) as i32);
            before = *row;
        }
        Positions { bytes: bytes.into(), index: index.into() }
    }

    /// The row that holds for a word: the last one that begins at it or before it.
    pub fn at(&self, word: usize) -> Option<Position> {
        let stride = self.index.partition_point(|(first, _)| *first as usize <= word);
        let from = stride.checked_sub(1).map_or(0, |stride| self.index[stride].1 as usize);
        self.rows(from).take_while(|row| row.word as usize <= word).last()
    }

    pub fn iter(&self) -> impl Iterator<Item = Position> {
        self.rows(0)
    }

    /// The rows from the stride on that begins at a place in `bytes`.
    fn rows(&self, from: usize) -> impl Iterator<Item = Position> {
        let (mut rest, mut row, mut before) = (&self.bytes[from..], 0, START);
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            if row % STRIDE == 0 {
                before = START;
            }
            row += 1;
            // Almost every number takes one byte.
            if let [word, line, column, width, tail @ ..] = rest
                && (word | line | column | width) & 0x80 == 0
            {
                before.word = before.word.wrapping_add(unfold(u32::from(*word)) as u32);
                before.line = before.line.wrapping_add(unfold(u32::from(*line)));
                before.column = before.column.wrapping_add(unfold(u32::from(*column)) as u32);
                before.end_column = before.column.wrapping_add(unfold(u32::from(*width)) as u32);
                rest = tail;
                return Some(before);
            }
            let word = before.word.wrapping_add(take(&mut rest) as u32);
            let line = before.line.wrapping_add(take(&mut rest));
            let column = before.column.wrapping_add(take(&mut rest) as u32);
            let end_column = column.wrapping_add(take(&mut rest) as u32);
            before = Position { word, line, column, end_column };
            Some(before)
        })
    }

    /// Bytes outside of the code itself.
    pub fn memsize(&self) -> usize {
        self.bytes.len() + self.index.len() * size_of::<(u32, u32)>()
    }
}

/// Appends a number, which may be negative.
fn put(bytes: &mut Vec<u8>, number: i32) {
    varint::write(bytes, varint::fold(number));
}

/// The number at the front, which is taken off.
fn take(bytes: &mut &[u8]) -> i32 {
    varint::read(bytes).map_or(0, unfold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_were() {
        let row = |i: u32| Position {
            word: i * 3 + i / 7,
            line: if i % 50 == 49 { i32::MIN } else { (i / 2) as i32 - 5 },
            column: i * 37 % 200,
            end_column: if i % 40 == 39 { u32::MAX } else { i * 37 % 200 + i % 90 },
        };
        for count in [0, 1, 31, 32, 33, 200] {
            let rows: Vec<Position> = (0..count).map(row).collect();
            let packed = Positions::new(&rows);
            assert_eq!(packed.iter().collect::<Vec<_>>(), rows);
            for word in 0..count as usize * 4 {
                let expected = rows.iter().rev().find(|row| row.word as usize <= word).copied();
                assert_eq!(packed.at(word), expected, "word {word} of {count} rows");
            }
        }
    }
}
