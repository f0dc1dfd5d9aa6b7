//! The counters of a code's source, for the library coverage.

use bytecode::Opcode;

use super::Code;

impl Code {
    /// Increments a counter of the source.
    #[inline(always)]
    pub fn count(&self, counter: usize) {
        if let Some(counters) = &self.source.counters {
            counters.increment(counter);
        }
    }

    /// Whether a counter of the source that is a mark is set.
    #[inline(always)]
    pub fn has_counted(&self, counter: usize) -> bool {
        self.source.counters.as_ref().is_some_and(|counters| counters.own(counter) != 0)
    }

    /// The counter of the method's calls.
    pub fn call_counter(&self) -> Option<usize> {
        let first = (0..self.instructions.len()).map(|word| self.instruction(word));
        let mut calls = first.filter(|i| i.opcode == Opcode::CountCall as u16);
        calls.next().map(|i| i.bc() as u32 as usize)
    }
}
