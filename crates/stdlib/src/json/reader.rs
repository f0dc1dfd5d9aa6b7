//! Parsing JSON into objects.

use memory::Grow;
use object::{
    array::Arr,
    bigint, float,
    hash::{HashRef, KeyHash},
    string::{Str, intern},
    symbol,
};
use runtime::{Cx, R, Unwind, Value, call, error::OrRaise, keys, make, sym};
use text::{CodeRange, EncodingId};

use super::{
    deep::DEEP,
    escape::special_bytes,
    json_error,
    known_keys::{KnownKeys, place_of},
    number::{Number, small_integer},
    output::is_plain,
    parser::{Config, Duplicates},
    parser_error,
};

/// The number of bytes of the text that an error shows.
const SHOWN: usize = 32;
/// After so many bytes a string is taken for a long one, which is examined in steps.
const LONG: usize = 32;
const STEP: usize = 64;

pub struct Reader<'t> {
    text: &'t [u8],
    pub at: usize,
    config: Config,
    depth: i64,
    /// The buffer for unescaping strings.
    scratch: Vec<u8>,
    /// Recently seen keys, once there is an object.
    known: Option<KnownKeys>,
}

/// The number of entries of an object that are collected before it is allocated.
const COLLECTED: usize = 8;

/// The number of values of an array that are appended at once.
const BATCH: usize = 16;

/// Parses the text of `source`.
pub fn read(cx: &mut Cx, source: Value, config: Config) -> R {
    let text = Str::of(source).held(cx);
    let mut reader = Reader { text: &text, at: 0, config, depth: 0, scratch: Vec::new(), known: None };
    reader.document(cx)
}

