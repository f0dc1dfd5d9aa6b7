//! User-perceived characters.

use memory::Grow;
use unicode_segmentation::UnicodeSegmentation;

use crate::encoding::{EncodingId, codepoint};
use crate::scan::chars;

/// Calls `visit` with each grapheme cluster (`String#each_grapheme_cluster`); stops and returns false when `visit`
/// does. Outside Unicode every character is a cluster; each broken byte is one.
pub fn graphemes<'a>(encoding: EncodingId, bytes: &'a [u8], mut visit: impl FnMut(&'a [u8]) -> bool) -> bool {
    if !encoding.is_unicode() {
        return chars(encoding, bytes).all(visit);
    }
    if encoding.is_utf8() {
        return bytes.utf8_chunks().all(|chunk| {
            chunk.valid().graphemes(true).all(|cluster| visit(cluster.as_bytes()))
                && chunk.invalid().chunks(1).all(&mut visit)
        });
    }
    // The other Unicode encodings are split where the same text in UTF-8 is.
    let mut rest = bytes;
    while !rest.is_empty() {
        let (mut text, mut lens) = (String::new(), Vec::new());
        for char in chars(encoding, rest) {
            match codepoint(encoding, char).and_then(|(code, _)| char::from_u32(code)) {
                Some(decoded) => {
                    text.append_one(decoded);
                    lens.append_one(char.len());
                }
                None => break,
            }
        }
        let mut lens = lens.into_iter();
        for cluster in text.graphemes(true) {
            let len = lens.by_ref().take(cluster.chars().count()).sum();
            let (cluster, tail) = rest.split_at(len);
            rest = tail;
            if !visit(cluster) {
                return false;
            }
        }
        if let Some(broken) = chars(encoding, rest).next() {
            rest = &rest[broken.len()..];
            if !visit(broken) {
                return false;
            }
        }
    }
    true
}
