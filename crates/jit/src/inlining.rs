//! How large a method may be to be inlined, and how hot it must be to be compiled, by the machine code that there is.
//!
//! A method that is inlined at ten places is compiled ten times. In a program that spends its time in a few methods
//! this is always a gain. In a program that runs thousands of warm methods the code no longer fits the processor's
//! caches, and the misses cost more than the calls that were saved. Code is compiled in the order in which it gets hot,
//! so the hottest methods of a large program are inlined most.

/// The most instructions that a body may have to be inlined, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// A unit with all that it inlines.
    pub unit: usize,
    /// The only method that a site calls.
    pub only: usize,
    /// One of two methods that a site calls.
    pub of_two: usize,
    /// One of three or four methods that a site calls.
    pub of_many: usize,
    /// A method that is passed a literal block, and the block.
    pub with_block: usize,
    /// A method that is inlined again for each of two shapes.
    pub copied: usize,
    /// A method that is inlined again for each of three or four shapes.
    pub copied_often: usize,
}

/// The bytes of machine code in use up to which the limits are highest, and from which they are lowest.
const LITTLE: usize = 1 << 18;
const MUCH: usize = 1 << 19;

/// Compilations are delayed no longer from this many times [`LITTLE`] on.
const MOST_DELAYED: usize = 8;

impl Limits {
    /// The limits for `in_use` bytes of machine code; `occupied` also counts retired code. `None` if there is too
    /// little room left in the budget for a unit.
    pub fn new(in_use: usize, occupied: usize, budget: usize) -> Option<Limits> {
        let unit = match occupied * 16 / budget.max(1) {
            0..4 => 400,
            4..8 => 100,
            8..12 => 40,
            12..15 => 0,
            _ => return None,
        };
        let (only, of_two, of_many, copied_often) = match in_use {
            0..LITTLE => (80, 50, 12, 12),
            LITTLE..MUCH => (40, 20, 8, 8),
            _ => (12, 8, 4, 0),
        };
        Some(Limits { unit, only, of_two, of_many, with_block: 120, copied: of_two, copied_often })
    }

    /// The limits for a baseline compilation. Most of the time that a full one takes is for the bodies that it inlines.
    pub fn baseline(self) -> Limits {
        let unit = self.unit.min(120);
        Limits { unit, only: 12, of_two: 6, of_many: 4, with_block: 12, copied: 6, copied_often: 0 }
    }

    /// The limit for one of `all` methods that a site calls.
    pub fn of(&self, all: usize) -> usize {
        match all {
            1 => self.only,
            2 => self.of_two,
            _ => self.of_many,
        }
    }

    /// The limit for a method that is inlined once for each of several shapes of the receiver. If a larger one were not
    /// inlined once for all of them, the code would grow by that factor at each level of inlining.
    pub fn of_copies(&self, shapes: usize) -> usize {
        if shapes <= 2 { self.copied } else { self.copied_often }
    }
}

/// How many times code is to run as often again before it is compiled, if compiling has taken so many of the program's
/// nanoseconds of processor time, and for so many bytes of machine code in use.
///
/// A program with much machine code runs most of its methods rarely: compiling these takes longer than they ever run,
/// unless the program runs long. A server compiles early what it runs regularly.
pub fn delays(compiling: u64, program: u64, in_use: usize) -> u8 {
    const HALF_A_SECOND: u64 = 500_000_000;
    const ONE_AND_A_HALF: u64 = 1_500_000_000;
    const MANY: usize = 19;
    const EACH: usize = 12;
    if compiling < program.saturating_sub(ONE_AND_A_HALF) / 2 {
        0
    } else if compiling < program.saturating_sub(HALF_A_SECOND) / 8 {
        1
    } else {
        (MANY + EACH * (in_use / LITTLE).min(MOST_DELAYED)) as u8
    }
}
