//! The first characters of a pattern's matches, whichever engine finds them.

use super::ast::Node;
use super::engine::Text;
use super::hir::Lowering;
use super::parser::parse;
use crate::options::Options;
use crate::syntax::Switches;

/// The ASCII characters with which a match may begin. It may begin with any non-ASCII character.
pub(crate) struct FirstBytes {
    /// A bit for each ASCII character.
    ascii: u128,
    is_never_empty: bool,
}

impl FirstBytes {
    /// Nothing is known.
    pub const ANY: FirstBytes = FirstBytes { ascii: u128::MAX, is_never_empty: false };

    /// For a pattern in UTF-8. Look-around, anchors and the limits of atomic groups only exclude matches.
    pub fn of(pattern: &[u8], options: Options) -> FirstBytes {
        let mut first = FirstBytes { ascii: 0, is_never_empty: true };
        let node = std::str::from_utf8(pattern).ok().and_then(|pattern| parse(pattern, Switches::new(options)));
        match node.and_then(|(node, _)| first.add(&node)) {
            Some(false) => first,
            _ => FirstBytes::ANY,
        }
    }

    /// Whether no match begins at a boundary of characters of a text that is compatible with ASCII.
    #[inline]
    pub fn excludes(&self, haystack: &[u8], at: usize) -> bool {
        self.excludes_before(haystack.get(at).copied())
    }

    /// The same for the first byte of the rest of the text.
    #[inline]
    pub fn excludes_before(&self, byte: Option<u8>) -> bool {
        match byte {
            Some(byte) => byte.is_ascii() && self.ascii & (1 << byte) == 0,
            None => self.is_never_empty,
        }
    }

    /// Adds the first characters of what the node matches; returns whether it may match the empty text. `None` if that
    /// is not known.
    fn add(&mut self, node: &Node) -> Option<bool> {
        Some(match node {
            Node::Empty | Node::Anchor(_) | Node::Look { .. } | Node::Keep => true,
            Node::Char { .. } | Node::Dot { .. } | Node::Class { .. } => {
                for range in Lowering::new(Text::Ascii).characters(node)?.ranges() {
                    for character in range.start()..=range.end() {
                        self.ascii |= 1 << u32::from(character);
                    }
                }
                false
            }
            Node::Capture { node, .. } | Node::Atomic(node) => self.add(node)?,
            Node::Repeat { node, min, .. } => self.add(node)? || *min == 0,
            Node::Concat(nodes) => {
                for node in nodes {
                    if !self.add(node)? {
                        return Some(false);
                    }
                }
                true
            }
            Node::Alternate(nodes) => {
                let mut may_be_empty = false;
                for node in nodes {
                    may_be_empty |= self.add(node)?;
                }
                may_be_empty
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluded(pattern: &str, options: i64) -> String {
        let first = FirstBytes::of(pattern.as_bytes(), Options::from_bits(options));
        "aAkK1 \n-é"
            .char_indices()
            .filter(|&(at, _)| first.excludes("aAkK1 \n-é".as_bytes(), at))
            .map(|(_, c)| c)
            .collect()
    }

    #[test]
    fn characters_that_begin_no_match_are_excluded() {
        assert_eq!(excluded("a", 0), "AkK1 \n-");
        assert_eq!(excluded("a", 1), "kK1 \n-");
        assert_eq!(excluded("(?<!x)(?>a+|\\d)z", 0), "AkK \n-");
        assert_eq!(excluded("^\\b(?=x)-?[a-k]", 0), "AK1 \n");
        assert_eq!(excluded(".", 0), "\n");
        assert_eq!(excluded("é", 0), "aAkK1 \n-");
        assert_eq!(excluded("", 0), "");
        assert_eq!(excluded("a*", 0), "");
        assert_eq!(excluded("\u{212a}", 1), "");
        assert_eq!(excluded("(a)\\1", 0), "");
    }

    #[test]
    fn the_end_is_excluded_unless_the_match_may_be_empty() {
        assert!(FirstBytes::of(b"a", Options::default()).excludes(b"", 0));
        assert!(!FirstBytes::of(b"a?", Options::default()).excludes(b"", 0));
        assert!(!FirstBytes::of(b"\\z", Options::default()).excludes(b"", 0));
    }
}
