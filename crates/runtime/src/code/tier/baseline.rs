//! The first, cheap compilation of code, and the full one that follows if the code runs often.

use super::Tier;

impl Tier {
    /// Whether the next compilation is a baseline one, which inlines little and counts how often it runs.
    pub fn is_baseline(&self) -> bool {
        !self.is_full.get()
    }

    /// The address of the number that baseline code counts down.
    pub fn until_warm_address(&self) -> usize {
        self.until_warm.as_ptr() as usize
    }

    /// Baseline code exits at the next entry or turn of a loop.
    pub fn exit_soon(&self) {
        self.until_warm.set(1);
    }

    /// The next compilation is a full one. Baseline code is used until its machine code is ready.
    pub fn compile_in_full(&self) {
        self.is_full.set(true);
        self.until_warm.set(u32::MAX);
    }

    /// The machine code is not ready: checks again after this many runs.
    pub fn wait(&self, runs: u32) {
        if self.is_compiled() {
            self.until_warm.set(runs);
        } else {
            self.countdown.set(runs as i32);
        }
    }
}
