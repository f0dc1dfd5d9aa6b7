//! The loaded features: an index over `$LOADED_FEATURES`, the folders of `$LOAD_PATH`, and the names already resolved
//! by `require`.
//!
//! All three are rebuilt when the program has changed the arrays. Copies of the arrays detect changes: they share the
//! elements, and an Array gets its own elements on any modification other than a push.

use memory::{Grow, Hashed, ToVector};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use object::{array::Arr, string::Str};
use runtime::{Cx, R, Value, error::OrRaise};

use super::find;

/// Accessed only by the holder of the global lock.
static INDEX: Mutex<Option<Index>> = Mutex::new(None);

#[derive(Default)]
struct Index {
    /// Maps the hash of a path without its extension to its last index in `$LOADED_FEATURES`.
    by_stem: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// For each index the previous one with the same hash.
    former: Vec<u32>,
    /// The same for the last parts of the paths: `a` of `folder/a.rb`.
    by_last_part: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    former_of_last_part: Vec<u32>,
    /// The absolute folders of `$LOAD_PATH`, without symbolic links.
    folders: Vec<Vec<u8>>,
    /// The first place of each of these folders.
    places: HashMap<Vec<u8>, usize, rustc_hash::FxBuildHasher>,
    /// The folders without symbolic links by the names that were looked up.
    real_folders: HashMap<Vec<u8>, Vec<u8>, rustc_hash::FxBuildHasher>,
    /// How long `folders` and `loaded` are valid.
    validity: find::Validity,
    /// Names passed to `require` whose features are loaded.
    loaded: HashSet<Box<[u8]>, rustc_hash::FxBuildHasher>,
    /// The features of loaded files by the files' paths without symbolic links.
    by_real_path: HashMap<Vec<u8>, Box<str>, rustc_hash::FxBuildHasher>,
    /// A buffer for building paths.
    path: Vec<u8>,
}

const NONE: u32 = u32::MAX;

fn lock() -> MutexGuard<'static, Option<Index>> {
    INDEX.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the array has the same elements as its copy.
fn unchanged(cx: &Cx, list: Value, seen: Value) -> bool {
    if seen.is_nil() {
        return false;
    }
    let (list, seen) = (Arr::of(list), Arr::of(seen));
    let (now, then) = (list.elements(cx), seen.elements(cx));
    now.len() == then.len() && (now.as_ptr() == then.as_ptr() || now == then)
}

/// Updates `seen`, a copy or nil, to the current array.
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
        && lock().as_ref().is_some_and(|index| index.loaded.contains(name) && index.validity.holds())
}

/// Records that the feature of this name is loaded: `is_known` answers the next `require` of it.
pub fn know(cx: &mut Cx, name: &[u8]) -> R<()> {
    refresh(cx)?;
    let mut index = lock();
    let index = index.get_or_insert_default();
    let depends_on_the_folder = find::is_explicit(name) && !name.starts_with(b"/");
    if !depends_on_the_folder {
        index.loaded.insert(name.into());
    }
    Ok(())
}

/// The feature that was loaded from the file with this path without symbolic links.
pub fn feature_of_real_path(path: &[u8]) -> Option<Box<str>> {
    lock().as_ref()?.by_real_path.get(path).cloned()
}

/// Records the file of a feature, by its path without symbolic links.
pub fn know_real_path(path: Vec<u8>, feature: &str) {
    lock().get_or_insert_default().by_real_path.insert(path, feature.into());
}

/// A folder's path without symbolic links; the path itself if there is no such folder.
pub fn real_folder(path: Vec<u8>) -> Vec<u8> {
    let mut index = lock();
    let known = &mut index.get_or_insert_default().real_folders;
    if let Some(real) = known.get(&path) {
        return real.to_vector();
    }
    match host::fs::realpath(&path) {
        Ok(real) => {
            known.insert(path, real.to_vector());
            real
        }
        Err(_) => path,
    }
}

/// Rebuilds the parts that the program's changes have invalidated.
fn refresh(cx: &mut Cx) -> R<()> {
    let lists = cx.vm().feature_lists;
    if !unchanged(cx, lists.loaded, lists.loaded_seen) {
        see_features(cx)?;
        let mut index = lock();
        let index = index.get_or_insert_default();
        index.loaded.clear();
        index.by_stem.clear();
        index.former.clear();
        index.by_last_part.clear();
        index.former_of_last_part.clear();
        for feature in Arr::of(lists.loaded).iter() {
            enter(cx, index, feature);
        }
    }
    let is_valid = lock().as_ref().is_some_and(|index| index.validity.holds());
    if !is_valid || !unchanged(cx, lists.load_path, lists.load_path_seen) {
        let (folders, validity) = find::expanded_load_path(cx)?;
        cx.vm_mut().feature_lists.load_path_seen = see(cx, lists.load_path, lists.load_path_seen)?;
        let mut index = lock();
        let index = index.get_or_insert_default();
        index.places.clear();
        for (place, folder) in folders.iter().enumerate() {
            index.places.entry(folder.to_vector()).or_insert(place);
        }
        (index.folders, index.validity) = (folders, validity);
        index.loaded.clear();
    }
    Ok(())
}

