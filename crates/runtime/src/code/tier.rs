//! Whether a code runs compiled, and how often it still must run until it is.

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
use object::{
    Sym,
    class::{call_cache::CacheRef, constant_watch::Watch, lookup},
};

mod visits;

use super::{code, exits};
use crate::redefined::{Redefined, Redefinitions};

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
    /// From the runtime alone: a frame was pushed, which the compiled code at the address runs that the value is.
    Pushed = 4,
}

/// What compiled code gives back: in two registers of the processor.
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

/// What compiled code takes for granted.
#[derive(Default, Trace)]
pub struct Assumptions {
    /// Basic operations that are not redefined.
    #[trace(skip)]
    pub redefined: Redefined,
    /// Entries of inline caches whose methods it calls.
    pub caches: Vec<CacheRef>,
    /// Does it rely on the entries, or ask each time whether they are valid?
    #[trace(skip)]
    pub relies_on_caches: bool,
    /// Constants that it relies on: their names' watches, and the versions.
    #[trace(skip)]
    pub constants: Vec<(&'static Watch, u32)>,
    /// Further lookups that it relies on.
    pub lookups: Vec<KnownLookup>,
    /// Objects whose addresses it has.
    pub objects: Vec<Kept>,
    /// Images of the frames that it pushes, at addresses that machine code has. What they refer to is among the
    /// objects, or kept by those.
    #[trace(skip)]
    #[allow(clippy::vec_box)]
    pub images: Vec<Box<exits::FrameImage>>,
    /// Where it goes back to the interpreter, likewise.
    #[trace(skip)]
    pub exits: Box<exits::ExitTable>,
    /// The codes that are inlined, and their frames, at addresses that machine code has.
    pub inlined: Vec<Kept>,
    #[trace(skip)]
    pub frames: Vec<std::rc::Rc<exits::InlinedFrame>>,
}

impl Assumptions {
    /// Do the lookups and constants that it relies on still hold?
    fn is_reliable(&self) -> bool {
        let are_valid = || self.caches.iter().all(|cache| cache.shape().is_some());
        (!self.relies_on_caches || are_valid())
            && self.lookups.iter().all(KnownLookup::is_valid)
            && self.constants.iter().all(|(watch, version)| watch.version() == *version)
    }
}

/// The result of a lookup that compiled code relies on: a method entry, or undef.
#[derive(Trace)]
pub struct KnownLookup {
    pub class: Kept,
    pub name: Sym,
    pub entry: Kept,
}

impl KnownLookup {
    fn is_valid(&self) -> bool {
        lookup::known(self.class.0, self.name) == Some(self.entry.0)
    }
}

/// An object that compiled code has the address of.
#[derive(Clone, Copy, Trace)]
pub struct Kept(pub Value);

/// What is known of an instruction that compiled code could not go on at: bits for the kinds that its operands had, and
/// how it went wrong besides.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Seen(pub u8);

impl Seen {
    pub const FIXNUM: u8 = 1;
    /// A Float, immediate or boxed.
    pub const FLOAT: u8 = 2;
    pub const OTHER: u8 = 4;
    const OPERAND: u8 = 7;
    const RIGHT: u32 = 3;
    /// It was reached, having no operands whose kinds matter.
    pub const REACHED: Seen = Seen(1 << 6);
    /// What it had was expected, and yet it failed: it is not to be expected any more.
    pub const FAILED: Seen = Seen(1 << 7);

