//! Words whose opcode a trace point replaced.

use bytecode::{Instruction, Opcode};
use memory::Grow;

use super::Code;

/// A replaced word: its original opcode and its events.
#[derive(Clone, Copy, Debug)]
pub struct TracedWord {
    pub word: u32,
    /// The line of the word.
    pub line: i32,
    /// All events of the word, as bits of [`crate::trace`].
    pub events: u32,
    /// The original opcode.
    pub opcode: u16,
}

/// The words of a code that trace points replaced, at least one.
#[derive(Default)]
pub struct TracedTable {
    /// Sorted by word.
    rows: Vec<TracedWord>,
    /// For each word of the code the index of its row plus one, or 0: an event finds its row without a search.
    index: Vec<u32>,
}

impl TracedTable {
    #[inline(always)]
    fn find(&self, word: usize) -> Option<&TracedWord> {
        let row = *self.index.get(word)? as usize;
        self.rows.get(row.wrapping_sub(1))
    }

    fn number_from(&mut self, first: usize) {
        for (i, row) in self.rows.iter().enumerate().skip(first) {
            self.index[row.word as usize] = i as u32 + 1;
        }
    }
}

impl Code {
    /// The instruction of a word, as if no trace point were set.
    pub fn instruction(&self, word: usize) -> Instruction {
        Instruction { opcode: self.opcode(word), ..self.operands(word) }
    }

    /// The opcode of a word, as if no trace point were set.
    #[inline(always)]
    pub fn opcode(&self, word: usize) -> u16 {
        let opcode = self.operands(word).opcode;
        if opcode == Opcode::Traced as u16 {
            return self.traced_word(word).map_or(opcode, |row| row.opcode);
        }
        if opcode == Opcode::Profiled as u16 { self.profiled_opcode(word) } else { opcode }
    }

    /// The operands of a word, which a trace point does not change.
    #[inline(always)]
    pub fn operands(&self, word: usize) -> Instruction {
        // SAFETY: instructions are replaced whole, under the global lock.
        unsafe { *self.instructions[word].get() }
    }

    #[inline(always)]
    fn table(&self) -> Option<&TracedTable> {
        // SAFETY: the table is accessed under the global lock; the functions of this file keep no reference to it
        // across a change.
        unsafe { (*self.traced.get()).as_deref() }
    }

    /// The row of a replaced word.
    #[inline(always)]
    pub fn traced_word(&self, word: usize) -> Option<TracedWord> {
        self.table()?.find(word).copied()
    }

    /// Whether any of its words is traced.
    #[inline(always)]
    pub fn is_traced(&self) -> bool {
        self.table().is_some()
    }

    /// Replaces the word, which carries `events`, by the trace instruction.
    pub fn patch(&self, word: usize, events: u32) {
        self.tier.suspend();
        self.end_profile();
        // SAFETY: instructions are replaced atomically and the table is accessed under the global lock; no reference to
        // either is kept.
        unsafe {
            let table = (*self.traced.get()).get_or_insert_default();
            match table.rows.binary_search_by_key(&(word as u32), |row| row.word) {
                Ok(at) => table.rows[at].events |= events,
                Err(at) => {
                    table.index.set_length(self.instructions.len(), 0);
                    let instruction = self.instructions[word].get();
                    let line = self.line(word);
                    let row = TracedWord { word: word as u32, line, events, opcode: (*instruction).opcode };
                    table.rows.insert(at, row);
                    table.number_from(at);
                    (*instruction).opcode = Opcode::Traced as u16;
                }
            }
        }
    }

    /// Patches words in ascending order, each with its events.
    pub fn patch_all(&self, words: &[(u32, u32)]) {
        if words.is_empty() {
            return;
        }
        self.tier.suspend();
        self.end_profile();
        if self.is_traced() {
            words.iter().for_each(|(word, events)| self.patch(*word as usize, *events));
            return;
        }
        let (mut rows, mut index) = (memory::with_capacity(words.len()), memory::filled(0, self.instructions.len()));
        let (mut positions, mut line) = (self.positions.iter().peekable(), self.first_line);
        for (i, (word, events)) in words.iter().enumerate() {
            while let Some(position) = positions.next_if(|p| p.word <= *word) {
                line = position.line;
            }
            index[*word as usize] = i as u32 + 1;
            // SAFETY: instructions are replaced atomically and the table is accessed under the global lock; no
            // reference to either is kept.
            unsafe {
                let instruction = self.instructions[*word as usize].get();
                rows.push(TracedWord { word: *word, line, events: *events, opcode: (*instruction).opcode });
                (*instruction).opcode = Opcode::Traced as u16;
            }
        }
        // SAFETY: the table is accessed under the global lock; no reference to it is kept.
        unsafe { *self.traced.get() = Some(Box::new(TracedTable { rows, index })) };
    }

    /// Puts the original opcodes of the words back for which `needed` says no.
    pub fn restore_unless(&self, needed: &mut dyn FnMut(&TracedWord) -> bool) {
        // SAFETY: instructions are replaced atomically and the table is accessed under the global lock; no reference to
        // either is kept.
        unsafe {
            let Some(table) = (*self.traced.get()).as_deref_mut() else { return };
            table.rows.retain(|row| {
                let keep = needed(row);
                if !keep {
                    (*self.instructions[row.word as usize].get()).opcode = row.opcode;
                    table.index[row.word as usize] = 0;
                }
                keep
            });
            if table.rows.is_empty() {
                *self.traced.get() = None;
            } else {
                table.number_from(0);
            }
        }
    }
}
