//! Replacement names for groups whose names Oniguruma refuses.

use super::translate::is_named_group;
use memory::ToVector;

/// The names of a pattern that contain ASCII characters other than letters, digits, `_` and `-`.
#[derive(Default)]
pub(super) struct Names {
    refused: Vec<Vec<u8>>,
    /// The prefix of the replacement names, which does not occur in the pattern.
    prefix: Vec<u8>,
}

impl Names {
    pub fn new(pattern: &[u8]) -> Names {
        let starts = (0..pattern.len()).filter(|&at| is_named_group(&pattern[at..]));
        let mut refused: Vec<Vec<u8>> = Vec::new();
        for name in starts.filter_map(|at| enclosed(&pattern[at + 2..])) {
            let digit = name.first().is_none_or(|byte| byte.is_ascii_digit() || b"+-".contains(byte));
            let is_plain = |byte: &u8| *byte >= 0x80 || byte.is_ascii_alphanumeric() || b"_-".contains(byte);
            if !digit && !name.contains(&b')') && !name.iter().all(is_plain) && !refused.iter().any(|r| r == name) {
                refused.push(name.to_vector());
            }
        }
        let mut prefix = b"_".to_vector();
        while !refused.is_empty() && pattern.windows(prefix.len()).any(|part| part == prefix) {
            prefix.push(b'_');
        }
        Names { refused, prefix }
    }

    /// If `text` begins with a refused name in its marks: the length of the name with the marks, and the replacement
    /// name. In a back-reference, the first `+` or `-` of a name begins a level of recursion.
    pub fn at(&self, text: &[u8], has_level: bool) -> Option<(usize, Vec<u8>)> {
        let name = enclosed(text)?;
        let sign = name.iter().position(|byte| has_level && b"+-".contains(byte)).unwrap_or(name.len());
        let (plain, level) = name.split_at(sign);
        let index = self.refused.iter().position(|refused| refused == plain)?;
        Some((name.len() + 2, memory::concat(&[&self.prefix, index.to_string().as_bytes(), level])))
    }

    /// The name in the pattern for a name in the translation.
    pub fn original<'n>(&'n self, given: &'n [u8]) -> &'n [u8] {
        let index = given.strip_prefix(&self.prefix[..]).filter(|_| !self.refused.is_empty());
        let index = index.and_then(|digits| std::str::from_utf8(digits).ok()?.parse::<usize>().ok());
        index.and_then(|index| self.refused.get(index)).map_or(given, |name| name)
    }
}

/// The text between the marks `<` and `>`, or two apostrophes, that these bytes begin with.
fn enclosed(text: &[u8]) -> Option<&[u8]> {
    let close = match text.first()? {
        b'<' => b'>',
        b'\'' => b'\'',
        _ => return None,
    };
    let rest = &text[1..];
    Some(&rest[..rest.iter().position(|byte| *byte == close)?])
}
