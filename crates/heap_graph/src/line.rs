//! One line of a dump: a JSON object whose members are parsed once, without copying.

use memchr::{memchr, memchr2};

/// The relevant members, as written in the line.
#[derive(Default, Debug)]
pub struct Line<'a> {
    pub address: Option<u64>,
    pub kind: &'a [u8],
    pub class: Option<u64>,
    pub superclass: Option<u64>,
    /// The text between the brackets.
    pub references: &'a [u8],
    pub memsize: u64,
    pub slot_size: u64,
    /// The name of a class or module.
    pub name: &'a [u8],
    /// The name of a root.
    pub root: &'a [u8],
    /// The value of a String as it is written, including escapes.
    pub value: Option<&'a [u8]>,
    pub file: &'a [u8],
    pub line: u32,
    pub generation: Option<u32>,
    /// The type of an internal object or of native data.
    pub sort: &'a [u8],
}

/// Reads a line; `None` if it is not an object.
pub fn read(text: &[u8]) -> Option<Line<'_>> {
    let mut line = Line::default();
    let mut rest = text.strip_prefix(b"{")?;
    loop {
        let start = rest.iter().position(|byte| *byte == b'"')?;
        let (key, after) = string(&rest[start + 1..])?;
        let after = after.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let (value, after) = value(after)?;
        set(&mut line, key, value);
        let after = after.trim_ascii_start();
        match after.first()? {
            b',' => rest = &after[1..],
            _ => return Some(line),
        }
    }
}

/// The text after an opening quote up to the closing one, and the rest after that.
fn string(text: &[u8]) -> Option<(&[u8], &[u8])> {
    // Most strings are a few bytes long.
    let near = text.iter().take(24).position(|byte| matches!(byte, b'"' | b'\\'));
    if let Some(at) = near.filter(|at| text[*at] == b'"') {
        return Some((&text[..at], &text[at + 1..]));
    }
    let mut from = 0;
    loop {
        let at = from + memchr2(b'"', b'\\', &text[from..])?;
        if text[at] == b'"' {
            return Some((&text[..at], &text[at + 1..]));
        }
        from = at + 2;
        if from > text.len() {
            return None;
        }
    }
}

/// A value (for an array or object, its inside), and the rest.
fn value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    match text.first()? {
        b'"' => string(&text[1..]),
        // Arrays contain only addresses.
        b'[' => {
            let end = memchr(b']', text)?;
            Some((&text[1..end], &text[end + 1..]))
        }
        b'{' => object(text),
        _ => {
            let end = text.iter().position(|byte| matches!(byte, b',' | b'}'))?;
            Some((text[..end].trim_ascii_end(), &text[end..]))
        }
    }
}

/// A nested object; strings in it may contain braces.
fn object(text: &[u8]) -> Option<(&[u8], &[u8])> {
    // The object of flags contains only names and plain values.
    let end = memchr(b'}', text)?;
    let quotes = text[1..end].iter().filter(|byte| **byte == b'"').count();
    if quotes % 2 == 0 && memchr2(b'{', b'\\', &text[1..end]).is_none() {
        return Some((&text[1..end], &text[end + 1..]));
    }
    let (mut at, mut depth) = (0, 0);
    loop {
        match text.get(at)? {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'"' => {
                let (inner, _) = string(&text[at + 1..])?;
                at += inner.len() + 1;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some((&text[1..at - 1], &text[at..]));
        }
    }
}

fn set<'a>(line: &mut Line<'a>, key: &[u8], value: &'a [u8]) {
    match key {
        b"address" => line.address = address(value),
        b"type" => line.kind = value,
        b"class" => line.class = address(value),
        b"superclass" => line.superclass = address(value),
        b"references" => line.references = value,
        b"memsize" => line.memsize = number(value),
        b"slot_size" => line.slot_size = number(value),
        b"name" => line.name = value,
        b"real_class_name" if line.name.is_empty() => line.name = value,
        b"root" => line.root = value,
        b"value" => line.value = Some(value),
        b"file" => line.file = value,
        b"line" => line.line = number(value) as u32,
        b"generation" => line.generation = Some(number(value) as u32),
        b"imemo_type" | b"struct" => line.sort = value,
        _ => {}
    }
}

fn number(text: &[u8]) -> u64 {
    text.iter().take_while(|b| b.is_ascii_digit()).fold(0, |n, b| n.wrapping_mul(10).wrapping_add(u64::from(b - b'0')))
}

/// `0x7f00…`
pub fn address(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"0x").filter(|digits| !digits.is_empty())?;
    digits.iter().try_fold(0u64, |n, b| {
        let digit = match b {
            b'0'..=b'9' => b - b'0',
            b'a'..=b'f' => b - b'a' + 10,
            b'A'..=b'F' => b - b'A' + 10,
            _ => return None,
        };
        Some(n << 4 | u64::from(digit))
    })
}

/// The addresses in an array's text.
pub fn addresses(mut text: &[u8]) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let start = text.iter().position(|byte| *byte == b'"')?;
        let (inner, rest) = string(&text[start + 1..])?;
        text = rest;
        Some(address(inner).unwrap_or(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_in_any_order_and_escapes_skipped() {
        let flags = r#""flags":{"old":true, "x":"}"}, "address":"0xff""#;
        let text =
            format!(r#"{{"value":"a\"b}}]", {flags}, "type":"STRING", "references":["0x1", "0x2a"], "memsize":40}}"#);
        let line = read(text.as_bytes()).unwrap();
        assert_eq!(line.address, Some(255));
        assert_eq!(line.value, Some(&br#"a\"b}]"#[..]));
        assert_eq!(addresses(line.references).collect::<Vec<_>>(), [1, 42]);
        assert_eq!(line.memsize, 40);
    }

    #[test]
    fn broken_lines_are_none() {
        for text in [&b"null"[..], b"{", b"{\"a", b"{\"a\\", b"{\"a\":", b"{\"a\":{\"b", b"{\"a\":[1"] {
            assert!(read(text).is_none(), "{}", String::from_utf8_lossy(text));
        }
    }
}
