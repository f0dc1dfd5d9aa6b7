//! What the exits of a unit store, in short form. A unit has an exit for every two hundred bytes of its machine code,
//! and most of them are never taken.

use bytecode::varint::{fold, read, read_wide, unfold, write, write_wide};

/// The most objects that an exit allocates, and the most words that each has behind its header.
pub const MOST_MADE: usize = 8;
pub const MOST_WORDS: usize = 8;

/// What an exit does with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitStore {
    pub to: Target,
    pub from: Source,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The value is stored in a register of the unit's frame.
    Register(u16),
    /// The value is added to the counter at an address, which belongs to a source that the unit keeps.
    Counter(usize),
    /// The value is the header of a new object with so many words. The stores that follow are those of its words.
    Object(u8),
    /// The word of the new object with this number; the header does not count.
    Word(u8),
}

/// Where machine code has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Constant(u64),
    /// In a general register of the processor, by its number.
    Register(u8),
    /// In a floating-point register, by its number.
    Double(u8),
    /// In the native frame, at this offset in bytes from the frame pointer.
    Stack(i32),
    DoubleOnStack(i32),
    /// An object that the exit has allocated, by its number.
    Object(u8),
}

/// What each exit of a unit stores or adds. A store begins with a number that has the kind of the source in its lowest
/// bits, then whether the target is a counter, and then the register. The counter's address and the source follow. For
/// a new object, which begins with the kind `NEW`, the number of its words is in place of a register.
#[derive(Default)]
pub struct Stores {
    /// Where the stores of each exit begin, and the end.
    starts: Box<[u32]>,
    bytes: Box<[u8]>,
}

const KIND_BITS: u32 = 3;
const NEW: u32 = 6;
const COUNTER: u32 = 1 << KIND_BITS;
const REGISTER_SHIFT: u32 = KIND_BITS + 1;

impl Stores {
    /// `exits`: the stores of each exit.
    pub fn new<S: Iterator<Item = ExitStore>>(exits: impl Iterator<Item = S>) -> Stores {
        let (mut starts, mut bytes) = (vec![0], Vec::new());
        for stores in exits {
            stores.for_each(|store| put(&mut bytes, store));
            starts.push(bytes.len() as u32);
        }
        Stores { starts: starts.into(), bytes: bytes.into() }
    }

    /// The stores of an exit, by its number.
    pub fn of(&self, exit: usize) -> impl Iterator<Item = ExitStore> + '_ {
        let [start, end] = [exit, exit + 1].map(|n| self.starts.get(n).map_or(0, |at| *at as usize));
        let mut rest = self.bytes.get(start..end).unwrap_or_default();
        // The words of a new object are written like registers.
        let mut words = 0..0;
        std::iter::from_fn(move || {
            let store = take(&mut rest)?;
            if let Some(word) = words.next() {
                return Some(ExitStore { to: Target::Word(word), ..store });
            }
            if let Target::Object(count) = store.to {
                words = 0..count;
            }
            Some(store)
        })
    }
}

fn put(bytes: &mut Vec<u8>, store: ExitStore) {
    let target = match store.to {
        Target::Register(register) => u32::from(register) << REGISTER_SHIFT,
        Target::Counter(_) => COUNTER,
        Target::Object(words) => u32::from(words) << REGISTER_SHIFT,
        Target::Word(_) => 0,
    };
    let kind = match store.from {
        _ if matches!(store.to, Target::Object(_)) => NEW,
        Source::Constant(_) => 0,
        Source::Register(_) => 1,
        Source::Double(_) => 2,
        Source::Stack(_) => 3,
        Source::DoubleOnStack(_) => 4,
        Source::Object(_) => 5,
    };
    write(bytes, target | kind);
    if let Target::Counter(address) = store.to {
        write_wide(bytes, address as u64);
    }
    match store.from {
        Source::Constant(bits) => write_wide(bytes, bits),
        Source::Register(n) | Source::Double(n) | Source::Object(n) => bytes.push(n),
        Source::Stack(offset) | Source::DoubleOnStack(offset) => write(bytes, fold(offset)),
    }
}

/// The store at the front, which is taken off; `None` at the end.
fn take(rest: &mut &[u8]) -> Option<ExitStore> {
    let first = read(rest)?;
    let kind = first & (COUNTER - 1);
    let to = match first >> REGISTER_SHIFT {
        _ if first & COUNTER != 0 => Target::Counter(read_wide(rest)? as usize),
        words if kind == NEW => Target::Object(words as u8),
        register => Target::Register(register as u16),
    };
    let from = match kind {
        0 | NEW => Source::Constant(read_wide(rest)?),
        1 => Source::Register(rest.split_off_first().copied()?),
        2 => Source::Double(rest.split_off_first().copied()?),
        3 => Source::Stack(unfold(read(rest)?)),
        5 => Source::Object(rest.split_off_first().copied()?),
        _ => Source::DoubleOnStack(unfold(read(rest)?)),
    };
    Some(ExitStore { to, from })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_of_each_exit_are_read_as_they_were_given() {
        let store = |to, from| ExitStore { to, from };
        let exits = [
            vec![
                store(Target::Register(0), Source::Constant(u64::MAX)),
                store(Target::Register(u16::MAX), Source::Register(15)),
            ],
            vec![],
            vec![
                store(Target::Counter(usize::MAX), Source::Stack(i32::MIN)),
                store(Target::Register(7), Source::Double(0)),
                store(Target::Counter(8), Source::DoubleOnStack(-24)),
            ],
            vec![
                store(Target::Object(2), Source::Constant(1 << 63)),
                store(Target::Word(0), Source::Double(3)),
                store(Target::Word(1), Source::Constant(0)),
                store(Target::Object(1), Source::Constant(1)),
                store(Target::Word(0), Source::Object(0)),
                store(Target::Register(9), Source::Object(1)),
            ],
        ];
        let stores = Stores::new(exits.iter().map(|exit| exit.iter().copied()));
        for (n, exit) in exits.iter().enumerate() {
            assert_eq!(stores.of(n).collect::<Vec<_>>(), *exit);
        }
        assert_eq!(stores.of(4).count(), 0);
    }
}
