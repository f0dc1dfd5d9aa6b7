//! When a code is compiled, and the state of its compiled code.

use std::{
    cell::{Cell, UnsafeCell},
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use abi::Value;
use heap::{Marker, Trace};

mod assumptions;
mod baseline;
mod machine_code;
mod passed;
mod positions;
mod thresholds;
mod visits;

pub use assumptions::{Assumptions, Kept, KnownLookup};
pub use positions::{InlinedBody, Position, Positions};
pub use thresholds::Thresholds;

use super::{code, exits};
use crate::redefined::Redefinitions;

/// How compiled code returned control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum How {
    /// The frame returned; the value is its result.
    Returned = 0,
    /// The frame continues in the interpreter, from its `pc`.
    Exited = 1,
    /// The running frame continues in the interpreter, and so do the frames that called it.
    Abandoned = 2,
    /// An unwinding is in progress.
    Unwinding = 3,
    /// Only from calls of the runtime: a frame was pushed. The value is the address of the compiled code that runs it.
    Pushed = 4,
}

/// What compiled code returns, in two registers of the processor.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Outcome {
    pub value: Value,
    pub how: How,
}

/// The address of compiled code.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Entry(usize);

impl Entry {
    pub fn address(self) -> usize {
        self.0
    }
}

/// The code of a Proc that the call at a place has called.
#[derive(Clone, Copy, Trace)]
pub struct SeenProc {
    pub place: u64,
    pub body: Kept,
    pub is_lambda: bool,
}

/// What is known of an instruction at which compiled code exited: bits for the kinds of its operands, and for how it
/// failed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Seen(pub u8);

impl Seen {
    pub const FIXNUM: u8 = 1;
    /// A Float, immediate or boxed.
    pub const FLOAT: u8 = 2;
    pub const OTHER: u8 = 4;
    const OPERAND: u8 = 7;
    const RIGHT: u32 = 3;
    /// It was reached, and the kinds of its operands do not matter.
    pub const REACHED: Seen = Seen(1 << 6);
    /// The operands were as expected, and yet the code exited: this is not expected any more.
    pub const FAILED: Seen = Seen(1 << 7);

    /// For a call: the frame of the callee was captured, so that the callee is not inlined.
    pub const CAPTURED: Seen = Seen(1);

    /// The kinds of two operands.
    pub fn operands(left: Value, right: Value) -> Seen {
        Seen(Seen::kind(left) | Seen::kind(right) << Seen::RIGHT)
    }

    fn kind(v: Value) -> u8 {
        if v.is_fixnum() {
            Seen::FIXNUM
        } else if object::float::is(v) {
            Seen::FLOAT
        } else {
            Seen::OTHER
        }
    }

    pub fn left(self) -> u8 {
        self.0 & Seen::OPERAND
    }

    pub fn right(self) -> u8 {
        self.0 >> Seen::RIGHT & Seen::OPERAND
    }

