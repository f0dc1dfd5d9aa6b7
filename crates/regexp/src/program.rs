//! A compiled regular expression.

use crate::backtracking::{Engine, Pause, Stop};
use crate::captures::Captures;
use crate::encoding::Encoding;
use crate::error::{CompileError, MatchError};
use crate::linear::{FirstBytes, Linear, Text};
use crate::literal;
use crate::options::Options;
use crate::plain::is_plain;
use crate::preprocess::preprocess;
use crate::syntax::Switches;
use crate::trial::{Trial, Turn};
use crate::warnings::{Warning, warnings};
use memory::ToVector;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// A compiled regular expression: Ruby's `Regexp` without its source. It may be shared between threads.
///
/// A pattern that is not tied to an encoding is compiled again for each encoding of a haystack with non-ASCII
/// characters.
pub struct Program {
    pattern: Vec<u8>,
    options: Options,
    encoding: Encoding,
    fixed: bool,
    names: Vec<GroupName>,
    /// The text of a pattern that is searched for as bytes.
    literal: Option<Vec<u8>>,
    base: Engine,
    /// The engine for UTF-8, if that is not `base`.
    utf8: OnceLock<Engine>,
    others: Mutex<Vec<(Encoding, Arc<Engine>)>>,
    /// The automata for each [`Text`], compiled after a slow search or many searches.
    linear: [OnceLock<Option<Box<Linear>>>; 3],
    /// Whether a search in such a text backtracked a lot.
    slow: [AtomicBool; 3],
    /// Which engine finds groups faster: in a search, and at one position.
    trial: Trial,
    trial_here: Trial,
    /// Whether the pattern contains an unbounded repetition.
    has_repetition: bool,
    /// Searches so far, up to [`MANY_SEARCHES`].
    searches: AtomicU32,
    /// Matches at one position so far, up to [`SOME_TRIES`], and from then on how such a match may begin.
    tries: AtomicU32,
    first: OnceLock<FirstBytes>,
    linear_time: OnceLock<bool>,
}

/// After this many searches an automaton is compiled, if it gives the same results: compiling it takes as long as some
/// hundred short searches with Oniguruma, which allocates and frees a stack of 6 kB in each; an automaton keeps its
/// memory.
const MANY_SEARCHES: u32 = 1000;

/// After this many matches at one position the first characters of a pattern's matches are computed. Programs that read
/// their input piece by piece try many patterns at each place; most fail at the first character, for which neither
/// engine needs to start. Oniguruma takes a quarter of a microsecond for such a failure, the computation some
/// microseconds.
const SOME_TRIES: u32 = 32;

/// From this haystack length on, a search with a repetition does not use Oniguruma: from each position it may scan the
/// rest without backtracking, which no limit on backtracking detects. Below, that takes some ten milliseconds at most.
const LONG_SEARCH: usize = 8 << 10;

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

/// What the caller knows about the haystack's bytes (Ruby's code range).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// ASCII only, in an ASCII-compatible encoding.
    Ascii,
    /// Whole characters of its encoding.
    Valid,
    /// Anything; the bytes are scanned before the search.
    Unknown,
}

/// Limits that end a search without a result.
#[derive(Clone, Copy, Default)]
pub struct Limits<'l> {
    /// `Regexp.timeout`. An approximation: it is checked after a number of backtracking steps, first after some
    /// milliseconds and later at intervals no longer than the search took so far, and not within an automaton, which is
    /// linear.
    pub deadline: Option<Instant>,
    /// `true` ends the search with [`MatchError::Interrupted`].
    pub interrupt: Option<&'l dyn Fn() -> bool>,
}

impl Limits<'_> {
    pub(crate) fn check(&self) -> Result<(), MatchError> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(MatchError::Timeout);
        }
        if self.interrupt.is_some_and(|interrupt| interrupt()) {
            return Err(MatchError::Interrupted);
        }
        Ok(())
    }
}

