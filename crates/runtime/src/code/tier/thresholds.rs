//! How long code runs before it is compiled.

/// How long code runs before it is compiled.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Thresholds {
    /// The number of runs after which code is compiled for the first time; `None`: never.
    pub runs: Option<u32>,
    /// The number of entries and turns of loops after which baseline code is compiled in full. 0: the first
    /// compilation is a full one. `None`: the usual number, or 0 if the program waits for compilations.
    pub full_after: Option<u32>,
}

impl Thresholds {
    /// If code is compiled after at most this many runs, the program waits for the compiler.
    pub(super) const AWAITED: u32 = 50;
    /// The number of entries and turns of loops after which baseline code is compiled in full.
    const FULL_AFTER: u32 = 3000;
    /// The same for code that passes blocks. Full compilations inline iterators, whose turns are not counted here.
    const FULL_AFTER_WITH_BLOCKS: u32 = 300;

    /// The number for code with or without literal blocks.
    pub(super) fn full_after(self, has_blocks: bool) -> u32 {
        self.full_after.unwrap_or(match self.runs {
            Some(..=Thresholds::AWAITED) => 0,
            _ if has_blocks => Thresholds::FULL_AFTER_WITH_BLOCKS,
            _ => Thresholds::FULL_AFTER,
        })
    }
}
