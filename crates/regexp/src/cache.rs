//! A cache of recently compiled programs: patterns with interpolated parts, and patterns made from Strings, often
//! recur.

use memory::{Hashed, ToVector};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, RandomState};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::encoding::Encoding;
use crate::error::CompileError;
use crate::options::Options;
use crate::program::Program;

/// Longer sources are not cached.
const LONGEST_SOURCE: usize = 256;
/// The size of a generation. A program that is not used while this many others are is dropped.
const GENERATION: usize = 128;

type Key = (Vec<u8>, Options, Encoding);

/// Programs by the hash of their key; of several with the same hash, the last one is kept.
type Generation = HashMap<u64, (Key, Arc<Program>), BuildHasherDefault<Hashed>>;

#[derive(Default)]
struct Cache {
    young: Generation,
    old: Generation,
}

impl Cache {
    fn get(&mut self, hash: u64, is_key: impl Fn(&Key) -> bool) -> Option<Arc<Program>> {
        if let Some((_, program)) = self.young.get(&hash).filter(|(key, _)| is_key(key)) {
            return Some(program.clone());
        }
        let (key, program) = self.old.remove(&hash).filter(|(key, _)| is_key(key))?;
        self.insert(hash, key, program.clone());
        Some(program)
    }

    fn insert(&mut self, hash: u64, key: Key, program: Arc<Program>) {
        if self.young.len() >= GENERATION {
            // The younger generation takes over the older one's memory.
            std::mem::swap(&mut self.old, &mut self.young);
            self.young.clear();
        }
        self.young.insert(hash, (key, program));
    }
}

impl Program {
    /// [`Program::compile`], or its cached result.
    pub fn compile_shared(source: &[u8], options: Options, encoding: Encoding) -> Result<Arc<Program>, CompileError> {
        static CACHE: Mutex<Option<Cache>> = Mutex::new(None);
        let locked = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if source.len() > LONGEST_SOURCE {
            return Program::compile(source, options, encoding).map(Arc::new);
        }
        static STATE: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        let hash = STATE.hash_one((source, options, encoding));
        let is_key = |key: &Key| key.0 == source && (key.1, key.2) == (options, encoding);
        if let Some(program) = locked().get_or_insert_default().get(hash, is_key) {
            return Ok(program);
        }
        let program = Arc::new(Program::compile(source, options, encoding)?);
        locked().get_or_insert_default().insert(hash, (source.to_vector(), options, encoding), program.clone());
        Ok(program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(source: &str, options: i64) -> Arc<Program> {
        Program::compile_shared(source.as_bytes(), Options::from_bits(options), Encoding::Utf8).unwrap()
    }

    #[test]
    fn the_same_pattern_is_compiled_once() {
        let first = program("the same", 0);
        assert!(Arc::ptr_eq(&first, &program("the same", 0)));
        assert!(!Arc::ptr_eq(&first, &program("the same", 1)));
    }

    #[test]
    fn unused_programs_are_evicted() {
        let forgotten = Arc::downgrade(&program("asked once", 0));
        let kept = Arc::downgrade(&program("asked often", 0));
        for number in 0..4 * GENERATION {
            program(&format!("another {number}"), 0);
            program("asked often", 0);
        }
        assert!(forgotten.upgrade().is_none());
        assert!(kept.upgrade().is_some());
    }
}
