//! From JSON to objects.

use object::{array::Arr, bigint, float, hash::HashRef, string::intern, symbol};
use runtime::{Cx, R, Unwind, Value, call, keys, make, make::OrRaise, sym};
use text::EncodingId;

use super::{
    json_error,
    parser::{Config, Duplicates},
    parser_error,
};

/// Bytes of the text that an error shows.
const SHOWN: usize = 32;

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    config: Config,
    depth: i64,
    /// The buffer for unescaping strings.
    scratch: Vec<u8>,
}

/// Parses the text of `source`, which nothing else changes meanwhile.
pub fn read(cx: &mut Cx, source: Value, config: Config) -> R {
    let text = object::string::bytes(&source);
    let mut reader = Reader { text, at: 0, config, depth: 0, scratch: Vec::new() };
    let v = reader.document(cx);
    // The text is borrowed from it.
    std::hint::black_box(source);
    v
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn document(&mut self, cx: &mut Cx) -> R {
        let v = self.value(cx)?;
        self.skip(cx)?;
        if self.at < self.text.len() {
            return Err(self.error(cx, "unexpected token at end of stream %s"));
        }
        Ok(v)
    }

    /// Skips spaces and comments.
    fn skip(&mut self, cx: &mut Cx) -> R<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => {
                    let rest = &self.text[self.at..];
                    let length = match rest.get(1) {
                        Some(b'/') => rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |at| at + 1),
                        Some(b'*') => match rest[2..].windows(2).position(|pair| pair == b"*/") {
                            Some(at) => at + 4,
                            None => return Err(self.error(cx, "unterminated comment, expected closing '*/'")),
                        },
                        _ => return Err(self.error(cx, "unexpected token %s")),
                    };
                    self.at += length;
                }
                _ => return Ok(()),
            }
        }
    }

    fn error_at(&mut self, cx: &mut Cx, what: &str, at: usize) -> Unwind {
        self.at = at;
        self.error(cx, what)
    }

    /// A ParserError at the current position; `%s` is the text there.
    fn error(&self, cx: &mut Cx, what: &str) -> Unwind {
        let (line, column) = self.position();
        let shown = self.shown();
        let message = what.replace("%s", &shown);
        parser_error(cx, &format!("{message} at line {line} column {column}"), line, column)
    }

    /// Line and column as json counts them: the end of the line before is none of the lines.
    fn position(&self) -> (i64, i64) {
        let end = (self.at + 1).min(self.text.len());
        let before = &self.text[..end];
        // A NUL follows the text.
        let beyond = i64::from(self.at >= self.text.len());
        let start = before.iter().rposition(|b| *b == b'\n').filter(|_| beyond == 0 || !before.is_empty());
        match start {
            Some(at) => {
                let lines = before[..at].iter().filter(|b| **b == b'\n').count() as i64;
                (1 + lines, (before.len() - at - 1) as i64 + beyond)
            }
            None => (1, before.len() as i64 + beyond),
        }
    }

    /// The word at the current position, in quotes.
    fn shown(&self) -> String {
        let Some(rest) = self.text.get(self.at..).filter(|rest| !rest.is_empty()) else { return "EOF".into() };
        let rest = &rest[..rest.len().min(SHOWN)];
        let end = rest.iter().position(|b| matches!(b, 0 | b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(rest.len());
        if end == 0 {
            // Shows the rest of the text, up to a NUL.
            let rest = &self.text[self.at..];
            let end = rest.iter().position(|b| *b == 0).unwrap_or(rest.len());
            return String::from_utf8_lossy(&rest[..end]).into_owned();
        }
        let shown = match std::str::from_utf8(&rest[..end]) {
            Ok(shown) => shown,
            Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or(""),
        };
        // A character that may be truncated at the end is omitted.
        let shown = match shown.char_indices().next_back() {
            Some((at, last)) if !last.is_ascii() => &shown[..at],
            _ => shown,
        };
        format!("'{shown}'")
    }

    /// Parses the value at the current position and applies `on_load`.
    fn value(&mut self, cx: &mut Cx) -> R {
        self.skip(cx)?;
        let v = match self.peek() {
            Some(b'"') => self.string_value(cx)?,
            Some(b'[') => self.array(cx)?,
            Some(b'{') => self.object(cx)?,
            Some(b'n') => self.word(cx, b"null", Value::NIL)?,
            Some(b't') => self.word(cx, b"true", Value::TRUE)?,
            Some(b'f') => self.word(cx, b"false", Value::FALSE)?,
            Some(b'N') => self.not_finite(cx, b"NaN", f64::NAN)?,
            Some(b'I') => self.not_finite(cx, b"Infinity", f64::INFINITY)?,
            Some(b'-') if self.text[self.at..].starts_with(b"-Infinity") => {
                self.not_finite(cx, b"-Infinity", f64::NEG_INFINITY)?
            }
            Some(b'-' | b'0'..=b'9') => self.number(cx)?,
            None | Some(0) => return Err(self.error(cx, "unexpected end of input")),
            _ => return Err(self.error(cx, "unexpected character: %s")),
        };
        self.loaded(cx, v)
    }

    fn word(&mut self, cx: &mut Cx, word: &[u8], v: Value) -> R {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.error(cx, "unexpected token %s"));
        }
        self.at += word.len();
        Ok(v)
    }

    fn not_finite(&mut self, cx: &mut Cx, word: &[u8], number: f64) -> R {
        if !self.config.allow_nan {
            return Err(self.error(cx, "unexpected token %s"));
        }
        let v = float::new(cx, number);
        self.word(cx, word, v)
    }

    fn enter(&mut self, cx: &mut Cx) -> R<()> {
        self.depth += 1;
        if self.config.max_nesting != 0 && self.depth > self.config.max_nesting {
            let message = format!("nesting of {} is too deep", self.depth);
            return Err(json_error(cx, "NestingError", message.as_bytes()));
        }
        cx.check_native_stack()
    }

    fn array(&mut self, cx: &mut Cx) -> R {
        let array = make::array(cx, &[]);
        self.at += 1;
        self.skip(cx)?;
        if self.peek() != Some(b']') {
            self.enter(cx)?;
            loop {
                let v = self.value(cx)?;
                Arr::of(array).push(cx, v).or_raise(cx)?;
                self.skip(cx)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b']') => break,
                    _ => return Err(self.error(cx, "expected ',' or ']' after array value")),
                }
                if self.config.allow_trailing_comma {
                    self.skip(cx)?;
                    if self.peek() == Some(b']') {
                        break;
                    }
                }
            }
            self.depth -= 1;
        }
        self.at += 1;
        self.frozen(cx, array)
    }

    fn object(&mut self, cx: &mut Cx) -> R {
        let object = HashRef::new(cx).value();
        let start = self.at;
        self.at += 1;
        self.skip(cx)?;
        if self.peek() != Some(b'}') {
            self.enter(cx)?;
            let mut is_first = true;
            let mut repeated = None;
            loop {
                if self.peek() != Some(b'"') {
                    let what = if is_first { "expected object key, got %s" } else { "expected object key, got: %s" };
                    return Err(self.error(cx, what));
                }
                let key = self.key(cx)?;
                self.skip(cx)?;
                if self.peek() != Some(b':') {
                    let what = if is_first {
                        "expected ':' after object key"
                    } else {
                        "expected ':' after object key, got: %s"
                    };
                    return Err(self.error(cx, what));
                }
                self.at += 1;
                let v = self.value(cx)?;
                if repeated.is_none() && self.config.duplicates != Duplicates::Ignore {
                    repeated = keys::get(cx, object, key)?.map(|_| key);
                }
                keys::store(cx, object, key, v)?;
                is_first = false;
                self.skip(cx)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break,
                    _ => return Err(self.error(cx, "expected ',' or '}' after object value, got: %s")),
                }
                self.skip(cx)?;
                if self.config.allow_trailing_comma && self.peek() == Some(b'}') {
                    break;
                }
            }
            self.depth -= 1;
            if let Some(key) = repeated {
                self.repeated(cx, key, start)?;
            }
        }
        self.at += 1;
        self.frozen(cx, object)
    }

    /// An object that began at `start` has a key twice.
    fn repeated(&mut self, cx: &mut Cx, key: Value, start: usize) -> R<()> {
        let end = std::mem::replace(&mut self.at, start);
        let key = symbol::Sym::from_value(key).map_or(key, |symbol| symbol.name(cx));
        let shown = call::inspect_text(cx, key)?;
        if self.config.duplicates == Duplicates::Refuse {
            return Err(self.error(cx, &format!("duplicate key {shown}")));
        }
        let (line, column) = self.position();
        self.at = end;
        super::deprecated(
            cx,
            &format!(
                "detected duplicate key {shown} in JSON object. This will raise an error in json 3.0 unless enabled via \
                 `allow_duplicate_key: true` at line {line} column {column}"
            ),
        )
    }

    fn frozen(&self, cx: &mut Cx, v: Value) -> R {
        if self.config.freeze { call::send(cx, v, sym::FREEZE, &[]) } else { Ok(v) }
    }

    fn key(&mut self, cx: &mut Cx) -> R {
        let place = self.string(cx)?;
        let bytes = self.string_bytes(place);
        let key = if self.config.symbolize_names {
            symbol::table::intern_dynamic(cx, bytes, key_encoding(bytes)).value()
        } else {
            intern::intern(cx, bytes, EncodingId::UTF_8).or_raise(cx)?.value()
        };
        self.loaded(cx, key)
    }

    /// The result of `on_load` for a value.
    fn loaded(&self, cx: &mut Cx, v: Value) -> R {
        if self.config.on_load.is_nil() { Ok(v) } else { call::block::call_proc(cx, self.config.on_load, &[v]) }
    }

    fn string_value(&mut self, cx: &mut Cx) -> R {
        let place = self.string(cx)?;
        let bytes = self.string_bytes(place);
        if self.config.freeze {
            return Ok(intern::intern(cx, bytes, EncodingId::UTF_8).or_raise(cx)?.value());
        }
        Ok(make::string(cx, bytes, EncodingId::UTF_8))
    }

    /// At a quote: parses a string and returns the location of its bytes.
    fn string(&mut self, cx: &mut Cx) -> R<Place> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(0x20..) => at += 1,
                Some(_) if self.config.allow_control_characters => at += 1,
                Some(_) => return Err(self.error_at(cx, "invalid ASCII control character in string: %s", at)),
                None => {
                    let end = self.text.len();
                    return Err(self.error_at(cx, "unexpected end of input, expected closing \"", end));
                }
            }
        }
        if escaped {
            self.unescape(cx, start, at)?;
        }
        self.at = at + 1;
        Ok(if escaped { Place::Scratch } else { Place::Text(start, at) })
    }

    fn string_bytes(&self, place: Place) -> &[u8] {
        match place {
            Place::Scratch => &self.scratch,
            Place::Text(start, end) => &self.text[start..end],
        }
    }

    /// Puts a string with escapes together in `scratch`.
    fn unescape(&mut self, cx: &mut Cx, start: usize, end: usize) -> R<()> {
        self.scratch.clear();
        let mut at = start;
        while at < end {
            if self.text[at] != b'\\' {
                self.scratch.push(self.text[at]);
                at += 1;
                continue;
            }
            let letter = self.text[at + 1];
            let byte = match letter {
                b'"' | b'\\' | b'/' => letter,
                b'b' => 0x08,
                b'f' => 0x0c,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'u' => {
                    at = self.code_point(cx, at, end)?;
                    continue;
                }
                0..0x20 if self.config.allow_control_characters => {
                    self.scratch.push(b'\\');
                    letter
                }
                b'\n' => {
                    return Err(self.error_at(cx, "Invalid unescaped newline character (\\n) in string: %s", at));
                }
                0..0x20 => return Err(self.error_at(cx, "invalid ASCII control character in string: %s", at)),
                _ => return Err(self.error_at(cx, "invalid escape character in string: %s", at)),
            };
            self.scratch.push(byte);
            at += 2;
        }
        Ok(())
    }

    /// The four digits at a place.
    fn unit(&mut self, cx: &mut Cx, at: usize, end: usize) -> R<u32> {
        match self.text[..end].get(at..at + 4) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(hexadecimal(digits)),
            _ => Err(self.error_at(cx, "incomplete unicode character escape sequence at %s", at - 2)),
        }
    }

    /// At `\u`: appends the character, including the second half of a surrogate pair; returns the end position.
    fn code_point(&mut self, cx: &mut Cx, at: usize, end: usize) -> R<usize> {
        let unit = self.unit(cx, at + 2, end)?;
        if unit & 0xfc00 != 0xd800 {
            push_code_point(&mut self.scratch, unit);
            return Ok(at + 6);
        }
        if at + 12 > end || &self.text[at + 6..at + 8] != b"\\u" {
            return Err(self.error_at(cx, "incomplete surrogate pair at %s", at));
        }
        let low = self.unit(cx, at + 8, end)?;
        if low & 0xfc00 != 0xdc00 {
            return Err(self.error_at(cx, "invalid surrogate pair at %s", at));
        }
        push_code_point(&mut self.scratch, 0x1_0000 + ((unit & 0x3ff) << 10 | low & 0x3ff));
        Ok(at + 12)
    }

    fn number(&mut self, cx: &mut Cx) -> R {
        let rest = &self.text[self.at..];
        if let Some((length, number)) = small_integer(rest) {
            self.at += length;
            return Ok(Value::fixnum(number));
        }
        let Some((length, is_float)) = number_length(rest) else { return Err(self.error(cx, "invalid number: %s")) };
        let digits = &rest[..length];
        let v = if is_float { self.decimal(cx, digits)? } else { integer(cx, digits)? };
        self.at += length;
        Ok(v)
    }

    fn decimal(&self, cx: &mut Cx, digits: &[u8]) -> R {
        let Some((receiver, method)) = self.config.decimal else {
            let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
            return Ok(float::new(cx, number.unwrap_or(0.0)));
        };
        let digits = make::string(cx, digits, EncodingId::BINARY);
        call::send(cx, receiver, method, &[digits])
    }
}

