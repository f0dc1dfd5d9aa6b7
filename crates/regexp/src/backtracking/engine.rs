//! Compilation for Oniguruma, and interruptible searches.
//!
//! Oniguruma can't be interrupted while it matches, but it gives up a match after a number of retries. A search is
//! first one call with a retry limit for each start position. If it hits the limit, the caller's check runs, and the
//! search restarts position by position. A position that hits the limit is tried again with twice the limit, with a
//! check in between. At most about as much work again is lost, and no interval between checks is longer than the search
//! took so far.
//!
//! (Splitting a search into ranges of start positions is impossible: Oniguruma treats the end of the range as the end
//! of the haystack. For the same reason a backward search that does not begin at the haystack's end goes position by
//! position from the start.)

use super::names::Names;
use super::nested;
use super::translate::{Features, translate};
use super::waiting::{self, Ticket};
use crate::captures::Captures;
use crate::encoding::{Character, Encoding};
use crate::error::{CompileError, MatchError};
use crate::options::Options;
use crate::plain::is_plain;
use crate::program::GroupName;
use crate::syntax::Switches;
use memory::ToVector;
use onig::{EncodedBytes, MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax, SyntaxOperator};
use onig_sys::OnigEncoding;
use std::cell::RefCell;
use std::sync::OnceLock;

/// Entries of the backtrack stack: beyond about a gigabyte a search ends with a stack overflow.
const STACK_LIMIT: u32 = 1 << 24;
/// The total retries of a first call, divided among its start positions: without a deadline, and with one.
const BUDGET: usize = 1 << 32;
const BUDGET_WITH_DEADLINE: usize = 1 << 22;
/// The least and the most retries that each position gets at first.
const FEWEST_RETRIES: usize = 64;
const MOST_RETRIES: usize = 1 << 14;
/// Positions between two checks.
const CHECKED_POSITIONS: usize = 1 << 10;
/// Nesting from which on a pattern is compiled on a stack of its own, as compiling recurses.
const DEEP_NESTING: usize = 100;
const COMPILE_STACK_BYTES: usize = 64 << 20;

pub(crate) struct Engine {
    /// Filled at the first search.
    regex: OnceLock<Regex>,
    /// Its place among the compiled patterns that wait for their first search.
    ticket: Ticket,
    /// The translated pattern, which Oniguruma compiles.
    source: Vec<u8>,
    options: Options,
    groups: usize,
    encoding: Encoding,
    features: Features,
}

/// A point at which a search pauses and asks its caller how to continue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    Regular,
    /// The pattern backtracks much in this haystack.
    Slow,
}

/// The reason why a search ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The caller continues with the other engine.
    Switch,
    Error(MatchError),
}

impl Stop {
    /// The error, if the caller did not switch engines.
    pub fn into_error(self) -> MatchError {
        match self {
            Stop::Error(error) => error,
            Stop::Switch => MatchError::Interrupted,
        }
    }
}

impl From<MatchError> for Stop {
    fn from(error: MatchError) -> Stop {
        Stop::Error(error)
    }
}

impl Engine {
    /// `pattern` is preprocessed; it is in UTF-8 if the encoding is not ASCII-compatible.
    pub fn compile(pattern: &[u8], encoding: Encoding, options: Options) -> Result<Engine, CompileError> {
        Engine::compile_with_names(pattern, encoding, options).map(|(engine, _)| engine)
    }

    /// Also returns the names in the order of their groups, each with its group numbers.
    pub fn compile_with_names(
        pattern: &[u8],
        encoding: Encoding,
        options: Options,
    ) -> Result<(Engine, Vec<GroupName>), CompileError> {
        let source_encoding = if encoding.is_ascii_compatible() { encoding } else { Encoding::Utf8 };
        let switches = Switches::new(options);
        let unnested = nested::rewritten(pattern, source_encoding, switches);
        let (translated, features, names) = translate(&unnested, source_encoding, switches)?;
        let source = encode(&translated, encoding)?;
        if is_plain(pattern, options) {
            let (regex, ticket) = (OnceLock::new(), Ticket::NONE);
            return Ok((Engine { regex, ticket, source, options, groups: 0, encoding, features }, Vec::new()));
        }
        let regex = compile(&source, encoding, options)?;
        if let Some(message) = features.refused {
            return Err(CompileError::new(message));
        }
        let group_names = group_names(&regex, &names);
        let groups = regex.captures_len();
        let ticket = waiting::put(regex);
        let engine = Engine { regex: OnceLock::new(), ticket, source, options, groups, encoding, features };
        Ok((engine, group_names))
    }