    pub fn has(self, other: Seen) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What was learned of the instruction at a place (see [`exits::place`]).
struct Learned {
    seen: Seen,
    /// The latest compilation that exited there.
    compilation: u8,
}

/// The compilation state of a code. While compiled code must not be used (a trace point is set in the code, or an
/// assumption does not hold) it is kept, and can be used again later without another compilation.
#[derive(Trace)]
#[trace(also = Tier::drop_moved)]
#[repr(C)]
pub struct Tier {
    /// How many runs are left until [`Tier::is_hot`] says so.
    countdown: Cell<i32>,
    /// Whether the code is to be compiled when it is hot.
    wanted: Cell<bool>,
    /// Whether operands were profiled.
    is_profiled: Cell<bool>,
    /// How many times the code had to run longer before its first compilation.
    delays: Cell<u8>,
    /// The compilation was due while a trace point was set in the code.
    is_postponed: Cell<bool>,
    /// The number of runs after which the code is compiled for the first time.
    runs: u32,
    /// The number of the compilation that may be used now, else 0. Running compiled code checks it after each call.
    usable: Cell<u32>,
    /// The address that compiled callers call: the entry, or the stub while the entry must not be used.
    callee: Cell<usize>,
    /// The entry of the compiled code, usable or not; 0 if there is none.
    entry: Cell<usize>,
    stub: Cell<usize>,
    /// Data that only compiled code has; most code is never compiled.
    record: UnsafeCell<Option<Box<Record>>>,
    /// The number of unexpected exits from the compilation in use.
    exits: Cell<u16>,
    /// The most registers that compiled code of this unit has used, with those of inlined bodies.
    reach: Cell<u16>,
    /// Whether it has ever been inlined in compiled code of another.
    is_inlined: Cell<bool>,
    /// The compiled code runs only in blocks of trace points, where no event fires, so that trace points in the code do
    /// not matter. Compiled callers do not call it: they call the stub.
    is_quiet: Cell<bool>,
    /// The number of times that it was compiled.
    compiled: Cell<u8>,
    /// The number of compilations because the code was passed a block that it was not compiled for.
    for_blocks: Cell<u8>,
    /// The number of compilations because blocks of instructions ran that had not been compiled.
    for_visits: Cell<u8>,
    /// The number of compilations because a lookup or a constant that the code relied on changed.
    for_changes: Cell<u8>,
    /// The number of compilations because valid machine code was dropped: for room, or by a compaction.
    for_room: Cell<u8>,
    /// Whether the next compilation is a full one.
    is_full: Cell<bool>,
    /// How many more entries and turns of loops baseline code counts until it exits to be compiled in full.
    until_warm: Cell<u32>,
}

/// What the compiler knows about a code.
#[derive(Default, Trace)]
struct Record {
    /// What was learned at each place.
    #[trace(skip)]
    learned: BTreeMap<u64, Learned>,
    /// For a large code: the words of the blocks of instructions that have run.
    #[trace(skip)]
    visited: BTreeSet<u32>,
    /// The literal blocks that were passed most recently.
    blocks: Vec<Kept>,
    /// Literal blocks for which the code has copies, and the copies.
    copies: Vec<(Kept, Kept)>,
    /// The codes of Procs that were called.
    procs: Vec<SeenProc>,
    assumptions: Box<Assumptions>,
    /// The compilation in progress, and what its machine code will rely on.
    #[trace(skip)]
    job: Option<Work>,
    coming: Option<Box<Assumptions>>,
    /// The size of the machine code.
    bytes: usize,
    /// The number of its installation: later installations have larger numbers.
    installed: u64,
    #[trace(skip)]
    positions: Positions,
}

/// The compiler's own data about a compilation in progress.
pub type Work = std::sync::Arc<dyn std::any::Any + Send + Sync>;

impl Tier {
    /// A countdown that never ends in practice.
    const COLD: i32 = i32::MAX;
    /// The least and the greatest number of exits at failed guards after which a code is compiled again, and the bytes
    /// of machine code for each exit in between: so many exits cost about as much as the compilation. More exits also
    /// give the next compilation more information.
    const EXITS: u16 = 200;
    const MOST_EXITS: u16 = 3000;
    const BYTES_PER_EXIT: usize = 6;
    /// The number of runs from the decision to compile again until the first repeated compilation.
    const AGAIN_AFTER: i32 = 10;
    /// The maximum number of runs during which operands are profiled; fewer if the code is compiled after fewer runs.
    const WATCHED: i32 = 30;
    /// The maximum number of compilations of a code, without those that have limits of their own.
    const MOST_COMPILATIONS: u8 = 8;
    /// The maximum number of compilations for blocks that were passed. In large programs the iterators of the Ruby half
    /// are passed ever new blocks.
    const MOST_FOR_BLOCKS: u8 = 5;
    /// The maximum number of compilations for blocks of instructions that had been left out. Because the code may be
    /// large, each one needs twice as many exits as the one before.
    const MOST_FOR_VISITS: u8 = 8;
    /// The number of changes of lookups or constants after which a code relies on none of them any more.
    const MOST_FOR_CHANGES: u8 = 8;
    /// The maximum number of all compilations: each has a number in a byte.
    const MOST_EVER: u8 = 200;
    /// The number of passed blocks that are remembered.
    const BLOCKS: usize = 3;
    /// The maximum number of copies of a code object for single blocks. A further copy takes the place of the oldest.
    const MOST_COPIES: usize = 64;
    /// The number of codes of Procs that the call at one place is compiled for.
    pub const MOST_PROCS: usize = 5;

