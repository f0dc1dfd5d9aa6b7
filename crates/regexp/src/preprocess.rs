//! Preprocessing of a pattern for both engines: escapes of bytes and characters become the characters they represent,
//! which also determines the pattern's encoding.

use crate::encoding::{Character, Encoding};
use crate::error::CompileError;
use memory::Grow;

/// A pattern whose `\x`, octal, control, meta and `\u` escapes are resolved if they represent non-ASCII characters
/// (ASCII ones become `\xHH`, so that `\x2A` stays a literal), without its comments.
pub(crate) struct Preprocessed {
    /// In `fixed`, or in any ASCII-compatible encoding if that is `None`.
    pub pattern: Vec<u8>,
    /// The only encoding in which the pattern can match, if its characters determine it.
    pub fixed: Option<Encoding>,
    /// Whether `\p{…}` occurred before anything determined the encoding.
    pub has_property: bool,
}

pub(crate) fn preprocess(source: &[u8], encoding: Encoding, extended: bool) -> Result<Preprocessed, CompileError> {
    let mut scanner = Scanner {
        source,
        at: 0,
        encoding,
        out: Preprocessed { pattern: memory::with_capacity(source.len()), fixed: None, has_property: false },
    };
    scanner.scan(extended)?;
    Ok(scanner.out)
}

struct Scanner<'s> {
    source: &'s [u8],
    at: usize,
    encoding: Encoding,
    out: Preprocessed,
}

