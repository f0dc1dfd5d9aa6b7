//! Hash tables of names and positions. The standard library's hash function would be a twentieth of the time of loading
//! a program.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<ahash::AHasher>>;
pub(crate) type Set<T> = HashSet<T, BuildHasherDefault<ahash::AHasher>>;