impl Reader<'_> {
    #[inline(always)]
    pub fn peek(&self) -> Option<u8> {
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
    #[inline(always)]
    pub fn skip(&mut self, cx: &mut Cx) -> R<()> {
        match self.peek() {
            Some(b' ' | b'\t' | b'\r' | b'\n' | b'/') => self.skip_spaces(cx),
            _ => Ok(()),
        }
    }

    fn skip_spaces(&mut self, cx: &mut Cx) -> R<()> {
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
    pub fn error(&self, cx: &mut Cx, what: &str) -> Unwind {
        let (line, column) = self.position();
        let shown = self.shown();
        let message = what.replace("%s", &shown);
        parser_error(cx, &format!("{message} at line {line} column {column}"), line, column)
    }

    /// Line and column as json counts them; the end of the previous line does not count.
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
            return memory::lossy_text(&rest[..end]);
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
    pub fn value(&mut self, cx: &mut Cx) -> R {
        self.skip(cx)?;
        let v = match self.peek() {
            Some(b'"') => self.string_value(cx)?,
            Some(b'[' | b'{') if self.depth >= DEEP => self.deep(cx)?,
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

    #[inline(always)]
    fn word<const N: usize>(&mut self, cx: &mut Cx, word: &[u8; N], v: Value) -> R {
        if self.text[self.at..].first_chunk::<N>() != Some(word) {
            return Err(self.error(cx, "unexpected token %s"));
        }
        self.at += N;
        Ok(v)
    }

    fn not_finite<const N: usize>(&mut self, cx: &mut Cx, word: &[u8; N], number: f64) -> R {
        if !self.config.allow_nan {
            return Err(self.error(cx, "unexpected token %s"));
        }
        let v = float::new(cx, number);
        self.word(cx, word, v)
    }

    pub fn enter(&mut self, cx: &mut Cx) -> R<()> {
        self.depth += 1;
        if self.config.max_nesting != 0 && self.depth > self.config.max_nesting {
            let message = format!("nesting of {} is too deep", self.depth);
            return Err(json_error(cx, "NestingError", message.as_bytes()));
        }
        cx.check_native_stack()
    }

    fn array(&mut self, cx: &mut Cx) -> R {
        let mut values = [Value::NIL; BATCH];
        let mut count = 0;
        let mut array = None;
        self.at += 1;
        self.skip(cx)?;
        if self.peek() != Some(b']') {
            self.enter(cx)?;
            loop {
                let v = self.value(cx)?;
                if count == BATCH {
                    let array = *array.get_or_insert_with(|| make::array(cx, &[]));
                    Arr::of(array).append(cx, &values).or_raise(cx)?;
                    count = 0;
                }
                values[count] = v;
                count += 1;
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
        let values = &values[..count];
        let array = match array {
            Some(array) => {
                Arr::of(array).append(cx, values).or_raise(cx)?;
                array
            }
            None => make::array(cx, values),
        };
        self.frozen(cx, array)
    }

    fn object(&mut self, cx: &mut Cx) -> R {
        let mut entries =
            Entries { pairs: [Value::NIL; COLLECTED * 2], hashes: Default::default(), count: 0, rest: None };
        let mut repeated = None;
        let start = self.at;
        self.at += 1;
        self.skip(cx)?;
        if self.peek() != Some(b'}') {
            self.enter(cx)?;
            let mut is_first = true;
            loop {
                let (key, hash) = self.key_and_colon(cx, is_first)?;
                let v = self.value(cx)?;
                if !entries.add(cx, key, v, hash)? && repeated.is_none() {
                    repeated = Some(key);
                }
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
        }
        let (object, earlier) = entries.finish(cx)?;
        if let Some(key) = earlier.or(repeated)
            && self.config.duplicates != Duplicates::Ignore
        {
            self.repeated(cx, key, start)?;
        }
        self.at += 1;
        self.frozen(cx, object)
    }

    #[inline(always)]
    fn key_and_colon(&mut self, cx: &mut Cx, is_first: bool) -> R<(Value, Option<KeyHash>)> {
        if self.peek() != Some(b'"') {
            let what = if is_first { "expected object key, got %s" } else { "expected object key, got: %s" };
            return Err(self.error(cx, what));
        }
        let key = self.key(cx)?;
        self.skip(cx)?;
        if self.peek() != Some(b':') {
            let what =
                if is_first { "expected ':' after object key" } else { "expected ':' after object key, got: %s" };
            return Err(self.error(cx, what));
        }
        self.at += 1;
        Ok(key)
    }

    /// The key of the next member, up to its value.
    pub fn member(&mut self, cx: &mut Cx, is_first: bool) -> R {
        Ok(self.key_and_colon(cx, is_first)?.0)
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    pub fn allows_trailing_comma(&self) -> bool {
        self.config.allow_trailing_comma
    }

    pub fn duplicates(&self) -> Duplicates {
        self.config.duplicates
    }

    /// Handles a duplicate key in an object that began at `start`.
    pub fn repeated(&mut self, cx: &mut Cx, key: Value, start: usize) -> R<()> {
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
                "detected duplicate key {shown} in JSON object. This will raise an error in json 3.0 unless enabled \
                 via `allow_duplicate_key: true` at line {line} column {column}"
            ),
        )
    }

    pub fn frozen(&self, cx: &mut Cx, v: Value) -> R {
        if self.config.freeze { call::send(cx, v, sym::FREEZE, &[]) } else { Ok(v) }
    }

    /// A key, and its hash if it is known.
    fn key(&mut self, cx: &mut Cx) -> R<(Value, Option<KeyHash>)> {
        let known = self.known.get_or_insert_with(KnownKeys::new);
        if let Some((found, end)) = known.expected(self.text, self.at + 1) {
            self.at = end;
            return Ok(found);
        }
        let start = self.at + 1;
        let place = self.string(cx)?;
        let bytes = self.string_bytes(place);
        let known = place_of(bytes);
        if let (Some(known), Some(keys)) = (known, &self.known)
            && keys.has(cx, known, bytes)
        {
            let found = (keys.keys[known], Some(keys.hashes[known]));
            self.follow(known);
            return Ok(found);
        }
        let key = if self.config.symbolize_names {
            symbol::table::intern_dynamic(cx, bytes, key_encoding(bytes)).value()
        } else {
            intern::intern(cx, bytes, EncodingId::UTF_8).or_raise(cx)?.value()
        };
        if !self.config.on_load.is_nil() {
            return Ok((self.loaded(cx, key)?, None));
        }
        let hash = KeyHash::of(cx, key);
        if let (Some(known), Some(hash), Some(keys)) = (known, hash, &mut self.known) {
            keys.keys[known] = key;
            keys.hashes[known] = hash;
            let is_plain = matches!(place, Place::Text(..) | Place::Ascii(..));
            let length = if is_plain { self.at - start } else { 0 };
            keys.spans[known] = u32::try_from(start).map_or((0, 0), |start| (start, length as u32));
            self.follow(known);
        }
        Ok((key, hash))
    }

    /// The key at an index was read.
    fn follow(&mut self, known: usize) {
        if let Some(keys) = &mut self.known {
            keys.followers[usize::from(keys.last)] = known as u8;
            keys.last = known as u8;
        }
    }

    /// The result of `on_load` for a value.
    pub fn loaded(&self, cx: &mut Cx, v: Value) -> R {
        if self.config.on_load.is_nil() { Ok(v) } else { call::block::call_proc(cx, self.config.on_load, &[v]) }
    }

    fn string_value(&mut self, cx: &mut Cx) -> R {
        let place = self.string(cx)?;
        let bytes = self.string_bytes(place);
        if self.config.freeze {
            return Ok(intern::intern(cx, bytes, EncodingId::UTF_8).or_raise(cx)?.value());
        }
        let is_ascii = matches!(place, Place::Ascii(..) | Place::AsciiScratch);
        let range = if is_ascii { CodeRange::SevenBit } else { CodeRange::Unknown };
        Ok(Str::with_range(cx, bytes, EncodingId::UTF_8, range).or_raise(cx)?.value())
    }

    /// At a quote: parses a string and returns the location of its bytes.
    fn string(&mut self, cx: &mut Cx) -> R<Place> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        // The highest bits of all bytes up to `at`.
        let mut high = 0;
        loop {
            if let Some(eight) = self.text[at.min(self.text.len())..].first_chunk::<8>() {
                let word = u64::from_le_bytes(*eight);
                let special = special_bytes(word);
                if special == 0 {
                    high |= word;
                    at += 8;
                    if at - start >= LONG {
                        at = self.skip_plain(at, &mut high);
                    }
                    continue;
                }
                let plain = special.trailing_zeros() & !7;
                high |= word & !(u64::MAX << plain);
                at += plain as usize / 8;
            }
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at += 2;
                }
                Some(byte @ 0x20..) => {
                    high |= u64::from(*byte);
                    at += 1;
                }
                Some(_) if self.config.allow_control_characters => at += 1,
                Some(_) => return Err(self.error_at(cx, "invalid ASCII control character in string: %s", at)),
                None => {
                    let end = self.text.len();
                    return Err(self.error_at(cx, "unexpected end of input, expected closing \"", end));
                }
            }
        }
        let plain_ascii = high & 0x8080_8080_8080_8080 == 0;
        let place = match (escaped, plain_ascii) {
            (true, _) if self.unescape(cx, start, at)? && plain_ascii => Place::AsciiScratch,
            (true, _) => Place::Scratch,
            (false, true) => Place::Ascii(start, at),
            (false, false) => Place::Text(start, at),
        };
        self.at = at + 1;
        Ok(place)
    }

    /// Skips bytes that end no string and begin no escape, in large steps.
    fn skip_plain(&self, mut at: usize, high: &mut u64) -> usize {
        while let Some(chunk) = self.text[at.min(self.text.len())..].first_chunk::<STEP>()
            && is_plain(chunk)
        {
            let (words, _) = chunk.as_chunks::<8>();
            *high |= words.iter().fold(0, |ored, word| ored | u64::from_le_bytes(*word));
            at += STEP;
        }
        at
    }

    fn string_bytes(&self, place: Place) -> &[u8] {
        match place {
            Place::Scratch | Place::AsciiScratch => &self.scratch,
            Place::Text(start, end) | Place::Ascii(start, end) => &self.text[start..end],
        }
    }

    /// Decodes a string with escapes into `scratch`; returns whether the characters that were escaped are ASCII.
    fn unescape(&mut self, cx: &mut Cx, start: usize, end: usize) -> R<bool> {
        // No escape is shorter than what it stands for. Words are copied whole and partly written over.
        self.scratch.clear();
        self.scratch.set_length(end - start + 8, 0);
        let mut length = 0;
        let mut is_ascii = true;
        let mut at = start;
        while at < end {
            if let Some(eight) = self.text[at..].first_chunk::<8>() {
                let plain = backslash(u64::from_le_bytes(*eight)).min(end - at);
                self.scratch[length..length + 8].copy_from_slice(eight);
                (length, at) = (length + plain, at + plain);
                if plain == 8 || at == end {
                    continue;
                }
            } else if self.text[at] != b'\\' {
                self.scratch[length] = self.text[at];
                (length, at) = (length + 1, at + 1);
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
                    let (code, behind) = self.code_point(cx, at, end)?;
                    length += put_code_point(&mut self.scratch[length..], code);
                    is_ascii &= code < 0x80;
                    at = behind;
                    continue;
                }
                0..0x20 if self.config.allow_control_characters => {
                    self.scratch[length] = b'\\';
                    length += 1;
                    letter
                }
                b'\n' => {
                    return Err(self.error_at(cx, "Invalid unescaped newline character (\\n) in string: %s", at));
                }
                0..0x20 => return Err(self.error_at(cx, "invalid ASCII control character in string: %s", at)),
                _ => return Err(self.error_at(cx, "invalid escape character in string: %s", at)),
            };
            self.scratch[length] = byte;
            (length, at) = (length + 1, at + 2);
        }
        self.scratch.truncate(length);
        Ok(is_ascii)
    }

    /// The value of the four hexadecimal digits at a position.
    fn unit(&mut self, cx: &mut Cx, at: usize, end: usize) -> R<u32> {
        match self.text[..end].get(at..at + 4) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(hexadecimal(digits)),
            _ => Err(self.error_at(cx, "incomplete unicode character escape sequence at %s", at - 2)),
        }
    }

    /// At `\u`: the character, including the second half of a surrogate pair, and the end position.
    fn code_point(&mut self, cx: &mut Cx, at: usize, end: usize) -> R<(u32, usize)> {
        let unit = self.unit(cx, at + 2, end)?;
        if unit & 0xfc00 != 0xd800 {
            return Ok((unit, at + 6));
        }
        if at + 12 > end || &self.text[at + 6..at + 8] != b"\\u" {
            return Err(self.error_at(cx, "incomplete surrogate pair at %s", at));
        }
        let low = self.unit(cx, at + 8, end)?;
        if low & 0xfc00 != 0xdc00 {
            return Err(self.error_at(cx, "invalid surrogate pair at %s", at));
        }
        Ok((0x1_0000 + ((unit & 0x3ff) << 10 | low & 0x3ff), at + 12))
    }

    fn number(&mut self, cx: &mut Cx) -> R {
        let rest = &self.text[self.at..];
        if let Some((length, number)) = small_integer(rest) {
            self.at += length;
            return Ok(Value::fixnum(number));
        }
        let Some(number) = Number::read(rest) else { return Err(self.error(cx, "invalid number: %s")) };
        let digits = &rest[..number.length];
        let v = match number.integer() {
            _ if number.is_float => self.decimal(cx, digits, &number)?,
            Some(integer) => bigint::from_i64(cx, integer),
            None => big_integer(cx, digits)?,
        };
        self.at += number.length;
        Ok(v)
    }

    fn decimal(&self, cx: &mut Cx, digits: &[u8], number: &Number) -> R {
        let Some((receiver, method)) = self.config.decimal else {
            let made = number
                .float()
                .or_else(|| std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok()))
                .unwrap_or(0.0);
            return Ok(float::new(cx, made));
        };
        let digits = make::string(cx, digits, EncodingId::BINARY);
        call::send(cx, receiver, method, &[digits])
    }
}

