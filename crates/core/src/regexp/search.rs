//! Searching: encodings, limits, errors, and the resulting MatchData.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use object::{Known, cell, class, native, string::Str};
use regexp::{Captures, Content, Haystack, Limits, MatchError, Options};
use runtime::{
    Cx, R, Unwind, Value,
    cx::Interrupts,
    error::ErrorClass,
    special::{self, MatchInfo, RegexpData},
    warning,
};
use text::{CodeRange, EncodingId};

use crate::string::modify;

/// The data of a Regexp; TypeError before it is initialized.
#[inline]
pub fn data<'a>(cx: &mut Cx, v: &'a Value) -> R<&'a RegexpData> {
    match native::get::<RegexpData>(v) {
        Some(data) if !data.source.is_nil() => Ok(data),
        _ => Err(cx.type_error("uninitialized Regexp")),
    }
}

/// The engine's name for an encoding.
pub fn engine_encoding(encoding: EncodingId) -> Option<regexp::Encoding> {
    static TABLE: OnceLock<Vec<Option<regexp::Encoding>>> = OnceLock::new();
    match encoding {
        EncodingId::UTF_8 => return Some(regexp::Encoding::Utf8),
        EncodingId::BINARY => return Some(regexp::Encoding::Binary),
        _ => {}
    }
    let table =
        TABLE.get_or_init(|| text::encoding::all().map(|id| regexp::Encoding::from_ruby_name(id.name())).collect());
    table.get(encoding.index() as usize).copied().flatten()
}

/// The encoding in which the String is searched; an error if the two are incompatible.
fn prepare(cx: &mut Cx, data: &RegexpData, s: Str) -> R<(regexp::Encoding, Content)> {
    let range = s.code_range();
    let own = s.encoding();
    if range == CodeRange::Broken {
        return Err(modify::invalid_bytes(cx, own));
    }
    let seven_bit = range == CodeRange::SevenBit;
    let of_pattern = data.encoding;
    if own != of_pattern {
        if !own.is_ascii_compatible() {
            return Err(mismatch(cx, data, s));
        }
        // The options give the result of the compiled program's `is_fixed_encoding` without an access to the program.
        let has = |option: u8| data.options & option != 0;
        if has(Options::FIXEDENCODING) && (!of_pattern.is_ascii_compatible() || !seven_bit) {
            return Err(mismatch(cx, data, s));
        }
        if has(Options::NOENCODING) && own != EncodingId::BINARY && !seven_bit && cx.verbose().is_some() {
            warn_of_binary(cx, data, own)?;
        }
    }
    match engine_encoding(own) {
        Some(encoding) => Ok((encoding, if seven_bit { Content::Ascii } else { Content::Valid })),
        None if seven_bit => Ok((regexp::Encoding::Ascii, Content::Ascii)),
        None => Err(mismatch(cx, data, s)),
    }
}

/// Whether the byte at `at` shows that the pattern does not match there. The test costs little, and it never fails:
/// `false` means that a search is necessary, which may fail. For programs that try many patterns at each place.
#[inline]
pub fn is_excluded(pattern: &Value, s: Str, at: usize) -> bool {
    let Some(data) = native::get::<RegexpData>(pattern) else { return false };
    let own = s.encoding();
    own.is_ascii_compatible()
        && match s.code_range() {
            CodeRange::SevenBit => data.encoding.is_ascii_compatible(),
            CodeRange::Valid => data.encoding == own,
            _ => false,
        }
        && data.program.excludes_before(s.byte(at))
}

/// Warns about a binary pattern for text, once for each encoding of the text.
#[cold]
fn warn_of_binary(cx: &mut Cx, data: &RegexpData, encoding: EncodingId) -> R<()> {
    let number = encoding.index() + 1;
    if data.warned_of.swap(number, Ordering::Relaxed) == number {
        return Ok(());
    }
    warning::warn_here(cx, &format!("historical binary regexp match /.../n against {} string", encoding.name()))
}

#[cold]
fn mismatch(cx: &mut Cx, data: &RegexpData, s: Str) -> Unwind {
    let (a, b) = (modify::shown_name(Str::of(data.source).encoding()), modify::shown_name(s.encoding()));
    cx.raise(
        ErrorClass::CompatibilityError,
        &format!("incompatible encoding regexp match ({a} regexp with {b} string)"),
    )
}

/// The direction of a search.
#[derive(Clone, Copy, PartialEq)]
pub enum Direction {
    Forward,
    Backward,
    /// At this position only.
    Here,
}

fn run(cx: &mut Cx, pattern: Value, s: Str, from: usize, direction: Direction, captures: &mut Captures) -> R<bool> {
    run_in(cx, pattern, s, 0, from, direction, captures)
}

/// Whether the String can be searched with this Regexp; an error if not.
pub fn check(cx: &mut Cx, pattern: Value, s: Str) -> R<()> {
    let data = data(cx, &pattern)?;
    prepare(cx, data, s).map(drop)
}

/// Searches the bytes from `base` on, as if they were the whole String: `from` and the captures count from there.
pub fn run_in(
    cx: &mut Cx,
    pattern: Value,
    s: Str,
    base: usize,
    from: usize,
    direction: Direction,
    captures: &mut Captures,
) -> R<bool> {
    let data = data(cx, &pattern)?;
    let (encoding, content) = prepare(cx, data, s)?;
    let deadline = deadline(cx, data);
    loop {
        let bytes = s.bytes(cx).get(base..).unwrap_or_default();
        if from > bytes.len() {
            return Ok(false);
        }
        let haystack = Haystack { bytes, encoding, content };
        let interrupts = &cx.attention.interrupts;
        let interrupt = || is_urgent(interrupts.load(Ordering::Relaxed));
        let limits = Limits { deadline, interrupt: Some(&interrupt) };
        let found = match direction {
            Direction::Forward => data.program.search(haystack, from, bytes.len(), captures, limits),
            Direction::Backward if from == 0 => data.program.match_at(haystack, 0, captures, limits),
            Direction::Backward => data.program.search(haystack, from, 0, captures, limits),
            Direction::Here => data.program.match_at(haystack, from, captures, limits),
        };
        match found {
            Ok(found) => return Ok(found),
            Err(MatchError::Interrupted) => cx.safepoint()?,
            Err(error) => return Err(raise(cx, error, s.encoding())),
        }
    }
}

