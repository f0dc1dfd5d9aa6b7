//! From Ruby's (Onigmo's) syntax to Oniguruma's, where the two differ.
//!
//! Whatever needs no translation, errors included, is passed on as it is: Oniguruma reports them in the same words.
//! What is translated:
//!
//! - `\w`, `\d`, `\s` and their negations are ASCII unless `(?u)` is on, while `\b` and POSIX brackets are not:
//!   Oniguruma has only switches that change both. They become character classes.
//! - `(?a)`, `(?d)`, `(?u)` select among these meanings, and go away.
//! - `\y`, `\Y`, `\o` are text segments and octal escapes there, letters here.
//! - `(?~|…)` is an absent stopper there, an alternation here.
//! - A condition may be any expression there, a reference to a group only here.
//! - `{3,1}` is possessive there, and groups may capture in a negative look-behind: errors here.
//! - `[:punct:]` has all of Unicode's symbols there, ASCII's only here.

use crate::encoding::{Character, Encoding};
use crate::error::CompileError;
use crate::syntax::{Mode, Switches};

/// `pattern` is preprocessed: no comments, no multi-byte escapes.
pub(super) fn translate(
    pattern: &[u8],
    encoding: Encoding,
    switches: Switches,
) -> Result<(Vec<u8>, Features), CompileError> {
    let out = Vec::with_capacity(pattern.len() + 16);
    let groups = vec![Group { switches, extra_close: false, captures_forbidden: false, looks_around: false }];
    let has_names = pattern.windows(4).any(is_named_group);
    let mut translator = Translator { pattern, at: 0, encoding, has_names, groups, features: Features::default(), out };
    translator.run()?;
    Ok((translator.out, translator.features))
}

/// What a pattern has that matters to how it is searched, and to `Regexp.linear_time?`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Features {
    /// `\G` is the position where a search starts, so that its searches can't be cut.
    pub search_start: bool,
    /// References to groups, calls, conditions, absent operators, and groups or look-around inside of look-around.
    pub never_linear: bool,
}

struct Translator<'p> {
    pattern: &'p [u8],
    at: usize,
    encoding: Encoding,
    /// There are named groups, so that plain ones don't capture.
    has_names: bool,
    groups: Vec<Group>,
    features: Features,
    out: Vec<u8>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    switches: Switches,
    /// The translation opened one group more.
    extra_close: bool,
    /// In a negative look-behind.
    captures_forbidden: bool,
    looks_around: bool,
}

fn is_named_group(text: &[u8]) -> bool {
    matches!(text, [b'(', b'?', b'\'', ..]) || matches!(text, [b'(', b'?', b'<', next, ..] if !b"=!".contains(next))
}

