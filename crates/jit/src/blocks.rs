//! Which blocks of a code object have run: blocks that have not run are not compiled.
//!
//! In the last runs before a large code object is compiled, the instruction that begins a block (the target of a jump,
//! or the instruction after a jump) records that it was executed. Compiled code exits at the beginning of a block that
//! has not run; after some exits it is compiled again with the blocks that were missing.

use std::collections::BTreeSet;

use bytecode::{Opcode, Operands};
use runtime::code::{Code, exits::Reason};

use crate::{bodies::jump_targets, counters, instruction, liveness, spreads, translate::Translator};

/// The number of instructions of a body that are compiled. Blocks that begin after that many are left to the
/// interpreter.
const MOST: usize = 4000;
/// If more registers are pending, they are stored: each exit has a copy of the list.
const MOST_PENDING: usize = 64;
/// The number of instructions above which a code object is large, so that the blocks that run are recorded.
const WHOLE: usize = 100;
/// How many times as many runs are recorded for a large code object as for others.
const TIMES: i32 = 10;

/// Are only those blocks of the code object compiled that have run?
pub fn is_large(code: &Code) -> bool {
    code.instructions.len() > WHOLE
}

/// Has the interpreter record operands and blocks in the next runs of a code object, before it is compiled. False if
/// there is nothing to record.
pub fn watch(code: &Code) -> bool {
    let is_large = is_large(code);
    let starts = if is_large { starts(code) } else { BTreeSet::new() };
    let wanted = |word: usize, opcode: Opcode| {
        instruction::is_watched(opcode) || opcode != Opcode::Wide && starts.contains(&word)
    };
    code.tier.watch(if is_large { TIMES } else { 1 });
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

/// The number of instructions in blocks that have run.
pub fn size_of_visited(code: &Code) -> usize {
    if !is_large(code) {
        return counters::size_of(code);
    }
    let mut begins = vec![0];
    begins.extend(starts(code));
    let ends = begins.iter().skip(1).copied().chain([code.instructions.len()]);
    let blocks = begins.iter().zip(ends).filter(|(word, _)| **word == 0 || code.tier.has_visited(**word));
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
            } else if begins && open && !self.has_run(word) {
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
    fn has_run(&self, word: usize) -> bool {
        !is_large(self.code) || self.code.tier.has_visited(word)
    }
}