    /// Of a call: its body's frame was taken hold of, so that it is not inlined.
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

/// What was learned of the instruction at a place, see [`exits::place`].
struct Learned {
    seen: Seen,
    /// The latest compilation that was left there.
    compilation: u8,
}

/// The state of a code. While compiled code is put out of use (a trace point stands in the code, an assumption does not
/// hold) it is kept, and comes back without being compiled again.
#[derive(Trace)]
#[trace(also = Tier::drop_moved)]
pub struct Tier {
    /// How many runs are left until [`Tier::is_hot`] says so.
    countdown: Cell<i32>,
    /// Is the code to be compiled when it is hot?
    wanted: Cell<bool>,
    /// Were its operands watched?
    is_profiled: Cell<bool>,
    /// How often the code was to run before it was compiled.
    runs: u32,
    /// Was it time to compile it while a trace point stood in it?
    is_postponed: Cell<bool>,
    /// Has it ever been inlined in compiled code of another?
    is_inlined: Cell<bool>,
    /// Does the compilation run only in blocks of trace points, where no event fires? Then trace points in the code do
    /// not concern it. Its frames are not called by compiled code, which knows only the stub.
    is_quiet: Cell<bool>,
    /// Counts the times it was compiled.
    compiled: Cell<u8>,
    /// The compilation that may be used now, else 0. Compiled code that runs looks here when a call is over.
    usable: Cell<u32>,
    /// The entry, usable or not; 0 where there is none.
    entry: Cell<usize>,
    /// What compiled code that calls this one calls: the entry, or while it must not be used the stub.
    callee: Cell<usize>,
    stub: Cell<usize>,
    /// Exits of the compilation in use.
    exits: Cell<u16>,
    /// Compilations because the code was passed a block that it did not know.
    for_blocks: Cell<u8>,
    /// Compilations because blocks of instructions ran that had not been compiled.
    for_visits: Cell<u8>,
    /// Compilations because a lookup or a constant changed that the code relied on.
    for_changes: Cell<u8>,
    /// Compilations because machine code was dropped that was right.
    for_room: Cell<u8>,
    /// What only code that is compiled has; most code never is.
    record: UnsafeCell<Option<Box<Record>>>,
}

/// What the compiler knows of a code.
#[derive(Default, Trace)]
struct Record {
    /// By their places.
    #[trace(skip)]
    learned: BTreeMap<u64, Learned>,
    /// Of a large code: the words of the blocks of instructions that have run.
    #[trace(skip)]
    visited: BTreeSet<u32>,
    /// The literal blocks that it was passed last.
    blocks: Vec<Kept>,
    assumptions: Assumptions,
    /// Machine code that is being made, and what it will take for granted.
    #[trace(skip)]
    job: Option<Work>,
    coming: Assumptions,
    /// The size of the machine code.
    bytes: usize,
    /// When it was installed: later code has a larger number.
    installed: u64,
    #[trace(skip)]
    positions: Positions,
}

/// Which bytecode machine code was made of, in the order of the machine code.
#[derive(Default)]
pub struct Positions(Vec<(u32, Position)>);

/// An instruction of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The word of the unit's own code: of the instruction, or of the call whose body is inlined.
    pub own_word: u32,
    /// The address behind the instruction, in the bytecode of an inlined body or of the unit's own code.
    pub pc: u64,
    /// The inlined body, by its number in [`Assumptions::frames`].
    pub inlined: Option<u32>,
}

/// An inlined body while it runs.
#[derive(Clone, Copy, Debug)]
pub struct InlinedBody {
    pub code: Value,
    /// The entry of the method, nil for a block.
    pub entry: Value,
    /// The address behind the instruction that is executed.
    pub pc: u64,
}

impl Positions {
    /// What follows from a byte on belongs to a position.
    pub fn add(&mut self, byte: usize, position: Position) {
        if self.0.last().is_none_or(|(_, last)| *last != position) {
            self.0.push((byte as u32, position));
        }
    }
}

/// The compiler's own record of a code that it is compiling.
pub type Work = std::sync::Arc<dyn std::any::Any + Send + Sync>;

impl Tier {
    /// A countdown that no program notices.
    const COLD: i32 = i32::MAX;
    /// A code is compiled again when so many exits were taken that it did not expect (they cost less than compiling,
    /// and the more of them, the more they tell),
    const EXITS: u16 = 200;
    /// and after so many runs.
    const AGAIN_AFTER: i32 = 10;
    /// Operands are watched for so many runs, or as many as there were before.
    const WATCHED: i32 = 30;
    /// The program waits for the compiler where code runs no more often before.
    const AWAITED: u32 = 100;
    /// Not more often than this,
    const MOST_COMPILATIONS: u8 = 8;
    /// and not more often than this besides for blocks.
    const MOST_FOR_BLOCKS: u8 = 16;
    /// The same for blocks that were not compiled. The code may be large: each time takes twice as many exits as the
    /// last.
    const MOST_FOR_VISITS: u8 = 8;
    /// After so many changes of what the code relied on it relies on nothing of that sort any more.
    const MOST_FOR_CHANGES: u8 = 8;
    /// Each compilation has a number of its own.
    const MOST_EVER: u8 = 200;
    /// So many blocks are remembered.
    const BLOCKS: usize = 3;

