//! Sources that are evaluated again and again, such as templates: each evaluation makes code of its own, which is
//! thrown away before machine code for it would pay off.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Sources that are remembered.
const SOURCES: usize = 64;
/// A source is repeated from this evaluation on.
const REPEATED: u8 = 4;
/// Code of a repeated source is compiled after this many times as many runs as other code.
const PATIENCE: u32 = 32;
/// If other code is compiled after fewer runs than this, as tests request, code of repeated sources is, too.
const EAGER: u32 = 100;

/// The hash values of the latest sources, and how often each was evaluated.
pub struct Repeated([(u64, u8); SOURCES]);

impl Default for Repeated {
    fn default() -> Repeated {
        Repeated([(0, 0); SOURCES])
    }
}

impl Repeated {
    /// Counts an evaluation of a source; returns after how many runs its code is to be compiled.
    pub fn compile_after(&mut self, source: &[u8], options: &compiler::Options, usual: Option<u32>) -> Option<u32> {
        let mut hasher = FxHasher::default();
        (source, &options.path, options.first_line).hash(&mut hasher);
        let hash = hasher.finish();
        let entry = &mut self.0[hash as usize % SOURCES];
        if entry.0 != hash {
            *entry = (hash, 0);
        }
        entry.1 = entry.1.saturating_add(1);
        let is_repeated = entry.1 >= REPEATED;
        usual.map(|runs| if is_repeated && runs > EAGER { runs.saturating_mul(PATIENCE) } else { runs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_a_repeated_source_waits_longer() {
        let mut repeated = Repeated::default();
        let [options, other] = ["one", "other"].map(|path| compiler::Options::new(path, compiler::SourceKind::Main));
        let mut after = |source: &[u8], options| repeated.compile_after(source, options, Some(1000));
        assert_eq!([(); 5].map(|()| after(b"1 + 1", &options)), [1000, 1000, 1000, 32_000, 32_000].map(Some));
        assert_eq!((after(b"1 + 2", &options), after(b"1 + 1", &other)), (Some(1000), Some(1000)));
        let mut eager = Repeated::default();
        assert_eq!([(); 5].map(|()| eager.compile_after(b"1", &options, Some(1))), [Some(1); 5]);
        assert_eq!([(); 5].map(|()| eager.compile_after(b"2", &options, None)), [None; 5]);
    }
}
