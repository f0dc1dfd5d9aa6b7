//! The compiler from bytecode to machine code, one code object at a time.
//!
//! `translate` turns bytecode into a function of `ir` by the operations of `seam`; `allocate` assigns registers, and
//! `assembler` emits machine code with the backend for the processor, `x64` or `a64`. `arithmetic` and `floats`
//! translate operators on numbers, `equality` comparisons with literals, `objects` elements and constants, `appends`
//! new elements of Arrays, `hashes` Hashes, `cells` what is allocated in line, `ivars` and `recent_places` instance
//! variables, `class_variables` those of classes, `scopes` variables of enclosing scopes, `calls`, `ways`,
//! `recent_caches`, `arguments`, `new`, `sends`, `supers`, `closures`, `yields`, `frames` and `intrinsics` calls,
//! `by_runtime` instructions left to the runtime, and `counters` those of coverage, whose increments `counts` joins.
//! `registers` records what the frame's registers hold, `blocks` which instructions have run. `memory` allocates memory
//! for machine code; `instruction` and `runtime_calls` have the functions that machine code calls. docs/jit.md
//! describes how a method passes through these modules.

#[cfg(target_arch = "aarch64")]
#[allow(clippy::useless_conversion, reason = "`dynasm!` converts the numbers of registers")]
mod a64;
mod allocate;
mod appends;
mod arguments;
mod arithmetic;
mod assembler;
mod backend;
mod block_arguments;
mod block_copies;
mod blocks;
mod bodies;
mod by_runtime;
mod calls;
mod cells;
mod characters;
mod class_variables;
mod closures;
mod counters;
mod counts;
mod equality;
mod extremes;
mod float_methods;
mod floats;
mod found_callees;
mod found_methods;
mod frames;
mod globals;
mod hashes;
mod inlining;
mod instances;
mod instruction;
mod integer_methods;
mod interpolations;
mod intrinsics;
mod ir;
mod ivars;
mod joins;
mod jump_tables;
mod known_words;
mod lengths;
mod liveness;
mod loops;
mod memory;
mod natives;
mod new;
mod objects;
mod patterns;
mod perf_map;
mod recent_caches;
mod recent_places;
mod registers;
mod runtime_calls;
mod scopes;
mod seam;
mod sends;
mod sites;
mod spreads;
mod statistics;
mod structs;
mod supers;
mod translate;
mod virtual_objects;
mod ways;
mod worker;
#[cfg(target_arch = "x86_64")]
#[allow(clippy::useless_conversion, reason = "`dynasm!` converts the numbers of registers")]
mod x64;
mod yields;

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use runtime::{
    Cx,
    code::{
        Code,
        tier::{self, Assumptions},
    },
    roots,
    state::vm::DumpCompiled,
};

pub use backend::enter;
pub use statistics::{Statistics, statistics};

use memory::{Process, Store};
use seam::Counter;
use translate::Translator;
use worker::{Finished, Job, Worker};

/// The default limit for the machine code of a process, in bytes.
const BUDGET: usize = 16 << 20;
/// Nothing is compiled if there are not so many bytes of native memory: the compiler's allocations must not fail.
const NEEDED: usize = 2 << 20;
/// Room is made only once per this many compilations.
const ROOM_EVERY: u32 = 16;
/// The number of runs of a code object for which there is no room until room is looked for again.
const WITHOUT_ROOM: u32 = 10_000;
/// The number of runs of a code object until it checks again whether its machine code is ready.
const ASK_AGAIN_AFTER: u32 = 10;
/// The number of entries and turns of loops of baseline code until it exits to check whether the full compilation is
/// ready.
const ASK_AGAIN_AFTER_COMPILED: u32 = 100;

/// The state that the compiler keeps from one code object to the next.
#[derive(Default)]
struct Compiler {
    store: Store,
    worker: Option<Worker>,
    statistics: Statistics,
    counters: Vec<Counter>,
    /// The number of compilations until room may be made again.
    until_room: u32,
}

/// Only used under the global lock; a mutex because Rust requires one for a static.
static COMPILER: Mutex<Option<Compiler>> = Mutex::new(None);

