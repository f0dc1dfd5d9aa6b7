//! Whether a code runs compiled, and how often it still must run until it is.

use std::cell::{Cell, UnsafeCell};

use abi::Value;
use heap::Marker;
use object::{class::call_cache::CacheRef, native::Visit};

use crate::{Cx, basic_ops::Redefined};

/// Why compiled code gave control back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum How {
    /// The frame was left; its result is the value.
    Returned = 0,
    /// The frame goes on in the interpreter, from its `pc`.
    Exited = 1,
    /// The running frame goes on in the interpreter, and so do those that called it.
    Abandoned = 2,
    /// Something is on its way up the stack.
    Unwinding = 3,
}

/// What compiled code gives back: in two registers of the processor.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Outcome {
    pub value: Value,
    pub how: How,
}

/// Compiled code. Runs the running frame, whose registers are given, from the word on: 0 or the head of a loop.
pub type Entry = unsafe extern "C" fn(cx: *mut Cx, registers: *mut Value, word: u64) -> Outcome;

/// What compiled code takes for granted.
#[derive(Default)]
pub struct Assumptions {
    /// Basic operations that are not redefined.
    pub redefined: Redefined,
    /// Entries of inline caches whose addresses it has. It looks itself whether they are still right.
    pub caches: Vec<CacheRef>,
    /// Code of blocks, likewise.
    pub codes: Vec<KeptCode>,
}

/// A code that compiled code has the address of.
#[derive(Clone, Copy)]
pub struct KeptCode(pub Value);

/// The state of a code. While compiled code is put out of use (a trace point stands in the code, an assumption does not
/// hold) it is kept, and comes back without being compiled again.
pub struct Tier {
    /// Positive: the address of the entry. Negative: minus the number of runs until the code is compiled, which
    /// [`Tier::COLD`] never reaches.
    state: Cell<i64>,
    /// The entry, usable or not; 0 where there is none.
    entry: Cell<usize>,
    /// Is the entry usable? Compiled code that runs looks here when a call is over.
    usable: Cell<u8>,
    assumptions: UnsafeCell<Assumptions>,
}

impl Tier {
    /// A code that is not to be compiled.
    const COLD: i64 = i64::MIN;

    /// `runs`: how often the code runs before it is compiled; `None`: it never is.
    pub fn new(runs: Option<u32>) -> Tier {
        Tier {
            state: Cell::new(runs.map_or(Tier::COLD, |runs| -i64::from(runs.max(1)))),
            entry: Cell::new(0),
            usable: Cell::new(0),
            assumptions: UnsafeCell::default(),
        }
    }

    /// Counts a run. True: there is compiled code to run, or it is time to compile.
    #[inline(always)]
    pub fn is_hot(&self) -> bool {
        let state = self.state.get();
        if state < 0 {
            self.state.set(state + 1);
        }
        state >= 0
    }

    /// The entry that may be used now.
    #[inline]
    pub fn entry(&self) -> Option<Entry> {
        if self.usable.get() == 0 {
            return None;
        }
        // SAFETY: `install` was given the address of an entry.
        Some(unsafe { std::mem::transmute::<usize, Entry>(self.entry.get()) })
    }

    /// Where compiled code finds the address of the entry, if the word is positive.
    pub fn state_address(&self) -> usize {
        self.state.as_ptr() as usize
    }

    /// Where compiled code finds whether it is still usable.
    pub fn usable_address(&self) -> usize {
        self.usable.as_ptr() as usize
    }

    /// Is it compiled, usable or not?
    pub fn is_compiled(&self) -> bool {
        self.entry.get() != 0
    }

    /// The code is not to be compiled.
    pub fn refuse(&self) {
        self.state.set(Tier::COLD);
    }

    /// Takes compiled code into use.
    pub fn install(&self, entry: usize, assumptions: Assumptions) {
        self.entry.set(entry);
        // SAFETY: used under the global lock; no reference to it is kept.
        unsafe { *self.assumptions.get() = assumptions };
    }

    /// Puts compiled code out of use or back into use, as trace points and assumptions have it.
    pub fn refresh(&self, is_traced: bool, redefined: &Redefined) {
        if self.entry.get() == 0 {
            return;
        }
        // SAFETY: used under the global lock; no reference to it is kept.
        let assumed = unsafe { (*self.assumptions.get()).redefined };
        let usable = !is_traced && !assumed.overlaps(redefined);
        self.usable.set(usable as u8);
        self.state.set(if usable { self.entry.get() as i64 } else { Tier::COLD });
    }

    /// Puts compiled code out of use: a trace point was set on the code.
    pub fn suspend(&self) {
        if self.usable.replace(0) != 0 {
            self.state.set(Tier::COLD);
        }
    }

    /// Visits what compiled code has the addresses of; where that moves it is dropped.
    pub fn trace(&mut self, marker: &mut Marker) {
        if marker.purpose() == heap::Purpose::Update {
            self.discard();
        }
        let assumptions = self.assumptions.get_mut();
        assumptions.caches.iter_mut().for_each(|cache| cache.trace(marker));
        assumptions.codes.iter_mut().for_each(|code| marker.visit(&mut code.0));
    }

    /// Drops compiled code for good: objects that it names moved.
    fn discard(&self) {
        if self.entry.replace(0) != 0 {
            self.usable.set(0);
            self.state.set(Tier::COLD);
        }
    }
}