    /// `runs`: how often the code runs before it is compiled; `None`: it never is.
    pub fn new(runs: Option<u32>) -> Tier {
        Tier {
            countdown: Cell::new(runs.map_or(Tier::COLD, |runs| runs.saturating_sub(1).min(i32::MAX as u32) as i32)),
            wanted: Cell::new(runs.is_some()),
            // Who compiles at the first run has nothing to watch.
            is_profiled: Cell::new(runs == Some(1)),
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
            for_blocks: Cell::new(0),
            for_visits: Cell::new(0),
            for_changes: Cell::new(0),
            for_room: Cell::new(0),
            record: UnsafeCell::default(),
        }
    }

    /// Reads the record; `None` where there is none.
    fn recorded<T>(&self, f: impl FnOnce(&Record) -> T) -> Option<T> {
        // SAFETY: used under the global lock; `f` is a closure of this file, which uses no other part of the code.
        unsafe { (*self.record.get()).as_deref().map(f) }
    }

    /// Changes the record, which is made if there is none.
    fn record<T>(&self, f: impl FnOnce(&mut Record) -> T) -> T {
        // SAFETY: used under the global lock; `f` is a closure of this file, which uses no other part of the code.
        unsafe { f((*self.record.get()).get_or_insert_default()) }
    }

    /// Counts a run. True: there is compiled code to run, or it is time to compile.
    #[inline(always)]
    pub fn is_hot(&self) -> bool {
        let left = self.countdown.get().wrapping_sub(1);
        self.countdown.set(left);
        left < 0
    }

    /// What a code that is hot does next: the entry that may be used now, or `None` where it stays interpreted, which
    /// is not asked again soon. `compile` is called where it is time to compile.
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

    /// The entry of compiled code that a frame may begin in. `in_trace`: a trace point's block is running.
    #[inline(always)]
    pub fn ready(&self, in_trace: bool) -> Option<Entry> {
        (self.usable.get() != 0 && (in_trace || !self.is_quiet.get())).then(|| Entry(self.entry.get()))
    }

    /// The compilation that is in use was made in a trace point's block while a trace point stood in the code.
    pub fn begin_quiet(&self) {
        if self.entry.get() != 0 {
            self.is_quiet.set(true);
            self.usable.set(u32::from(self.compiled.get()));
            self.countdown.set(0);
        }
    }

    /// Compiled code that has run only in blocks of trace points is to run elsewhere, too.
    pub fn end_quiet(&self, is_traced: bool, redefined: Redefinitions) {
        if self.is_quiet.replace(false) {
            self.usable.set(0);
            self.countdown.set(Tier::COLD);
            self.refresh(is_traced, redefined);
        }
    }

    /// Does the compilation run only in blocks of trace points?
    pub fn is_quiet(&self) -> bool {
        self.is_quiet.get()
    }

    /// How often the code has run since it was given up, or its compiled code put out of use.
    pub fn interpreted(&self) -> Option<u64> {
        let is_cold = self.usable.get() == 0 && self.countdown.get() > Tier::COLD / 2;
        is_cold.then_some((Tier::COLD - self.countdown.get()) as u64)
    }

    /// Where compiled code finds what to call in place of this code; `stub`: what runs the frame that was pushed while
    /// there is no entry.
    pub fn callee_address(&self, stub: usize) -> usize {
        self.stub.set(stub);
        if self.callee.get() == 0 {
            self.callee.set(stub);
        }
        self.callee.as_ptr() as usize
    }

    /// Where compiled code finds the number of the compilation that may be used now.
    pub fn usable_address(&self) -> usize {
        self.usable.as_ptr() as usize
    }

    /// The number that the next compilation will have.
    pub fn next_compilation(&self) -> u32 {
        u32::from(self.compiled.get()) + 1
    }

    /// Is the next compilation the last one? It expects nothing that may fail.
    pub fn is_last(&self) -> bool {
        self.tried() + 1 >= Tier::MOST_COMPILATIONS
    }

    /// Counts the compilations that were for none of the other reasons that have counts of their own.
    fn tried(&self) -> u8 {
        let others = [&self.for_blocks, &self.for_visits, &self.for_changes, &self.for_room];
        others.iter().fold(self.compiled.get(), |left, count| left.saturating_sub(count.get()))
    }

    /// May the code rely on lookups and constants, and be put out of use when they change?
    pub fn may_rely(&self) -> bool {
        self.for_changes.get() < Tier::MOST_FOR_CHANGES
    }

    /// Is the code compiled again for a literal block that it does not know?
    pub fn learns_blocks(&self) -> bool {
        self.for_blocks.get() < Tier::MOST_FOR_BLOCKS
    }

