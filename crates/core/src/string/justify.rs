//! ljust, rjust, center.

use object::string::Str;
use runtime::{Args, Cx, R, convert, error::OrRaise};
use text::{CodeRange, scan};

use super::modify::{argument, char_count, compatible};

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
    Center,
}

fn justified(cx: &mut Cx, args: Args, side: Side) -> R {
    let s = Str::of(args.me());
    let width = convert::to_i64(cx, args.at(0))?;
    let (pad, encoding) = match args.opt(1) {
        Some(v) => {
            let pad = argument(cx, v)?;
            let encoding = compatible(cx, s, pad)?;
            if pad.is_empty() {
                return Err(cx.argument_error("zero width padding"));
            }
            if pad.len() == 1 && pad.is_ascii() && encoding == s.encoding() && encoding.is_ascii_compatible() {
                let byte = pad.byte(0).unwrap_or(b' ');
                return with_byte(cx, s, width, side, byte);
            }
            (pad, encoding)
        }
        None if s.encoding().is_ascii_compatible() => return with_byte(cx, s, width, side, b' '),
        None => {
            let mut space = Vec::new();
            let _ = text::encoding::encode_codepoint(s.encoding(), 32, &mut space);
            (Str::new(cx, &space, s.encoding()).or_raise(cx)?, s.encoding())
        }
    };
    let length = char_count(s) as i64;
    if width < 0 || length >= width {
        return Ok(s.dup(cx).value());
    }
    let (left, right) = split_padding(width - length, side);
    let pad_length = char_count(pad);
    let (left_bytes, right_bytes) = match (padding_size(pad, pad_length, left), padding_size(pad, pad_length, right)) {
        (Some(a), Some(b)) => (a, b),
        _ => return Err(cx.argument_error("argument too big")),
    };
    let Some(total) = left_bytes.checked_add(right_bytes).and_then(|n| n.checked_add(s.len())) else {
        return Err(cx.argument_error("argument too big"));
    };
    if total > i64::MAX as usize {
        return Err(cx.argument_error("argument too big"));
    }
    let result = Str::with_room(cx, total, encoding).or_raise(cx)?;
    append_padding(cx, result, pad, left_bytes)?;
    result.append_str(cx, s).or_raise(cx)?;
    append_padding(cx, result, pad, right_bytes)?;
    Ok(result.value())
}

/// The number of padding characters on the left and the right.
fn split_padding(missing: i64, side: Side) -> (usize, usize) {
    let missing = missing as usize;
    let left = match side {
        Side::Left => 0,
        Side::Right => missing,
        Side::Center => missing / 2,
    };
    (left, missing - left)
}

/// The justified String for padding with an ASCII character, in an encoding in which that is one byte.
fn with_byte(cx: &mut Cx, s: Str, width: i64, side: Side, byte: u8) -> R {
    let length = char_count(s) as i64;
    if width < 0 || length >= width {
        return Ok(s.dup(cx).value());
    }
    let (left, right) = split_padding(width - length, side);
    let Some(total) = s.len().checked_add(left + right).filter(|total| *total <= i64::MAX as usize) else {
        return Err(cx.argument_error("argument too big"));
    };
    let result = Str::with_room(cx, total, s.encoding()).or_raise(cx)?;
    append_bytes(cx, result, byte, left)?;
    result.append_str(cx, s).or_raise(cx)?;
    append_bytes(cx, result, byte, right)?;
    Ok(result.value())
}

fn append_bytes(cx: &mut Cx, to: Str, byte: u8, count: usize) -> R<()> {
    let bytes = [byte; 64];
    let mut left = count;
    while left > 0 {
        let some = left.min(bytes.len());
        to.append_with(cx, &bytes[..some], CodeRange::SevenBit).or_raise(cx)?;
        left -= some;
    }
    Ok(())
}

/// The bytes of `chars` characters of padding.
fn padding_size(pad: Str, pad_length: usize, chars: usize) -> Option<usize> {
    let whole = (chars / pad_length).checked_mul(pad.len())?;
    let rest: std::ops::Range<usize> = pad
        .read((pad.encoding(), pad.code_range(), chars % pad_length), |bytes, (encoding, range, chars)| {
            scan::substring(encoding, bytes, range, 0, chars)
        })?;
    whole.checked_add(rest.len())
}

/// The number of bytes of padding appended at once.
const MANY_BYTES: usize = 256;

fn append_padding(cx: &mut Cx, to: Str, pad: Str, bytes: usize) -> R<()> {
    let mut left = bytes;
    // Several copies at once, if the padding is short.
    let copies = (bytes / pad.len()).min(MANY_BYTES / pad.len());
    if copies > 1 {
        let many = memory::concat(&vec![pad.bytes(cx); copies]);
        let range = pad.code_range();
        while left >= many.len() {
            to.append_with(cx, &many, range).or_raise(cx)?;
            left -= many.len();
        }
    }
    while left > 0 {
        let count = left.min(pad.len());
        let range = match pad.known_code_range() {
            whole if count == pad.len() => whole,
            _ => scan::code_range(to.encoding(), &pad.bytes(cx)[..count]),
        };
        to.append_part(cx, pad, 0..count, range).or_raise(cx)?;
        left -= count;
    }
    Ok(())
}

/// `ljust(width, pad = " ") → string`: a copy padded to `width` characters with `pad` on the right. ArgumentError for
/// an empty `pad`.
pub fn ljust(cx: &mut Cx, args: Args) -> R {
    justified(cx, args, Side::Left)
}

/// `rjust(width, pad = " ") → string`: a copy padded to `width` characters with `pad` on the left. ArgumentError for an
/// empty `pad`.
pub fn rjust(cx: &mut Cx, args: Args) -> R {
    justified(cx, args, Side::Right)
}

/// `center(width, pad = " ") → string`: a copy padded to `width` characters with `pad` on both sides, possibly one more
/// on the right. ArgumentError for an empty `pad`.
pub fn center(cx: &mut Cx, args: Args) -> R {
    justified(cx, args, Side::Center)
}
