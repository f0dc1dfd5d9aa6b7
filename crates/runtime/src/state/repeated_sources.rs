//! Sources that are evaluated again and again, such as templates: each evaluation makes code of its own, which is
//! thrown away before machine code for it would pay off. What the compiler makes of them is kept.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use bytecode::Sequence;
use memory::ToVector;
use rustc_hash::FxHasher;

/// Sources that are remembered.
const SOURCES: usize = 64;
/// A source is repeated from this evaluation on.
const REPEATED: u32 = 4;
/// The bytecode of a source is kept from this evaluation on.
const KEPT: u32 = 2;
/// The bytecode of longer sources is not kept.
const LONGEST: usize = 4096;
/// If the same source is compiled otherwise, because it sees other variables, the latest bytecode is kept after this
/// many evaluations.
const RENEWED: u32 = 16;
/// Code of a repeated source is compiled after this many times as many runs as other code.
const PATIENCE: u32 = 32;
/// If other code is compiled after fewer runs than this, as tests request, code of repeated sources is, too.
const EAGER: u32 = 100;

/// A source that was evaluated.
#[derive(Default)]
struct Source {
    hash: u64,
    /// How often.
    times: u32,
    kept: Option<Box<Compiled>>,
}

struct Compiled {
    source: Vec<u8>,
    options: compiler::Options,
    sequence: Arc<Sequence>,
}

/// The latest sources, by their hash values.
pub struct Repeated([Source; SOURCES]);

impl Default for Repeated {
    fn default() -> Repeated {
        Repeated(std::array::from_fn(|_| Source::default()))
    }
}

impl Repeated {
    /// The hash value by which the other functions find a source.
    pub fn hash_of(source: &[u8], options: &compiler::Options) -> u64 {
        let mut hasher = FxHasher::default();
        (source, &options.path, options.first_line).hash(&mut hasher);
        hasher.finish()
    }

    /// What the compiler made of the source with these options, if it is kept.
    pub fn sequence(&self, hash: u64, source: &[u8], options: &compiler::Options) -> Option<Arc<Sequence>> {
        let entry = &self.0[hash as usize % SOURCES];
        let kept = entry.kept.as_ref().filter(|_| entry.hash == hash)?;
        (kept.source == source && kept.options == *options).then(|| kept.sequence.clone())
    }

    /// Keeps what the compiler made of a source, if it was evaluated before.
    pub fn keep(&mut self, hash: u64, source: &[u8], options: &compiler::Options, sequence: &Arc<Sequence>) {
        let entry = &mut self.0[hash as usize % SOURCES];
        let wanted = entry.times >= KEPT && (entry.kept.is_none() || entry.times.is_multiple_of(RENEWED));
        if entry.hash == hash && wanted && source.len() <= LONGEST {
            let (source, options, sequence) = (source.to_vector(), options.clone(), sequence.clone());
            entry.kept = Some(Box::new(Compiled { source, options, sequence }));
        }
    }

    /// Counts an evaluation of a source; returns after how many runs its code is to be compiled.
    pub fn compile_after(&mut self, hash: u64, usual: Option<u32>) -> Option<u32> {
        let entry = &mut self.0[hash as usize % SOURCES];
        if entry.hash != hash {
            *entry = Source { hash, ..Source::default() };
        }
        entry.times = entry.times.saturating_add(1);
        let is_repeated = entry.times >= REPEATED;
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
        let mut after = |source: &[u8], options| repeated.compile_after(Repeated::hash_of(source, options), Some(1000));
        assert_eq!([(); 5].map(|()| after(b"1 + 1", &options)), [1000, 1000, 1000, 32_000, 32_000].map(Some));
        assert_eq!((after(b"1 + 2", &options), after(b"1 + 1", &other)), (Some(1000), Some(1000)));
        let mut eager = Repeated::default();
        let [one, two] = [b"1", b"2"].map(|source| Repeated::hash_of(source, &options));
        assert_eq!([(); 5].map(|()| eager.compile_after(one, Some(1))), [Some(1); 5]);
        assert_eq!([(); 5].map(|()| eager.compile_after(two, None)), [None; 5]);
    }

    #[test]
    fn bytecode_is_kept_for_the_same_source_and_options() {
        let mut repeated = Repeated::default();
        let [options, other] = ["one", "other"].map(|path| compiler::Options::new(path, compiler::SourceKind::Main));
        let sequence = Arc::new(Sequence::empty(bytecode::Kind::Eval, "<main>"));
        let mut evaluate = |source: &[u8]| {
            let hash = Repeated::hash_of(source, &options);
            let found = repeated.sequence(hash, source, &options).is_some();
            repeated.compile_after(hash, None);
            repeated.keep(hash, source, &options, &sequence);
            found
        };
        assert_eq!([(); 4].map(|()| evaluate(b"1 + 1")), [false, false, true, true]);
        assert_eq!([(); 4].map(|()| evaluate(&[b' '; LONGEST + 1])), [false; 4]);
        let mut renewed = options.clone();
        renewed.frozen_string_literal = Some(true);
        let is_kept = |source: &[u8], options: &compiler::Options| {
            repeated.sequence(Repeated::hash_of(source, options), source, options).is_some()
        };
        assert!(!is_kept(b"1 + 1", &renewed));
        assert!(!is_kept(b"1 + 1", &other));
        assert!(!is_kept(b"1 + 2", &options));
    }
}
