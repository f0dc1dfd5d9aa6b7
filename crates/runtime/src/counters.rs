//! Branch-coverage counters: the library coverage requests them before files are compiled.

use memory::ToVector;
use std::collections::HashMap;

use bytecode::sequence::BranchPoint;
use compiler::{Options, SourceKind};

#[derive(Default)]
pub struct Branches {
    /// Files and evals are compiled with counters.
    pub files: bool,
    pub evals: bool,
    /// Whether to count.
    pub running: bool,
    /// By source number.
    pub sources: HashMap<u32, SourceBranches>,
}

/// The `branch_points` of a source, and its counters.
pub struct SourceBranches {
    pub branch_points: Vec<BranchPoint>,
    pub counts: Vec<u64>,
}

impl Branches {
    /// Whether the source is compiled with counters.
    pub fn wants(&self, options: &Options) -> bool {
        self.files && (self.evals || !matches!(options.kind, SourceKind::Eval { .. }))
    }

    pub fn add(&mut self, source: u32, branch_points: &[BranchPoint]) {
        let counters = branch_points.iter().map(|point| point.branches.len()).sum();
        let branches = SourceBranches { branch_points: branch_points.to_vector(), counts: memory::filled(0, counters) };
        self.sources.insert(source, branches);
    }

    pub fn count(&mut self, source: u32, counter: usize) {
        if !self.running {
            return;
        }
        if let Some(count) = self.sources.get_mut(&source).and_then(|branches| branches.counts.get_mut(counter)) {
            *count += 1;
        }
    }

    pub fn clear(&mut self) {
        self.sources.values_mut().for_each(|branches| branches.counts.fill(0));
    }
}
