//! Which blocks of a code object have run: blocks that have not run are not compiled.
//!
//! In the last runs before a code object is compiled, the instruction that begins a block (the target of a jump, or the
//! instruction after a jump) records that it was executed. Compiled code exits at the beginning of a block that has not
//! run; after some exits it is compiled again with the blocks that were missing.

use std::collections::BTreeSet;

use bytecode::{Opcode, Operands};
use runtime::code::{Code, exits::Reason};

use crate::{bodies::jump_targets, counters, instruction, liveness, spreads, translate::Translator};

/// The number of instructions of a body that are compiled. Blocks that begin after that many are left to the
/// interpreter.
const MOST: usize = 4000;
/// If more registers are pending, they are stored: each exit has a copy of the list.
const MOST_PENDING: usize = 64;
/// The number of instructions up to which a code object is compiled as a whole.
const WHOLE: usize = 8;
/// The number of instructions above which a code object is large.
const LARGE: usize = 100;
/// After this many compilations for blocks that had not run, a unit contains all blocks of code that is not large:
/// further compilations would cost more than the smaller code saves.
const ENOUGH: u8 = 2;
/// How many times as many runs are recorded for a large code object as for others.
const TIMES: i32 = 10;

/// Is compiling all blocks of the code object at once out of the question?
pub fn is_large(code: &Code) -> bool {
    code.instructions.len() > LARGE
}

/// Is it recorded which blocks of the code object run?
pub fn are_recorded(code: &Code) -> bool {
    code.instructions.len() > WHOLE
}

/// Has the interpreter record operands and blocks in the next runs of a code object, before it is compiled. False if
/// there is nothing to record.
pub fn watch(code: &Code) -> bool {
    let starts = if are_recorded(code) { starts(code) } else { BTreeSet::new() };
    let wanted = |word: usize, opcode: Opcode| {
        instruction::is_watched(opcode) || opcode != Opcode::Wide && starts.contains(&word)
    };
    code.tier.watch(if is_large(code) { TIMES } else { 1 });
    code.begin_profile(wanted)
}

/// Called when compiled code exits at a block that had not run: has the interpreter record which other unknown blocks
/// run.
pub fn watch_rest(code: &Code) {
    if code.is_traced() || code.is_profiled() || !code.tier.learns_visits() {
        return;
    }
    let starts = starts(code);
    let (mut words, mut is_known, mut word) = (BTreeSet::new(), true, 0);
    while word < code.instructions.len() {
        let opcode = code.instruction(word).op();
        let begins = starts.contains(&word);
        if begins {
            is_known = code.tier.has_visited(word);
        }
        if !is_known && opcode != Opcode::Wide && (begins || instruction::is_watched(opcode)) {
            words.insert(word);
        }
        word = liveness::next(code, word);
    }
    code.begin_profile(|word, _| words.contains(&word));
}

/// Does a block end with an instruction of this kind?
fn ends(opcode: Opcode) -> bool {
    use Operands::*;
    opcode == Opcode::JumpTable || matches!(opcode.operands(), Jump | AJump | AbJump | AIntJump)
}

/// The words that begin blocks, but for the first.
fn starts(code: &Code) -> BTreeSet<usize> {
    let mut starts = BTreeSet::new();
    let mut word = 0;
    while word < code.instructions.len() {
        let next = liveness::next(code, word);
        starts.extend(jump_targets(code, word));
        if ends(code.instruction(word).op()) {
            starts.insert(next);
        }
        word = next;
    }
    starts
}

/// Has the block that begins at a word run, as far as is known? Nothing is known of code that is only inlined.
fn may_run(code: &Code, word: usize) -> bool {
    !are_recorded(code) || code.tier.has_visited(word) || !is_large(code) && !code.tier.has_visits()
}

/// The number of instructions in blocks that may run.
pub fn size_of_visited(code: &Code) -> usize {
    if !are_recorded(code) {
        return counters::size_of(code);
    }
    let mut begins = vec![0];
    begins.extend(starts(code));
    let ends = begins.iter().skip(1).copied().chain([code.instructions.len()]);
    let blocks = begins.iter().zip(ends).filter(|(word, _)| **word == 0 || may_run(code, **word));
    blocks.map(|(begin, end)| end - begin).sum()
}

impl Translator<'_> {
    /// Translates the instructions of the body on top.
    pub fn translate_body(&mut self) {
        let (mut word, mut open) = (0, true);
        // Whether a block begins at the word, and the number of instructions translated so far.
        let (mut begins, mut count) = (false, 0);
        while word < self.code.instructions.len() {
            if self.is_head(word) {
                self.enter_loop(word, open);
                (open, begins) = (true, true);
            } else if self.label(word).is_some() {
                if open {
                    let edge = self.arrive(word);
                    self.e.jump(edge, &[]);
                }
                (open, begins) = (self.resume(word), true);
            }
            let opcode = self.code.instruction(word).op();
            if begins && open && count >= MOST {
                open = self.leave_to_interpreter(word);
            } else if begins && open && !self.is_wanted(word) {
                let exit = self.exit_for(word, Reason::Unvisited);
                self.e.jump(exit, &[]);
                open = false;
            }
            begins = ends(opcode);
            if open {
                count += 1;
                self.drop_dead(word);
                if self.r.pending_count() > MOST_PENDING {
                    self.flush();
                }
                self.mark(word);
                self.count_down(word);
                match spreads::joined(self, word) {
                    Some(last) => word = last,
                    None => open = self.instruction(word, opcode),
                }
            }
            word = liveness::next(self.code, word);
        }
    }

    /// Must the block of the running body that begins at a word be compiled?
    fn is_wanted(&self, word: usize) -> bool {
        may_run(self.code, word) || !is_large(self.code) && self.tier.compilations_for_visits() >= ENOUGH
    }
}
