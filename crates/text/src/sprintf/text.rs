//! %s %p %c.

use super::{FormatError, Spec, fill};
use crate::encoding::EncodingId;
use crate::scan::{CodeRange, char_count, substring};
use memory::Grow;

/// Appends text: at most `precision` characters, padded to at least `width` characters.
pub fn format_text(
    spec: &Spec,
    encoding: EncodingId,
    text: &[u8],
    range: CodeRange,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let mut text = text;
    if let Some(precision) = spec.precision
        && let Some(shorter) = substring(encoding, text, range, 0, precision)
    {
        text = &text[shorter];
    }
    let padding = match spec.width {
        Some(width) => width.saturating_sub(char_count(encoding, text, range)),
        None => 0,
    };
    if !spec.flags.minus {
        fill(out, b' ', padding)?;
    }
    out.try_reserve(text.len()).map_err(|_| FormatError::NoMemory)?;
    out.append_slice(text);
    if spec.flags.minus { fill(out, b' ', padding) } else { Ok(()) }
}

/// Appends one character, the bytes of %c's integer argument; a string argument of %c is [`format_text`] with precision
/// 1.
pub fn format_char(spec: &Spec, char: &[u8], out: &mut Vec<u8>) -> Result<(), FormatError> {
    let padding = spec.width.map_or(0, |width| width.saturating_sub(1));
    if !spec.flags.minus {
        fill(out, b' ', padding)?;
    }
    out.append_slice(char);
    if spec.flags.minus { fill(out, b' ', padding) } else { Ok(()) }
}
