//! The loaded features: an index over `$LOADED_FEATURES`, the folders of `$LOAD_PATH`, and the names that
//! `require` has answered before.
//!
//! All three are made again when the program has changed the arrays. Copies of the arrays tell that: they share the
//! elements, and an Array that changes other than by a push gets elements of its own.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use object::{array::Arr, string::Str};
use runtime::{Cx, R, Value, make::OrRaise};

use super::find;

/// Only the holder of the global lock uses it.
static INDEX: Mutex<Option<Index>> = Mutex::new(None);

#[derive(Default)]
struct Index {
    /// By the hash of a path without its extension: the last place in `$LOADED_FEATURES` that has it.
    by_stem: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// For each place the one before it with the same hash.
    former: Vec<u32>,
    /// The folders of `$LOAD_PATH`, absolute.
    folders: Vec<Vec<u8>>,
    /// No folder depends on the current one, on the home, or on what `to_path` says today.
    fixed: bool,
    /// What `require` was asked for and had loaded.
    loaded: HashSet<Box<[u8]>, rustc_hash::FxBuildHasher>,
    /// Where paths are put together.
    path: Vec<u8>,
}

const NONE: u32 = u32::MAX;

/// Keys are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

fn lock() -> MutexGuard<'static, Option<Index>> {
    INDEX.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the array the elements that its copy has?
fn unchanged(cx: &Cx, list: Value, seen: Value) -> bool {
    if seen.is_nil() {
        return false;
    }
    let (list, seen) = (Arr::of(list), Arr::of(seen));
    let (now, then) = (list.elements(cx), seen.elements(cx));
    now.len() == then.len() && (now.as_ptr() == then.as_ptr() || now == then)
}

/// Makes `seen`, a copy or nil, what the array is now.
fn see(cx: &mut Cx, list: Value, seen: Value) -> R {
    if seen.is_nil() {
        return Ok(Arr::of(list).dup(cx).or_raise(cx)?.value());
    }
    Arr::of(seen).replace(cx, Arr::of(list)).or_raise(cx)?;
    Ok(seen)
}

fn see_features(cx: &mut Cx) -> R<()> {
    let lists = cx.vm().feature_lists;
    cx.vm_mut().feature_lists.loaded_seen = see(cx, lists.loaded, lists.loaded_seen)?;
    Ok(())
}

/// Whether an earlier `require` recorded that this name is loaded.
pub fn is_known(cx: &Cx, name: &[u8]) -> bool {
    let lists = &cx.vm().feature_lists;
    unchanged(cx, lists.loaded, lists.loaded_seen)
        && unchanged(cx, lists.load_path, lists.load_path_seen)
        && lock().as_ref().is_some_and(|index| index.loaded.contains(name))
}

/// The feature of this name is loaded: the next `require` of it is answered by `is_known`.
pub fn know(cx: &mut Cx, name: &[u8]) -> R<()> {
    refresh(cx)?;
    let mut index = lock();
    let index = index.get_or_insert_default();
    if name.starts_with(b"/") || (index.fixed && !find::is_explicit(name)) {
        index.loaded.insert(name.into());
    }
    Ok(())
}

/// Makes again what the program's changes have made wrong.
fn refresh(cx: &mut Cx) -> R<()> {
    let lists = cx.vm().feature_lists;
    if !unchanged(cx, lists.loaded, lists.loaded_seen) {
        see_features(cx)?;
        let mut index = lock();
        let index = index.get_or_insert_default();
        index.loaded.clear();
        index.by_stem.clear();
        index.former.clear();
        for feature in Arr::of(lists.loaded).iter() {
            enter(cx, index, feature);
        }
    }
    if !lock().as_ref().is_some_and(|index| index.fixed) || !unchanged(cx, lists.load_path, lists.load_path_seen) {
        let (folders, fixed) = find::expanded_load_path(cx)?;
        cx.vm_mut().feature_lists.load_path_seen = see(cx, lists.load_path, lists.load_path_seen)?;
        let mut index = lock();
        let index = index.get_or_insert_default();
        (index.folders, index.fixed) = (folders, fixed);
        index.loaded.clear();
    }
    Ok(())
}

