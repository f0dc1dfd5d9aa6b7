//! Strings with the same content.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustc_hash::FxHashMap;

use crate::graph::Graph;

/// Equal Strings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equal {
    pub count: u64,
    /// The bytes of all of them but one.
    pub wasted: u64,
    /// The value as in the dump, or its beginning.
    pub value: String,
}

/// The number of bytes of a value that are shown.
const SHOWN: usize = 60;

/// The groups of equal Strings that waste most, the largest first.
pub fn equal(graph: &Graph, file: &File, most: usize) -> Vec<Equal> {
    let mut groups: FxHashMap<(u64, u32), (u64, u64, u64)> = FxHashMap::default();
    for text in &graph.strings {
        let size = u64::from(graph.sizes[text.object as usize + 1]);
        let group = groups.entry((text.hash, text.length)).or_insert((0, 0, text.offset));
        if group.0 > 0 {
            group.1 += size;
        }
        group.0 += 1;
    }
    let mut groups: Vec<_> = groups.into_iter().filter(|(_, (count, ..))| *count > 1).collect();
    groups.sort_by_key(|((hash, _), (_, wasted, _))| (std::cmp::Reverse(*wasted), *hash));
    let show = |((_, length), (count, wasted, offset)): ((u64, u32), (u64, u64, u64))| {
        let mut bytes = vec![0; (length as usize).min(SHOWN)];
        let read = file.read_exact_at(&mut bytes, offset);
        let mut value = if read.is_ok() { String::from_utf8_lossy(&bytes).into_owned() } else { "?".into() };
        if length as usize > SHOWN {
            value.push('…');
        }
        Equal { count, wasted, value }
    };
    groups.into_iter().take(most).map(show).collect()
}
