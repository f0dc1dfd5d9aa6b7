//! The positions of a match and its groups.

use smallvec::SmallVec;

/// Byte offsets of the match (group 0) and of the groups; reused from search to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captures {
    /// `(start, end)`, or `(-1, -1)` for a group that took no part.
    pub spans: SmallVec<[(isize, isize); FEW]>,
}

/// The number of spans, with that of the match, that need no allocation.
const FEW: usize = 5;

impl Captures {
    #[inline]
    pub fn new() -> Captures {
        Captures::default()
    }

    /// The span of a group; `None` if it took no part or does not exist.
    #[inline]
    pub fn get(&self, group: usize) -> Option<(usize, usize)> {
        let &(start, end) = self.spans.get(group)?;
        Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?))
    }

    /// A match without groups.
    #[inline]
    pub(crate) fn set_whole(&mut self, start: usize, end: usize) {
        self.spans.clear();
        self.spans.push((start as isize, end as isize));
    }

    pub(crate) fn fill(&mut self, groups: usize, span: impl Fn(usize) -> Option<(usize, usize)>) {
        self.spans.clear();
        self.spans.extend(
            (0..groups).map(|group| span(group).map_or((-1, -1), |(start, end)| (start as isize, end as isize))),
        );
    }
}
