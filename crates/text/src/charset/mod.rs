//! The set notation of `tr`, `count`, `delete` and `squeeze`: characters, ranges, `^`, backslashes.

mod ascii;
mod parse;
mod set;
mod translate;

pub use ascii::AsciiTranslation;
pub use parse::CharSetError;
pub use set::{CharSet, count, count_bytes, delete, delete_bytes, squeeze, squeeze_bytes};
pub use translate::{NotAscii, Translation, translate, translate_bytes};

use crate::encoding::{EncodingId, codepoint};

/// The code point and length of the next character; in single-byte encodings but US-ASCII every byte is a character.
fn next_code(encoding: EncodingId, bytes: &[u8]) -> Result<(u32, usize), CharSetError> {
    if encoding.is_single_byte() && encoding != EncodingId::US_ASCII
        || encoding.is_ascii_compatible() && bytes[0] < 0x80
    {
        return Ok((u32::from(bytes[0]), 1));
    }
    codepoint(encoding, bytes).ok_or(CharSetError::InvalidByteSequence)
}
