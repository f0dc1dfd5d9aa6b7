//! From JSON to objects.
//!
//! Where a text is wrong, the error names what stands where the innermost array (or the whole text) could not go on: an object that is wrong
//! is so as a whole, as in CRuby's json.

use object::{array::Arr, bigint, cell, class, float, hash::HashRef, string::intern, symbol};
use runtime::{Cx, R, Unwind, Value, call, convert, define, keys, make, make::OrRaise, sym};
use text::EncodingId;

use super::{json, json_error, name, parser::Config};

/// Bytes of the text that an error shows.
const SHOWN: usize = 32;

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    config: Config,
    depth: i64,
    /// Where an escape's bytes are put together.
    scratch: Vec<u8>,
}

/// The object that the text of `source` tells. Nobody else changes `source`.
pub fn read(cx: &mut Cx, source: Value, config: Config) -> R {
    let text = object::string::bytes(&source);
    let mut reader = Reader { text, at: 0, config, depth: 0, scratch: Vec::new() };
    let v = reader.whole(cx);
    // The text is borrowed from it.
    std::hint::black_box(source);
    v
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn whole(&mut self, cx: &mut Cx) -> R {
        self.skip_or_raise(cx)?;
        let Some(v) = self.value(cx)? else { return Err(self.unexpected(cx)) };
        self.skip_or_raise(cx)?;
        if self.at < self.text.len() {
            return Err(self.unexpected(cx));
        }
        Ok(v)
    }

    /// Skips spaces and comments; false where a comment is wrong or does not end.
    fn skip(&mut self) -> bool {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') => {
                    let rest = &self.text[self.at..];
                    let length = match rest.get(1) {
                        Some(b'/') => rest.iter().position(|b| *b == b'\n').map(|at| at + 1),
                        Some(b'*') => rest[2..].windows(2).position(|pair| pair == b"*/").map(|at| at + 4),
                        Some(_) => {
                            self.at += 1;
                            return false;
                        }
                        None => None,
                    };
                    self.at = length.map_or(self.text.len(), |length| self.at + length);
                    if length.is_none() {
                        return false;
                    }
                }
                _ => return true,
            }
        }
    }

    fn skip_or_raise(&mut self, cx: &mut Cx) -> R<()> {
        if self.skip() { Ok(()) } else { Err(self.unexpected(cx)) }
    }

    fn unexpected(&self, cx: &mut Cx) -> Unwind {
        self.error(cx, "unexpected token", self.at)
    }

    fn error(&self, cx: &mut Cx, what: &str, at: usize) -> Unwind {
        let rest = &self.text[at.min(self.text.len())..];
        let shown = &rest[..rest.len().min(SHOWN)];
        let end = shown.iter().position(|b| *b == 0).unwrap_or(shown.len());
        let message = [what.as_bytes(), b" at '", &shown[..end], b"'"].concat();
        json_error(cx, "ParserError", &message)
    }

    /// The value here; `None` where there is none, and then it is where it was.
    fn value(&mut self, cx: &mut Cx) -> R<Option<Value>> {
        match self.peek() {
            Some(b'"') => self.string_value(cx),
            Some(b'[') => self.nested(cx, Reader::array),
            Some(b'{') => self.nested(cx, Reader::object),
            Some(b'n') => Ok(self.word(b"null", Value::NIL)),
            Some(b't') => Ok(self.word(b"true", Value::TRUE)),
            Some(b'f') => Ok(self.word(b"false", Value::FALSE)),
            Some(b'N') => self.not_finite(cx, b"NaN", f64::NAN),
            Some(b'I') => self.not_finite(cx, b"Infinity", f64::INFINITY),
            Some(b'-') if self.text[self.at..].starts_with(b"-Infinity") => {
                self.not_finite(cx, b"-Infinity", f64::NEG_INFINITY)
            }
            Some(b'-' | b'0'..=b'9') => self.number(cx),
            _ => Ok(None),
        }
    }

    fn word(&mut self, word: &[u8], v: Value) -> Option<Value> {
        if !self.text[self.at..].starts_with(word) {
            return None;
        }
        self.at += word.len();
        Some(v)
    }

    fn not_finite(&mut self, cx: &mut Cx, word: &[u8], number: f64) -> R<Option<Value>> {
        if !self.text[self.at..].starts_with(word) {
            return Ok(None);
        }
        if !self.config.allow_nan {
            return Err(self.unexpected(cx));
        }
        self.at += word.len();
        Ok(Some(float::new(cx, number)))
    }

    fn nested(&mut self, cx: &mut Cx, read: fn(&mut Self, &mut Cx) -> R<Option<Value>>) -> R<Option<Value>> {
        self.depth += 1;
        if self.config.max_nesting != 0 && self.depth > self.config.max_nesting {
            let message = format!("nesting of {} is too deep", self.depth);
            return Err(json_error(cx, "NestingError", message.as_bytes()));
        }
        cx.check_native_stack()?;
        let start = self.at;
        let v = read(self, cx)?;
        if v.is_none() {
            self.at = start;
        }
        self.depth -= 1;
        Ok(v)
    }

    fn array(&mut self, cx: &mut Cx) -> R<Option<Value>> {
        let class = self.config.array_class;
        let array = if class.is_nil() { make::array(cx, &[]) } else { call::send(cx, class, sym::NEW, &[])? };
        self.at += 1;
        self.skip_or_raise(cx)?;
        if self.peek() != Some(b']') {
            loop {
                let Some(v) = self.value(cx)? else { return Err(self.unexpected(cx)) };
                if class.is_nil() {
                    Arr(array).push(cx, v).or_raise(cx)?;
                } else {
                    let push = name(cx, "<<");
                    call::send(cx, array, push, &[v])?;
                }
                self.skip_or_raise(cx)?;
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b']') => break,
                    _ => return Err(self.unexpected(cx)),
                }
                self.skip_or_raise(cx)?;
                if self.config.allow_trailing_comma && self.peek() == Some(b']') {
                    break;
                }
            }
        }
        self.at += 1;
        self.frozen(cx, array).map(Some)
    }

    fn object(&mut self, cx: &mut Cx) -> R<Option<Value>> {
        let class = self.config.object_class;
        let object = if class.is_nil() { HashRef::new(cx).0 } else { call::send(cx, class, sym::NEW, &[])? };
        self.at += 1;
        if !self.skip() {
            return Ok(None);
        }
        if self.peek() != Some(b'}') {
            loop {
                if self.peek() != Some(b'"') {
                    return Ok(None);
                }
                let Some(key) = self.key(cx)? else { return Ok(None) };
                if !self.skip() || self.peek() != Some(b':') {
                    return Ok(None);
                }
                self.at += 1;
                if !self.skip() {
                    return Ok(None);
                }
                let Some(v) = self.value(cx)? else { return Ok(None) };
                if class.is_nil() {
                    keys::store(cx, object, key, v)?;
                } else {
                    call::send(cx, object, sym::ASET, &[key, v])?;
                }
                if !self.skip() {
                    return Ok(None);
                }
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break,
                    _ => return Ok(None),
                }
                if !self.skip() {
                    return Ok(None);
                }
                if self.config.allow_trailing_comma && self.peek() == Some(b'}') {
                    break;
                }
            }
        }
        self.at += 1;
        let object = if self.config.create_additions { self.created(cx, object)? } else { object };
        self.frozen(cx, object).map(Some)
    }

    /// The object of the class that the hash names, where that class makes objects of JSON.
    fn created(&mut self, cx: &mut Cx, object: Value) -> R {
        let id = self.config.create_id;
        let class_name = if self.config.object_class.is_nil() {
            keys::get(cx, object, id)?.unwrap_or(Value::NIL)
        } else {
            call::send(cx, object, sym::AREF, &[id])?
        };
        if class_name.is_nil() {
            return Ok(object);
        }
        let json = json(cx);
        if !cell::is(class_name, abi::Type::String) {
            convert::to_str(cx, class_name)?;
        }
        let deep_const_get = name(cx, "deep_const_get");
        let class = call::send(cx, json, deep_const_get, &[class_name])?;
        if !is_creatable(cx, class)? {
            return Ok(object);
        }
        if self.config.implicit_additions {
            super::deprecated(
                cx,
                "JSON.load implicit support for `create_additions: true` is deprecated and will be removed in 3.0, \
                 use JSON.unsafe_load or explicitly pass `create_additions: true`",
            )?;
        }
        let json_create = name(cx, "json_create");
        call::send(cx, class, json_create, &[object])
    }

    fn frozen(&self, cx: &mut Cx, v: Value) -> R {
        if self.config.freeze { call::send(cx, v, sym::FREEZE, &[]) } else { Ok(v) }
    }

    fn key(&mut self, cx: &mut Cx) -> R<Option<Value>> {
        let Some(place) = self.string(cx)? else { return Ok(None) };
        let bytes = self.string_bytes(place);
        if self.config.symbolize_names {
            return Ok(Some(symbol::table::intern_dynamic(cx, bytes, key_encoding(bytes)).0));
        }
        Ok(Some(intern::intern(cx, bytes, EncodingId::UTF_8).or_raise(cx)?.0))
    }

    fn string_value(&mut self, cx: &mut Cx) -> R<Option<Value>> {
        let Some(place) = self.string(cx)? else { return Ok(None) };
        let bytes = self.string_bytes(place);
        let v = if self.config.freeze {
            intern::intern(cx, bytes, EncodingId::UTF_8).or_raise(cx)?.0
        } else {
            make::string(cx, bytes, EncodingId::UTF_8)
        };
        if self.config.create_additions && self.config.match_string.truthy() {
            return self.matched(cx, v).map(Some);
        }
        Ok(Some(v))
    }

    /// The object of the class whose pattern the string matches.
    fn matched(&self, cx: &mut Cx, string: Value) -> R {
        let mut at = 0;
        while let Some((next, pattern, class)) =
            HashRef::from_value(self.config.match_string).and_then(|table| table.next(at))
        {
            at = next;
            if call::case_equal(cx, pattern, string)? && is_creatable(cx, class)? {
                let json_create = name(cx, "json_create");
                return call::send(cx, class, json_create, &[string]);
            }
        }
        Ok(string)
    }

    /// At a quote: where the string's bytes are. `None` where it has what no string may have.
    fn string(&mut self, cx: &mut Cx) -> R<Option<Place>> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    match self.text.get(at + 1) {
                        Some(b'u') => {
                            let digits = self.text.get(at + 2..at + 6);
                            if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                                return Ok(None);
                            }
                            at += 6;
                        }
                        Some(0x20..) => at += 2,
                        _ => return Ok(None),
                    }
                }
                Some(0x20..) => at += 1,
                _ => return Ok(None),
            }
        }
        if escaped {
            self.unescape(cx, start, at)?;
        }
        self.at = at + 1;
        Ok(Some(if escaped { Place::Scratch } else { Place::Text(start, at) }))
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
            at += 2;
            self.scratch.push(match letter {
                b'b' => 0x08,
                b'f' => 0x0c,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'u' => {
                    at = self.code_point(cx, at, end)?;
                    continue;
                }
                other => other,
            });
        }
        Ok(())
    }

    /// Behind `\u`: appends the character, with the second half of a surrogate pair; gives where it ends.
    fn code_point(&mut self, cx: &mut Cx, at: usize, end: usize) -> R<usize> {
        let unit = hexadecimal(&self.text[at..at + 4]);
        if unit & 0xfc00 != 0xd800 {
            push_code_point(&mut self.scratch, unit);
            return Ok(at + 4);
        }
        if at + 10 > end || &self.text[at + 4..at + 6] != b"\\u" {
            return Err(self.error(cx, "incomplete surrogate pair", at - 2));
        }
        let low = hexadecimal(&self.text[at + 6..at + 10]);
        push_code_point(&mut self.scratch, 0x1_0000 + ((unit & 0x3ff) << 10 | low & 0x3ff));
        Ok(at + 10)
    }

    fn number(&mut self, cx: &mut Cx) -> R<Option<Value>> {
        let rest = &self.text[self.at..];
        if let Some((length, number)) = small_integer(rest) {
            self.at += length;
            return Ok(Some(Value::fixnum(number)));
        }
        let Some((length, is_float)) = number_length(rest) else { return Ok(None) };
        let digits = &rest[..length];
        let v = if is_float { self.decimal(cx, digits)? } else { integer(cx, digits)? };
        self.at += length;
        Ok(Some(v))
    }

    fn decimal(&self, cx: &mut Cx, digits: &[u8]) -> R {
        let class = self.config.decimal_class;
        if class.is_nil() {
            let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
            return Ok(float::new(cx, number.unwrap_or(0.0)));
        }
        let digits = make::string(cx, digits, EncodingId::UTF_8);
        for method in ["try_convert", "new"] {
            let method = name(cx, method);
            if call::responds(cx, class, method, false)? {
                return call::send(cx, class, method, &[digits]);
            }
        }
        // Float and BigDecimal are made by the method named so beside them.
        if !class::is_class(class) {
            return Ok(Value::NIL);
        }
        let path = define::class_name(cx, class);
        let (scope, method) = match path.rsplit_once("::") {
            Some((scope, method)) => {
                let scope = make::text(cx, scope);
                let json = json(cx);
                let deep_const_get = name(cx, "deep_const_get");
                (call::send(cx, json, deep_const_get, &[scope])?, method)
            }
            None => (define::class_or_module_named(cx, "Kernel"), path.as_str()),
        };
        let method = name(cx, method);
        call::send(cx, scope, method, &[digits])
    }
}

/// Where the bytes of a string are.
#[derive(Clone, Copy)]
enum Place {
    Text(usize, usize),
    Scratch,
}

fn key_encoding(bytes: &[u8]) -> EncodingId {
    if bytes.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 }
}

fn is_creatable(cx: &mut Cx, class: Value) -> R<bool> {
    let json_creatable = name(cx, "json_creatable?");
    Ok(call::send(cx, class, json_creatable, &[])?.truthy())
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

/// An integer of a few digits in one go: its bytes and value. `None` for all other numbers.
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
    if at == start || leading_zero || matches!(text.get(at), Some(b'e' | b'E' | b'.' | b'-')) {
        return None;
    }
    Some((at, if start == 1 { -number } else { number }))
}

/// Bytes of the number at the start, and whether it has a fraction or an exponent.
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
    let ends = !matches!(text.get(at), Some(b'0'..=b'9' | b'e' | b'E' | b'.' | b'-'));
    ends.then_some((at, is_float))
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
