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
