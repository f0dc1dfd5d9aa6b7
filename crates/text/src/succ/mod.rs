//! String#succ.

mod step;

use crate::encoding::{EncodingId, codepoint};
use crate::scan::prev_char_start;
use memory::ToVector;
use step::{Step, next_alnum, next_char};

/// `String#succ`: increments the rightmost letter or digit, carrying to the left; without any, the rightmost character.
pub fn succ(encoding: EncodingId, bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vector();
    if encoding.is_ascii_compatible() {
        if increment_plain(&mut out) {
            return out;
        }
        if let Some(carried) = wrap_around(&mut out) {
            memory::reserve(&mut out, 1);
            out.insert(0, carried);
            return out;
        }
    }
    if !bytes.is_empty() && !increment_alnum(encoding, &mut out) {
        increment_any(encoding, &mut out);
    }
    out
}

/// `succ` in place, for text in an encoding that extends ASCII whose successor has the same length; otherwise returns
/// false and changes nothing.
pub fn succ_in_place(encoding: EncodingId, bytes: &mut [u8]) -> bool {
    encoding.is_ascii_compatible() && increment_plain(bytes)
}

/// Starts again in all places if each has the last letter or digit of its kind: `Zz` to `Aa`; returns what comes
/// before. Otherwise changes nothing.
fn wrap_around(bytes: &mut [u8]) -> Option<u8> {
    if !bytes.iter().all(is_last) {
        return None;
    }
    let first = *bytes.first()?;
    bytes.iter_mut().for_each(start_again);
    Some(if first == b'9' { b'1' } else { bytes[0] })
}

/// Whether a byte is the last letter or digit of its kind.
fn is_last(byte: &u8) -> bool {
    matches!(byte, b'9' | b'z' | b'Z')
}

/// Makes the last letter or digit of its kind the first one.
fn start_again(byte: &mut u8) {
    *byte = match *byte {
        b'9' => b'0',
        b'z' => b'a',
        _ => b'A',
    };
}

/// Increments in place if letters and digits at the end absorb the carry: `a9` to `b0`. Otherwise returns false and
/// changes nothing.
fn increment_plain(bytes: &mut [u8]) -> bool {
    if !bytes.is_ascii() {
        return false;
    }
    let Some(at) = bytes.iter().rposition(|byte| !is_last(byte)) else { return false };
    if !bytes[at].is_ascii_alphanumeric() {
        return false;
    }
    bytes[at] += 1;
    bytes[at + 1..].iter_mut().for_each(start_again);
    true
}

/// The start and end of the complete character before `end`, skipping broken ones.
fn char_before(encoding: EncodingId, bytes: &[u8], end: &mut usize) -> Option<(usize, usize)> {
    while let Some(start) = prev_char_start(encoding, bytes, *end) {
        *end = start;
        if let Some((_, len)) = codepoint(encoding, &bytes[start..]) {
            return Some((start, start + len));
        }
    }
    None
}

/// False if there is no letter or digit with a successor of its kind.
fn increment_alnum(encoding: EncodingId, bytes: &mut Vec<u8>) -> bool {
    let mut carry: Option<(usize, Vec<u8>)> = None;
    let (mut end, mut gap) = (bytes.len(), false);
    while let Some(start) = prev_char_start(encoding, bytes, end) {
        end = start;
        // A carry from letters does not pass punctuation to digits, nor from digits to letters.
        if let Some((last, _)) = &carry
            && gap
            && differs_in_kind(bytes[*last], bytes[start])
        {
            break;
        }
        let Some((_, len)) = codepoint(encoding, &bytes[start..]) else { continue };
        match next_alnum(encoding, &mut bytes[start..start + len]) {
            None => gap = true,
            Some(None) => return true,
            Some(Some(carried)) => {
                gap = false;
                carry = Some((start, carried));
            }
        }
    }
    match carry {
        Some((at, carried)) => {
            memory::reserve(bytes, carried.len());
            bytes.splice(at..at, carried);
            true
        }
        None => false,
    }
}

fn differs_in_kind(last: u8, here: u8) -> bool {
    last.is_ascii_alphabetic() && here.is_ascii_digit() || last.is_ascii_digit() && here.is_ascii_alphabetic()
}

fn increment_any(encoding: EncodingId, bytes: &mut Vec<u8>) {
    let mut carry = (0, vec![1]);
    let mut end = bytes.len();
    while let Some((start, stop)) = char_before(encoding, bytes, &mut end) {
        let mut next = bytes[start..stop].to_vector();
        let step = next_char(encoding, &mut next);
        if step != Step::NotChar {
            bytes[start..stop].copy_from_slice(&next);
        }
        if step == Step::Found {
            return;
        }
        // All bytes wrapped to zero: continues with the first character of that length.
        let whole = codepoint(encoding, &bytes[start..stop]).map(|(_, len)| len);
        if whole != Some(stop - start) {
            next_char(encoding, &mut bytes[start..stop]);
        }
        carry.0 = start;
        if !encoding.is_ascii_compatible() {
            carry.1 = bytes[start..stop].to_vector();
        }
    }
    memory::reserve(bytes, carry.1.len());
    bytes.splice(carry.0..carry.0, carry.1);
}