    /// The compiled pattern. Most patterns of a program are never searched, and each takes some kilobytes: one that
    /// waits for its first search while many others are compiled is compiled again, and plain ones are only now.
    #[inline]
    fn regex(&self) -> Result<&Regex, MatchError> {
        match self.regex.get() {
            Some(regex) => Ok(regex),
            None => self.first_regex(),
        }
    }

    #[cold]
    fn first_regex(&self) -> Result<&Regex, MatchError> {
        let regex = match waiting::take(self.ticket) {
            Some(regex) => regex,
            None => compile(&self.source, self.encoding, self.options).map_err(MatchError::Compile)?,
        };
        Ok(self.regex.get_or_init(|| regex))
    }

    pub fn features(&self) -> &Features {
        &self.features
    }

    pub fn group_count(&self) -> usize {
        self.groups
    }

    /// Tries all start positions from `start` to `end`, backwards if `end` is smaller. Offsets are within the haystack,
    /// and the haystack is valid in this encoding: the caller checks.
    pub fn search(
        &self,
        haystack: &[u8],
        start: usize,
        end: usize,
        captures: &mut Captures,
        has_deadline: bool,
        check: &mut dyn FnMut(Pause) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let forward = start <= end;
        // One search of the rest of the haystack finds a match, which must not start after `end`. `\K` moves that
        // start: unless `end` is the haystack's end, each position is tried separately.
        let start_is_comparable = !self.features.keep || end == haystack.len();
        // `\G` is the start of the whole search, which must not be split then.
        if (forward && start_is_comparable) || start == haystack.len() || self.features.search_start {
            let budget = if has_deadline { BUDGET_WITH_DEADLINE } else { BUDGET };
            let mut retries = (budget / start.abs_diff(end).max(1)).clamp(FEWEST_RETRIES, MOST_RETRIES) as u32;
            let range = if forward { haystack.len() } else { end };
            loop {
                if let Some(found) = self.search_once(haystack, start, range, captures, retries)? {
                    // A match beyond the end of the range does not count.
                    return Ok(found && (!forward || captures.get(0).is_some_and(|(at, _)| at <= end)));
                }
                check(Pause::Slow)?;
                if !self.features.search_start {
                    break;
                }
                // `\G` is the start of the search, so it stays one search.
                retries = retries.saturating_mul(2);
            }
        }
        let mut tried = 0;
        let mut attempt = |at| {
            tried += 1;
            if tried % CHECKED_POSITIONS == 0 {
                check(Pause::Regular)?;
            }
            self.match_at(haystack, at, captures, check)
        };
        if forward {
            for at in self.positions(haystack, start, end) {
                if attempt(at)? {
                    return Ok(true);
                }
            }
        } else if self.encoding.is_single_byte() || self.encoding == Encoding::Utf8 {
            for at in (end..=start).rev().filter(|&at| self.is_utf8_boundary(haystack, at)) {
                if attempt(at)? {
                    return Ok(true);
                }
            }
        } else {
            // In these encodings character boundaries are only found from the start.
            let positions: Vec<usize> = self.positions(haystack, 0, start).filter(|&at| at >= end).collect();
            for at in positions.into_iter().rev() {
                if attempt(at)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_utf8_boundary(&self, haystack: &[u8], at: usize) -> bool {
        self.encoding != Encoding::Utf8 || haystack.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)
    }

    /// The boundaries of characters from `start`, which is one, to `end`.
    fn positions<'h>(&self, haystack: &'h [u8], start: usize, end: usize) -> impl Iterator<Item = usize> + 'h {
        let encoding = self.encoding;
        std::iter::successors(Some(start), move |&at| match encoding.character(&haystack[at..]) {
            Character::Length(length) => Some(at + length),
            _ => (at < haystack.len()).then_some(at + 1),
        })
        .take_while(move |&at| at <= end)
    }

    /// One call for a range of start positions; `None` if it hit the retry limit.
    fn search_once(
        &self,
        haystack: &[u8],
        start: usize,
        range: usize,
        captures: &mut Captures,
        retries: u32,
    ) -> Result<Option<bool>, MatchError> {
        let text = EncodedBytes::from_parts(haystack, address(self.encoding));
        let regex = self.regex()?;
        REGION.with_borrow_mut(|region| {
            let option = SearchOptions::SEARCH_OPTION_NONE;
            let found = regex.search_with_param(text, start, range, option, Some(region), param(retries));
            self.take_captures(found.map(|found| found.is_some()), region, captures)
        })
    }