    /// The literal blocks that it was passed last: their code objects.
    pub fn blocks(&self) -> Vec<Kept> {
        self.recorded(|record| record.blocks.clone()).unwrap_or_default()
    }

    /// The code was passed a literal block that it does not know.
    pub fn learn_block(&self, body: Value) {
        self.record(|record| {
            record.blocks.retain(|block| block.0 != body);
            record.blocks.insert(0, Kept(body));
            record.blocks.truncate(Tier::BLOCKS);
        });
        if self.count_exit() {
            self.for_blocks.set(self.for_blocks.get() + 1);
        }
    }

    /// Is it time to watch operands, before the code is compiled some runs later?
    pub fn wants_profile(&self) -> bool {
        !self.is_profiled.replace(true)
    }

    /// What runs is watched for some time: for so many times as many runs as usual.
    pub fn watch(&self, times: i32) {
        self.countdown.set((Tier::WATCHED * times).min(self.runs as i32));
    }

    /// Notes what was seen at a place.
    pub fn note(&self, place: u64, seen: Seen) {
        let compilation = self.compiled.get();
        self.record(|record| {
            let known = record.learned.entry(place).or_insert(Learned { seen, compilation });
            known.seen.0 |= seen.0;
        });
    }

    /// The code is compiled when no trace point stands in it any more.
    pub fn postpone(&self) {
        self.is_postponed.set(true);
    }

    /// The code is not to be compiled.
    pub fn refuse(&self) {
        self.wanted.set(false);
        self.begin_nothing();
    }

    fn begin_nothing(&self) {
        self.record(|record| (record.job, record.coming) = (None, Assumptions::default()));
    }

    /// Does the program wait until its code is compiled? With few runs before that, as tests ask for, it does: what
    /// they see is the same each time.
    pub fn is_awaited(&self) -> bool {
        self.runs <= Tier::AWAITED
    }

    /// What the compiler is doing with the code.
    pub fn job(&self) -> Option<Work> {
        self.recorded(|record| record.job.clone()).flatten()
    }

    /// The compiler makes machine code of it.
    pub fn begin(&self, job: Work, assumptions: Assumptions) {
        self.record(|record| (record.job, record.coming) = (Some(job), assumptions));
    }

    /// The machine code is not ready: it is asked for again after so many runs.
    pub fn wait(&self, runs: u32) {
        self.countdown.set(runs as i32);
    }

    /// There is no memory for the machine code: it is asked for again after so many runs.
    pub fn wait_for_room(&self, runs: u32) {
        self.begin_nothing();
        self.wait(runs);
    }

    /// Is there compiled code that may be used now?
    pub fn is_compiled(&self) -> bool {
        self.usable.get() != 0
    }

    /// Takes the compiled code into use that was begun.
    ///
    /// What earlier compiled code stood on is dropped: no frame runs that code up to something that needs it, since it
    /// looks behind each call whether it may still be used.
    pub fn install(&self, entry: usize, bytes: usize, stores: Vec<Vec<exits::ExitStore>>, positions: Positions) {
        self.entry.set(entry);
        self.compiled.set(self.compiled.get() + 1);
        self.record(|record| {
            record.job = None;
            (record.bytes, record.positions) = (bytes, positions);
            record.installed = INSTALLED.fetch_add(1, Ordering::Relaxed);
            record.assumptions = std::mem::take(&mut record.coming);
            let _ = record.assumptions.exits.stores.set(stores);
            for inlined in &record.assumptions.inlined {
                code(&inlined.0).tier.is_inlined.set(true);
            }
            if !record.assumptions.inlined.is_empty() {
                exits::note_inlined();
            }
        });
    }

    /// The instruction that machine code at an address was made of; `None` where it is not of this unit.
    pub fn position_of(&self, address: u64) -> Option<Position> {
        let byte = address.wrapping_sub(self.entry.get() as u64);
        self.recorded(|record| {
            let positions = &record.positions.0;
            let is_own = self.entry.get() != 0 && byte < record.bytes as u64;
            let n = positions.partition_point(|(start, _)| u64::from(*start) <= byte);
            is_own.then(|| positions.get(n.checked_sub(1)?).map(|(_, position)| *position)).flatten()
        })
        .flatten()
    }

