//! Binary data as mail-safe text: base64, uuencode, quoted printable.

use super::{Count, Kind, PackError};
use memory::Grow;

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const UU: &[u8; 64] = b"`!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_";

/// Appends a string under `m`, `u` or `M`, whose count sets the line length.
pub fn pack_armor(kind: Kind, bytes: &[u8], count: Count, out: &mut Vec<u8>) {
    let count = match count {
        Count::Number(count) => count,
        Count::Star if kind == Kind::Uu => 0,
        _ => 1,
    };
    if kind == Kind::QuotedPrintable {
        return encode_quoted_printable(bytes, if count <= 1 { 72 } else { count }, out);
    }
    if kind == Kind::Base64 && count == 0 {
        return encode_base64(bytes, None, out);
    }
    let line = match count {
        0..=2 => 45,
        64.. if kind == Kind::Uu => 63,
        _ => count / 3 * 3,
    };
    if kind == Kind::Uu { encode_uu(bytes, line, out) } else { encode_base64(bytes, Some(line), out) }
}

/// Appends base64 in lines of `line` bytes of input (a multiple of three), each ended by a newline, or without line
/// breaks.
pub fn encode_base64(bytes: &[u8], line: Option<usize>, out: &mut Vec<u8>) {
    match line {
        None => encode(bytes, BASE64, b'=', out),
        Some(line) => {
            for chunk in bytes.chunks(line) {
                encode(chunk, BASE64, b'=', out);
                out.append_one(b'\n');
            }
        }
    }
}

/// Appends uuencoded lines of at most 63 bytes of input each.
pub fn encode_uu(bytes: &[u8], line: usize, out: &mut Vec<u8>) {
    for chunk in bytes.chunks(line) {
        memory::reserve(out, chunk.len() * 2 + 8);
        out.append_one(chunk.len() as u8 + b' ');
        encode(chunk, UU, b'`', out);
        out.append_one(b'\n');
    }
}

fn encode(bytes: &[u8], digits: &[u8; 64], padding: u8, out: &mut Vec<u8>) {
    let (chunks, rest) = bytes.as_chunks::<3>();
    let four = |[first, second, third]: [u8; 3]| {
        let bits = u32::from(first) << 16 | u32::from(second) << 8 | u32::from(third);
        let digit = |shift: u32| digits[(bits >> shift & 63) as usize];
        [digit(18), digit(12), digit(6), digit(0)]
    };
    let start = out.len();
    memory::reserve(out, bytes.len() / 3 * 4 + 8);
    out.set_length(start + chunks.len() * 4, 0);
    for (chunk, place) in chunks.iter().zip(out[start..].as_chunks_mut::<4>().0) {
        *place = four(*chunk);
    }
    let mut last = match *rest {
        [first] => four([first, 0, 0]),
        [first, second] => four([first, second, 0]),
        _ => return,
    };
    last[rest.len() + 1..].fill(padding);
    out.append_slice(&last);
}

/// The value of each base64 digit; `NO_DIGIT` for other bytes.
const BASE64_VALUES: [u8; 256] = {
    let (mut values, mut at) = ([NO_DIGIT; 256], 0);
    while at < BASE64.len() {
        values[BASE64[at] as usize] = at as u8;
        at += 1;
    }
    values
};
const NO_DIGIT: u8 = 0xFF;
/// How many digits are decoded at a time.
const LINE: usize = 1024;

fn base64_value(byte: u8) -> Option<u8> {
    Some(BASE64_VALUES[usize::from(byte)]).filter(|&value| value != NO_DIGIT)
}

/// Decodes complete groups of four digits until one is incomplete; returns the length of the text it consumed.
fn decode_fours(text: &[u8], out: &mut Vec<u8>) -> usize {
    let (fours, _) = text.as_chunks::<4>();
    let start = out.len();
    out.set_length(start + fours.len() * 3, 0);
    let mut read = 0;
    for (four, place) in fours.iter().zip(out[start..].as_chunks_mut::<3>().0) {
        let value = |at: usize| BASE64_VALUES[usize::from(four[at])];
        let (a, b, c, d) = (value(0), value(1), value(2), value(3));
        if (a | b | c | d) & 0xC0 != 0 {
            break;
        }
        *place = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
        read += 1;
    }
    out.truncate(start + read * 3);
    read * 4
}

/// Appends the bytes encoded by up to four digits.
fn join(digits: &[u8], out: &mut Vec<u8>) {
    let bits = digits.iter().enumerate().fold(0u32, |bits, (at, &digit)| bits | u32::from(digit) << (18 - 6 * at));
    let count = digits.len().saturating_sub(1);
    out.append_slice(&bits.to_be_bytes()[1..1 + count]);
}