fn compiler() -> MutexGuard<'static, Option<Compiler>> {
    COMPILER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many times code is to run as often again before it is compiled.
fn delays() -> u8 {
    let guard = compiler();
    let Some(compiler) = guard.as_ref() else { return 0 };
    let compiling = compiler.statistics.nanoseconds + compiler.statistics.beside;
    inlining::delays(compiling, host::clock::process_cpu_nanoseconds(), compiler.store.in_use())
}

/// Compiles the code of the running frame, which is hot, in several calls: has its operands recorded for some runs,
/// gives its function to the compiler's thread, and installs the machine code when it is ready.
pub fn compile(cx: &mut Cx, code: &Code) {
    // In the block of a trace point no event fires.
    let is_quiet = code.is_traced() && cx.in_trace();
    if code.is_traced() && !is_quiet {
        return code.tier.postpone();
    }
    if !is_quiet && code.tier.is_delayed(delays) {
        return;
    }
    if !is_quiet && code.tier.wants_profile() && blocks::watch(code) {
        return;
    }
    code.end_profile();
    let began = host::clock::thread_cpu_nanoseconds();
    let mut guard = compiler();
    let compiler = guard.get_or_insert_with(|| Compiler::new(cx));
    let job = match code.tier.job() {
        // A job that began before a fork is lost in the child.
        Some(job) if job.downcast_ref::<Job>().is_some_and(|job| job.forks == cx.vm().forks) => Some(job),
        _ => {
            compiler.make_room(cx);
            if compiler.store.limits().is_none() || !::memory::is_available(NEEDED) {
                return code.tier.wait_for_room(WITHOUT_ROOM);
            }
            // After a panic of the compiler the program continues without compiled code.
            let made = runtime::panics::contained(|| compiler.translate(cx, code)).flatten();
            made.map(|(job, assumptions)| {
                compiler.statistics.inlined += assumptions.inlined.len() as u64;
                let job = compiler.start(job, code.tier.is_awaited());
                code.tier.begin(job.clone(), assumptions);
                cx.remember(code.own.get());
                job as std::sync::Arc<dyn std::any::Any + Send + Sync>
            })
        }
    };
    let finished = match job.as_ref().and_then(|job| job.downcast_ref::<Job>()) {
        None => None,
        Some(job) => match job.result() {
            None => {
                compiler.statistics.nanoseconds += host::clock::thread_cpu_nanoseconds() - began;
                let runs = if code.tier.is_compiled() { ASK_AGAIN_AFTER_COMPILED } else { ASK_AGAIN_AFTER };
                return code.tier.wait(runs);
            }
            Some(result) => result,
        },
    };
    let is_made = finished.is_some();
    let entry = finished.and_then(|Finished { mut made, nanoseconds }| {
        let entry = compiler.store.add(process(cx), &mut made)?;
        compiler.statistics.bytes += made.bytes.len() as u64;
        compiler.statistics.beside += nanoseconds;
        compiler.statistics.instructions += code.instructions.len() as u64;
        Some((entry, made))
    });
    compiler.statistics.nanoseconds += host::clock::thread_cpu_nanoseconds() - began;
    match entry {
        Some((entry, made)) => {
            compiler.statistics.compiled += 1;
            compiler.statistics.again += u32::from(code.tier.compilations() > 0);
            if cx.vm().options.maps_code {
                perf_map::add(code, entry, made.bytes.len());
            }
            if code.tier.has_open_frames() {
                roots::write_open_frames(cx);
            }
            code.tier.install(entry, made.bytes.len(), made.stores, made.positions);
            code.tier.refresh(code.is_traced(), cx.vm().all_redefinitions());
            if is_quiet {
                code.tier.begin_quiet();
            }
        }
        None if is_made => code.tier.wait_for_room(WITHOUT_ROOM),
        None => {
            compiler.statistics.refused += 1;
            code.tier.refuse();
        }
    }
}

/// Records that the instruction at a word of the running frame's code is executed, and the kinds of its operands.
pub fn profile(cx: &mut Cx, code: &Code, word: usize) {
    if blocks::are_recorded(code) {
        code.tier.visit(word);
    }
    if !instruction::is_watched(code.instruction(word).op()) {
        code.end_profile_of(word);
    } else if let Some(seen) = instruction::watched(code, runtime::call::Window::of_frame(cx), word) {
        code.tier.note(word as u64, seen);
    }
}