/// Adds a feature that `require` has pushed, without rebuilding the index.
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
    let former =
        Str::from_value(feature).and_then(|file| index.by_last_part.insert(hash(last_part(file.bytes(cx))), place));
    index.former_of_last_part.push(former.unwrap_or(NONE));
}

/// What follows the last slash of a path.
fn last_part(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(path, |slash| &path[slash + 1..])
}

/// The folder in which the name, with or without its extension, is that of the file.
fn folder_of<'a>(file: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    [file, without_extension(file)].into_iter().find_map(|file| file.strip_suffix(name)?.strip_suffix(b"/"))
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

/// Whether a path names the file, with or without its extension.
pub fn names(path: &[u8], file: &[u8]) -> bool {
    file == path || without_extension(file) == path
}

/// Whether the file is that of a name in a folder of the load path, as it was when the index was last asked.
pub fn names_in_folder(name: &[u8], file: &[u8]) -> bool {
    let index = lock();
    let folders = index.as_ref().map_or(&[][..], |index| &index.folders);
    folders.iter().any(|folder| {
        let inside = file.strip_prefix(folder.as_slice()).and_then(|rest| rest.strip_prefix(b"/"));
        inside.is_some_and(|inside| names(name, inside))
    })
}

/// The index of the feature with this path, with or without its extension.
fn feature_at(cx: &Cx, index: &Index, features: Value, path: &[u8]) -> Option<Str> {
    let mut place = *index.by_stem.get(&hash(path))?;
    while place != NONE {
        let feature = Arr::of(features).get(place as usize).and_then(Str::from_value)?;
        if names(path, feature.bytes(cx)) {
            return Some(feature);
        }
        place = index.former[place as usize];
    }
    None
}

/// The loaded feature with an absolute path, with or without its extension.
pub fn loaded_at(cx: &mut Cx, path: &[u8]) -> R<Option<Str>> {
    refresh(cx)?;
    Ok(lock().as_ref().and_then(|index| feature_at(cx, index, cx.vm().feature_lists.loaded, path)))
}

/// The loaded feature for a name that is not a path: one with exactly this name, or one in a folder of the load path.
pub fn loaded_as(cx: &mut Cx, name: &[u8]) -> R<Option<Str>> {
    refresh(cx)?;
    let mut index = lock();
    let index = index.get_or_insert_default();
    let features = cx.vm().feature_lists.loaded;
    if let Some(feature) = feature_at(cx, index, features, name) {
        return Ok(Some(feature));
    }
    // Those with this last part are few, folders are many: each gem that is used adds one.
    let mut found: Option<(usize, Str)> = None;
    let mut place = index.by_last_part.get(&hash(last_part(name))).copied().unwrap_or(NONE);
    while place != NONE {
        let Some(feature) = Arr::of(features).get(place as usize).and_then(Str::from_value) else { break };
        let folder = folder_of(feature.bytes(cx), name).and_then(|folder| index.places.get(folder));
        if let Some(&folder) = folder
            && found.is_none_or(|(first, _)| folder < first)
        {
            found = Some((folder, feature));
        }
        place = index.former_of_last_part[place as usize];
    }
    Ok(found.map(|(_, feature)| feature))
}

/// The first path for which `is_file` returns a file, among those of a name in the folders of the load path.
pub fn first_file(cx: &mut Cx, name: &[u8], extension: &[u8]) -> R<Option<Vec<u8>>> {
    refresh(cx)?;
    let mut index = lock();
    let index = index.get_or_insert_default();
    let mut path = std::mem::take(&mut index.path);
    let found = index.folders.iter().find_map(|folder| {
        join(&mut path, folder, name);
        path.append_slice(extension);
        find::is_file(&path).then(|| path.clone())
    });
    index.path = path;
    Ok(found)
}

fn join(path: &mut Vec<u8>, folder: &[u8], name: &[u8]) {
    path.clear();
    path.append_slice(folder);
    path.append_one(b'/');
    path.append_slice(name);
}