fn error<T>(message: &str) -> Result<T, CompileError> {
    Err(CompileError::new(message))
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn character_length(&self) -> Result<usize, CompileError> {
        match self.encoding.character(self.rest()) {
            Character::Length(length) => Ok(length),
            _ => error("invalid multibyte character"),
        }
    }

    fn fix(&mut self, encoding: Encoding, otherwise: &str) -> Result<(), CompileError> {
        match self.out.fixed {
            None => self.out.fixed = Some(encoding),
            Some(fixed) if fixed != encoding => return error(otherwise),
            Some(_) => {}
        }
        Ok(())
    }

    fn scan(&mut self, extended: bool) -> Result<(), CompileError> {
        let mut class_depth = 0usize;
        // For each open group, whether whitespace and comments are ignored.
        let mut groups = vec![extended];
        while self.at < self.source.len() {
            let length = self.character_length()?;
            let byte = self.source[self.at];
            if length > 1 || byte >= 0x80 {
                self.copy_wide(length)?;
                continue;
            }
            self.at += 1;
            match byte {
                b'\\' => {
                    self.escape()?;
                    continue;
                }
                b'#' if class_depth == 0 && groups.last() == Some(&true) => {
                    self.skip_comment();
                    continue;
                }
                b'[' => class_depth += 1,
                b']' => class_depth = class_depth.saturating_sub(1),
                b'(' if class_depth == 0 => {
                    if self.rest().starts_with(b"?#") && self.skip_comment_group()? {
                        continue;
                    }
                    self.open_group(&mut groups);
                }
                b')' if class_depth == 0 && groups.len() > 1 => {
                    groups.pop();
                }
                _ => {}
            }
            self.out.pattern.append_one(byte);
        }
        Ok(())
    }

    fn copy_wide(&mut self, length: usize) -> Result<(), CompileError> {
        self.out.pattern.append_slice(&self.source[self.at..self.at + length]);
        self.at += length;
        self.fix(self.encoding, "non ASCII character in UTF-8 regexp")
    }

    fn skip_comment(&mut self) {
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'\n' {
                // The line end stays, because it may separate items.
                self.out.pattern.append_one(byte);
                return;
            }
            self.note_comment_byte(byte);
        }
    }

    fn note_comment_byte(&mut self, byte: u8) {
        if byte >= 0x80 && self.out.fixed.is_none() && self.encoding == Encoding::Utf8 {
            self.out.fixed = Some(Encoding::Utf8);
        }
    }

    /// Skips `?#…)`; `false` if it does not end, which then is a syntax error.
    fn skip_comment_group(&mut self) -> Result<bool, CompileError> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            match byte {
                b')' => {
                    self.at += 1;
                    return Ok(true);
                }
                b'\\' if self.at + 1 < self.source.len() => {
                    self.at += 1;
                    self.at += self.character_length()?;
                }
                _ => {
                    self.note_comment_byte(byte);
                    self.at += self.character_length()?;
                }
            }
        }
        self.at = start;
        Ok(false)
    }

    /// Tracks `x` through `(?x)`, `(?-x)` and `(?x:`, because it determines what a comment is.
    fn open_group(&self, groups: &mut Vec<bool>) {
        let outer = groups.last() == Some(&true);
        let mut extended = outer;
        if let Some(letters) = self.rest().strip_prefix(b"?") {
            let mut on = true;
            for &letter in letters {
                match letter {
                    b'x' => extended = on,
                    b'-' => on = false,
                    b'i' | b'm' | b'a' | b'd' | b'u' => {}
                    b')' => {
                        // The parenthesis that closes this group pops one level, so both levels change.
                        if let Some(current) = groups.last_mut() {
                            *current = extended;
                        }
                        groups.push(extended);
                        return;
                    }
                    b':' => {
                        groups.push(extended);
                        return;
                    }
                    _ => break,
                }
            }
        }
        groups.push(outer);
    }

    /// Processes an escape, after its backslash.
    fn escape(&mut self) -> Result<(), CompileError> {
        let Some(letter) = self.peek() else { return error("too short escape sequence") };
        let length = self.character_length()?;
        if length > 1 || letter >= 0x80 {
            self.out.pattern.append_one(b'\\');
            return self.copy_wide(length);
        }
        match letter {
            b'1'..=b'7' if self.octal_value() <= 0o177 => self.keep_escape(letter),
            b'0'..=b'7' | b'x' | b'c' | b'C' | b'M' => {
                self.at -= 1;
                return self.escaped_bytes();
            }
            b'u' => {
                self.at += 1;
                return self.unicode_escape();
            }
            b'p' | b'P' => {
                self.out.has_property |= self.out.fixed.is_none();
                self.keep_escape(letter);
            }
            _ => self.keep_escape(letter),
        }
        Ok(())
    }

    fn keep_escape(&mut self, letter: u8) {
        self.out.pattern.append_slice(&[b'\\', letter]);
        self.at += 1;
    }

    fn octal_value(&self) -> u32 {
        self.rest().iter().take(3).map_while(|&byte| (byte as char).to_digit(8)).fold(0, |sum, digit| sum * 8 + digit)
    }

    /// `\x`, octal, control and meta escapes, as many as make one character of the source's encoding.
    fn escaped_bytes(&mut self) -> Result<(), CompileError> {
        if self.encoding == Encoding::Ascii {
            let byte = self.escaped_byte()?;
            self.push_hex(byte);
            return Ok(());
        }
        let mut bytes = vec![self.escaped_byte()?];
        while bytes.len() < self.encoding.max_length() && self.encoding.character(&bytes) == Character::Incomplete {
            bytes.push(self.escaped_byte()?);
        }
        if self.encoding.character(&bytes) != Character::Length(bytes.len()) {
            return error("invalid multibyte escape");
        }
        if bytes.len() == 1 && bytes[0] < 0x80 {
            self.push_hex(bytes[0]);
            return Ok(());
        }
        self.out.pattern.append_slice(&bytes);
        self.fix(self.encoding, "escaped non ASCII character in UTF-8 regexp")
    }

    fn push_hex(&mut self, byte: u8) {
        self.out.pattern.append_slice(format!("\\x{byte:02X}").as_bytes());
    }

    fn escaped_byte(&mut self) -> Result<u8, CompileError> {
        if self.peek() != Some(b'\\') {
            return error("too short escaped multibyte character");
        }
        self.at += 1;
        let (mut meta, mut control) = (false, false);
        let code = loop {
            let Some(letter) = self.peek() else { return error("too short escape sequence") };
            self.at += 1;
            match letter {
                b'\\' => break u32::from(b'\\'),
                b'n' => break 10,
                b't' => break 9,
                b'r' => break 13,
                b'f' => break 12,
                b'v' => break 11,
                b'a' => break 7,
                b'e' => break 27,
                b'0'..=b'7' => {
                    self.at -= 1;
                    break self.digits(8, 3);
                }
                b'x' => {
                    let start = self.at;
                    let code = self.digits(16, 2);
                    if self.at == start {
                        return error("invalid hex escape");
                    }
                    break code;
                }
                b'M' => {
                    if std::mem::replace(&mut meta, true) {
                        return error("duplicate meta escape");
                    }
                    if self.peek() != Some(b'-') {
                        return error("too short meta escape");
                    }
                    self.at += 1;
                    if let Some(code) = self.prefixed("too short meta escape")? {
                        break code;
                    }
                }
                b'C' | b'c' => {
                    if letter == b'C' && self.peek() != Some(b'-') {
                        return error("too short control escape");
                    }
                    self.at += usize::from(letter == b'C');
                    if std::mem::replace(&mut control, true) {
                        return error("duplicate control escape");
                    }
                    if let Some(code) = self.prefixed("too short control escape")? {
                        break code;
                    }
                }
                _ => return error("unexpected escape sequence"),
            }
        };
        let Ok(byte) = u8::try_from(code) else { return error("invalid escape code") };
        let byte = if control { byte & 0x1f } else { byte };
        Ok(if meta { byte | 0x80 } else { byte })
    }

    /// The character after a meta or control prefix; `None` if it is an escape itself.
    fn prefixed(&mut self, otherwise: &str) -> Result<Option<u32>, CompileError> {
        match self.peek() {
            Some(byte) if byte < 0x80 => {
                self.at += 1;
                Ok((byte != b'\\').then_some(u32::from(byte)))
            }
            _ => error(otherwise),
        }
    }

    fn digits(&mut self, radix: u32, most: usize) -> u32 {
        let mut value = 0;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|byte| (byte as char).to_digit(radix)) else { break };
            value = value * radix + digit;
            self.at += 1;
        }
        value
    }

    /// Processes a Unicode escape, after `\u`.
    fn unicode_escape(&mut self) -> Result<(), CompileError> {
        match self.peek() {
            None => error("too short escape sequence"),
            Some(b'{') => {
                self.at += 1;
                self.unicode_list()
            }
            Some(_) => {
                let digits = self.rest().iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
                if digits < 4 {
                    return error("invalid Unicode escape");
                }
                let code = self.digits(16, 4);
                self.push_unicode(code)
            }
        }
    }

    fn unicode_list(&mut self) -> Result<(), CompileError> {
        let mut any = false;
        loop {
            while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0b) {
                self.at += 1;
            }
            let digits = self.rest().iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            if digits == 0 {
                break;
            }
            if digits > 6 {
                return error("invalid Unicode range");
            }
            let code = self.digits(16, digits);
            self.push_unicode(code)?;
            any = true;
        }
        if !any || self.peek() != Some(b'}') {
            return error("invalid Unicode list");
        }
        self.at += 1;
        Ok(())
    }

    fn push_unicode(&mut self, code: u32) -> Result<(), CompileError> {
        let Some(character) = char::from_u32(code) else { return error("invalid Unicode range") };
        if let (true, Ok(byte)) = (character.is_ascii(), u8::try_from(code)) {
            self.push_hex(byte);
            return Ok(());
        }
        self.out.pattern.append_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        self.fix(Encoding::Utf8, "UTF-8 character in non UTF-8 regexp")
    }
}
