//! Allocation sampling: calls a hook for every object, for one in n objects of each cell size, or for one allocation
//! per given number of bytes, buffers included.
//!
//! While a hook is set, free runs are shortened so that the sampled allocation takes the slow path. The fast path is
//! unchanged.

use abi::Value;

use crate::classes;
use crate::heap::Heap;
use crate::layout::{Kind, Place, SPACES};
use crate::mutator::Mutator;

/// An allocation that was sampled.
#[derive(Clone, Copy, Debug)]
pub struct Allocation {
    /// The object, whose cell is not filled yet; `None` for a buffer.
    pub object: Option<Value>,
    pub bytes: usize,
    /// The number of bytes that the sample represents; without sampling by bytes, its own size.
    pub weight: f64,
}

/// Called with each sampled allocation. It may use native memory and `Mutator::note_site`, but must not allocate.
pub type AllocationHook = unsafe fn(data: *mut (), mutator: &mut Mutator, allocation: Allocation);

#[derive(Clone, Copy)]
pub(crate) struct Sampling {
    /// One in this many allocations is sampled; 0: none.
    pub interval: u32,
    /// The mean distance between samples in bytes; 0: the interval counts objects.
    bytes: u32,
    hook: Option<AllocationHook>,
    data: *mut (),
    random: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { interval: 0, bytes: 0, hook: None, data: std::ptr::null_mut(), random: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl Sampling {
    /// The random number of allocations of a space to skip, so that patterns in the program do not matter: on average
    /// `interval - 1`, or a number that gives each byte the same chance to be sampled.
    fn draw(&mut self, space: usize) -> u32 {
        if self.bytes > 0 {
            let chance = chance(classes::SIZES[space % classes::COUNT] as usize, self.bytes);
            // Geometric distribution: the number of failures before an event of this probability.
            return (self.uniform().ln() / (-chance).ln_1p()).min(1e9) as u32;
        }
        if self.interval <= 1 {
            return 0;
        }
        (self.next() % (2 * u64::from(self.interval) - 1)) as u32
    }

    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// A random number above 0 and at most 1.
    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// The number of bytes that a sampled allocation of `bytes` bytes represents.
    fn weight(&self, bytes: usize) -> f64 {
        if self.bytes > 0 { bytes as f64 / chance(bytes, self.bytes) } else { bytes as f64 }
    }

    /// Whether allocations of the space are sampled.
    fn has(&self, space: usize) -> bool {
        self.interval > 0 && (space < classes::COUNT || self.bytes > 0)
    }
}

/// The probability that an allocation is sampled if samples are `mean` bytes apart on average.
fn chance(bytes: usize, mean: u32) -> f64 {
    -(-(bytes as f64) / f64::from(mean)).exp_m1()
}

impl Heap {
    /// Whether the object survived a collection or is still young. To be called after a collection, with an object that
    /// was alive before it.
    pub fn is_old(&self, object: Value) -> bool {
        // SAFETY: objects lie in blocks of arenas.
        unsafe { Place::of(object.0 as usize) }.test(self.state().current_table())
    }

    /// Calls `hook` for one in `interval` objects (0: none); with `bytes` above 0, for one allocation per `bytes` bytes
    /// of objects and buffers.
    ///
    /// # Safety
    /// `hook` may be called with `data` at any allocation from now on.
    pub unsafe fn set_sampling(&self, interval: u32, bytes: u32, hook: Option<AllocationHook>, data: *mut ()) {
        let state = self.state();
        state.sampling.interval = if hook.is_some() { interval } else { 0 };
        state.sampling.bytes = bytes;
        state.sampling.hook = hook;
        state.sampling.data = data;
        // Runs that already exist would hide allocations from the sampling.
        state.retire_all();
        for at in 0..state.mutators.len() {
            for space in 0..SPACES {
                let first = state.sampling.draw(space);
                // SAFETY: attached mutators stay in place; threads take turns.
                unsafe { (*state.mutators[at]).until_sample[space] = first };
            }
        }
        state.update_mutators();
    }
}

impl Mutator {
    /// The maximum number of cells of the next free run of this space.
    #[inline]
    pub(crate) fn run_limit(&mut self, space: usize) -> usize {
        let state = self.state();
        if state.stressed() {
            1
        } else if state.sampling.has(space) {
            (self.until_sample[space] as usize).max(1)
        } else {
            usize::MAX
        }
    }

    /// Handles a new run that starts with `cell`: calls the hook if this cell is due, and counts the others.
    #[cold]
    #[inline(never)]
    pub(crate) fn sample(&mut self, space: usize, cell: usize) {
        const _: () = assert!(Kind::Objects as usize == 0);
        if !self.state().sampling.has(space) {
            return;
        }
        let size = classes::SIZES[space % classes::COUNT] as usize;
        let left = (self.cursors[space].end - self.cursors[space].next) / size;
        let until = self.until_sample[space];
        if until > 0 {
            self.until_sample[space] = until.saturating_sub(left as u32 + 1);
            return;
        }
        let sampling = &mut self.state().sampling;
        self.until_sample[space] = sampling.draw(space);
        let (hook, data, weight) = (sampling.hook, sampling.data, sampling.weight(size));
        if let Some(hook) = hook {
            let object = (space < classes::COUNT).then_some(Value(cell as u64));
            // SAFETY: `set_sampling` took both.
            unsafe { hook(data, self, Allocation { object, bytes: size, weight }) };
        }
    }

    /// Handles the allocation of a large buffer.
    pub(crate) fn sample_large(&mut self, bytes: usize) {
        let sampling = &mut self.state().sampling;
        if sampling.bytes == 0 || sampling.uniform() > chance(bytes, sampling.bytes) {
            return;
        }
        let (hook, data, weight) = (sampling.hook, sampling.data, sampling.weight(bytes));
        if let Some(hook) = hook {
            // SAFETY: `set_sampling` took both.
            unsafe { hook(data, self, Allocation { object: None, bytes, weight }) };
        }
    }
}
