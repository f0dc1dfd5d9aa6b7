//! Code that will never run again gives back what only running it needs.

use super::{Code, Rare, Table};

impl Code {
    /// Whether the instructions were given back. Such code cannot run.
    #[inline]
    pub fn is_given_back(&self) -> bool {
        self.instructions.is_empty()
    }

    /// Drops instructions, inline caches and literals of code that will not run again. What describes the code stays:
    /// positions for backtraces, locals for Bindings, the children. False, and nothing happens, if a trace point or the
    /// compiler to machine code refers to the instructions.
    pub(crate) fn give_back(&mut self) -> bool {
        if self.is_traced() || self.is_profiled() || !self.tier.is_fresh() {
            return false;
        }
        self.instructions = Table::default();
        self.calls = Table::default();
        self.ivars = Table::default();
        self.constants = Table::default();
        self.literals = Table::default();
        self.events = Table::default();
        if let Some(rare) = self.rare.take() {
            let Rare { keyword_names, reassigned, .. } = *rare;
            self.rare = Rare { keyword_names, reassigned, ..Rare::default() }.boxed();
        }
        true
    }
}
