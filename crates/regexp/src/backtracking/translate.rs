//! Translation from Ruby's (Onigmo's) syntax to Oniguruma's.
//!
//! Everything else, including errors, is passed on unchanged: Oniguruma's error messages are the same. The differences:
//!
//! - `\w`, `\d`, `\s` and their negations are ASCII in Ruby unless `(?u)` is on, while `\b` and POSIX brackets are not.
//!   Oniguruma's switches change both together. They are translated to character classes.
//! - `(?a)`, `(?d)`, `(?u)` select among these meanings, and are removed.
//! - `\y`, `\Y`, `\o` are text segments and octal escapes in Oniguruma, letters in Ruby.
//! - `(?~|…)` is an absent stopper in Oniguruma, an alternation in Ruby. The match of an absent operator ends in
//!   Oniguruma where the absent text would begin, in Ruby before its last character; it is translated to look-ahead, if
//!   the absent text has a fixed length.
//! - Under `i`, Oniguruma does not fold properties, but folds classes.
//! - A condition may be any expression in Oniguruma, only a reference to a group in Ruby. It chooses between two
//!   alternatives at most.
//! - A look-behind may have any length in Oniguruma, except within look-behinds and groups.
//! - `{3,1}` is possessive in Oniguruma, and it allows captures in a negative look-behind: both are errors in Ruby.
//! - `[:punct:]` includes all of Unicode's symbols in Oniguruma, only ASCII's in Ruby.
//! - Oniguruma folds no letters beyond ASCII in some encodings.
//! - Names of groups may contain any character but `)` and the closing mark; Oniguruma refuses most of ASCII's.
//! - Expressions that match a position (`^`, `\b`, look-around) can be repeated in Ruby, in Oniguruma only as a group.

use super::class::{PUNCTUATION, ascii_class};
use super::fixed_length::fixed_length;
use super::fold::other_cases;
use super::look_behind::{Verdict, look_behind};
use super::names::Names;
use crate::encoding::{Character, Encoding};
use crate::error::CompileError;
use crate::syntax::{Mode, Switches};
use memory::{Grow, ToVector};
use regex_syntax::hir::{Class, ClassUnicodeRange, HirKind};

/// `pattern` is preprocessed: no comments, no multi-byte escapes.
pub(super) fn translate(
    pattern: &[u8],
    encoding: Encoding,
    switches: Switches,
) -> Result<(Vec<u8>, Features, Names), CompileError> {
    let out = memory::with_capacity(pattern.len() + 16);
    let groups = vec![Group { switches, ..Group::default() }];
    let has_names = pattern.windows(4).any(is_named_group);
    let names = if has_names { Names::new(pattern) } else { Names::default() };
    let features = Features::default();
    let mut translator = Translator {
        pattern,
        at: 0,
        encoding,
        has_names,
        names: &names,
        groups,
        left_out: 0,
        features,
        out,
        place: None,
    };
    translator.run()?;
    let Translator { out, features, .. } = translator;
    Ok((out, features, names))
}

/// Features of a pattern that affect how it is searched, and `Regexp.linear_time?`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    /// The pattern contains `\G`, the position where the search starts: the search can't be split.
    pub search_start: bool,
    /// The pattern contains `\K`: a match may begin after the position that is tried.
    pub keep: bool,
    /// The pattern contains references to groups, calls, conditions, absent operators, or groups or look-around inside
    /// of look-around.
    pub never_linear: bool,
    /// The error of a pattern that Oniguruma accepts. Its own errors come first, as Onigmo finds them while it parses.
    pub refused: Option<&'static str>,
}

