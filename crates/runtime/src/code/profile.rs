//! Profiles the last runs of a code before it is compiled. Meanwhile instructions are replaced by one that records for
//! the compiler that they were executed and with which operands. Compiled code then expects these kinds of operands and
//! the branches that were taken.

use bytecode::Opcode;

use super::Code;

/// The words that are replaced, in ascending order, and their original opcodes.
#[derive(Default)]
pub struct Profile(Box<[(u32, u16)]>);

impl Code {
    /// Replaces the instructions that `wanted` names by their words and opcodes. False where there are none.
    pub fn begin_profile(&self, wanted: impl Fn(usize, Opcode) -> bool) -> bool {
        debug_assert!(!self.is_traced(), "the two ways to replace instructions know nothing of each other");
        let mut words = Vec::new();
        let mut word = 0;
        while word < self.instructions.len() {
            let opcode = self.instruction(word).op();
            if wanted(word, opcode) {
                words.push((word as u32, opcode as u16));
                self.set_opcode(word, Opcode::Profiled as u16);
            }
            word += 1 + opcode.following_words().min(1);
        }
        let any = !words.is_empty();
        // SAFETY: used under the global lock; no reference to it is kept.
        unsafe { *self.profile.get() = Profile(words.into()) };
        any
    }

    /// Whether instructions are replaced at present.
    pub fn is_profiled(&self) -> bool {
        // SAFETY: used under the global lock; no reference to it is kept.
        let Profile(words) = unsafe { &*self.profile.get() };
        !words.is_empty()
    }

    /// Restores the original opcode of one word, of which enough has been recorded.
    pub fn end_profile_of(&self, word: usize) {
        let opcode = self.profiled_opcode(word);
        self.set_opcode(word, opcode);
    }

    /// Restores all original opcodes.
    pub fn end_profile(&self) {
        // SAFETY: used under the global lock; no reference to it is kept.
        let Profile(words) = std::mem::take(unsafe { &mut *self.profile.get() });
        for (word, opcode) in words {
            self.set_opcode(word as usize, opcode);
        }
    }

    /// The original opcode of a word that carries `Profiled`.
    pub(super) fn profiled_opcode(&self, word: usize) -> u16 {
        // SAFETY: used under the global lock; no reference to it is kept.
        let Profile(words) = unsafe { &*self.profile.get() };
        let row = words.binary_search_by_key(&(word as u32), |(word, _)| *word);
        row.map_or(Opcode::Nop as u16, |row| words[row].1)
    }

    fn set_opcode(&self, word: usize, opcode: u16) {
        // SAFETY: instructions are replaced whole, under the global lock.
        unsafe { (*self.instructions[word].get()).opcode = opcode };
    }
}
