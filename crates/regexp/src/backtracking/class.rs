//! Character classes, for [`Translator`].

use memory::{Grow, ToVector};
use std::ops::Range;

use super::fold::other_cases;
use super::translate::Translator;
use crate::encoding::Encoding;
use crate::error::CompileError;
use crate::syntax::Mode;

/// The longest name that is looked for in `[:name:]`.
const LONGEST_NAME: usize = 20;

/// `[:punct:]`: Unicode's punctuation, and ASCII's symbols only.
pub(super) const PUNCTUATION: &[u8] = b"\\p{Punctuation}$+<=>^`|~";

impl Translator<'_> {
    /// Translates a class, starting at an opening bracket outside of a class; includes nested classes.
    pub(super) fn class(&mut self) -> Result<(), CompileError> {
        let mode = self.switches().mode;
        let mut depth = 0;
        let mut before = Item::None;
        let (start, out_start) = (self.at, self.out.len());
        // The last item, if it is a literal character.
        let mut last = 0..0;
        while self.at < self.pattern.len() {
            before = match self.pattern[self.at] {
                b'[' if self.is_literal_bracket(depth) => {
                    self.out.append_slice(b"\\[");
                    self.at += 1;
                    Item::Value
                }
                b'[' => match self.posix_bracket(mode, depth) {
                    true => self.after_set(before)?,
                    false => {
                        depth += 1;
                        self.open_class();
                        Item::None
                    }
                },
                b']' => {
                    self.copy(1);
                    depth -= 1;
                    if depth == 0 {
                        if self.switches().ignore_case && has_all_cases(&self.pattern[start..self.at], mode) {
                            self.out.splice(out_start..out_start, *b"(?-i:");
                            self.out.append_one(b')');
                        }
                        return Ok(());
                    }
                    Item::None
                }
                b'\\' => self.class_escape(mode, before)?,
                b'-' => {
                    self.copy(1);
                    if before == Item::Value { Item::RangeStart } else { Item::None }
                }
                b'&' if self.rest().starts_with(b"&&") => {
                    self.copy(2);
                    Item::None
                }
                _ => {
                    let at = self.at;
                    self.copy_character();
                    let first = if before == Item::RangeStart { last } else { at..self.at };
                    last = at..self.at;
                    self.push_other_cases(first, at..self.at);
                    before.then_value()
                }
            };
        }
        Ok(())
    }

    /// Adds the other cases of the letters of a range that was copied, or of one letter if `first` and `last` are the
    /// same; does nothing for a letter that begins a range.
    fn push_other_cases(&mut self, first: Range<usize>, last: Range<usize>) {
        let ends = [&self.pattern[first], &self.pattern[last]];
        let begins_range = self.rest().starts_with(b"-") && !self.rest().starts_with(b"-]");
        if self.switches().ignore_case && ends[1].first().is_some_and(|byte| *byte >= 0x80) && !begins_range {
            let others = other_cases(self.encoding, ends[0], ends[1]);
            self.out.append_slice(&others);
        }
    }

    fn open_class(&mut self) {
        self.copy(1);
        if self.rest().starts_with(b"^") {
            self.copy(1);
        }
        // A bracket in first position is a literal character, if another bracket closes the class.
        if self.rest().starts_with(b"]") && self.rest()[1..].contains(&b']') {
            self.copy(1);
        }
    }

    fn class_escape(&mut self, mode: Mode, before: Item) -> Result<Item, CompileError> {
        let Some(&letter) = self.pattern.get(self.at + 1) else {
            self.copy(1);
            return Ok(before);
        };
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' if mode != Mode::Unicode && before != Item::RangeStart => {
                let (mut items, negated) = ascii_class(letter);
                if letter == b'W' && self.switches().ignore_case && self.encoding == Encoding::Utf8 {
                    // Without the two letters that fold to ASCII letters: they are not members.
                    items = "0-9A-Z_a-zſ\u{212a}".as_bytes();
                }
                self.at += 2;
                self.push_set(items, negated);
                self.after_set(before)
            }
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => {
                self.copy(2);
                self.after_set(before)
            }
            b'p' | b'P' if self.pattern.get(self.at + 2) == Some(&b'{') => {
                if !self.property(false) {
                    let length = self.rest().iter().position(|&byte| byte == b'}').unwrap_or(2);
                    self.copy(length + 1);
                }
                self.after_set(before)
            }
            b'o' => {
                self.out.append_one(letter);
                self.at += 2;
                Ok(before.then_value())
            }
            b'x' => {
                self.copy(4);
                Ok(before.then_value())
            }
            _ => {
                self.copy(1);
                self.copy_character();
                Ok(before.then_value())
            }
        }
    }

    /// A set cannot start a range: a hyphen after it must be the last character of its operand.
    fn after_set(&mut self, before: Item) -> Result<Item, CompileError> {
        let hyphen_is_last = self.rest().starts_with(b"-]") || self.rest().starts_with(b"-&&");
        if self.rest().starts_with(b"-") && !hyphen_is_last && before != Item::RangeStart {
            return Err(CompileError::new("unmatched range specifier in char-class"));
        }
        if hyphen_is_last {
            self.out.append_slice(b"\\-");
            self.at += 1;
        }
        Ok(Item::None)
    }

    pub(super) fn push_set(&mut self, items: &[u8], negated: bool) {
        self.out.append_slice(if negated { b"[^" } else { b"[" });
        self.out.append_slice(items);
        self.out.append_one(b']');
    }

    /// Whether `[:` comes next with a name longer than those of classes: the bracket stands for itself then.
    fn is_literal_bracket(&self, depth: usize) -> bool {
        let Some(name) = self.rest().strip_prefix(b"[:").filter(|_| depth > 0) else { return false };
        let name = name.strip_prefix(b"^").unwrap_or(name);
        let end = name.iter().position(|&byte| byte == b':' || byte == b']');
        end.is_some_and(|end| end > LONGEST_NAME && name[end..].starts_with(b":]"))
    }

    /// Copies `[:name:]`, translated if necessary; false if it does not come next.
    fn posix_bracket(&mut self, mode: Mode, depth: usize) -> bool {
        let Some(name) = self.rest().strip_prefix(b"[:").filter(|_| depth > 0) else { return false };
        let (negated, name) = name.strip_prefix(b"^").map_or((false, name), |name| (true, name));
        let Some(length) = name.windows(2).take(LONGEST_NAME).position(|pair| pair == b":]") else { return false };
        let name = name[..length].to_vector();
        let whole = 2 + usize::from(negated) + length + 2;
        match posix_ascii(&name) {
            Some(items) if mode == Mode::Ascii => {
                self.at += whole;
                self.push_set(items, negated);
            }
            _ if name == b"punct" && self.encoding.is_unicode() => {
                self.at += whole;
                self.push_set(PUNCTUATION, negated);
            }
            _ => self.copy(whole),
        }
        true
    }
}

