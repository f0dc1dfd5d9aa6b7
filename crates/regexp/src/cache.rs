//! A cache of recently compiled programs: patterns with interpolated parts, and patterns made from Strings, often
//! recur.

use memory::ToVector;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::encoding::Encoding;
use crate::error::CompileError;
use crate::options::Options;
use crate::program::Program;

/// Longer sources are not cached.
const LONGEST_SOURCE: usize = 256;
/// The size of a generation. A program that is not used while this many others are is dropped.
const GENERATION: usize = 128;

type Key = (Vec<u8>, Options, Encoding);

#[derive(Default)]
struct Cache {
    young: HashMap<Key, Arc<Program>>,
    old: HashMap<Key, Arc<Program>>,
}

impl Cache {
    fn get(&mut self, key: &Key) -> Option<Arc<Program>> {
        if let Some(program) = self.young.get(key) {
            return Some(program.clone());
        }
        let (key, program) = self.old.remove_entry(key)?;
        self.insert(key, program.clone());
        Some(program)
    }

    fn insert(&mut self, key: Key, program: Arc<Program>) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, program);
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
        let key = (source.to_vector(), options, encoding);
        if let Some(program) = locked().get_or_insert_default().get(&key) {
            return Ok(program);
        }
        let program = Arc::new(Program::compile(source, options, encoding)?);
        locked().get_or_insert_default().insert(key, program.clone());
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
