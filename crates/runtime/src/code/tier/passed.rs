//! Records the blocks and Procs that a code is called with. Compiled code expects these, and exits for others.

use abi::Value;

use super::{Kept, Record, SeenProc, Tier};

impl Tier {
    /// Whether compiled code exits for a literal block that it was not compiled for, in order to be compiled again.
    /// Baseline code is compiled for no block in particular.
    pub fn learns_blocks(&self) -> bool {
        !self.is_baseline() && self.for_blocks.get() < Tier::MOST_FOR_BLOCKS
    }

    /// The code objects of the literal blocks that were passed most recently.
    pub fn blocks(&self) -> Vec<Kept> {
        self.recorded(|record| record.blocks.clone()).unwrap_or_default()
    }

    /// The code was passed a literal block that it was not compiled for.
    pub fn learn_block(&self, body: Value) {
        self.learn_passed(|record| {
            record.blocks.retain(|block| block.0 != body);
            record.blocks.insert(0, Kept(body));
            record.blocks.truncate(Tier::BLOCKS);
        });
    }

    /// The copy of the code for a literal block.
    pub fn copy_for(&self, body: Value) -> Option<Value> {
        self.recorded(|record| record.copies.iter().find(|(of, _)| of.0 == body).map(|(_, copy)| copy.0)).flatten()
    }

    /// Keeps a copy of the code for a literal block. The code's cell must be remembered.
    pub fn keep_copy(&self, body: Value, copy: Value) {
        self.record(|record| {
            if record.copies.len() == Tier::MOST_COPIES {
                record.copies.remove(0);
            }
            record.copies.push((Kept(body), Kept(copy)));
        });
    }

    /// The Procs that the call at a place was not compiled for at first.
    pub fn procs(&self, place: u64) -> Vec<SeenProc> {
        let of_place = |seen: &&SeenProc| seen.place == place;
        self.recorded(|record| record.procs.iter().filter(of_place).copied().collect()).unwrap_or_default()
    }

    /// A call was compiled for Procs with other code than this one. Many exits may happen before the next compilation,
    /// so the number of codes is limited here, too.
    pub fn learn_proc(&self, place: u64, body: Value, is_lambda: bool) {
        self.learn_passed(|record| {
            let is_same = |seen: &&SeenProc| seen.body.0 == body && seen.is_lambda == is_lambda;
            let mut of_place = record.procs.iter().filter(|seen| seen.place == place);
            if of_place.clone().count() < Tier::MOST_PROCS && of_place.find(is_same).is_none() {
                record.procs.push(SeenProc { place, body: Kept(body), is_lambda });
            }
        });
    }

    fn learn_passed(&self, note: impl FnOnce(&mut Record)) {
        self.record(note);
        if self.count_exit() {
            self.for_blocks.set(self.for_blocks.get() + 1);
        }
    }
}
