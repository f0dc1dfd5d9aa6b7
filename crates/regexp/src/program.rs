//! A compiled regular expression.

use crate::backtracking::Engine;
use crate::captures::Captures;
use crate::encoding::Encoding;
use crate::error::{CompileError, MatchError};
use crate::options::Options;
use crate::preprocess::preprocess;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A compiled regular expression: Ruby's `Regexp` without its source. It may be shared between threads.
///
/// A pattern that is not tied to an encoding is compiled once more for each encoding that a haystack comes in with
/// characters beyond ASCII.
pub struct Program {
    pattern: Vec<u8>,
    options: Options,
    encoding: Encoding,
    fixed: bool,
    names: Vec<GroupName>,
    base: Arc<Engine>,
    others: Mutex<Vec<(Encoding, Arc<Engine>)>>,
}

/// A name and the groups that have it, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupName {
    /// In the pattern's encoding.
    pub name: Vec<u8>,
    pub groups: Vec<usize>,
}

/// A text to search in.
#[derive(Clone, Copy, Debug)]
pub struct Haystack<'h> {
    pub bytes: &'h [u8],
    pub encoding: Encoding,
    pub content: Content,
}

/// What the caller knows of the haystack's bytes (Ruby's code range).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// ASCII only, in an ASCII-compatible encoding.
    Ascii,
    /// Whole characters of its encoding.
    Valid,
    /// Anything; it is looked through before the search.
    Unknown,
}

/// When a search has to end without an answer.
#[derive(Clone, Copy, Default)]
pub struct Limits<'l> {
    /// `Regexp.timeout`. Asked about every million steps of backtracking, not at any instant.
    pub deadline: Option<Instant>,
    /// `true` ends the search with [`MatchError::Interrupted`].
    pub interrupt: Option<&'l dyn Fn() -> bool>,
}

impl Limits<'_> {
    fn check(&self) -> Result<(), MatchError> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(MatchError::Timeout);
        }
        if self.interrupt.is_some_and(|interrupt| interrupt()) {
            return Err(MatchError::Interrupted);
        }
        Ok(())
    }
}

impl Program {
    /// Compiles `source`, which is in `encoding`.
    pub fn compile(source: &[u8], options: Options, encoding: Encoding) -> Result<Program, CompileError> {
        let encoding = if options.no_encoding && encoding != Encoding::Binary {
            if !source.is_ascii() {
                let message = "/.../n has a non escaped non ASCII character in non ASCII-8BIT script";
                return Err(CompileError::new(message));
            }
            Encoding::Binary
        } else {
            encoding
        };
        let (pattern, settled) = if encoding.is_ascii_compatible() {
            let preprocessed = preprocess(source, encoding, options.extended)?;
            let fixed = preprocessed.fixed.or(preprocessed.has_property.then_some(encoding));
            (preprocessed.pattern, fixed)
        } else {
            let text = decode(source, encoding).ok_or_else(|| CompileError::new("invalid multibyte character"))?;
            (preprocess(text.as_bytes(), Encoding::Utf8, options.extended)?.pattern, Some(encoding))
        };
        let (encoding, fixed) = settle_encoding(settled, encoding, options)?;
        let base = Engine::compile(&pattern, encoding, options)?;
        let names = base.names().into_iter().map(|(name, groups)| GroupName { name, groups }).collect();
        Ok(Program { pattern, options, encoding, fixed, names, base: Arc::new(base), others: Mutex::default() })
    }

    /// `Regexp#encoding`: US-ASCII unless something in the pattern or its options says more.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// `Regexp#fixed_encoding?`
    pub fn is_fixed_encoding(&self) -> bool {
        self.fixed
    }

    /// The number of groups, group 0 not counted.
    pub fn group_count(&self) -> usize {
        self.base.group_count()
    }

    /// The named groups, in the order of their first group.
    pub fn names(&self) -> &[GroupName] {
        &self.names
    }