    /// `has_blocks`: the code contains literal blocks.
    pub fn new(thresholds: Thresholds, has_blocks: bool) -> Tier {
        let (runs, full_after) = (thresholds.runs, thresholds.full_after(has_blocks));
        Tier {
            countdown: Cell::new(runs.map_or(Tier::COLD, |runs| runs.saturating_sub(1).min(i32::MAX as u32) as i32)),
            wanted: Cell::new(runs.is_some()),
            // If the code is compiled at its first run, there is no run to profile.
            is_profiled: Cell::new(runs == Some(1)),
            delays: Cell::new(0),
            runs: runs.unwrap_or(0),
            is_postponed: Cell::new(false),
            is_inlined: Cell::new(false),
            is_quiet: Cell::new(false),
            compiled: Cell::new(0),
            usable: Cell::new(0),
            entry: Cell::new(0),
            callee: Cell::new(0),
            stub: Cell::new(0),
            exits: Cell::new(0),
            reach: Cell::new(0),
            for_blocks: Cell::new(0),
            for_visits: Cell::new(0),
            for_changes: Cell::new(0),
            for_room: Cell::new(0),
            is_full: Cell::new(full_after == 0),
            until_warm: Cell::new(full_after),
            record: UnsafeCell::default(),
        }
    }

    /// Reads the record; `None` if there is none.
    fn recorded<T>(&self, f: impl FnOnce(&Record) -> T) -> Option<T> {
        // SAFETY: used under the global lock; `f` is a closure of this file, which uses no other part of the code.
        unsafe { (*self.record.get()).as_deref().map(f) }
    }

    /// Changes the record, which is created if there is none.
    fn record<T>(&self, f: impl FnOnce(&mut Record) -> T) -> T {
        // SAFETY: used under the global lock; `f` is a closure of this file, which uses no other part of the code.
        unsafe { f((*self.record.get()).get_or_insert_default()) }
    }

    /// Counts a run. True if there is compiled code to run, or if it is time to compile.
    #[inline(always)]
    pub fn is_hot(&self) -> bool {
        let left = self.countdown.get().wrapping_sub(1);
        self.countdown.set(left);
        left < 0
    }

    /// The entry that hot code may use now. `None`: the code stays interpreted, and `is_hot` remains false for a long
    /// time. Calls `compile` if it is time to compile.
    #[inline]
    pub fn enter(&self, compile: impl FnOnce()) -> Option<Entry> {
        if self.wanted.get() && self.entry.get() == 0 {
            compile();
        }
        let entry = if self.usable.get() != 0 { self.entry.get() } else { 0 };
        if entry != 0 {
            self.countdown.set(0);
        } else if self.countdown.get() < 0 {
            self.countdown.set(Tier::COLD);
        }
        (entry != 0).then_some(Entry(entry))
    }

    /// The entry of compiled code in which a frame may begin. `in_trace`: a trace point's block is running.
    #[inline(always)]
    pub fn ready(&self, in_trace: bool) -> Option<Entry> {
        (self.usable.get() != 0 && (in_trace || !self.is_quiet.get())).then(|| Entry(self.entry.get()))
    }

    /// Allows the compilation, which was made in a trace point's block while a trace point was set in the code, to run
    /// in such blocks only.
    pub fn begin_quiet(&self) {
        if self.entry.get() != 0 {
            self.is_quiet.set(true);
            self.usable.set(u32::from(self.compiled.get()));
            self.countdown.set(0);
        }
    }

    /// Compiled code that has run only in blocks of trace points may now run elsewhere, too, if no trace point is set
    /// in it.
    pub fn end_quiet(&self, is_traced: bool, redefined: Redefinitions) {
        if self.is_quiet.replace(false) {
            self.usable.set(0);
            self.countdown.set(Tier::COLD);
            self.refresh(is_traced, redefined);
        }
    }

    /// Whether the compiled code runs only in blocks of trace points.
    pub fn is_quiet(&self) -> bool {
        self.is_quiet.get()
    }

    /// How often the code has run in the interpreter since it was given up, or since its compiled code was suspended.
    pub fn interpreted(&self) -> Option<u64> {
        let is_cold = self.usable.get() == 0 && self.countdown.get() > Tier::COLD / 2;
        is_cold.then_some((Tier::COLD - self.countdown.get()) as u64)
    }