pub(super) struct Translator<'p> {
    pub(super) pattern: &'p [u8],
    pub(super) at: usize,
    pub(super) encoding: Encoding,
    /// Whether there are named groups, so that plain ones don't capture.
    has_names: bool,
    names: &'p Names,
    groups: Vec<Group>,
    /// The number of the following `(?:` that are left out, because they contain all of a look-behind.
    left_out: usize,
    features: Features,
    pub(super) out: Vec<u8>,
    /// The position in `out` of the last item, if it matches a position (`^`, `\b`, look-around).
    place: Option<usize>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    switches: Switches,
    /// Whether the translation opened one group more.
    extra_close: bool,
    /// Whether the group is in a negative look-behind, in which captures are errors.
    captures_forbidden: bool,
    looks_around: bool,
    /// The position in `out` where the group begins, if it is a look-around.
    start: Option<usize>,
    /// Whether the translation leaves the group's parentheses out.
    left_out: bool,
    /// For a condition, the number of alternatives that may still begin.
    alternatives: Option<usize>,
}

pub(super) fn is_named_group(text: &[u8]) -> bool {
    matches!(text, [b'(', b'?', b'\'', ..]) || matches!(text, [b'(', b'?', b'<', next, ..] if !b"=!".contains(next))
}

impl Translator<'_> {
    pub(super) fn rest(&self) -> &[u8] {
        &self.pattern[self.at..]
    }

    pub(super) fn switches(&self) -> Switches {
        self.groups.last().map_or(Switches::default(), |group| group.switches)
    }

    fn run(&mut self) -> Result<(), CompileError> {
        while self.at < self.pattern.len() {
            let start = self.out.len();
            let place = self.place.take();
            match self.pattern[self.at] {
                b'\\' => {
                    let letter = self.pattern.get(self.at + 1);
                    self.place = letter.filter(|letter| b"bBAZzGK".contains(letter)).map(|_| start);
                    self.escape();
                }
                b'^' | b'$' => {
                    self.copy(1);
                    self.place = Some(start);
                }
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c' if self.switches().extended => {
                    self.copy(1);
                    self.place = place;
                }
                b'*' | b'+' | b'?' => {
                    self.group_place(place);
                    self.copy(1);
                }
                b'[' => self.class()?,
                b'(' if self.rest().starts_with(b"(?(") => self.condition()?,
                b'(' => self.open()?,
                b'{' => {
                    self.check_interval()?;
                    self.group_place(place.filter(|_| self.at_interval()));
                    self.copy(1);
                }
                b'|' => {
                    if let Some(left) = self.groups.last_mut().and_then(|group| group.alternatives.as_mut()) {
                        match left.checked_sub(1) {
                            Some(rest) => *left = rest,
                            None => self.features.refused = Some("invalid conditional pattern"),
                        }
                    }
                    self.copy(1);
                }
                b')' if self.groups.last().is_some_and(|group| group.left_out) => {
                    self.at += 1;
                    self.groups.pop();
                }
                b')' => {
                    self.copy(1);
                    if self.groups.len() > 1 {
                        let group = self.groups.pop();
                        self.place = group.and_then(|group| group.start);
                        if group.is_some_and(|group| group.extra_close) {
                            self.out.append_one(b')');
                        }
                    }
                }
                byte if byte >= 0x80 && self.switches().ignore_case => self.folded_character(),
                _ => self.copy_character(),
            }
        }
        Ok(())
    }

    /// Wraps the last item in a group if it matches a position, because a repetition follows.
    fn group_place(&mut self, place: Option<usize>) {
        if let Some(start) = place {
            self.out.splice(start..start, *b"(?>");
            self.out.append_one(b')');
        }
    }

    /// At `{`: whether it starts a repetition's bounds rather than being a literal.
    fn at_interval(&self) -> bool {
        let Some(length) = self.rest().iter().take(24).position(|&byte| byte == b'}') else { return false };
        let bounds = &self.rest()[1..length];
        bounds.iter().any(u8::is_ascii_digit)
            && bounds.iter().all(|byte| byte.is_ascii_digit() || *byte == b',')
            && bounds.iter().filter(|byte| **byte == b',').count() <= 1
    }

    /// Copies a condition, at `(?(`: a group's number, or its name in angle brackets or quotes.
    fn condition(&mut self) -> Result<(), CompileError> {
        let invalid = || CompileError::new("invalid conditional pattern");
        let length = self.rest().iter().position(|&byte| byte == b')').ok_or_else(invalid)?;
        let reference = &self.rest()[3..length];
        let named = matches!(reference, [b'<', .., b'>'] | [b'\'', .., b'\'']);
        if !named && (reference.is_empty() || !reference.iter().all(u8::is_ascii_digit)) {
            return Err(invalid());
        }
        self.features.never_linear = true;
        self.groups.push(Group { alternatives: Some(1), ..self.inner_group() });
        if self.renamed(3, true) {
            self.copy(1);
        } else {
            self.copy(length + 1);
        }
        Ok(())
    }

    fn inner_group(&self) -> Group {
        let outer = self.groups.last().copied();
        let outer = outer.unwrap_or_default();
        Group { extra_close: false, start: None, left_out: false, alternatives: None, ..outer }
    }

    /// At `{`: an error for an interval that Ruby rejects but Oniguruma accepts.
    fn check_interval(&self) -> Result<(), CompileError> {
        let number = |digits: &[u8]| {
            let digits = Some(digits).filter(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
            std::str::from_utf8(digits?).ok()?.parse::<u64>().ok()
        };
        let bounds = || {
            let length = self.rest().iter().take(24).position(|&byte| byte == b'}')?;
            let inside = &self.rest()[1..length];
            let comma = inside.iter().position(|&byte| byte == b',')?;
            Some((number(&inside[..comma])?, number(&inside[comma + 1..])?))
        };
        match bounds() {
            Some((low, high)) if low > high && low <= 100_000 => {
                Err(CompileError::new("upper is smaller than lower in repeat range"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn copy(&mut self, length: usize) {
        let end = (self.at + length).min(self.pattern.len());
        self.out.append_slice(&self.pattern[self.at..end]);
        self.at = end;
    }

    pub(super) fn copy_character(&mut self) {
        match self.encoding.character(self.rest()) {
            Character::Length(length) => self.copy(length),
            _ => self.copy(1),
        }
    }

    /// Copies a letter beyond ASCII under `i`, as a class with its other cases if Oniguruma does not fold it.
    fn folded_character(&mut self) {
        let (start, from) = (self.out.len(), self.at);
        self.copy_character();
        let letter = &self.pattern[from..self.at];
        let others = other_cases(self.encoding, letter, letter);
        if !others.is_empty() {
            self.out.insert(start, b'[');
            self.out.append_slice(&others);
            self.out.append_one(b']');
        }
    }

    /// Copies `before` bytes and the replacement of a refused group name after them, with its marks. False if no such
    /// name follows.
    fn renamed(&mut self, before: usize, has_level: bool) -> bool {
        let Some((length, name)) = self.names.at(&self.rest()[before..], has_level) else { return false };
        self.copy(before + 1);
        self.out.append_slice(&name);
        self.at += length - 2;
        self.copy(1);
        true
    }

    /// Translates an escape, at a backslash outside of a class.
    fn escape(&mut self) {
        let Some(&letter) = self.pattern.get(self.at + 1) else { return self.copy(1) };
        let switches = self.switches();
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' if switches.mode != Mode::Unicode => {
                let (items, negated) = ascii_class(letter);
                let fold = switches.ignore_case && matches!(letter, b'w' | b'W');
                self.out.append_slice(if fold { b"(?-i:[" } else { b"[" });
                if negated {
                    self.out.append_one(b'^');
                }
                self.out.append_slice(items);
                self.out.append_slice(if fold { b"])" } else { b"]" });
                self.at += 2;
            }
            b'b' | b'B' if switches.mode == Mode::Ascii => {
                self.out.append_slice(b"(?W:");
                self.copy(2);
                self.out.append_one(b')');
            }
            b'y' | b'Y' | b'o' => {
                self.out.append_one(letter);
                self.at += 2;
            }
            b'p' | b'P' if self.property(switches.ignore_case) => {}
            _ => {
                self.features.search_start |= letter == b'G';
                self.features.keep |= letter == b'K';
                self.features.never_linear |= matches!(letter, b'1'..=b'9' | b'k' | b'g');
                if !(matches!(letter, b'k' | b'g') && self.renamed(2, letter == b'k')) {
                    self.copy(1);
                    self.copy_character();
                }
            }
        }
    }

    /// Translates `\p{…}` to a class if it is to be folded or has another name in Oniguruma; otherwise returns false
    /// and does nothing.
    pub(super) fn property(&mut self, fold: bool) -> bool {
        let length = self.rest().iter().position(|&byte| byte == b'}');
        let Some(length) = length.filter(|_| self.pattern.get(self.at + 2) == Some(&b'{')) else { return false };
        let property = &self.pattern[self.at + 3..self.at + length];
        let (inverted, name) = property.strip_prefix(b"^").map_or((false, property), |name| (true, name));
        let negated = inverted != (self.pattern[self.at + 1] == b'P');
        let plain: Vec<u8> = name.iter().filter(|byte| !b" _-".contains(byte)).map(u8::to_ascii_lowercase).collect();
        if let Some(version) = plain.strip_prefix(b"age=").filter(|_| self.encoding.is_unicode()) {
            let Some(set) = assigned_in(version, negated) else { return false };
            self.at += length + 1;
            self.push_set(&set, false);
            return true;
        }
        let set = match &plain[..] {
            b"xposixpunct" if self.encoding.is_unicode() => PUNCTUATION.to_vector(),
            b"word" if self.encoding.is_unicode() => b"[:word:]".to_vector(),
            _ => match self.known_property(name) {
                known if fold || known != name => [b"\\p{", known, b"}"].concat(),
                _ => return false,
            },
        };
        self.at += length + 1;
        self.push_set(&set, negated);
        true
    }

    /// A property's name as Oniguruma spells it: outside of Unicode, case matters to it.
    fn known_property<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        const NAMES: [&str; 20] = [
            "Alnum", "Alpha", "Blank", "Cntrl", "Digit", "Graph", "Lower", "Print", "Punct", "Space", "Upper",
            "XDigit", "ASCII", "Word", "Hiragana", "Katakana", "Han", "Latin", "Greek", "Cyrillic",
        ];
        if self.encoding.is_unicode() {
            return name;
        }
        let known = NAMES.iter().map(|known| known.as_bytes()).find(|known| known.eq_ignore_ascii_case(name));
        known.unwrap_or(name)
    }

    /// At `(?~`: an equivalent look-ahead, if the absent text has a fixed length.
    fn absent(&mut self) -> Result<bool, CompileError> {
        let start = self.at + 3;
        let Some((body, length)) = fixed_length(&self.pattern[start..], self.encoding, self.switches()) else {
            return Ok(false);
        };
        let absent = &self.pattern[start..start + body];
        let mut inner = Translator {
            pattern: absent,
            at: 0,
            out: Vec::new(),
            groups: vec![self.inner_group()],
            left_out: 0,
            ..*self
        };
        inner.run()?;
        let absent = inner.out;
        self.at = start + body + 1;
        for part in [&b"(?:(?:(?!"[..], &absent, b")(?m:.))*"] {
            self.out.append_slice(part);
        }
        if length > 1 {
            for part in [&b"(?:(?="[..], &absent, format!(")(?m:.){{1,{}}})?", length - 1).as_bytes()] {
                self.out.append_slice(part);
            }
        }
        self.out.append_one(b')');
        Ok(true)
    }

    /// Translates the start of a group, at an opening parenthesis.
    fn open(&mut self) -> Result<(), CompileError> {
        let mut group = self.inner_group();
        if self.left_out > 0 && self.rest().starts_with(b"(?:") {
            self.left_out -= 1;
            self.at += 3;
            self.groups.push(Group { left_out: true, ..group });
            return Ok(());
        }
        if self.rest() == b"(?~" {
            return Err(CompileError::new("end pattern with unmatched parenthesis"));
        }
        if self.rest().starts_with(b"(?)") || matches!(self.rest(), [b'(', b'?', b'W' | b'D' | b'S' | b'P', ..]) {
            return Err(CompileError::new("undefined group option"));
        }
        let named = is_named_group(self.rest());
        let captures = named || (!self.has_names && !self.rest().starts_with(b"(?"));
        if group.captures_forbidden && captures {
            return Err(CompileError::new("invalid pattern in look-behind"));
        }
        self.features.never_linear |= (group.looks_around && captures) || self.rest().starts_with(b"(?~");
        if self.rest().starts_with(b"(?~") && self.absent()? {
            return Ok(());
        }
        if self.rest().starts_with(b"(?~|") {
            self.out.append_slice(b"(?~(?:|");
            self.at += 4;
            group.extra_close = true;
        } else if !self.rest().starts_with(b"(?") {
            self.copy(1);
        } else if let Some((length, switches)) = self.switches().after(&self.pattern[self.at + 2..]) {
            let isolated = self.pattern[self.at + 2 + length] == b')';
            self.at += 2 + length + 1;
            self.push_switches(switches, isolated);
            if isolated {
                if let Some(current) = self.groups.last_mut() {
                    current.switches = switches;
                }
                return Ok(());
            }
            group.switches = switches;
        } else {
            // `(?=`, `(?<name>`, …: the rest after the mark is copied later.
            group.captures_forbidden |= self.rest().starts_with(b"(?<!");
            let looks_around = [&b"(?="[..], b"(?!", b"(?<=", b"(?<!"].iter().any(|mark| self.rest().starts_with(mark));
            self.features.never_linear |= looks_around && group.looks_around;
            group.looks_around |= looks_around;
            group.start = looks_around.then_some(self.out.len());
            if self.rest().starts_with(b"(?<=") || self.rest().starts_with(b"(?<!") {
                self.check_look_behind();
            }
            if !(named && self.renamed(2, false)) {
                self.copy(3);
            }
        }
        self.groups.push(group);
        Ok(())
    }

    /// At a look-behind: compares with what Onigmo allows.
    fn check_look_behind(&mut self) {
        match look_behind(&self.rest()[4..], self.encoding, self.switches(), self.has_names) {
            Verdict::Unchanged => {}
            Verdict::Invalid => self.features.refused = Some("invalid pattern in look-behind"),
            Verdict::Wrapped(groups) => self.left_out = groups,
        }
    }

    fn push_switches(&mut self, switches: Switches, isolated: bool) {
        let letters = [(b'm', switches.multi_line), (b'i', switches.ignore_case), (b'x', switches.extended)];
        self.out.append_slice(b"(?");
        self.out.extend(letters.iter().filter(|(_, on)| *on).map(|(letter, _)| letter));
        if letters.iter().any(|(_, on)| !on) {
            self.out.append_one(b'-');
            self.out.extend(letters.iter().filter(|(_, on)| !on).map(|(letter, _)| letter));
        }
        self.out.append_one(if isolated { b')' } else { b':' });
    }
}
/// The items of a class for `\p{age=…}`: the characters of a version of Unicode, or all others.
fn assigned_in(version: &[u8], negated: bool) -> Option<Vec<u8>> {
    let version =
        std::str::from_utf8(version).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit() || b == b'.'))?;
    let HirKind::Class(Class::Unicode(mut class)) =
        regex_syntax::parse(&format!("\\p{{age={version}}}")).ok()?.into_kind()
    else {
        return None;
    };
    if negated {
        class.negate();
    }
    let item = |range: &ClassUnicodeRange| format!("\\x{{{:x}}}-\\x{{{:x}}}", range.start() as u32, range.end() as u32);
    Some(class.ranges().iter().map(item).collect::<String>().into_bytes())
}