    /// The groups of a name.
    pub fn groups_named(&self, name: &[u8]) -> Option<&[usize]> {
        self.names.iter().find(|group| group.name == name).map(|group| &group.groups[..])
    }

    /// Finds the first match that starts at `start` or after, up to `end` (inclusive); if `end` is smaller, the last
    /// one that starts at `start` or before, down to `end`. `\G` is `start`. Both are offsets of bytes at characters'
    /// boundaries; beyond the haystack's end nothing matches. `captures` are defined if the answer is `true`.
    ///
    /// That pattern and haystack have compatible encodings is the caller's to check.
    pub fn search(
        &self,
        haystack: Haystack,
        start: usize,
        end: usize,
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        if start > haystack.bytes.len() || end > haystack.bytes.len() {
            return Ok(false);
        }
        let engine = self.engine_for(haystack)?;
        engine.search(haystack.bytes, start, end, captures, &mut || limits.check())
    }

    /// Whether there is a match that starts exactly at `at`.
    pub fn match_at(
        &self,
        haystack: Haystack,
        at: usize,
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        if at > haystack.bytes.len() {
            return Ok(false);
        }
        let engine = self.engine_for(haystack)?;
        engine.match_at(haystack.bytes, at, captures, &mut || limits.check())
    }

    fn engine_for(&self, haystack: Haystack) -> Result<Arc<Engine>, MatchError> {
        let ascii = match haystack.content {
            Content::Ascii => true,
            Content::Valid => false,
            Content::Unknown => {
                let ascii = haystack.encoding.is_ascii_compatible() && haystack.bytes.is_ascii();
                if !ascii && !haystack.encoding.is_valid(haystack.bytes) {
                    return Err(MatchError::InvalidBytes);
                }
                ascii
            }
        };
        if haystack.encoding == self.encoding || (ascii && self.encoding.is_ascii_compatible()) {
            return Ok(Arc::clone(&self.base));
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, engine)) = others.iter().find(|(encoding, _)| *encoding == haystack.encoding) {
            return Ok(Arc::clone(engine));
        }
        let engine = Engine::compile(&self.pattern, haystack.encoding, self.options).map_err(MatchError::Compile)?;
        let engine = Arc::new(engine);
        others.push((haystack.encoding, Arc::clone(&engine)));
        Ok(engine)
    }
}

/// The encoding of the whole, and whether it is fixed.
fn settle_encoding(
    settled: Option<Encoding>,
    encoding: Encoding,
    options: Options,
) -> Result<(Encoding, bool), CompileError> {
    match settled {
        Some(settled) => {
            if (settled != encoding && options.fixed_encoding) || (settled != Encoding::Binary && options.no_encoding) {
                return Err(CompileError::new("incompatible character encoding"));
            }
            Ok((if settled == Encoding::Binary { encoding } else { settled }, true))
        }
        None if options.fixed_encoding => Ok((encoding, true)),
        None => Ok((Encoding::Ascii, false)),
    }
}

/// Text of an encoding that is not ASCII-compatible.
fn decode(source: &[u8], encoding: Encoding) -> Option<String> {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let (units, rest) = source.as_chunks::<2>();
        let text = char::decode_utf16(units.iter().map(|&bytes| unit(bytes))).collect::<Result<String, _>>();
        text.ok().filter(|_| rest.is_empty())
    };
    let wider = |unit: fn([u8; 4]) -> u32| {
        let (units, rest) = source.as_chunks::<4>();
        let text = units.iter().map(|&bytes| char::from_u32(unit(bytes))).collect::<Option<String>>();
        text.filter(|_| rest.is_empty())
    };
    match encoding {
        Encoding::Utf16Be => wide(u16::from_be_bytes),
        Encoding::Utf16Le => wide(u16::from_le_bytes),
        Encoding::Utf32Be => wider(u32::from_be_bytes),
        Encoding::Utf32Le => wider(u32::from_le_bytes),
        _ => String::from_utf8(source.to_vec()).ok(),
    }
}
