//! Which features are loaded: an index over `$LOADED_FEATURES`, made again when the program changed that array.

use std::cell::RefCell;
use std::collections::HashMap;

use abi::Value;
use object::{array::Arr, string::Str};
use runtime::Cx;

thread_local! {
    /// Every suffix of a loaded path that begins after a '/', with and without extension, to the path's place.
    static INDEX: RefCell<Index> = RefCell::new(Index::default());
}

#[derive(Default)]
struct Index {
    by_suffix: HashMap<Vec<u8>, Vec<u32>>,
    /// What the array looked like when the index was made: length, a sum over its elements' addresses.
    stamp: (usize, u64),
}

/// The stamp of the array's present contents.
fn stamp(features: Value) -> (usize, u64) {
    let features = Arr::of(features);
    let elements = features.elements();
    let sum = elements.iter().fold(0u64, |sum, v| sum.rotate_left(5) ^ v.0);
    (elements.len(), sum)
}

/// The loaded features that `name` may refer to: those whose path ends in it, with or without extension.
pub fn candidates(cx: &mut Cx, name: &[u8]) -> Vec<Vec<u8>> {
    let features = cx.root("$LOADED_FEATURES");
    let now = stamp(features);
    INDEX.with_borrow_mut(|index| {
        if index.stamp != now {
            rebuild(index, features);
            index.stamp = now;
        }
        let places = index.by_suffix.get(name).cloned().unwrap_or_default();
        places.iter().filter_map(|p| Arr::of(features).get(*p as usize)).map(|v| Str::of(v).bytes().to_vec()).collect()
    })
}

/// A feature was pushed by `require`: it is added without making the index again.
pub fn added(cx: &mut Cx) {
    let features = cx.root("$LOADED_FEATURES");
    let features = Arr::of(features);
    let elements = features.elements();
    let Some((last, before)) = elements.split_last() else { return };
    let former = (before.len(), before.iter().fold(0u64, |sum, v| sum.rotate_left(5) ^ v.0));
    INDEX.with_borrow_mut(|index| {
        if index.stamp == former {
            enter(index, Str::of(*last).bytes(), before.len() as u32);
            index.stamp = stamp(features.value());
        }
    });
}

fn rebuild(index: &mut Index, features: Value) {
    index.by_suffix.clear();
    for (place, feature) in Arr::of(features).elements().iter().enumerate() {
        if object::cell::is(*feature, abi::Type::String) {
            enter(index, Str::of(*feature).bytes(), place as u32);
        }
    }
}

fn enter(index: &mut Index, path: &[u8], place: u32) {
    let stem = without_extension(path);
    let starts = std::iter::once(0).chain(path.iter().enumerate().filter(|(_, b)| **b == b'/').map(|(i, _)| i + 1));
    for start in starts {
        index.by_suffix.entry(path[start..].to_vec()).or_default().push(place);
        if let Some(stem) = stem.get(start..)
            && stem.len() != path.len() - start
        {
            index.by_suffix.entry(stem.to_vec()).or_default().push(place);
        }
    }
}

/// The path without `.rb` or `.so`.
pub fn without_extension(path: &[u8]) -> &[u8] {
    path.strip_suffix(b".rb").or_else(|| path.strip_suffix(b".so")).unwrap_or(path)
}