    /// The address of the word that compiled callers read to call this code. `stub`: the function that runs the pushed
    /// frame while there is no usable entry.
    pub fn callee_address(&self, stub: usize) -> usize {
        self.stub.set(stub);
        if self.callee.get() == 0 {
            self.callee.set(stub);
        }
        self.callee.as_ptr() as usize
    }

    /// The distance of that word from the start of the tier. The word is 0 until [`Tier::callee_address`] was called.
    pub const CALLEE: usize = std::mem::offset_of!(Tier, callee);

    /// The address of the number of the compilation that may be used now.
    pub fn usable_address(&self) -> usize {
        self.usable.as_ptr() as usize
    }

    /// The number that the next compilation will have.
    pub fn next_compilation(&self) -> u32 {
        u32::from(self.compiled.get()) + 1
    }

    /// Whether the next compilation is the last one: it uses no guard that may fail.
    pub fn is_last(&self) -> bool {
        self.tried() + 1 >= Tier::MOST_COMPILATIONS
    }

    /// The number of compilations that are counted for none of the reasons with a counter of their own.
    fn tried(&self) -> u8 {
        let others = [&self.for_blocks, &self.for_visits, &self.for_changes, &self.for_room];
        others.iter().fold(self.compiled.get(), |left, count| left.saturating_sub(count.get()))
    }

    /// Whether the code may rely on lookups and constants, and be dropped when they change.
    pub fn may_rely(&self) -> bool {
        self.for_changes.get() < Tier::MOST_FOR_CHANGES
    }

    /// The number of times that the code was compiled.
    pub fn compilations(&self) -> u8 {
        self.compiled.get()
    }

    /// Whether it is time to profile operands, some runs before the code is compiled. True only once.
    pub fn wants_profile(&self) -> bool {
        !self.is_profiled.replace(true)
    }

    /// Before the code is first compiled: whether it is to run as often again, because it did not yet do so as many
    /// times as `most` returns. Never if the program waits for compilations.
    pub fn is_delayed(&self, most: impl FnOnce() -> u8) -> bool {
        if self.is_awaited() || self.is_profiled.get() || self.delays.get() >= most() {
            return false;
        }
        self.delays.set(self.delays.get() + 1);
        self.wait(self.runs);
        true
    }

    /// Profiles the next runs: `times` times the usual number.
    pub fn watch(&self, times: i32) {
        let most = if self.is_awaited() { self.runs as i32 } else { i32::MAX };
        self.countdown.set((Tier::WATCHED * times).min(most));
    }

    /// Notes what was seen at a place.
    pub fn note(&self, place: u64, seen: Seen) {
        let compilation = self.compiled.get();
        self.record(|record| {
            let known = record.learned.entry(place).or_insert(Learned { seen, compilation });
            known.seen.0 |= seen.0;
        });
    }

    /// The code is to be compiled when no trace point is set in it any more.
    pub fn postpone(&self) {
        self.is_postponed.set(true);
    }

    /// The code is never to be compiled.
    pub fn refuse(&self) {
        self.wanted.set(false);
        self.begin_nothing();
    }

    fn begin_nothing(&self) {
        self.record(|record| (record.job, record.coming) = (None, None));
    }

    /// Whether the program waits until the code is compiled. It does if code is compiled after few runs, as tests
    /// request, so that tests behave the same each time.
    pub fn is_awaited(&self) -> bool {
        self.runs <= Thresholds::AWAITED
    }

    /// The compilation in progress.
    pub fn job(&self) -> Option<Work> {
        self.recorded(|record| record.job.clone()).flatten()
    }

    /// A compilation begins.
    pub fn begin(&self, job: Work, mut assumptions: Assumptions) {
        assumptions.shrink();
        self.record(|record| (record.job, record.coming) = (Some(job), Some(Box::new(assumptions))));
    }

    /// There is no memory for the machine code: tries again after this many runs.
    pub fn wait_for_room(&self, runs: u32) {
        self.begin_nothing();
        self.wait(runs);
    }

    /// Whether the compiler has not looked at the code yet.
    pub fn is_fresh(&self) -> bool {
        self.compiled.get() == 0 && self.recorded(|_| ()).is_none()
    }

    /// Whether there is compiled code that may be used now.
    pub fn is_compiled(&self) -> bool {
        self.usable.get() != 0
    }