/// Whether folding a class could add only letters beyond ASCII that fold to ASCII letters, and which `\w` and similar
/// classes do not contain. This is true if the class names no letters, or only ASCII letters together with all of `\w`.
fn has_all_cases(class: &[u8], mode: Mode) -> bool {
    if mode == Mode::Unicode || !class.is_ascii() || class.windows(2).any(|pair| pair == b"[:") {
        return false;
    }
    let (mut letters, mut words, mut others) = (false, false, false);
    let mut rest = class;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            letters |= byte.is_ascii_alphabetic();
            continue;
        }
        match after.first() {
            Some(b'w') => words = true,
            Some(b'd' | b's' | b'h') => {}
            Some(b'W' | b'D' | b'S' | b'H') => others = true,
            Some(letter) if letter.is_ascii_alphanumeric() => return false,
            _ => {}
        }
        rest = after.get(1..).unwrap_or_default();
    }
    let nested = class[1..].contains(&b'[') || class.windows(2).any(|pair| pair == b"&&");
    !letters || (words && !others && !nested)
}

/// The kind of item before a position in a class, as far as ranges are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    /// An item that cannot start a range.
    None,
    Value,
    /// A value and a hyphen.
    RangeStart,
}

impl Item {
    fn then_value(self) -> Item {
        if self == Item::RangeStart { Item::None } else { Item::Value }
    }
}

/// The items of a class for `\w` and the like, and whether the class is to be negated.
pub(super) fn ascii_class(letter: u8) -> (&'static [u8], bool) {
    let items: &[u8] = match letter.to_ascii_lowercase() {
        b'w' => b"0-9A-Z_a-z",
        b'd' => b"0-9",
        _ => b"\\x09-\\x0d\\x20",
    };
    (items, letter.is_ascii_uppercase())
}

fn posix_ascii(name: &[u8]) -> Option<&'static [u8]> {
    Some(match name {
        b"alnum" => b"0-9A-Za-z",
        b"alpha" => b"A-Za-z",
        b"ascii" => b"\\x00-\\x7f",
        b"blank" => b"\\x09\\x20",
        b"cntrl" => b"\\x00-\\x1f\\x7f",
        b"digit" => b"0-9",
        b"graph" => b"\\x21-\\x7e",
        b"lower" => b"a-z",
        b"print" => b"\\x20-\\x7e",
        b"punct" => b"\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
        b"space" => b"\\x09-\\x0d\\x20",
        b"upper" => b"A-Z",
        b"xdigit" => b"0-9A-Fa-f",
        b"word" => b"0-9A-Z_a-z",
        _ => return None,
    })
}
