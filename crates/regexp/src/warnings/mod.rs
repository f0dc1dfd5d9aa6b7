//! Ruby's warnings about patterns that compile.
//!
//! Children: `members` (of a class), `repeat` (nested repetition).

mod members;
mod repeat;

use crate::encoding::{Character, Encoding};
use crate::options::Options;
use crate::plain::is_plain;
use crate::syntax::Switches;
use members::Members;
use repeat::{Repeat, interval};

/// A warning, worded as Ruby words it and with the pattern at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub message: String,
    /// Only given with `-w` (`$VERBOSE` is true).
    pub verbose: bool,
}

/// The warnings about a preprocessed pattern without errors.
pub(crate) fn warnings(pattern: &[u8], encoding: Encoding, switches: Switches) -> Vec<Warning> {
    let groups = vec![Group { switches, ..Group::default() }];
    let mut scanner = Scanner { pattern, at: 0, encoding, groups, duplicates: false, found: Vec::new() };
    scanner.run();
    scanner.found
}

/// Whether Ruby may warn of a pattern without `-w`: a look at its source, which compiles nothing.
pub fn may_warn(source: &[u8], encoding: Encoding, options: Options) -> bool {
    !is_plain(source, options)
        && warnings(source, encoding, Switches::new(options)).iter().any(|warning| !warning.verbose)
}