/// The error of a part of a pattern with interpolation, which need not be a pattern by itself: of its characters and
/// escapes.
pub fn error_of_part(source: &[u8], encoding: Encoding) -> Option<CompileError> {
    preprocess(source, encoding, false).err()
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
            let preprocessed = preprocess(source, encoding, options.extended).map_err(CompileError::in_text)?;
            let fixed = preprocessed.fixed.or(preprocessed.has_property.then_some(encoding));
            (preprocessed.pattern, fixed)
        } else {
            let text = decode(source, encoding).ok_or_else(|| CompileError::new("invalid multibyte character"))?;
            (preprocess(text.as_bytes(), Encoding::Utf8, options.extended)?.pattern, Some(encoding))
        };
        let (encoding, fixed) = settle_encoding(settled, encoding, options)?;
        let literal = literal::of_unknown(&pattern, encoding, options);
        let compiled = if literal.is_some() { &b""[..] } else { &pattern };
        let (base, names) = Engine::compile_with_names(compiled, encoding, options)?;
        let has_repetition =
            pattern.contains(&b'*') || pattern.contains(&b'+') || pattern.windows(2).any(|w| w == b",}");
        Ok(Program {
            pattern,
            options,
            encoding,
            fixed,
            names,
            literal,
            base,
            utf8: OnceLock::new(),
            others: Mutex::default(),
            linear: Default::default(),
            slow: Default::default(),
            trial: Trial::default(),
            trial_here: Trial::default(),
            has_repetition,
            searches: AtomicU32::new(0),
            tries: AtomicU32::new(0),
            first: OnceLock::new(),
            linear_time: OnceLock::new(),
        })
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

    /// Finds the first match that starts at or after `start`, up to `end` (inclusive); if `end` is smaller, the last
    /// one that starts at or before `start`, down to `end`. `\G` is `start`. Both are byte offsets at character
    /// boundaries; beyond the haystack's end nothing matches. `captures` are defined if the result is `true`.
    ///
    /// The caller checks that pattern and haystack have compatible encodings.
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
        if let Some(text) = &self.literal {
            return self.search_literal(text, haystack, (start, end), captures);
        }
        let length = haystack.bytes.len() - start;
        let mut ready = None;
        if start <= end
            && let Some((text, linear)) = self.ready_linear(&haystack)
        {
            let turn = self.turn(linear, &self.trial, Some(text), length);
            if turn == Turn::Automaton {
                let found = linear.search(haystack.bytes, start, end, captures, limits)?;
                return limits.check().map(|()| found);
            }
            ready = Some((linear, turn));
        }
        if start > end
            && let Some(text) = self.text_of(&haystack)
            && self.group_count() == 0
            && let Some(linear) = self.usable_linear(text, haystack, true, 0)
            && let Some(found) = linear.search_back(haystack.bytes, start, end, captures)
        {
            return limits.check().map(|()| found);
        }
        let view = self.view(haystack)?;
        let (linear, turn) = match ready {
            Some((linear, turn)) => (Some(linear), turn),
            None => {
                let linear = if start <= end { self.prone_linear(&view, haystack, length) } else { None };
                let in_turn = |linear| self.turn(linear, &self.trial, view.text, length);
                let turn = linear.map_or(Turn::Backtracking, in_turn);
                (linear, turn)
            }
        };
        let started = matches!(turn, Turn::TimedAutomaton | Turn::TimedBacktracking).then(Instant::now);
        let found = match linear.filter(|_| matches!(turn, Turn::Automaton | Turn::TimedAutomaton)) {
            Some(linear) => self.search_linear(linear, &view, haystack, (start, end), captures, limits),
            None => self.search_backtracking(&view, haystack, (start, end), captures, limits),
        };
        if let Some(started) = started {
            self.trial.note(turn, started);
        }
        found
    }

    fn search_literal(
        &self,
        text: &[u8],
        haystack: Haystack,
        (start, end): (usize, usize),
        captures: &mut Captures,
    ) -> Result<bool, MatchError> {
        if haystack.content == Content::Unknown && !haystack.encoding.is_valid(haystack.bytes) {
            return Err(MatchError::InvalidBytes);
        }
        let found = literal::find(text, self.encoding, haystack.bytes, start, end);
        if let Some(at) = found {
            captures.set_whole(at, at + text.len());
        }
        Ok(found.is_some())
    }

    /// The engine for a search, if an automaton or a memoizing matcher is available.
    fn turn(&self, linear: &Linear, trial: &Trial, text: Option<Text>, length: usize) -> Turn {
        let is_slow = text.is_some_and(|text| self.slow[text as usize].load(Ordering::Relaxed));
        let is_long = length >= LONG_SEARCH;
        // Without groups an automaton is faster, except in the shortest searches.
        let is_faster =
            if linear.is_fast() { is_long || self.group_count() == 0 } else { is_long && self.has_repetition };
        if is_slow || is_faster {
            Turn::Automaton
        } else if is_long {
            Turn::Backtracking
        } else {
            trial.turn()
        }
    }

    fn search_linear(
        &self,
        linear: &Linear,
        view: &View,
        haystack: Haystack,
        (start, end): (usize, usize),
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        limits.check()?;
        if !linear.search(haystack.bytes, start, end, captures, limits)? {
            return limits.check().map(|()| false);
        }
        limits.check()?;
        if linear.exact_groups {
            return Ok(true);
        }
        // Only the groups remain to be found, at the known position.
        if let Some((at, _)) = captures.get(0) {
            let mut check = |_| limits.check().map_err(Stop::Error);
            return view.engine.match_at(haystack.bytes, at, captures, &mut check).map_err(Stop::into_error);
        }
        self.search_backtracking(view, haystack, (start, end), captures, limits)
    }

    fn search_backtracking(
        &self,
        view: &View,
        haystack: Haystack,
        (start, end): (usize, usize),
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        let mut check = |pause| self.pause(pause, start <= end, view, haystack, limits);
        match view.engine.search(haystack.bytes, start, end, captures, limits.deadline.is_some(), &mut check) {
            Ok(found) => Ok(found),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Switch) => self.search(haystack, start, end, captures, limits),
        }
    }

    /// Whether there is a match at or after `start`; does not find groups if that takes longer.
    pub fn is_match(&self, haystack: Haystack, start: usize, limits: Limits) -> Result<bool, MatchError> {
        if start > haystack.bytes.len() {
            return Ok(false);
        }
        if let Some(text) = self.text_of(&haystack)
            && let Some(linear) = self.usable_linear(text, haystack, false, haystack.bytes.len() - start)
            && linear.is_fast()
        {
            let found = linear.is_match(haystack.bytes, start, limits)?;
            return limits.check().map(|()| found);
        }
        self.search(haystack, start, haystack.bytes.len(), &mut Captures::new(), limits)
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
        if let Some(text) = &self.literal {
            return self.search_literal(text, haystack, (at, at), captures);
        }
        if self.excludes(&haystack, at) {
            return limits.check().map(|()| false);
        }
        let mut turn = Turn::Automaton;
        if let Some((text, linear)) = self.ready_linear(&haystack) {
            if linear.excludes(haystack.bytes, at) {
                return limits.check().map(|()| false);
            }
            turn = self.turn(linear, &self.trial_here, Some(text), 0);
            let started = (turn == Turn::TimedAutomaton).then(Instant::now);
            if matches!(turn, Turn::Automaton | Turn::TimedAutomaton) {
                let found = linear.match_at(haystack.bytes, at, captures, limits)?;
                if let Some(started) = started {
                    self.trial_here.note(turn, started);
                }
                return limits.check().map(|()| found);
            }
        }
        let started = (turn == Turn::TimedBacktracking).then(Instant::now);
        let view = self.view(haystack)?;
        if turn == Turn::Automaton
            && let Some(linear) = self.prone_linear(&view, haystack, 0)
            && (linear.is_fast() || self.turn(linear, &self.trial_here, view.text, 0) == Turn::Automaton)
        {
            limits.check()?;
            if !linear.match_at(haystack.bytes, at, captures, limits)? {
                return limits.check().map(|()| false);
            }
            if linear.exact_groups {
                return limits.check().map(|()| true);
            }
        }
        let mut check = |pause| self.pause(pause, true, &view, haystack, limits);
        let found = view.engine.match_at(haystack.bytes, at, captures, &mut check);
        if let Some(started) = started {
            self.trial_here.note(turn, started);
        }
        match found {
            Ok(found) => Ok(found),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Switch) => self.match_at(haystack, at, captures, limits),
        }
    }

    /// Whether the character at `at` excludes a match that starts there.
    #[inline]
    fn excludes(&self, haystack: &Haystack, at: usize) -> bool {
        match self.first.get() {
            Some(first) => {
                let is_known = haystack.content == Content::Ascii
                    || haystack.content == Content::Valid && haystack.encoding.is_ascii_compatible();
                is_known && first.excludes(haystack.bytes, at)
            }
            None => {
                self.count_try();
                false
            }
        }
    }

    /// Whether it is known that no match begins where the rest of a valid text, whose encoding is compatible with
    /// ASCII, has this first byte. This costs less than an attempt to match.
    #[inline]
    pub fn excludes_before(&self, byte: Option<u8>) -> bool {
        self.first.get().is_some_and(|first| first.excludes_before(byte))
    }

    /// Counts a match at one position. The count need not be exact.
    fn count_try(&self) {
        let tries = self.tries.load(Ordering::Relaxed) + 1;
        self.tries.store(tries, Ordering::Relaxed);
        if tries >= SOME_TRIES {
            let is_text = matches!(self.encoding, Encoding::Ascii | Encoding::Utf8);
            self.first.get_or_init(
                || {
                    if is_text { FirstBytes::of(&self.pattern, self.options) } else { FirstBytes::ANY }
                },
            );
        }
    }

    /// Ruby's warnings about this pattern.
    pub fn warnings(&self) -> Vec<Warning> {
        if is_plain(&self.pattern, self.options) {
            return Vec::new();
        }
        let encoding = if self.encoding.is_ascii_compatible() { self.encoding } else { Encoding::Utf8 };
        warnings(&self.pattern, encoding, Switches::new(self.options))
    }

    /// `Regexp.linear_time?`: whether searches in text, ASCII or UTF-8, take time linear in it. docs/regexp.md says for
    /// which patterns.
    pub fn is_linear_time(&self) -> bool {
        *self.linear_time.get_or_init(|| self.has_linear_engines())
    }

    fn has_linear_engines(&self) -> bool {
        let all = [(Text::Ascii, 0), (Text::Utf8, 1)];
        let has_engine = |(text, place): (Text, usize)| {
            self.linear[place].get().map_or_else(|| self.compile_linear(text).is_some(), Option::is_some)
        };
        let is_text = matches!(self.encoding, Encoding::Ascii | Encoding::Utf8);
        is_text && !self.base.features().never_linear && all.into_iter().all(has_engine)
    }

    /// The automaton, if there is one for such a text and searches with Oniguruma were slow or frequent. `length` is
    /// the number of start positions.
    fn prone_linear(&self, view: &View, haystack: Haystack, length: usize) -> Option<&Linear> {
        self.usable_linear(view.text?, haystack, true, length)
    }

    /// The automaton or memoizing matcher, if it has been compiled and finds the groups too.
    #[inline]
    fn ready_linear(&self, haystack: &Haystack) -> Option<(Text, &Linear)> {
        let text = self.text_of(haystack)?;
        let linear = self.linear[text as usize].get()?.as_deref()?;
        (linear.exact_groups && linear.is_for(haystack.bytes)).then_some((text, linear))
    }

    fn usable_linear(&self, text: Text, haystack: Haystack, groups: bool, length: usize) -> Option<&Linear> {
        let is_long = length >= LONG_SEARCH && self.has_repetition;
        let cell = &self.linear[text as usize];
        let linear = match cell.get() {
            Some(linear) => linear.as_deref(),
            None if is_long || self.has_many_searches() => cell.get_or_init(|| self.boxed_linear(text)).as_deref(),
            None => None,
        }?;
        // If Oniguruma has to find the groups anyway, running the automaton first pays only for slow searches.
        let worth = (linear.exact_groups || linear.is_fast() && !groups)
            || is_long
            || self.slow[text as usize].load(Ordering::Relaxed);
        (worth && linear.is_for(haystack.bytes)).then_some(linear)
    }

    /// Counts a search; returns whether there were [`MANY_SEARCHES`]. The count need not be exact.
    fn has_many_searches(&self) -> bool {
        let searches = self.searches.load(Ordering::Relaxed);
        if searches < MANY_SEARCHES {
            self.searches.store(searches + 1, Ordering::Relaxed);
        }
        searches >= MANY_SEARCHES
    }

    /// The automaton for a kind of text. It is boxed, because most programs have at most one.
    fn boxed_linear(&self, text: Text) -> Option<Box<Linear>> {
        self.compile_linear(text).map(Box::new)
    }

    fn compile_linear(&self, text: Text) -> Option<Linear> {
        Linear::compile(&self.pattern, self.options, text, self.group_count())
    }

    /// Called between the parts of a search: checks the limits, and switches to the automaton if backtracking is slow.
    fn pause(&self, pause: Pause, forward: bool, view: &View, haystack: Haystack, limits: Limits) -> Result<(), Stop> {
        limits.check()?;
        let Some(text) = view.text.filter(|_| forward && pause == Pause::Slow) else { return Ok(()) };
        if self.slow[text as usize].swap(true, Ordering::Relaxed) {
            // There is no automaton, or it has already answered and only the groups remain to be found.
            return Ok(());
        }
        let linear = self.linear[text as usize].get_or_init(|| self.boxed_linear(text));
        if linear.as_ref().is_some_and(|linear| linear.is_for(haystack.bytes)) { Err(Stop::Switch) } else { Ok(()) }
    }

    /// The kind of haystack for which there may be an automaton, as far as that is known without scanning the bytes.
    #[inline]
    fn text_of(&self, haystack: &Haystack) -> Option<Text> {
        match haystack.content {
            Content::Unknown => None,
            content => self.text_in(content == Content::Ascii, haystack.encoding),
        }
    }

    /// `text_of` for a haystack of whole characters, which may be ASCII only.
    #[inline]
    fn text_in(&self, ascii: bool, encoding: Encoding) -> Option<Text> {
        // A pattern in an encoding other than UTF-8 may have bytes that are valid UTF-8 by coincidence.
        match (self.encoding, encoding) {
            (Encoding::Ascii | Encoding::Utf8, _) if ascii => Some(Text::Ascii),
            (Encoding::Ascii | Encoding::Utf8, Encoding::Utf8) => Some(Text::Utf8),
            (Encoding::Binary, _) if ascii => Some(Text::Bytes),
            (Encoding::Ascii | Encoding::Binary, Encoding::Binary) => Some(Text::Bytes),
            _ => None,
        }
    }

    fn view(&self, haystack: Haystack) -> Result<View<'_>, MatchError> {
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
        let text = self.text_in(ascii, haystack.encoding);
        // To Oniguruma binary text is ASCII with further characters, which a pattern of ASCII does not contain.
        let is_binary = self.encoding == Encoding::Ascii && haystack.encoding == Encoding::Binary;
        if haystack.encoding == self.encoding || is_binary || (ascii && self.encoding.is_ascii_compatible()) {
            return Ok(View { engine: EngineRef::Kept(&self.base), text });
        }
        let compile = || Engine::compile(&self.pattern, haystack.encoding, self.options).map_err(MatchError::Compile);
        if haystack.encoding == Encoding::Utf8 {
            let engine = match self.utf8.get() {
                Some(engine) => engine,
                None => {
                    let engine = compile()?;
                    self.utf8.get_or_init(|| engine)
                }
            };
            return Ok(View { engine: EngineRef::Kept(engine), text });
        }
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, engine)) = others.iter().find(|(encoding, _)| *encoding == haystack.encoding) {
            return Ok(View { engine: EngineRef::Other(Arc::clone(engine)), text });
        }
        let engine = Arc::new(compile()?);
        others.push((haystack.encoding, Arc::clone(&engine)));
        Ok(View { engine: EngineRef::Other(engine), text })
    }
}

/// The engines for one haystack.
struct View<'p> {
    engine: EngineRef<'p>,
    /// The kind of haystack for which an automaton would be compiled.
    text: Option<Text>,
}

enum EngineRef<'p> {
    Kept(&'p Engine),
    Other(Arc<Engine>),
}

impl Deref for EngineRef<'_> {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        match self {
            EngineRef::Kept(engine) => engine,
            EngineRef::Other(engine) => engine,
        }
    }
}

/// The encoding of the whole pattern, and whether it is fixed.
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
        _ => String::from_utf8(source.to_vector()).ok(),
    }
}