/// The location of a string's bytes.
#[derive(Clone, Copy)]
enum Place {
    Text(usize, usize),
    /// Bytes of the source that are all ASCII.
    Ascii(usize, usize),
    Scratch,
    AsciiScratch,
}

/// The entries of an object: the first few in an array, the rest in a Hash.
struct Entries {
    pairs: [Value; COLLECTED * 2],
    hashes: [KeyHash; COLLECTED],
    count: usize,
    rest: Option<HashRef>,
}

impl Entries {
    /// Adds an entry; `false` if the key is known to exist already.
    fn add(&mut self, cx: &mut Cx, key: Value, v: Value, hash: Option<KeyHash>) -> R<bool> {
        if let (None, Some(hash)) = (self.rest, hash)
            && self.count < COLLECTED
        {
            self.pairs[self.count * 2] = key;
            self.pairs[self.count * 2 + 1] = v;
            self.hashes[self.count] = hash;
            self.count += 1;
            return Ok(true);
        }
        let table = match self.rest {
            Some(table) => table,
            None => {
                let table = HashRef::with_capacity(cx, COLLECTED * 2);
                let table = table.map_err(|error| keys::raise_table_error(cx, error))?;
                self.rest = Some(table);
                for i in 0..self.count {
                    store(cx, table, self.pairs[i * 2], self.pairs[i * 2 + 1], Some(self.hashes[i]))?;
                }
                table
            }
        };
        store(cx, table, key, v, hash)
    }