impl Translator<'_> {
    fn rest(&self) -> &[u8] {
        &self.pattern[self.at..]
    }

    fn switches(&self) -> Switches {
        self.groups.last().map_or(Switches::default(), |group| group.switches)
    }

    fn run(&mut self) -> Result<(), CompileError> {
        while self.at < self.pattern.len() {
            match self.pattern[self.at] {
                b'\\' => self.escape(),
                b'[' => self.class()?,
                b'(' if self.rest().starts_with(b"(?(") => self.condition()?,
                b'(' => self.open()?,
                b'{' => {
                    self.check_interval()?;
                    self.copy(1);
                }
                b')' => {
                    self.copy(1);
                    if self.groups.len() > 1 {
                        let group = self.groups.pop();
                        if group.is_some_and(|group| group.extra_close) {
                            self.out.push(b')');
                        }
                    }
                }
                _ => self.copy_character(),
            }
        }
        Ok(())
    }

    /// At `(?(`: a group's number, or its name in angle brackets or quotes.
    fn condition(&mut self) -> Result<(), CompileError> {
        let invalid = || CompileError::new("invalid conditional pattern");
        let length = self.rest().iter().position(|&byte| byte == b')').ok_or_else(invalid)?;
        let reference = &self.rest()[3..length];
        let named = matches!(reference, [b'<', .., b'>'] | [b'\'', .., b'\'']);
        if !named && (reference.is_empty() || !reference.iter().all(u8::is_ascii_digit)) {
            return Err(invalid());
        }
        self.features.never_linear = true;
        self.groups.push(self.inner_group());
        self.copy(length + 1);
        Ok(())
    }

    fn inner_group(&self) -> Group {
        let outer = self.groups.last().copied();
        let outer = outer.unwrap_or_default();
        Group { extra_close: false, ..outer }
    }

    /// At `{`.
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

    fn copy(&mut self, length: usize) {
        let end = (self.at + length).min(self.pattern.len());
        self.out.extend_from_slice(&self.pattern[self.at..end]);
        self.at = end;
    }

    fn copy_character(&mut self) {
        match self.encoding.character(self.rest()) {
            Character::Length(length) => self.copy(length),
            _ => self.copy(1),
        }
    }

    /// At a backslash outside of a class.
    fn escape(&mut self) {
        let Some(&letter) = self.pattern.get(self.at + 1) else { return self.copy(1) };
        let switches = self.switches();
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' if switches.mode != Mode::Unicode => {
                let (items, negated) = ascii_class(letter);
                let fold = switches.ignore_case && matches!(letter, b'w' | b'W');
                self.out.extend_from_slice(if fold { b"(?-i:[" } else { b"[" });
                if negated {
                    self.out.push(b'^');
                }
                self.out.extend_from_slice(items);
                self.out.extend_from_slice(if fold { b"])" } else { b"]" });
                self.at += 2;
            }
            b'b' | b'B' if switches.mode == Mode::Ascii => {
                self.out.extend_from_slice(b"(?W:");
                self.copy(2);
                self.out.push(b')');
            }
            b'y' | b'Y' | b'o' => {
                self.out.push(letter);
                self.at += 2;
            }
            _ => {
                self.features.search_start |= letter == b'G';
                self.features.never_linear |= matches!(letter, b'1'..=b'9' | b'k' | b'g');
                self.copy(1);
                self.copy_character();
            }
        }
    }

    /// At an opening parenthesis.
    fn open(&mut self) -> Result<(), CompileError> {
        let mut group = self.inner_group();
        let named = is_named_group(self.rest());
        let captures = named || (!self.has_names && !self.rest().starts_with(b"(?"));
        if group.captures_forbidden && captures {
            return Err(CompileError::new("invalid pattern in look-behind"));
        }
        self.features.never_linear |= (group.looks_around && captures) || self.rest().starts_with(b"(?~");
        if self.rest().starts_with(b"(?~|") {
            self.out.extend_from_slice(b"(?~(?:|");
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
            // `(?=`, `(?<name>`, …: what follows the mark is copied in its turn.
            group.captures_forbidden |= self.rest().starts_with(b"(?<!");
            let looks_around = [&b"(?="[..], b"(?!", b"(?<=", b"(?<!"].iter().any(|mark| self.rest().starts_with(mark));
            self.features.never_linear |= looks_around && group.looks_around;
            group.looks_around |= looks_around;
            self.copy(3);
        }
        self.groups.push(group);
        Ok(())
    }

    fn push_switches(&mut self, switches: Switches, isolated: bool) {
        let letters = [(b'm', switches.multi_line), (b'i', switches.ignore_case), (b'x', switches.extended)];
        self.out.extend_from_slice(b"(?");
        self.out.extend(letters.iter().filter(|(_, on)| *on).map(|(letter, _)| letter));
        if letters.iter().any(|(_, on)| !on) {
            self.out.push(b'-');
            self.out.extend(letters.iter().filter(|(_, on)| !on).map(|(letter, _)| letter));
        }
        self.out.push(if isolated { b')' } else { b':' });
    }

    /// At an opening bracket outside of a class: all of the class, nested ones included.
    fn class(&mut self) -> Result<(), CompileError> {
        let mode = self.switches().mode;
        let mut depth = 0;
        let mut before = Item::None;
        while self.at < self.pattern.len() {
            before = match self.pattern[self.at] {
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
                    self.copy_character();
                    before.then_value()
                }
            };
        }
        Ok(())
    }

    fn open_class(&mut self) {
        self.copy(1);
        if self.rest().starts_with(b"^") {
            self.copy(1);
        }
        // A bracket that comes first is a character, if another one closes the class.
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
                let (items, negated) = ascii_class(letter);
                self.at += 2;
                self.push_set(items, negated);
                self.after_set(before)
            }
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => {
                self.copy(2);
                self.after_set(before)
            }
            b'p' | b'P' if self.pattern.get(self.at + 2) == Some(&b'{') => {
                let length = self.rest().iter().position(|&byte| byte == b'}').unwrap_or(2);
                self.copy(length + 1);
                self.after_set(before)
            }
            b'o' => {
                self.out.push(letter);
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

    /// A set can't start a range: a hyphen after it must be the last thing of its operand.
    fn after_set(&mut self, before: Item) -> Result<Item, CompileError> {
        let hyphen_is_last = self.rest().starts_with(b"-]") || self.rest().starts_with(b"-&&");
        if self.rest().starts_with(b"-") && !hyphen_is_last && before != Item::RangeStart {
            return Err(CompileError::new("unmatched range specifier in char-class"));
        }
        if hyphen_is_last {
            self.out.extend_from_slice(b"\\-");
            self.at += 1;
        }
        Ok(Item::None)
    }

    fn push_set(&mut self, items: &[u8], negated: bool) {
        self.out.extend_from_slice(if negated { b"[^" } else { b"[" });
        self.out.extend_from_slice(items);
        self.out.push(b']');
    }

    /// `[:name:]`, if that is what is here; in translation where it needs one.
    fn posix_bracket(&mut self, mode: Mode, depth: usize) -> bool {
        let Some(name) = self.rest().strip_prefix(b"[:").filter(|_| depth > 0) else { return false };
        let (negated, name) = name.strip_prefix(b"^").map_or((false, name), |name| (true, name));
        let Some(length) = name.windows(2).take(20).position(|pair| pair == b":]") else { return false };
        let name = name[..length].to_vec();
        let whole = 2 + usize::from(negated) + length + 2;
        match posix_ascii(&name) {
            Some(items) if mode == Mode::Ascii => {
                self.at += whole;
                self.push_set(items, negated);
            }
            _ if name == b"punct" && self.encoding.is_unicode() => {
                self.at += whole;
                self.push_set(b"\\p{Punctuation}$+<=>^`|~", negated);
            }
            _ => self.copy(whole),
        }
        true
    }
}

/// What stands before a place in a class, as far as ranges go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    /// Nothing that a range could start with.
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
fn ascii_class(letter: u8) -> (&'static [u8], bool) {
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