    /// Installs the result of the compilation in progress.
    ///
    /// What earlier compiled code referred to is dropped. Frames that still run that code do not use it any more,
    /// because after each call they check whether their compilation is still usable.
    pub fn install(&self, entry: usize, bytes: usize, stores: exits::Stores, positions: Positions) {
        self.retire();
        self.entry.set(entry);
        self.exits.set(0);
        self.compiled.set(self.compiled.get() + 1);
        self.record(|record| {
            record.job = None;
            (record.bytes, record.positions) = (bytes, positions);
            record.installed = INSTALLED.fetch_add(1, Ordering::Relaxed);
            record.assumptions = record.coming.take().unwrap_or_default();
            let _ = record.assumptions.exits.stores.set(stores);
            self.reach.set(self.reach.get().max(record.assumptions.reach));
            for inlined in &record.assumptions.inlined {
                code(&inlined.0).tier.is_inlined.set(true);
            }
            if !record.assumptions.inlined.is_empty() {
                exits::note_inlined();
            }
        });
    }

    /// The number of registers that frames of compiled code may use, with those of inlined bodies whose frames are not
    /// pushed. Frames may run earlier compilations, too.
    pub fn reach(&self) -> u16 {
        self.reach.get()
    }

    /// Suspends compiled code or allows it again, depending on trace points and assumptions. Code that relies on an
    /// operation that the program has redefined is compiled again.
    pub fn refresh(&self, is_traced: bool, redefined: Redefinitions) {
        if self.entry.get() == 0 {
            if !is_traced && self.is_postponed.replace(false) {
                self.countdown.set(0);
            }
            return;
        }
        if self.leave_if_unreliable() {
            return;
        }
        let assumes =
            |redefined| self.recorded(|record| record.assumptions.redefined.overlaps(redefined)) == Some(true);
        if assumes(redefined.by_program) {
            return self.leave_for_change();
        }
        if self.is_quiet.get() {
            return;
        }
        let is_wrong = self.recorded(|record| record.assumptions.are_suspended(redefined));
        if is_traced || is_wrong == Some(true) {
            self.suspend();
        } else {
            self.usable.set(u32::from(self.compiled.get()));
            self.callee.set(self.entry.get());
            self.countdown.set(0);
        }
    }

    /// Whether a trace point in this code concerns compiled code of others, too.
    pub fn is_inlined(&self) -> bool {
        self.is_inlined.get()
    }

    /// Drops compiled code that relies on a lookup or a constant that has changed; it is compiled again later.
    pub fn leave_if_unreliable(&self) -> bool {
        let is_left = self.entry.get() != 0 && self.recorded(|record| !record.assumptions.is_reliable()) == Some(true);
        if is_left {
            self.leave_for_change();
        }
        is_left
    }

    /// Drops compiled code; it is compiled again after some runs, under the new conditions.
    fn leave_for_change(&self) {
        self.compile_again_after(self.for_changes.get().min(Tier::MOST_FOR_CHANGES));
        self.for_changes.set(self.for_changes.get().saturating_add(1));
    }

    /// Suspends compiled code, because a trace point was set in the code.
    pub fn suspend(&self) {
        if !self.is_quiet.get() {
            self.stop();
        }
    }

    fn stop(&self) {
        self.is_quiet.set(false);
        if self.usable.replace(0) != 0 {
            self.callee.set(self.stub.get());
            self.countdown.set(Tier::COLD);
        }
    }

    /// Whether compiled code exited at the instruction at a place.
    pub fn has_failed(&self, place: u64) -> bool {
        let failed = |record: &Record| record.learned.get(&place).is_some_and(|known| known.compilation > 0);
        self.recorded(failed) == Some(true)
    }

    /// What was learned of the instruction at a place, at exits and by profiling.
    pub fn seen(&self, place: u64) -> Seen {
        let find = |record: &Record| record.learned.get(&place).map(|known| known.seen);
        self.recorded(find).flatten().unwrap_or_default()
    }

