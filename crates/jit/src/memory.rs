//! Where machine code lies: ranges of code memory, filled from the bottom.

use host::memory::CodeMemory;

/// Bytes of machine code that a process may have.
pub const BUDGET: usize = 16 << 20;
/// Functions begin at multiples of this.
const ALIGNMENT: usize = 16;

#[derive(Default)]
pub struct Store {
    memory: Option<CodeMemory>,
    used: usize,
    /// The number of forks that led to the process that mapped the memory. A child shares it with its parent, and maps
    /// its own.
    forks: u32,
}

impl Store {
    /// The number of instructions that a unit may have with what it inlines: fewer, the more of the budget is spent, so
    /// that a program of many warm methods finds room. `None`: there is hardly room for any unit.
    pub fn largest_unit(&self) -> Option<usize> {
        match self.used * 16 / BUDGET {
            0..4 => Some(400),
            4..8 => Some(100),
            8..12 => Some(40),
            12..15 => Some(0),
            _ => None,
        }
    }

    /// Copies a function there; `None` when the budget is spent or the system gives no memory.
    pub fn add(&mut self, forks: u32, code: &[u8]) -> Option<usize> {
        if self.memory.is_none() || self.forks != forks {
            self.memory = Some(CodeMemory::map(BUDGET).ok()?);
            (self.used, self.forks) = (0, forks);
        }
        let at = self.used.next_multiple_of(ALIGNMENT);
        let address = self.memory.as_mut()?.write(at, code).ok()?;
        self.used = at + code.len();
        Some(address.as_ptr() as usize)
    }
}
