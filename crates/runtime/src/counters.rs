//! Counters of lines, calls and branches: the library coverage requests them before files are compiled.
//!
//! They belong to the source, so that machine code can contain their addresses. Code also counts while coverage is
//! suspended; the library subtracts these counts.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytecode::sequence::Counted;
use compiler::{Counts, Options, SourceKind};

/// The request of the library coverage.
#[derive(Default)]
pub struct Counting {
    /// Files, and with `evals` evals, are compiled with counters for this. Other evals are compiled with counters of
    /// calls: the methods that they define belong to the file whose path they have.
    pub counts: Counts,
    pub evals: bool,
    /// Whether first runs of lines are recorded, and calls of methods that share their code.
    pub running: bool,
    /// The lines whose first run was recorded: source number and line, in that order.
    pub first_runs: Vec<(u32, i32)>,
}

impl Counting {
    /// What a source is compiled with.
    pub fn wanted(&self, options: &Options) -> Counts {
        let is_wanted = self.evals || !matches!(options.kind, SourceKind::Eval { .. });
        if is_wanted { self.counts } else { Counts { calls: self.counts.calls, ..Counts::default() } }
    }
}

/// The counters of a source.
pub struct Counters {
    pub counted: Counted,
    counts: Box<[AtomicU64]>,
    joint: Mutex<Joint>,
}

/// Counters of compiled code: each stands for several counters of the source, which it increments together. They stay
/// where they are, because machine code contains their addresses.
#[derive(Default)]
struct Joint {
    /// By what they stand for: sorted numbers of counters, repeated if incremented several times.
    by_members: HashMap<Vec<u32>, Arc<AtomicU64>>,
    /// For each counter the joint ones that stand for it, repeated likewise.
    by_member: HashMap<u32, Vec<Arc<AtomicU64>>>,
}

impl Counters {
    /// `None` if nothing is counted.
    pub fn new(counted: Counted) -> Option<Arc<Counters>> {
        let count = counted.counters;
        let counts = || (0..count).map(|_| AtomicU64::new(0)).collect();
        (count > 0).then(|| Arc::new(Counters { counted, counts: counts(), joint: Mutex::default() }))
    }

    /// A count, including what compiled code has counted by joint counters.
    pub fn get(&self, counter: usize) -> u64 {
        let joint = self.joint.lock().unwrap_or_else(PoisonError::into_inner);
        let others = joint.by_member.get(&(counter as u32)).into_iter().flatten();
        others.fold(self.own(counter), |sum, other| sum.wrapping_add(other.load(Ordering::Relaxed)))
    }

    /// A count, without what joint counters have counted: all of it for a counter that is a mark.
    pub fn own(&self, counter: usize) -> u64 {
        self.counts.get(counter).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    pub fn set(&self, counter: usize, count: u64) {
        if let Some(place) = self.counts.get(counter) {
            place.store(count, Ordering::Relaxed);
        }
    }

    /// Increments a counter, under the global lock.
    #[inline(always)]
    pub fn increment(&self, counter: usize) {
        if let Some(count) = self.counts.get(counter) {
            count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// The address of a counter, for machine code.
    pub fn address(&self, counter: usize) -> Option<usize> {
        self.counts.get(counter).map(|count| count.as_ptr() as usize)
    }

    /// The address of the counter that stands for some counters, for machine code.
    pub fn joint(&self, mut members: Vec<u32>) -> Option<usize> {
        if let [counter] = members[..] {
            return self.address(counter as usize);
        }
        members.sort_unstable();
        let mut joint = self.joint.lock().unwrap_or_else(PoisonError::into_inner);
        let Joint { by_members, by_member } = &mut *joint;
        let count = by_members.entry(members).or_insert_with_key(|members| {
            let count = Arc::<AtomicU64>::default();
            members.iter().for_each(|member| by_member.entry(*member).or_default().push(count.clone()));
            count
        });
        Some(count.as_ptr() as usize)
    }
}