/// Decodes base64, skipping other characters, up to the padding. Returns the bytes and the length read.
pub fn decode_base64(text: &[u8]) -> (Vec<u8>, usize) {
    let mut out = memory::with_capacity(text.len() / 4 * 3);
    let (mut digits, mut count) = ([0; 4], 0);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        // Where a line begins, whole groups are likely. Lines are short, so it examines only one.
        if count == 0 && (at == 0 || text[at - 1] == b'\n') {
            let most = text.len().min(at + LINE);
            let read = decode_fours(&text[at..most], &mut out);
            if read > 0 {
                at += read;
                continue;
            }
        }
        match base64_value(byte) {
            Some(digit) => {
                digits[count] = digit;
                count += 1;
            }
            None if byte == b'=' && count >= 2 => {
                join(&digits[..count], &mut out);
                return (out, at);
            }
            None => {}
        }
        if count == 4 {
            join(&digits, &mut out);
            count = 0;
        }
        at += 1;
    }
    join(&digits[..count], &mut out);
    (out, text.len())
}

/// Decodes base64 that contains nothing else and is padded to a multiple of four.
pub fn decode_base64_strict(text: &[u8]) -> Result<Vec<u8>, PackError> {
    let mut out = memory::with_capacity(text.len() / 4 * 3);
    if !text.len().is_multiple_of(4) {
        return Err(PackError::InvalidBase64);
    }
    let padding = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let digits = &text[..text.len() - padding];
    let read = decode_fours(digits, &mut out);
    let digits = digits[read..]
        .iter()
        .map(|&byte| base64_value(byte).ok_or(PackError::InvalidBase64))
        .collect::<Result<Vec<u8>, _>>()?;
    for chunk in digits.chunks(4) {
        join(chunk, &mut out);
        let unused = match chunk.len() {
            2 => chunk[1] & 0xF,
            3 => chunk[2] & 0x3,
            _ => 0,
        };
        if unused != 0 {
            return Err(PackError::InvalidBase64);
        }
    }
    Ok(out)
}

/// Decodes uuencoded lines. Returns the bytes and the length read.
pub fn decode_uu(text: &[u8]) -> (Vec<u8>, usize) {
    let most = text.len() * 3 / 4;
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(&byte @ b'!'..=b'`') = text.get(at) {
        at += 1;
        let mut left = usize::from((byte - b' ') & 63).min(most - out.len());
        while left > 0 {
            let mut hunk = [0u8; 4];
            for digit in &mut hunk {
                if let Some(&byte @ b' '..=b'`') = text.get(at) {
                    *digit = (byte - b' ') & 63;
                    at += 1;
                }
            }
            let mut bytes = memory::with_capacity(3);
            join(&hunk, &mut bytes);
            bytes.truncate(left);
            left -= bytes.len();
            out.append_from(bytes);
        }
        // A line may end with a checksum.
        if text.get(at).is_some_and(|byte| !matches!(byte, b'\r' | b'\n')) {
            at += 1;
        }
        at += usize::from(text.get(at) == Some(&b'\r'));
        at += usize::from(text.get(at) == Some(&b'\n'));
    }
    (out, at)
}

/// Appends quoted printable text in lines of about this many characters.
pub fn encode_quoted_printable(bytes: &[u8], line: usize, out: &mut Vec<u8>) {
    let (mut column, mut before) = (0, None);
    for &byte in bytes {
        match byte {
            b'\n' => {
                if matches!(before, Some(b' ' | b'\t')) {
                    out.append_slice(b"=\n");
                }
                out.append_one(b'\n');
                (column, before) = (0, Some(byte));
            }
            b'\t' | b' '..=b'<' | b'>'..=b'~' => {
                out.append_one(byte);
                (column, before) = (column + 1, Some(byte));
            }
            _ => {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                out.append_from([b'=', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
                (column, before) = (column + 3, None);
            }
        }
        if column > line {
            out.append_slice(b"=\n");
            (column, before) = (0, Some(b'\n'));
        }
    }
    if column > 0 {
        out.append_slice(b"=\n");
    }
}

/// Decodes quoted printable text, and returns how much of it was read: the text from the first malformed part on is
/// unchanged, and reading ends at the character that is no digit.
pub fn decode_quoted_printable(text: &[u8]) -> (Vec<u8>, usize) {
    let mut out = memory::with_capacity(text.len());
    let mut rest = text;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    loop {
        rest = match rest {
            [] => return (out, text.len()),
            [b'=', b'\r', b'\n', tail @ ..] | [b'=', b'\n', tail @ ..] => tail,
            [b'=', tail @ ..] => {
                let (high, low) = (tail.first().and_then(|b| digit(*b)), tail.get(1).and_then(|b| digit(*b)));
                let (Some(high), Some(low)) = (high, low) else {
                    out.append_slice(rest);
                    let read = text.len() - tail.len() + usize::from(high.is_some());
                    return (out, read);
                };
                out.append_one((high << 4 | low) as u8);
                &tail[2..]
            }
            [byte, tail @ ..] => {
                out.append_one(*byte);
                tail
            }
        };
    }
}
