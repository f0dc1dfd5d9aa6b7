//! Counters of lines and calls for the library coverage.

use bytecode::Opcode;

use crate::compiler::Compiler;

impl Compiler<'_> {
    /// New counters; returns the first one.
    pub fn counters(&mut self, count: usize) -> usize {
        let first = self.counted.counters;
        self.counted.counters += count;
        first
    }

    /// Counts a run of a line, if coverage asks for it. Code that is compiled twice has one counter.
    pub fn count_line(&mut self, line: i32) {
        let counts = self.unit.options.counts;
        if !counts.lines || self.scope().unreachable {
            return;
        }
        let next = self.counted.counters;
        let counter = *self.counted.lines.entry(line).or_insert(next);
        if counter == next {
            self.counted.counters += 1;
        }
        self.emit_wide(if counts.once { Opcode::CountOnce } else { Opcode::Count }, 0, counter as u32);
    }

    /// Counts a call of the method, or of the method that the block is the body of, if coverage asks for it.
    pub fn count_call(&mut self) {
        if self.unit.options.counts.calls {
            let counter = self.counters(2);
            self.emit_wide(Opcode::CountCall, 0, counter as u32);
        }
    }
}
