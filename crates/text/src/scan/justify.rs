//! ljust, rjust and center.

use crate::encoding::EncodingId;
use crate::scan::{CodeRange, char_count, substring};
use memory::Grow;

/// The alignment of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Justify {
    Left,
    Right,
    Center,
}

/// The text padded to `width` characters with `padding`, which is not empty and in the same `encoding`; `None` if
/// memory is exhausted.
pub fn justify(
    encoding: EncodingId,
    (text, range): (&[u8], CodeRange),
    (padding, padding_range): (&[u8], CodeRange),
    width: usize,
    side: Justify,
) -> Option<Vec<u8>> {
    let missing = width.saturating_sub(char_count(encoding, text, range));
    let (before, after) = match side {
        Justify::Left => (0, missing),
        Justify::Right => (missing, 0),
        Justify::Center => (missing / 2, missing - missing / 2),
    };
    let chars = char_count(encoding, padding, padding_range).max(1);
    let rest =
        |count: usize| substring(encoding, padding, padding_range, 0, count % chars).map_or(0, |found| found.end);
    let size = |count: usize| (count / chars).checked_mul(padding.len())?.checked_add(rest(count));
    let mut out = Vec::new();
    out.try_reserve_exact(size(before)?.checked_add(size(after)?)?.checked_add(text.len())?).ok()?;
    let fill = |count: usize, out: &mut Vec<u8>| {
        (0..count / chars).for_each(|_| out.append_slice(padding));
        out.append_slice(&padding[..rest(count)]);
    };
    fill(before, &mut out);
    out.append_slice(text);
    fill(after, &mut out);
    Some(out)
}
