//! Patterns that need no compiling to be known as valid: those that programs make of words and prefixes.

use crate::options::Options;

/// Whether the preprocessed pattern is a sequence of ASCII characters, escapes and anchors, the characters with at most
/// one quantifier each, not in extended syntax. It has no errors, no warnings and no groups.
pub(crate) fn is_plain(pattern: &[u8], options: Options) -> bool {
    if options.extended {
        return false;
    }
    let mut rest = pattern;
    let mut is_repeatable = false;
    while let [first, others @ ..] = rest {
        (rest, is_repeatable) = match (first, others) {
            (b'*' | b'+' | b'?', _) if is_repeatable => (others, false),
            (b'^' | b'$', _) => (others, false),
            (b'\\', [b'A' | b'z' | b'Z' | b'b' | b'B', after @ ..]) => (after, false),
            (b'\\', [b's' | b'S' | b'd' | b'D' | b'w' | b'W' | b'n' | b't', after @ ..]) => (after, true),
            (b'\\', [escaped, after @ ..]) if escaped.is_ascii_punctuation() || *escaped == b' ' => (after, true),
            (b'\\' | b'*' | b'+' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b'#', _) => return false,
            (b' '..=b'~', _) => (others, true),
            _ => return false,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, Program};

    #[test]
    fn plain_patterns_are_as_valid_as_compiled_ones() {
        for pattern in ["", "x12y", r"\bword\b", r"^a\.b-c$", r"\s*=\s+\d?", "a.b*", r"\A\\\*\+\?\z"] {
            assert!(is_plain(pattern.as_bytes(), Options::default()), "{pattern}");
            let program = Program::compile(pattern.as_bytes(), Options::from_bits(0), Encoding::Utf8).unwrap();
            assert_eq!(program.warnings(), Vec::new());
        }
        let others = [r"\b+", "\\", r"\x41", r"\p{L}", r"\1", "\u{e9}", "a{2}"];
        for pattern in ["a**", "*", "a*?", "^*", "(a)", "[a]", "a|b"].into_iter().chain(others) {
            assert!(!is_plain(pattern.as_bytes(), Options::default()), "{pattern}");
        }
    }
}