    /// Compiled code exited at a place. After more exits it is compiled again, with what was learned.
    pub fn learn(&self, place: u64, seen: Seen) {
        let compilation = self.compiled.get();
        self.record(|record| match record.learned.get_mut(&place) {
            Some(known) => {
                // This compilation already knew what was seen now, and exited nevertheless.
                if known.compilation < compilation && known.seen.has(seen) {
                    known.seen.0 |= Seen::FAILED.0;
                }
                known.seen.0 |= seen.0;
                known.compilation = compilation;
            }
            None => {
                record.learned.insert(place, Learned { seen, compilation });
            }
        });
        self.count_exit();
    }

    /// Counts an exit. True if the code is now compiled again.
    fn count_exit(&self) -> bool {
        self.count_exit_of(self.tried(), self.enough_exits())
    }

    /// The number of exits after which it is compiled again.
    fn enough_exits(&self) -> u16 {
        let bytes = self.recorded(|record| record.bytes).unwrap_or_default();
        u16::try_from(bytes / Tier::BYTES_PER_EXIT).unwrap_or(u16::MAX).clamp(Tier::EXITS, Tier::MOST_EXITS)
    }

    /// Counts an exit for a reason for which the code was compiled `times` times. True if the code is now compiled
    /// again, after `enough` exits.
    fn count_exit_of(&self, times: u8, enough: u16) -> bool {
        self.exits.set(self.exits.get().saturating_add(1));
        let again = self.exits.get() >= enough && self.tried() < Tier::MOST_COMPILATIONS && self.entry.get() != 0;
        if again {
            self.compile_again_after(times);
        }
        again
    }

    /// Drops compiled code. New code is compiled after a number of runs that doubles each time.
    fn compile_again_after(&self, times: u8) {
        self.drop_machine_code();
        self.countdown.set(Tier::AGAIN_AFTER << times);
    }

    /// Drops compiled code: it is never used again.
    fn drop_machine_code(&self) {
        self.stop();
        self.retire();
        self.exits.set(0);
    }

    /// Retires the machine code, which frames may still be running.
    fn retire(&self) {
        let entry = self.entry.replace(0);
        if entry != 0 {
            RETIRED.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        }
    }

    /// Calls `f` with each shape that machine code of this unit compares, or will when it is installed.
    pub fn each_compared_shape(&self, f: &mut dyn FnMut(u32)) {
        self.recorded(|record| {
            let coming = record.coming.iter().flat_map(|coming| &coming.shapes);
            record.assumptions.shapes.iter().chain(coming).for_each(|shape| f(*shape));
        });
    }

    /// The number of the installation of machine code, and its size; `None` if there is none to evict.
    pub fn evictable(&self) -> Option<(u64, usize)> {
        let may_come_back = self.compiled.get() < Tier::MOST_EVER;
        let described = || self.recorded(|record| (record.installed, record.bytes));
        if self.entry.get() != 0 && may_come_back { described() } else { None }
    }

    /// Drops machine code to make room. The code is compiled again after as many runs as before the first compilation.
    pub fn evict(&self) {
        self.drop_machine_code();
        self.for_room.set(self.for_room.get().saturating_add(1));
        self.countdown.set(self.runs.min(i32::MAX as u32) as i32);
    }

    /// A compaction drops compiled code, which contains addresses of objects.
    fn drop_moved(&mut self, marker: &mut Marker) {
        if marker.purpose() == heap::Purpose::Update {
            self.discard();
        }
    }

    /// Drops compiled code because objects whose addresses it contains moved. It is compiled again after some runs.
    fn discard(&self) {
        if self.entry.get() == 0 && self.job().is_none() {
            return;
        }
        self.begin_nothing();
        if self.compiled.get() >= Tier::MOST_EVER {
            self.wanted.set(false);
        }
        self.for_room.set(self.for_room.get().saturating_add(1));
        self.compile_again_after(self.tried());
    }
}

impl Drop for Tier {
    fn drop(&mut self) {
        self.retire();
    }
}

/// The addresses of machine code that no code object refers to any more. Frames may still be running it.
static RETIRED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

static INSTALLED: AtomicU64 = AtomicU64::new(0);

/// The number of compilations that were installed.
pub fn installed() -> u64 {
    INSTALLED.load(Ordering::Relaxed)
}

/// Takes the addresses of machine code that was retired since the last call.
pub fn take_retired() -> Vec<usize> {
    std::mem::take(&mut RETIRED.lock().unwrap_or_else(PoisonError::into_inner))
}
