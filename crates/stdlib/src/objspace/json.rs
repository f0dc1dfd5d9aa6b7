//! Lines of JSON as ObjectSpace.dump writes them: `"key":value` separated by a comma and a space.

use memory::Grow;

/// A separator, the name of a member in quotes, and a colon: a single piece, because pieces are short and many.
pub type Key = &'static str;

macro_rules! key {
    ($name:literal) => {
        concat!(", \"", $name, "\":")
    };
}
pub(super) use key;

/// One object under construction, at the end of a text.
pub struct Line<'a> {
    pub text: &'a mut Vec<u8>,
    is_empty: bool,
}

impl<'a> Line<'a> {
    /// Begins an object.
    pub fn new(text: &'a mut Vec<u8>) -> Line<'a> {
        text.append_one(b'{');
        Line { text, is_empty: true }
    }

    /// Begins a member.
    pub fn key(&mut self, key: Key) -> &mut Line<'a> {
        let separator = if std::mem::take(&mut self.is_empty) { ", ".len() } else { 0 };
        self.text.append_slice(&key.as_bytes()[separator..]);
        self
    }

    pub fn raw(&mut self, text: &str) {
        self.text.append_slice(text.as_bytes());
    }

    pub fn number(&mut self, key: Key, n: impl TryInto<i64>) {
        self.key(key);
        push_integer(self.text, n.try_into().unwrap_or(i64::MAX));
    }

    pub fn string(&mut self, key: Key, value: &[u8]) {
        self.key(key);
        quote(self.text, value);
    }

    pub fn truth(&mut self, key: Key, on: bool) {
        if on {
            self.key(key).raw("true");
        }
    }

    pub fn address(&mut self, key: Key, address: u64) {
        self.key(key);
        quote_address(self.text, address);
    }

    pub fn addresses(&mut self, key: Key, addresses: impl IntoIterator<Item = u64>) {
        let mut first = true;
        for address in addresses {
            if std::mem::take(&mut first) {
                self.key(key).raw("[");
            } else {
                self.raw(", ");
            }
            quote_address(self.text, address);
        }
        if !first {
            self.raw("]");
        }
    }

    /// A member whose value is an object.
    pub fn object(&mut self, key: Key) -> Line<'_> {
        Line::new(self.key(key).text)
    }

    /// Ends the object.
    pub fn close(self) {
        self.text.append_one(b'}');
    }

    /// Ends the object and the line.
    pub fn end(self) {
        self.text.append_slice(b"}\n");
    }
}

/// `"0x7f00…"`
fn quote_address(text: &mut Vec<u8>, address: u64) {
    // Up to 16 digits, two quotes and the prefix.
    let (mut digits, mut at, mut rest) = ([0u8; 20], 19, address);
    digits[19] = b'"';
    loop {
        at -= 1;
        digits[at] = b"0123456789abcdef"[(rest & 15) as usize];
        rest >>= 4;
        if rest == 0 {
            break;
        }
    }
    at -= 3;
    digits[at..at + 3].copy_from_slice(b"\"0x");
    text.append_slice(&digits[at..]);
}

/// A JSON string. Bytes that are not UTF-8 become the replacement character.
pub fn quote(text: &mut Vec<u8>, value: &[u8]) {
    text.append_one(b'"');
    if value.iter().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
        text.append_slice(value);
    } else {
        escape(text, value);
    }
    text.append_one(b'"');
}

fn escape(text: &mut Vec<u8>, value: &[u8]) {
    for c in memory::lossy_text(value).chars() {
        match c {
            '"' => text.append_slice(b"\\\""),
            '\\' => text.append_slice(b"\\\\"),
            '\n' => text.append_slice(b"\\n"),
            '\r' => text.append_slice(b"\\r"),
            '\t' => text.append_slice(b"\\t"),
            '\u{8}' => text.append_slice(b"\\b"),
            '\u{c}' => text.append_slice(b"\\f"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => text.append_slice(format!("\\u{:04x}", c as u32).as_bytes()),
            c => text.append_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Appends a number in decimal.
fn push_integer(out: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.append_one(b'-');
    }
    out.append_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_separated_and_strings_escaped() {
        let mut text = Vec::new();
        let mut line = Line::new(&mut text);
        line.address(key!("address"), 0x1f);
        line.string(key!("value"), b"a\x01\"\\\n/\x7f\xc3\xa9\xff");
        line.number(key!("n"), -3);
        line.truth(key!("no"), false);
        line.truth(key!("yes"), true);
        line.addresses(key!("none"), []);
        line.addresses(key!("references"), [1, u64::MAX]);
        line.number(key!("least"), i64::MIN);
        let mut flags = line.object(key!("flags"));
        flags.number(key!("zero"), 0);
        flags.close();
        line.end();
        let text = String::from_utf8(text).unwrap();
        let expected = "{\"address\":\"0x1f\", \"value\":\"a\\u0001\\\"\\\\\\n/\\u007fé\u{fffd}\", \"n\":-3, \
            \"yes\":true, \"references\":[\"0x1\", \"0xffffffffffffffff\"], \"least\":-9223372036854775808, \
            \"flags\":{\"zero\":0}}\n";
        assert_eq!(text, expected);
    }
}