/// The location of a string's bytes.
#[derive(Clone, Copy)]
enum Place {
    Text(usize, usize),
    Scratch,
}

fn key_encoding(bytes: &[u8]) -> EncodingId {
    if bytes.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 }
}

fn hexadecimal(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |number, digit| number << 4 | (*digit as char).to_digit(16).unwrap_or(0))
}

/// Appends a code point as UTF-8, halves of surrogate pairs too.
fn push_code_point(out: &mut Vec<u8>, code: u32) {
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend([0xc0 | (code >> 6) as u8, 0x80 | (code & 0x3f) as u8]),
        0x800..0x1_0000 => {
            out.extend([0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8]);
        }
        _ => out.extend([
            0xf0 | (code >> 18) as u8,
            0x80 | (code >> 12 & 0x3f) as u8,
            0x80 | (code >> 6 & 0x3f) as u8,
            0x80 | (code & 0x3f) as u8,
        ]),
    }
}

/// A fast path for integers of a few digits: length and value. `None` for all other numbers.
fn small_integer(text: &[u8]) -> Option<(usize, i64)> {
    let start = usize::from(text.first() == Some(&b'-'));
    let (mut at, mut number) = (start, 0);
    while let Some(digit @ b'0'..=b'9') = text.get(at) {
        number = number * 10 + i64::from(digit - b'0');
        at += 1;
        if at - start > 17 {
            return None;
        }
    }
    let leading_zero = at - start > 1 && text[start] == b'0';
    if at == start || leading_zero || matches!(text.get(at), Some(b'e' | b'E' | b'.')) {
        return None;
    }
    Some((at, if start == 1 { -number } else { number }))
}

/// The length of the number at the start, and whether it has a fraction or an exponent. `None` if it is invalid.
fn number_length(text: &[u8]) -> Option<(usize, bool)> {
    let digits = |from: usize| text[from.min(text.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(text.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || (whole > 1 && text[at] == b'0') {
        return None;
    }
    at += whole;
    let mut is_float = false;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
        is_float = true;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent == 0 {
            return None;
        }
        at += 1 + sign + exponent;
        is_float = true;
    }
    Some((at, is_float))
}

fn integer(cx: &mut Cx, text: &[u8]) -> R {
    let (negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.len() <= 18 {
        let number = digits.iter().fold(0, |number: i64, digit| number * 10 + i64::from(digit - b'0'));
        return Ok(bigint::from_i64(cx, if negative { -number } else { number }));
    }
    match numeric::big::parse_digits(digits, 10, negative, &mut || false) {
        Ok(Some(number)) => bigint::integer(cx, number).or_raise(cx),
        _ => Err(cx.argument_error("argument too big")),
    }
}