    /// The object, and a key that occurs twice among the first entries.
    fn finish(&self, cx: &mut Cx) -> R<(Value, Option<Value>)> {
        if let Some(table) = self.rest {
            return Ok((table.value(), self.repeated()));
        }
        let pairs = &self.pairs[..self.count * 2];
        let made = HashRef::from_hashed_pairs(cx, pairs, &self.hashes[..self.count]);
        let made = keys::raise(cx, made)?;
        let repeated = if made.len() < self.count { self.repeated() } else { None };
        Ok((made.value(), repeated))
    }

    /// The first key that occurs twice among the first entries. Equal keys are the same object: Symbols, or interned
    /// Strings.
    fn repeated(&self) -> Option<Value> {
        let keys = || self.pairs[..self.count * 2].iter().step_by(2);
        keys().enumerate().find(|(i, key)| keys().take(*i).any(|other| other == *key)).map(|(_, key)| *key)
    }
}

/// Stores an entry; `false` if its key already existed.
pub fn store(cx: &mut Cx, table: HashRef, key: Value, v: Value, hash: Option<KeyHash>) -> R<bool> {
    let before = table.len();
    match hash {
        Some(hash) => {
            let stored = table.store_with_hash(cx, key, v, hash);
            keys::raise(cx, stored)?;
        }
        None => keys::store(cx, table.value(), key, v)?,
    }
    Ok(table.len() > before)
}

