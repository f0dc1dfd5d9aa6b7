//! Allocation sampling: notifies a hook of every allocation, or of one in n of each cell size.
//!
//! While a hook is set, free runs are shortened so that the sampled allocation takes the slow path. The fast path is
//! unchanged.

use abi::Value;

use crate::classes;
use crate::heap::Heap;
use crate::layout::Kind;
use crate::mutator::Mutator;

/// Called with each sampled object, whose cell is not filled yet. It may use native memory and `Mutator::note_site`,
/// but allocate nothing.
pub type AllocationHook = fn(data: *mut (), mutator: &mut Mutator, object: Value);

#[derive(Clone, Copy)]
pub(crate) struct Sampling {
    /// One in this many allocations is sampled; 0: none.
    pub interval: u32,
    hook: Option<AllocationHook>,
    data: *mut (),
    random: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { interval: 0, hook: None, data: std::ptr::null_mut(), random: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl Sampling {
    /// How many allocations to pass over: `interval - 1` on the average, at random, so that a program's own rhythm does
    /// not matter.
    fn draw(&mut self) -> u32 {
        if self.interval <= 1 {
            return 0;
        }
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random % (2 * u64::from(self.interval) - 1)) as u32
    }
}

impl Heap {
    /// Notifies `hook` of one in `interval` allocations; of none if 0.
    ///
    /// # Safety
    /// `hook` may be called with `data` at any allocation from now on.
    pub unsafe fn set_sampling(&self, interval: u32, hook: Option<AllocationHook>, data: *mut ()) {
        let state = self.state();
        state.sampling.interval = if hook.is_some() { interval } else { 0 };
        state.sampling.hook = hook;
        state.sampling.data = data;
        // Existing runs would hide allocations.
        state.retire_all();
        for at in 0..state.mutators.len() {
            for class in 0..classes::COUNT {
                let first = state.sampling.draw();
                // SAFETY: attached mutators stay in place; threads take turns.
                unsafe { (*state.mutators[at]).until_sample[class] = first };
            }
        }
        state.update_mutators();
    }
}

impl Mutator {
    /// The most cells of the next free run of this space.
    #[inline]
    pub(crate) fn run_limit(&mut self, space: usize) -> usize {
        let state = self.state();
        if state.stressed() {
            1
        } else if state.sampling.interval > 0 && space < classes::COUNT {
            (self.until_sample[space] as usize).max(1)
        } else {
            usize::MAX
        }
    }

    /// A run that starts with `cell` was created: notifies the hook if this cell is due, and counts the others.
    #[cold]
    #[inline(never)]
    pub(crate) fn sample(&mut self, space: usize, cell: usize) {
        const _: () = assert!(Kind::Objects as usize == 0);
        if space >= classes::COUNT {
            return;
        }
        let left = (self.cursors[space].end - self.cursors[space].next) / classes::SIZES[space] as usize;
        let until = self.until_sample[space];
        if until > 0 {
            self.until_sample[space] = until.saturating_sub(left as u32 + 1);
            return;
        }
        let sampling = &mut self.state().sampling;
        self.until_sample[space] = sampling.draw();
        let (hook, data) = (sampling.hook, sampling.data);
        if let Some(hook) = hook {
            hook(data, self, Value(cell as u64));
        }
    }
}