    /// The inlined bodies that run at a position, innermost first.
    pub fn inlined_at(&self, position: Position) -> Vec<InlinedBody> {
        let chain = |record: &Record| {
            let number = position.inlined? as usize;
            let (mut bodies, mut pc) = (Vec::new(), position.pc);
            let mut frame = record.assumptions.frames.get(number);
            while let Some(body) = frame {
                bodies.push(InlinedBody { code: body.code(), entry: body.entry(), pc });
                pc = body.caller_pc as u64;
                frame = body.below.as_ref();
            }
            Some(bodies)
        };
        self.recorded(chain).flatten().unwrap_or_default()
    }

    /// Puts compiled code out of use or back into use, as trace points and assumptions have it. Code that assumes what
    /// the program has redefined is compiled again.
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
        let is_wrong = self.recorded(|Record { assumptions, .. }| {
            assumptions.redefined.overlaps(redefined.in_force)
                || assumptions.inlined.iter().any(|inlined| code(&inlined.0).is_traced())
        });
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

    /// Drops compiled code, which is compiled again after some runs, with what is so now.
    fn leave_for_change(&self) {
        self.compile_again_after(self.for_changes.get().min(Tier::MOST_FOR_CHANGES));
        self.for_changes.set(self.for_changes.get().saturating_add(1));
    }

    /// Puts compiled code out of use: a trace point was set on the code.
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

    /// Did compiled code fail at the instruction at a place?
    pub fn has_failed(&self, place: u64) -> bool {
        let failed = |record: &Record| record.learned.get(&place).is_some_and(|known| known.compilation > 0);
        self.recorded(failed) == Some(true)
    }

    /// What was learned of the instruction at a place when compiled code could not go on there.
    pub fn seen(&self, place: u64) -> Seen {
        let find = |record: &Record| record.learned.get(&place).map(|known| known.seen);
        self.recorded(find).flatten().unwrap_or_default()
    }

    /// Compiled code could not go on at a place. After some more exits it is compiled again, with what is known then.
    pub fn learn(&self, place: u64, seen: Seen) {
        let compilation = self.compiled.get();
        self.record(|record| match record.learned.get_mut(&place) {
            Some(known) => {
                // What this compilation had been told of does not help it.
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

    /// Counts an exit. True: there were so many that the code is compiled again.
    fn count_exit(&self) -> bool {
        self.count_exit_of(self.tried(), Tier::EXITS)
    }

    /// The same for a reason for which the code was compiled again so many times; so many exits are enough.
    fn count_exit_of(&self, times: u8, enough: u16) -> bool {
        self.exits.set(self.exits.get().saturating_add(1));
        let again = self.exits.get() >= enough && self.tried() < Tier::MOST_COMPILATIONS && self.entry.get() != 0;
        if again {
            self.compile_again_after(times);
        }
        again
    }

    /// Puts compiled code out of use, and has other code compiled after a number of runs that doubles with each time.
    fn compile_again_after(&self, times: u8) {
        self.drop_machine_code();
        self.countdown.set(Tier::AGAIN_AFTER << times);
    }

    /// Puts compiled code out of use for good.
    fn drop_machine_code(&self) {
        self.stop();
        self.retire();
        self.exits.set(0);
    }

    /// Gives up the address of the machine code.
    fn retire(&self) {
        let entry = self.entry.replace(0);
        if entry != 0 {
            RETIRED.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        }
    }

    /// When machine code that is in use was installed, and its size; `None` where there is none to evict.
    pub fn evictable(&self) -> Option<(u64, usize)> {
        let may_come_back = self.compiled.get() < Tier::MOST_EVER;
        let described = || self.recorded(|record| (record.installed, record.bytes));
        if self.entry.get() != 0 && may_come_back { described() } else { None }
    }

    /// Drops machine code to make room. The code is compiled again when it has run as often as before the first time.
    pub fn evict(&self) {
        self.drop_machine_code();
        self.for_room.set(self.for_room.get().saturating_add(1));
        self.countdown.set(self.runs.min(i32::MAX as u32) as i32);
    }

    /// Compiled code has addresses of objects in it: a compaction drops it.
    fn drop_moved(&mut self, marker: &mut Marker) {
        if marker.purpose() == heap::Purpose::Update {
            self.discard();
        }
    }

    /// Drops compiled code, since objects that it names moved. It is compiled again after some runs.
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

/// The addresses of machine code that no code object has any more. Frames may still run it.
static RETIRED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

static INSTALLED: AtomicU64 = AtomicU64::new(0);

/// Takes the addresses of machine code that was given up since the last call.
pub fn take_retired() -> Vec<usize> {
    std::mem::take(&mut RETIRED.lock().unwrap_or_else(PoisonError::into_inner))
}