    /// Tries this position only.
    pub fn match_at(
        &self,
        haystack: &[u8],
        at: usize,
        captures: &mut Captures,
        check: &mut dyn FnMut(Pause) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let mut retries = MOST_RETRIES as u32;
        let regex = self.regex()?;
        loop {
            let text = EncodedBytes::from_parts(haystack, address(self.encoding));
            let outcome = REGION.with_borrow_mut(|region| {
                let option = SearchOptions::SEARCH_OPTION_NONE;
                let found = regex.match_with_param(text, at, option, Some(region), param(retries));
                self.take_captures(found.map(|found| found.is_some()), region, captures)
            })?;
            if let Some(found) = outcome {
                return Ok(found);
            }
            check(Pause::Slow)?;
            retries = retries.saturating_mul(2);
        }
    }

    /// `None` if it hit the retry limit.
    fn take_captures(
        &self,
        found: Result<bool, onig::Error>,
        region: &Region,
        captures: &mut Captures,
    ) -> Result<Option<bool>, MatchError> {
        match found {
            Ok(true) => {
                // A group in a repetition may have begun again without reaching its end: what it matched last is empty.
                let span = |group| region.pos(group).map(|(start, end)| (start.min(end), end));
                captures.fill(self.group_count() + 1, span);
                Ok(Some(true))
            }
            Ok(false) => Ok(Some(false)),
            Err(error) => match error.code() {
                onig_sys::ONIGERR_RETRY_LIMIT_IN_MATCH_OVER | onig_sys::ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER => Ok(None),
                onig_sys::ONIGERR_MATCH_STACK_LIMIT_OVER | onig_sys::ONIGERR_MEMORY => Err(MatchError::StackOverflow),
                _ => Err(MatchError::Engine(error.description().to_owned())),
            },
        }
    }
}

fn param(retries: u32) -> MatchParam {
    let mut param = MatchParam::default();
    param.set_match_stack_limit(STACK_LIMIT);
    param.set_retry_limit_in_match(retries);
    param
}

thread_local! {
    /// Oniguruma's list of spans; each thread allocates it once.
    static REGION: RefCell<Region> = RefCell::new(Region::new());
}

/// The names of a pattern's groups, as they were before its translation, in the order of their groups.
fn group_names(regex: &Regex, translated: &Names) -> Vec<GroupName> {
    let mut names = Vec::new();
    regex.foreach_name(|name, groups| {
        let groups = groups.iter().map(|&group| group as usize).collect::<Vec<_>>();
        names.push(GroupName { name: translated.original(name.as_bytes()).to_vector(), groups });
        true
    });
    names.sort_by_key(|name| name.groups.first().copied());
    names
}

fn compile(pattern: &[u8], encoding: Encoding, options: Options) -> Result<Regex, CompileError> {
    let nesting = pattern.iter().filter(|&&byte| matches!(byte, b'(' | b'[')).count();
    if nesting > DEEP_NESTING {
        on_large_stack(|| compile_here(pattern, encoding, options))
    } else {
        compile_here(pattern, encoding, options)
    }
}

fn compile_here(pattern: &[u8], encoding: Encoding, options: Options) -> Result<Regex, CompileError> {
    let mut bits = RegexOptions::REGEX_OPTION_NONE;
    bits.set(RegexOptions::REGEX_OPTION_IGNORECASE, options.ignore_case);
    bits.set(RegexOptions::REGEX_OPTION_EXTEND, options.extended);
    bits.set(RegexOptions::REGEX_OPTION_MULTILINE, options.multi_line);
    Regex::with_options_and_encoding(EncodedBytes::from_parts(pattern, address(encoding)), bits, syntax())
        .map_err(|error| CompileError::new(ruby_message(&error)))
}

/// Ruby's syntax with the Oniguruma-specific switches that `translate` writes. A compiled pattern keeps a pointer to
/// it.
fn syntax() -> &'static Syntax {
    static SYNTAX: OnceLock<Syntax> = OnceLock::new();
    SYNTAX.get_or_init(|| {
        let mut syntax = *Syntax::ruby();
        let own_switches = u64::from(onig_sys::ONIG_SYN_OP2_OPTION_ONIGURUMA) << 32;
        syntax.enable_operators(SyntaxOperator::from_bits_retain(own_switches));
        syntax
    })
}

