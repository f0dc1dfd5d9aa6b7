//! tr and tr_s.

use memory::Grow;
use std::collections::HashMap;

use super::next_code;
use super::parse::{CharSetError, Span, following, parse, spans};
use crate::encoding::{EncodingId, encode_codepoint};

/// The mapping of `tr`.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Targets of code points below 256; `SAME` leaves the character unchanged.
    low: [u32; 256],
    rest: Rest,
}

/// Not a code point.
const SAME: u32 = u32::MAX;

/// Targets of code points from 256 on.
#[derive(Clone, Debug)]
enum Rest {
    /// Later rules win over earlier ones; single characters have their own table.
    Rules { singles: HashMap<u32, (usize, u32)>, spans: Vec<(usize, Rule)> },
    /// All characters outside these spans become one character.
    AllBut(Vec<Span>, u32),
}

/// `span` maps to consecutive characters from `target` on, or entirely to `target`.
#[derive(Clone, Copy, Debug)]
struct Rule {
    span: Span,
    target: u32,
    constant: bool,
}

impl Rule {
    fn apply(&self, code: u32) -> Option<u32> {
        if !(self.span.first..=self.span.last).contains(&code) {
            None
        } else if self.constant {
            Some(self.target)
        } else {
            Some(self.target + (code - self.span.first))
        }
    }
}

impl Translation {
    /// The mapping of `tr(from, to)`, both in text of `encoding`. The caller handles the special cases: an empty `to`
    /// means `delete(from)`, and an empty string is returned unchanged before errors are detected.
    pub fn new(encoding: EncodingId, from: &[u8], to: &[u8]) -> Result<Translation, CharSetError> {
        let (from, negated) = parse(encoding, from)?;
        let (to, error) = spans(encoding, to);
        let last = to.last().map_or(0, |span| span.last);
        if negated {
            if let Some(error) = error {
                return Err(error);
            }
            let mut low = [last; 256];
            for span in from.iter().filter(|span| span.first < 256) {
                low[span.first as usize..=span.last.min(255) as usize].fill(SAME);
            }
            return Ok(Translation { low, rest: Rest::AllBut(from, last) });
        }
        let rules = rules(encoding, &from, &to, last, error)?;
        let mut low = [SAME; 256];
        for rule in rules.iter().filter(|rule| rule.span.first < 256) {
            for code in rule.span.first..=rule.span.last.min(255) {
                low[code as usize] = rule.apply(code).unwrap_or(SAME);
            }
        }
        let (mut singles, mut spans) = (HashMap::new(), Vec::new());
        for (order, rule) in rules.into_iter().enumerate() {
            if rule.span.last < 256 {
                continue;
            }
            if rule.span.first == rule.span.last {
                singles.insert(rule.span.first, (order, rule.target));
            } else {
                spans.append_one((order, rule));
            }
        }
        Ok(Translation { low, rest: Rest::Rules { singles, spans } })
    }

    /// The target of the character; `None` if it stays unchanged.
    #[inline]
    pub fn apply(&self, code: u32) -> Option<u32> {
        if let Some(&found) = self.low.get(code as usize) {
            return (found != SAME).then_some(found);
        }
        match &self.rest {
            Rest::AllBut(spans, target) => {
                let listed = spans.iter().any(|span| (span.first..=span.last).contains(&code));
                (!listed).then_some(*target)
            }
            Rest::Rules { singles, spans } => {
                let ranged =
                    spans.iter().rev().find_map(|(order, rule)| rule.apply(code).map(|target| (*order, target)));
                let single = singles.get(&code).copied();
                single.max(ranged).map(|(_, target)| target)
            }
        }
    }
}

/// Pairs the characters of both sides in order. If the right side is shorter, its last character repeats. An error on
/// the right is reported only if the left has a character for that place.
fn rules(
    encoding: EncodingId,
    from: &[Span],
    to: &[Span],
    last: u32,
    error: Option<CharSetError>,
) -> Result<Vec<Rule>, CharSetError> {
    let contiguous = encoding.is_unicode() || encoding.is_single_byte();
    let mut rules: Vec<Rule> = Vec::new();
    let mut targets = to.iter().copied();
    let mut target = targets.next();
    for span in from {
        let mut left = Some(*span);
        while let Some(source) = left {
            let Some(into) = target else {
                if let Some(error) = error {
                    return Err(error);
                }
                rules.append_one(Rule { span: source, target: last, constant: true });
                break;
            };
            let most = (source.last - source.first).min(into.last - into.first);
            let step = if contiguous { most } else { 0 };
            let taken = Span { first: source.first, last: source.first + step };
            rules.append_one(Rule { span: taken, target: into.first, constant: false });
            left = after(encoding, source, taken.last);
            target = after(encoding, into, into.first + step).or_else(|| targets.next());
        }
    }
    Ok(rules)
}