#[cold]
fn raise(cx: &mut Cx, error: MatchError, encoding: EncodingId) -> Unwind {
    match error {
        MatchError::Timeout => cx.raise(ErrorClass::RegexpTimeoutError, "regexp match timeout"),
        MatchError::InvalidBytes => modify::invalid_bytes(cx, encoding),
        error => cx.raise(ErrorClass::RegexpError, &error.to_string()),
    }
}

/// Finds the first match from byte `from` on (with `backward` the last one that begins there or before), without
/// changing `$~`. Returns whether there is a match.
#[inline]
pub fn find(cx: &mut Cx, pattern: Value, s: Str, from: usize, backward: bool, captures: &mut Captures) -> R<bool> {
    run(cx, pattern, s, from, if backward { Direction::Backward } else { Direction::Forward }, captures)
}

/// Whether a search stops for these interrupts, and restarts after handling them. Interrupts for profilers are handled
/// after the search.
fn is_urgent(interrupts: u32) -> bool {
    interrupts & !(Interrupts::SAMPLE | Interrupts::JOBS | Interrupts::STRESS) != 0
}

/// Whether there is a match; creates no MatchData.
pub fn is_match(cx: &mut Cx, pattern: Value, s: Str, from: usize) -> R<bool> {
    let data = data(cx, &pattern)?;
    let (encoding, content) = prepare(cx, data, s)?;
    let deadline = deadline(cx, data);
    loop {
        let haystack = Haystack { bytes: s.bytes(cx), encoding, content };
        let interrupts = &cx.attention.interrupts;
        let interrupt = || is_urgent(interrupts.load(Ordering::Relaxed));
        match data.program.is_match(haystack, from, Limits { deadline, interrupt: Some(&interrupt) }) {
            Ok(found) => return Ok(found),
            Err(MatchError::Interrupted) => cx.safepoint()?,
            Err(error) => return Err(raise(cx, error, s.encoding())),
        }
    }
}

/// The deadline of a search with this Regexp.
fn deadline(cx: &Cx, data: &RegexpData) -> Option<Instant> {
    let timeout = data.timeout.or(cx.vm().regexp_timeout);
    timeout.and_then(|nanoseconds| Instant::now().checked_add(Duration::from_nanos(nanoseconds)))
}

/// `find` with a MatchData as its result; sets `$~`.
pub fn search(cx: &mut Cx, pattern: Value, s: Str, from: usize, backward: bool) -> R {
    let mut captures = Captures::new();
    let found = find(cx, pattern, s, from, backward, &mut captures)?;
    Ok(set_match(cx, pattern, s, found.then_some(&captures)))
}

/// A match at the start of the String; sets `$~`.
pub fn match_start(cx: &mut Cx, pattern: Value, s: Str) -> R {
    match_here(cx, pattern, s, 0)
}

/// A match that starts at byte `at`; sets `$~`.
pub fn match_here(cx: &mut Cx, pattern: Value, s: Str, at: usize) -> R {
    let mut captures = Captures::new();
    let found = run(cx, pattern, s, at, Direction::Here, &mut captures)?;
    Ok(set_match(cx, pattern, s, found.then_some(&captures)))
}

/// Matches at byte `at` only, without setting `$~`: for StringScanner.
pub fn find_here(cx: &mut Cx, pattern: Value, s: Str, at: usize, captures: &mut Captures) -> R<bool> {
    run(cx, pattern, s, at, Direction::Here, captures)
}

/// Matches at byte `base`, or without `anchored` anywhere after it, without setting `$~`. The text begins at `base` for
/// `\A`, `^` and the captures. The String is valid, and a character begins at `base`.
pub fn find_in_rest(
    cx: &mut Cx,
    pattern: Value,
    s: Str,
    base: usize,
    anchored: bool,
    captures: &mut Captures,
) -> R<bool> {
    run_in(cx, pattern, s, base, 0, if anchored { Direction::Here } else { Direction::Forward }, captures)
}

fn set_match(cx: &mut Cx, pattern: Value, s: Str, captures: Option<&Captures>) -> Value {
    let m = match captures {
        Some(captures) => new_match(cx, pattern, s, captures),
        None => Value::NIL,
    };
    special::set_last_match(cx, m);
    m
}

/// A MatchData.
pub fn new_match(cx: &mut Cx, pattern: Value, s: Str, captures: &Captures) -> Value {
    let string = frozen_copy(cx, s).value();
    // For a pattern that is a String, later changes of the String have no effect.
    let pattern = Str::from_value(pattern).map_or(pattern, |pattern| pattern.frozen_dup(cx).value());
    let class = cx.class(Known::MatchData);
    let info = MatchInfo::new(cx, pattern, string, captures);
    native::embed(cx, class, info)
}

/// A frozen String of the same class with the same bytes.
fn frozen_copy(cx: &mut Cx, s: Str) -> Str {
    if cell::header(s.value()).shape() == Known::String.root_shape() {
        return s.frozen_dup(cx);
    }
    let class = class::real_class(cx, s.value());
    let copy = s.dup(cx).with_class(class);
    copy.freeze();
    copy
}