fn process(cx: &Cx) -> Process {
    Process { forks: cx.vm().forks, children: cx.vm().children }
}

impl Compiler {
    fn new(cx: &Cx) -> Compiler {
        let budget = cx.vm().options.code_budget.unwrap_or(BUDGET);
        Compiler { store: Store::new(budget), ..Compiler::default() }
    }

    /// Frees machine code that is not used any more, if there is much of it or the budget is nearly spent. If that is
    /// not enough for the budget, evicts the oldest code in use. Evicted code that is hot is compiled again soon.
    fn make_room(&mut self, cx: &Cx) {
        tier::take_retired().into_iter().for_each(|address| self.store.retire(address));
        if !self.store.is_tight() && !self.store.has_many_retired() {
            return;
        }
        if self.until_room > 0 {
            self.until_room -= 1;
            return;
        }
        self.until_room = ROOM_EVERY;
        self.reclaim(cx);
        if !self.store.is_tight() {
            return;
        }
        let mut units = Vec::new();
        cx.vm().codes.each(&mut |code| units.extend(code.tier.evictable()));
        units.sort_unstable();
        let mut left = self.store.wanted();
        let last = units.iter().find(|(_, bytes)| {
            left = left.saturating_sub(*bytes);
            left == 0
        });
        if let Some((last, _)) = last.or(units.last()) {
            let is_old = |code: &Code| code.tier.evictable().is_some_and(|(installed, _)| installed <= *last);
            cx.vm().codes.each(&mut |code| {
                if is_old(code) {
                    self.statistics.evicted += 1;
                    code.tier.evict();
                }
            });
        }
        self.reclaim(cx);
    }

    /// Frees retired machine code that no frame runs.
    fn reclaim(&mut self, cx: &Cx) {
        tier::take_retired().into_iter().for_each(|address| self.store.retire(address));
        let (mut held, addresses) = (BTreeSet::new(), self.store.addresses());
        roots::each_native_word(cx, &mut |word| {
            if addresses.contains(&word) || addresses.end == word {
                held.insert(word);
            }
        });
        self.store.reclaim(process(cx), &held);
    }

    /// Translates a code object for the backend.
    fn translate(&mut self, cx: &Cx, code: &Code) -> Option<(Job, Assumptions)> {
        let limits = self.store.limits()?;
        let limits = if code.tier.is_baseline() { limits.baseline() } else { limits };
        let (function, assumptions, counters) = Translator::translate(cx, code, limits);
        self.counters.extend(counters);
        let wanted = |dump: &&DumpCompiled| dump.name.as_ref().is_none_or(|name| **name == *code.name);
        let dump = cx.vm().options.dump_compiled.as_ref().filter(wanted);
        let title = || format!("== {} {}:{}", code.name, code.source.path, code.first_line);
        if dump.is_some_and(|dump| !dump.is_assembly) {
            eprintln!("{}\n{function}", title());
        }
        let title = dump.filter(|dump| dump.is_assembly).map(|_| title());
        let exits = std::ptr::from_ref(&*assumptions.exits) as u64;
        let memory = self.store.mapped(process(cx));
        Some((Job::new(cx.vm().forks, function, exits, memory, title), assumptions))
    }

    /// Gives a job to the compiler's thread, or runs it at once if the program waits for it or no thread can be
    /// started.
    fn start(&mut self, job: Job, is_awaited: bool) -> std::sync::Arc<Job> {
        let job = std::sync::Arc::new(job);
        if is_awaited {
            job.run();
            return job;
        }
        if self.worker.as_ref().is_none_or(|worker| worker.forks != job.forks) {
            // After a fork the parent's thread does not exist in the child. Its handle is not dropped, because locks
            // that it held are never released.
            std::mem::forget(self.worker.take());
            self.worker = Worker::start(job.forks);
        }
        if !self.worker.as_ref().is_some_and(|worker| worker.take(job.clone())) {
            job.run();
        }
        job
    }
}