/// A feature was pushed by `require`: it is added without making the index again.
pub fn added(cx: &mut Cx) -> R<()> {
    let lists = cx.vm().feature_lists;
    if lists.loaded_seen.is_nil() {
        return Ok(());
    }
    let (features, seen) = (Arr::of(lists.loaded), Arr::of(lists.loaded_seen));
    let Some((last, before)) = features.elements(cx).split_last() else { return Ok(()) };
    let then = seen.elements(cx);
    if then.len() == before.len() && (then.as_ptr() == before.as_ptr() || then == before) {
        enter(cx, lock().get_or_insert_default(), *last);
        see_features(cx)?;
    }
    Ok(())
}

fn enter(cx: &Cx, index: &mut Index, feature: Value) {
    let place = index.former.len() as u32;
    let former = Str::from_value(feature).and_then(|feature| index.by_stem.insert(hash(feature.bytes(cx)), place));
    index.former.push(former.unwrap_or(NONE));
}

/// The hash of a path without its extension.
fn hash(path: &[u8]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write(without_extension(path));
    hasher.finish()
}

/// The path without `.rb` or `.so`.
pub fn without_extension(path: &[u8]) -> &[u8] {
    path.strip_suffix(b".rb").or_else(|| path.strip_suffix(b".so")).unwrap_or(path)
}

/// The feature that is this path, with its extension or without.
fn feature_at(cx: &Cx, index: &Index, features: Value, path: &[u8]) -> Option<Str> {
    let mut place = *index.by_stem.get(&hash(path))?;
    while place != NONE {
        let feature = Arr::of(features).get(place as usize).and_then(Str::from_value)?;
        if feature.is(path) || without_extension(feature.bytes(cx)) == path {
            return Some(feature);
        }
        place = index.former[place as usize];
    }
    None
}

/// The loaded feature of an absolute path, with its extension or without.
pub fn loaded_at(cx: &mut Cx, path: &[u8]) -> R<Option<Str>> {
    refresh(cx)?;
    Ok(lock().as_ref().and_then(|index| feature_at(cx, index, cx.vm().feature_lists.loaded, path)))
}

/// The loaded feature that a name which is no path means: of that very name, or in one of the load path's folders.
pub fn loaded_as(cx: &mut Cx, name: &[u8]) -> R<Option<Str>> {
    refresh(cx)?;
    let mut index = lock();
    let index = index.get_or_insert_default();
    let features = cx.vm().feature_lists.loaded;
    if let Some(feature) = feature_at(cx, index, features, name) {
        return Ok(Some(feature));
    }
    let mut path = std::mem::take(&mut index.path);
    let found = index.folders.iter().find_map(|folder| {
        join(&mut path, folder, name);
        feature_at(cx, index, features, &path)
    });
    index.path = path;
    Ok(found)
}

/// The first file that `is_file` finds for a name in the folders of the load path.
pub fn first_file(cx: &mut Cx, name: &[u8], extension: &[u8]) -> R<Option<Vec<u8>>> {
    refresh(cx)?;
    let mut index = lock();
    let index = index.get_or_insert_default();
    let mut path = std::mem::take(&mut index.path);
    let found = index.folders.iter().find_map(|folder| {
        join(&mut path, folder, name);
        path.extend_from_slice(extension);
        find::is_file(&path).then(|| path.clone())
    });
    index.path = path;
    Ok(found)
}

fn join(path: &mut Vec<u8>, folder: &[u8], name: &[u8]) {
    path.clear();
    path.extend_from_slice(folder);
    path.push(b'/');
    path.extend_from_slice(name);
}
