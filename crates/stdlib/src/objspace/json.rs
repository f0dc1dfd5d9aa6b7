//! Lines of JSON as ObjectSpace.dump writes them: `"key":value` separated by a comma and a space.

use memory::Grow;

/// One object under construction.
pub struct Line {
    pub text: Vec<u8>,
}

impl Line {
    pub fn new() -> Line {
        Line { text: vec![b'{'] }
    }

    /// Begins a member.
    pub fn key(&mut self, name: &str) -> &mut Line {
        if !self.text.ends_with(b"{") {
            self.text.append_slice(b", ");
        }
        self.text.append_one(b'"');
        self.text.append_slice(name.as_bytes());
        self.text.append_slice(b"\":");
        self
    }

    pub fn raw(&mut self, text: &str) {
        self.text.append_slice(text.as_bytes());
    }

    pub fn number(&mut self, name: &str, n: impl std::fmt::Display) {
        let text = n.to_string();
        self.key(name).raw(&text);
    }

    pub fn string(&mut self, name: &str, value: &[u8]) {
        self.key(name);
        quote(&mut self.text, value);
    }

    pub fn truth(&mut self, name: &str, on: bool) {
        if on {
            self.key(name).raw("true");
        }
    }

    pub fn address(&mut self, name: &str, address: u64) {
        let text = format!("\"0x{address:x}\"");
        self.key(name).raw(&text);
    }

    pub fn addresses(&mut self, name: &str, addresses: impl IntoIterator<Item = u64>) {
        let mut first = true;
        for address in addresses {
            if std::mem::take(&mut first) {
                self.key(name).raw("[");
            } else {
                self.raw(", ");
            }
            let text = format!("\"0x{address:x}\"");
            self.raw(&text);
        }
        if !first {
            self.raw("]");
        }
    }

    /// Ends the object and the line.
    pub fn end(mut self) -> Vec<u8> {
        self.text.append_slice(b"}\n");
        self.text
    }
}

/// A JSON string. Bytes that are not UTF-8 become the replacement character.
pub fn quote(text: &mut Vec<u8>, value: &[u8]) {
    text.append_one(b'"');
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
    text.append_one(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_separated_and_strings_escaped() {
        let mut line = Line::new();
        line.address("address", 0x1f);
        line.string("value", b"a\x01\"\\\n/\x7f\xc3\xa9\xff");
        line.number("n", -3);
        line.truth("no", false);
        line.truth("yes", true);
        line.addresses("none", []);
        line.addresses("references", [1, 2]);
        let text = String::from_utf8(line.end()).unwrap();
        let expected = "{\"address\":\"0x1f\", \"value\":\"a\\u0001\\\"\\\\\\n/\\u007fé\u{fffd}\", \"n\":-3, \
            \"yes\":true, \"references\":[\"0x1\", \"0x2\"]}\n";
        assert_eq!(text, expected);
    }
}