/// The part of a span after one of its code points.
fn after(encoding: EncodingId, span: Span, code: u32) -> Option<Span> {
    let first = following(encoding, code).filter(|&next| next <= span.last)?;
    Some(Span { first, last: span.last })
}

/// The length of the longest characters of all encodings, in bytes.
const LONGEST: usize = 8;

/// `String#tr`, with `squeezed` `String#tr_s`; `None` if no character is translated. Code points that are no characters
/// (they can only come from ranges) stay untranslated.
pub fn translate(
    encoding: EncodingId,
    bytes: &[u8],
    translation: &Translation,
    squeezed: bool,
) -> Result<Option<Vec<u8>>, CharSetError> {
    let mut out = memory::with_capacity(bytes.len());
    let (mut rest, mut before, mut changed) = (bytes, None, false);
    let has_ascii = encoding.is_ascii_compatible();
    while let Some(&first) = rest.first() {
        if has_ascii && first < 0x80 {
            // A character of one byte, which most often becomes another one.
            let target = translation.low[usize::from(first)];
            if target == SAME || target < 0x80 {
                let is_same = target == SAME;
                if is_same || !squeezed || before != Some(target) {
                    out.append_one(if is_same { first } else { target as u8 });
                }
                changed |= !is_same;
                before = (!is_same).then_some(target);
                rest = &rest[1..];
                continue;
            }
        }
        let (code, len) = next_code(encoding, rest)?;
        memory::reserve(&mut out, len.max(LONGEST));
        let target = translation.apply(code);
        match target {
            Some(target) if squeezed && before == Some(target) => changed = true,
            Some(target) if encode_codepoint(encoding, target, &mut out).is_ok() => changed = true,
            _ => out.append_slice(&rest[..len]),
        }
        before = target;
        rest = &rest[len..];
    }
    Ok(changed.then_some(out))
}

impl Translation {
    /// Whether every single byte that is translated becomes ASCII.
    pub fn is_ascii(&self) -> bool {
        self.low.iter().all(|&target| target == SAME || target < 0x80)
    }

    /// The index of the first of these bytes, each of which is a character, that is translated.
    pub fn first_in(&self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|&byte| self.low[usize::from(byte)] != SAME)
    }

    /// Translates bytes, each of which is a character, to ASCII.
    pub fn apply_to(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let target = self.low[usize::from(*byte)];
            *byte = if target == SAME { *byte } else { target as u8 };
        }
    }
}

/// `translate` for strings in which every byte is a character and whose translated characters are ASCII; `Err`
/// otherwise. `None` if no character is translated.
pub fn translate_bytes(bytes: &[u8], translation: &Translation, squeezed: bool) -> Result<Option<Vec<u8>>, NotAscii> {
    let Some(first) = bytes.iter().position(|&byte| translation.low[usize::from(byte)] != SAME) else {
        return Ok(None);
    };
    let mut out = memory::copy(bytes);
    // The bitwise or of all targets: 0x80 or more if one of them is not ASCII.
    let mut targets = 0;
    if !squeezed {
        for byte in &mut out[first..] {
            let target = translation.low[usize::from(*byte)];
            let new = if target == SAME { u32::from(*byte) } else { target };
            targets |= if target == SAME { 0 } else { target };
            *byte = new as u8;
        }
        return if targets < 0x80 { Ok(Some(out)) } else { Err(NotAscii) };
    }
    let (mut kept, mut before) = (first, SAME);
    for &byte in &bytes[first..] {
        let target = translation.low[usize::from(byte)];
        if target == SAME {
            out[kept] = byte;
            kept += 1;
        } else {
            targets |= target;
            out[kept] = target as u8;
            kept += usize::from(target != before);
        }
        before = target;
    }
    out.truncate(kept);
    if targets < 0x80 { Ok(Some(out)) } else { Err(NotAscii) }
}

/// A character would become a non-ASCII one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAscii;