fn key_encoding(bytes: &[u8]) -> EncodingId {
    if bytes.is_ascii() { EncodingId::US_ASCII } else { EncodingId::UTF_8 }
}

fn hexadecimal(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |number, digit| number << 4 | (*digit as char).to_digit(16).unwrap_or(0))
}

/// Stores a code point as UTF-8, including halves of surrogate pairs, in the first of four bytes; returns their number.
fn put_code_point(out: &mut [u8], code: u32) -> usize {
    let bytes = match code {
        0..0x80 => [code as u8, 0, 0, 0],
        0x80..0x800 => [0xc0 | (code >> 6) as u8, 0x80 | (code & 0x3f) as u8, 0, 0],
        0x800..0x1_0000 => {
            [0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8, 0]
        }
        _ => [
            0xf0 | (code >> 18) as u8,
            0x80 | (code >> 12 & 0x3f) as u8,
            0x80 | (code >> 6 & 0x3f) as u8,
            0x80 | (code & 0x3f) as u8,
        ],
    };
    out[..4].copy_from_slice(&bytes);
    match code {
        0..0x80 => 1,
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        _ => 4,
    }
}

/// The place of the first backslash in eight bytes in little-endian order; 8 if there is none.
#[inline(always)]
fn backslash(word: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let apart = word ^ (ONES * 0x5c);
    // Borrows propagate only to higher bytes, so the lowest set bit is correct.
    (apart.wrapping_sub(ONES) & !apart & (ONES << 7)).trailing_zeros() as usize / 8
}

fn big_integer(cx: &mut Cx, text: &[u8]) -> R {
    let (negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    match numeric::big::parse_digits(digits, 10, negative, &mut || false) {
        Ok(Some(number)) => bigint::integer(cx, number).or_raise(cx),
        _ => Err(cx.argument_error("argument too big")),
    }
}