fn ruby_message(error: &onig::Error) -> String {
    match error.code() {
        onig_sys::ONIGERR_MEMORY => "failed to allocate memory".to_owned(),
        onig_sys::ONIGERR_INVALID_IF_ELSE_SYNTAX => "invalid conditional pattern".to_owned(),
        onig_sys::ONIGERR_TOO_MANY_CAPTURES => "too many capture groups are specified".to_owned(),
        _ => error.description().to_owned(),
    }
}

/// An upper bound for the bytes that a starting thread allocates besides its stack.
const ROOM_FOR_THREAD: usize = 4 << 20;

/// Compiling recurses with the pattern's nesting, and a fiber's stack is small.
fn on_large_stack<T: Send>(work: impl FnOnce() -> Result<T, CompileError> + Send) -> Result<T, CompileError> {
    // A thread that cannot allocate at its start ends the process.
    memory::expect(COMPILE_STACK_BYTES + ROOM_FOR_THREAD);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(COMPILE_STACK_BYTES).spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            _ => Err(CompileError::new("failed to allocate memory")),
        }
    })
}

/// UTF-16 and UTF-32 patterns are handled as UTF-8 up to this point.
fn encode(pattern: &[u8], encoding: Encoding) -> Result<Vec<u8>, CompileError> {
    let text = || std::str::from_utf8(pattern).map_err(|_| CompileError::new("invalid multibyte character"));
    Ok(match encoding {
        Encoding::Utf16Be => text()?.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Encoding::Utf16Le => text()?.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf32Be => text()?.chars().flat_map(|letter| u32::from(letter).to_be_bytes()).collect(),
        Encoding::Utf32Le => text()?.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect(),
        _ => pattern.to_vector(),
    })
}

fn address(encoding: Encoding) -> OnigEncoding {
    match encoding {
        Encoding::Windows125(2) => &raw mut onig_sys::OnigEncodingISO_8859_1,
        Encoding::Ascii | Encoding::Binary | Encoding::Windows125(_) => &raw mut onig_sys::OnigEncodingASCII,
        Encoding::Utf8 => &raw mut onig_sys::OnigEncodingUTF8,
        Encoding::Utf16Be => &raw mut onig_sys::OnigEncodingUTF16_BE,
        Encoding::Utf16Le => &raw mut onig_sys::OnigEncodingUTF16_LE,
        Encoding::Utf32Be => &raw mut onig_sys::OnigEncodingUTF32_BE,
        Encoding::Utf32Le => &raw mut onig_sys::OnigEncodingUTF32_LE,
        Encoding::EucJp | Encoding::EmacsMule => &raw mut onig_sys::OnigEncodingEUC_JP,
        Encoding::EucKr => &raw mut onig_sys::OnigEncodingEUC_KR,
        Encoding::EucCn => &raw mut onig_sys::OnigEncodingEUC_CN,
        Encoding::EucTw => &raw mut onig_sys::OnigEncodingEUC_TW,
        Encoding::ShiftJis => &raw mut onig_sys::OnigEncodingSJIS,
        Encoding::Big5 => &raw mut onig_sys::OnigEncodingBIG5,
        Encoding::Gb18030 => &raw mut onig_sys::OnigEncodingGB18030,
        Encoding::Koi8R | Encoding::Koi8U => &raw mut onig_sys::OnigEncodingKOI8_R,
        Encoding::Windows1251 => &raw mut onig_sys::OnigEncodingCP1251,
        Encoding::Iso8859(part) => match part {
            2 => &raw mut onig_sys::OnigEncodingISO_8859_2,
            3 => &raw mut onig_sys::OnigEncodingISO_8859_3,
            4 => &raw mut onig_sys::OnigEncodingISO_8859_4,
            5 => &raw mut onig_sys::OnigEncodingISO_8859_5,
            6 => &raw mut onig_sys::OnigEncodingISO_8859_6,
            7 => &raw mut onig_sys::OnigEncodingISO_8859_7,
            8 => &raw mut onig_sys::OnigEncodingISO_8859_8,
            9 => &raw mut onig_sys::OnigEncodingISO_8859_9,
            10 => &raw mut onig_sys::OnigEncodingISO_8859_10,
            11 => &raw mut onig_sys::OnigEncodingISO_8859_11,
            13 => &raw mut onig_sys::OnigEncodingISO_8859_13,
            14 => &raw mut onig_sys::OnigEncodingISO_8859_14,
            15 => &raw mut onig_sys::OnigEncodingISO_8859_15,
            16 => &raw mut onig_sys::OnigEncodingISO_8859_16,
            _ => &raw mut onig_sys::OnigEncodingISO_8859_1,
        },
    }
}