struct Scanner<'p> {
    pattern: &'p [u8],
    at: usize,
    encoding: Encoding,
    groups: Vec<Group>,
    /// Whether duplicated ranges were reported, which is done once per pattern.
    duplicates: bool,
    found: Vec<Warning>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    switches: Switches,
    /// Whether the group is `(?:…)`, which is transparent to nested repetition.
    plain: bool,
    alternatives: bool,
    items: usize,
    /// The quantifier of the last item.
    repeat: Option<Repeat>,
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        &self.pattern[self.at..]
    }

    fn warn(&mut self, what: &str, verbose: bool) {
        let message = format!("{what}: /{}/", memory::lossy_text(self.pattern));
        self.found.push(Warning { message, verbose });
    }

    fn group(&mut self) -> &mut Group {
        if self.groups.is_empty() {
            self.groups.push(Group::default());
        }
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    fn item(&mut self) {
        let group = self.group();
        group.items += 1;
        group.repeat = None;
    }

    fn run(&mut self) {
        while let Some(&byte) = self.pattern.get(self.at) {
            match byte {
                b'\\' => self.escape(),
                b'[' => {
                    self.item();
                    self.class(0);
                }
                b']' => {
                    // At the start it is usual.
                    if self.at > 0 {
                        self.warn("regular expression has ']' without escape", false);
                    }
                    self.item();
                    self.at += 1;
                }
                b'(' => self.open(),
                b')' => self.close(),
                b'|' => {
                    self.at += 1;
                    self.group().alternatives = true;
                }
                b'*' | b'+' | b'?' | b'{' => self.repeat(byte),
                byte if byte.is_ascii_whitespace() && self.group().switches.extended => self.at += 1,
                _ => {
                    self.item();
                    self.at += self.character_length();
                }
            }
        }
    }

    fn character_length(&self) -> usize {
        match self.encoding.character(self.rest()) {
            Character::Length(length) => length,
            _ => 1,
        }
    }

    fn escape(&mut self) {
        self.item();
        self.at += 1;
        let Some(&letter) = self.pattern.get(self.at) else { return };
        self.check_escape(letter, b"abcdefghknprstuvwxzABCDGHKMPRSWXZQ");
        let named =
            matches!(letter, b'k' | b'g') && self.pattern.get(self.at + 1).is_some_and(|next| b"<'".contains(next));
        self.at += self.character_length();
        if named || (matches!(letter, b'p' | b'P') && self.rest().starts_with(b"{")) {
            let end = self.rest()[1..].iter().position(|byte| b">'}".contains(byte));
            self.at += end.map_or(0, |end| end + 2);
        }
    }

    fn check_escape(&mut self, letter: u8, known: &[u8]) {
        if matches!(letter, b'p' | b'P') && self.pattern.get(self.at + 1) != Some(&b'{') {
            self.warn(&format!("invalid Unicode Property \\{}", char::from(letter)), false);
        } else if letter.is_ascii_alphabetic() && !known.contains(&letter) {
            self.warn(&format!("Unknown escape \\{} is ignored", char::from(letter)), true);
        }
    }

    fn open(&mut self) {
        let mut group = Group { switches: self.group().switches, ..Group::default() };
        if let Some(after) = self.rest().strip_prefix(b"(?") {
            group.plain = after.starts_with(b":");
            if let Some((length, switches)) = group.switches.after(after) {
                let isolated = after[length] == b')';
                self.at += 2 + length + 1;
                if isolated {
                    return self.group().switches = switches;
                }
                group.switches = switches;
                return self.groups.push(group);
            }
            let name = after.starts_with(b"<") || after.starts_with(b"'") || after.starts_with(b"(");
            let end = after.iter().skip(1).position(|byte| b">')".contains(byte));
            self.at += match end {
                Some(end) if name && !after.starts_with(b"<=") && !after.starts_with(b"<!") => 2 + end + 2,
                _ => 3,
            };
        } else {
            self.at += 1;
        }
        self.groups.push(group);
    }

    fn close(&mut self) {
        self.at += 1;
        let inner = if self.groups.len() > 1 { self.groups.pop() } else { None };
        self.item();
        if let Some(inner) = inner.filter(|inner| inner.plain && !inner.alternatives && inner.items == 1) {
            self.group().repeat = inner.repeat;
        }
    }

    /// Processes a quantifier, or a brace that is a literal.
    fn repeat(&mut self, byte: u8) {
        let (length, min, max) = match byte {
            b'*' => (1, 0, None),
            b'+' => (1, 1, None),
            b'?' => (1, 0, Some(1)),
            _ => match interval(self.rest()) {
                Some(interval) => interval,
                None => {
                    self.item();
                    self.at += 1;
                    return;
                }
            },
        };
        self.at += length;
        let lazy = self.rest().starts_with(b"?");
        let possessive = !lazy && byte != b'{' && self.rest().starts_with(b"+");
        self.at += usize::from(lazy || possessive);
        let repeat = match (min, max, lazy) {
            _ if possessive => None,
            (0, Some(1), false) => Some(Repeat::Question),
            (0, Some(1), true) => Some(Repeat::LazyQuestion),
            (0, None, false) => Some(Repeat::Star),
            (0, None, true) => Some(Repeat::LazyStar),
            (1, None, false) => Some(Repeat::Plus),
            (1, None, true) => Some(Repeat::LazyPlus),
            _ => None,
        };
        let inner = std::mem::replace(&mut self.group().repeat, repeat);
        let (Some(inner), Some(outer)) = (inner, repeat) else { return };
        match inner.nested_in(outer) {
            None => {}
            Some("") => {
                self.group().repeat = Some(inner);
                self.warn(
                    &format!("regular expression has redundant nested repeat operator '{}'", inner.name()),
                    false,
                );
            }
            Some(both) => {
                let (inner, outer) = (inner.name(), outer.name());
                let what = format!(
                    "nested repeat operator '{inner}' and '{outer}' was replaced with '{both}' in regular expression"
                );
                self.warn(&what, false);
            }
        }
    }

    /// Parses a class, at its opening bracket, and returns its members.
    fn class(&mut self, depth: usize) -> Members {
        self.at += 1;
        let negated = self.rest().starts_with(b"^");
        self.at += usize::from(negated);
        let (mut all, mut operand) = (Members::default(), Members::default());
        // The character that a `-` would make the start of a range; `Some(None)` if its number is not known.
        let mut range_start: Option<Option<char>> = None;
        let mut after_range = false;
        let mut first = true;
        while let Some(&byte) = self.pattern.get(self.at) {
            match byte {
                b']' if !first || !self.rest()[1..].contains(&b']') => {
                    self.at += 1;
                    break;
                }
                b'[' => {
                    range_start = None;
                    if let Some(set) = self.posix_bracket() {
                        self.add(&mut operand, &set);
                    } else if depth < 100 {
                        let nested = self.class(depth + 1);
                        self.check_nested(&operand, &nested);
                        operand.merge(&nested);
                    } else {
                        self.at += 1;
                    }
                }
                b'&' if self.rest().starts_with(b"&&") => {
                    self.at += 2;
                    all.merge(&std::mem::take(&mut operand));
                    (range_start, after_range) = (None, false);
                    first = false;
                    if self.rest().starts_with(b"-") && !self.rest().starts_with(b"-]") {
                        self.warn("character class has '-' without escape", false);
                    }
                    continue;
                }
                b'-' if range_start.is_some() && !self.rest().starts_with(b"-]") => {
                    self.at += 1;
                    if let (Some(low), Some(high)) = (range_start.take().flatten(), self.class_char()) {
                        // The start was added as a character of its own.
                        let from = char::from_u32(u32::from(low) + 1).unwrap_or(high);
                        if from <= high {
                            self.add(&mut operand, &Members::range(from, high));
                        }
                    }
                    after_range = true;
                    first = false;
                    continue;
                }
                _ => {
                    if byte == b']' {
                        self.warn("character class has ']' without escape", false);
                    }
                    if byte == b'-' && after_range && !self.rest().starts_with(b"-]") {
                        self.warn("character class has '-' without escape", false);
                    }
                    if let Some(set) = self.shorthand() {
                        self.add(&mut operand, &set);
                        range_start = None;
                    } else {
                        let letter = self.class_char();
                        if let Some(letter) = letter {
                            self.add(&mut operand, &Members::range(letter, letter));
                            operand.direct.push(letter);
                        }
                        range_start = Some(letter);
                    }
                }
            }
            after_range = false;
            first = false;
        }
        all.merge(&operand);
        if negated { all.complement() } else { all }
    }

    fn add(&mut self, class: &mut Members, more: &Members) {
        if class.overlaps(more) {
            self.duplicate();
        }
        class.merge(more);
    }

    fn check_nested(&mut self, outer: &Members, nested: &Members) {
        if outer.direct.iter().any(|&letter| nested.has(letter)) {
            self.duplicate();
        }
    }

    fn duplicate(&mut self) {
        if !std::mem::replace(&mut self.duplicates, true) {
            self.warn("character class has duplicated range", true);
        }
    }

    fn posix_bracket(&mut self) -> Option<Members> {
        let after = self.rest().strip_prefix(b"[:")?;
        let length = after.windows(2).take(20).position(|pair| pair == b":]")?;
        let name = std::str::from_utf8(&after[..length]).ok()?;
        let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
        let set = Members::posix(name)?;
        self.at += 2 + length + 2;
        Some(if negated { set.complement() } else { set })
    }

    /// `\w` and the like, and properties.
    fn shorthand(&mut self) -> Option<Members> {
        let letter = *self.rest().strip_prefix(b"\\")?.first()?;
        let set = match letter.to_ascii_lowercase() {
            b'w' => Members::ascii(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
            b'd' => Members::ascii(|byte| byte.is_ascii_digit()),
            b's' => Members::ascii(|byte| matches!(byte, 9..=13 | 32)),
            b'h' => Members::ascii(|byte| byte.is_ascii_hexdigit()),
            b'p' if self.pattern.get(self.at + 2) == Some(&b'{') => return self.property(letter == b'P'),
            _ => return None,
        };
        self.at += 2;
        Some(if letter.is_ascii_uppercase() { set.complement() } else { set })
    }

    fn property(&mut self, negated: bool) -> Option<Members> {
        let length = self.rest().iter().position(|&byte| byte == b'}')?;
        let name = std::str::from_utf8(&self.rest()[3..length]).ok()?.to_ascii_lowercase();
        self.at += length + 1;
        let (inverted, name) = name.strip_prefix('^').map_or((false, &name[..]), |name| (true, name));
        let set = Members::posix(name).unwrap_or_default();
        Some(if inverted != negated { set.complement() } else { set })
    }

    /// Passes a character of a class; `None` if its number is not known.
    fn class_char(&mut self) -> Option<char> {
        if !self.rest().starts_with(b"\\") {
            let length = self.character_length();
            let bytes = self.rest().get(..length)?;
            let letter = match bytes {
                [byte] => Some(char::from(*byte)),
                _ => std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()),
            };
            self.at += length;
            return letter;
        }
        self.at += 1;
        let letter = *self.pattern.get(self.at)?;
        self.check_escape(letter, b"abcdefhnprstuvwxDHMPSW");
        match letter {
            b'x' => return self.numbered(1, 2, 16),
            b'u' => return self.numbered(1, 4, 16),
            b'0'..=b'7' => return self.numbered(0, 3, 8),
            _ => {}
        }
        if letter >= 0x80 {
            return self.class_char();
        }
        self.at += 1;
        Some(char::from(match letter {
            b't' => 9,
            b'n' => 10,
            b'v' => 11,
            b'f' => 12,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'e' => 27,
            letter => letter,
        }))
    }

    /// A character by its number, which has at most `most` digits and begins after `skipped` bytes.
    fn numbered(&mut self, skipped: usize, most: usize, base: u32) -> Option<char> {
        let digits = self.rest().get(skipped..)?.iter().take(most);
        let digits = digits.map_while(|digit| char::from(*digit).to_digit(base));
        let (length, number) = digits.fold((0, 0), |(length, number), digit| (length + 1, number * base + digit));
        self.at += skipped + length;
        char::from_u32(number)
    }
}
