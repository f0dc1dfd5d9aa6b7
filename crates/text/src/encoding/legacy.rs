//! The East Asian multi-byte encodings: which bytes may lead a character and which may follow.

use super::char_len::CharLen;
use super::table::Family;

/// Examines a character of one of the multi-byte families outside Unicode.
pub(super) fn char_len(family: Family, first: u8, bytes: &[u8]) -> CharLen {
    match lead(family, first) {
        Lead::Single => CharLen::Valid(1),
        Lead::Never => CharLen::Invalid(1),
        Lead::Double(trail) => follow(bytes, &[trail]),
        Lead::Triple(second, third) => follow(bytes, &[second, third]),
        Lead::Quadruple(second, rest) => follow(bytes, &[second, rest, rest]),
        Lead::Gb18030 => gb18030(bytes),
    }
}

/// Whether a byte may follow at some position.
type Trail = fn(u8) -> bool;

/// The possible continuations of a lead byte.
enum Lead {
    Single,
    Never,
    Double(Trail),
    Triple(Trail, Trail),
    Quadruple(Trail, Trail),
    Gb18030,
}

fn lead(family: Family, first: u8) -> Lead {
    use Lead::*;
    match (family, first) {
        (_, 0..=0x7F) => Single,
        (Family::EucJp, 0x8E | 0xA1..=0xFE) => Double(gr),
        (Family::EucJp, 0x8F) => Triple(gr, gr),
        (Family::EucKr | Family::EucTw, 0xA1..=0xFE) => Double(gr),
        (Family::EucTw, 0x8E) => Quadruple(|b| matches!(b, 0xA1..=0xB0), gr),
        (Family::ShiftJis, 0xA1..=0xDF) => Single,
        (Family::ShiftJis, 0x81..=0x9F | 0xE0..=0xFC) => Double(|b| matches!(b, 0x40..=0x7E | 0x80..=0xFC)),
        (Family::Big5, 0xA1..=0xFE) => Double(|b| matches!(b, 0x40..=0x7E | 0xA1..=0xFE)),
        (Family::Gbk | Family::Cp949, 0x80) => Single,
        (Family::Gbk, 0x81..=0xFE) => Double(gbk_trail),
        (Family::Cp949, 0x81..=0xFE) => Double(|b| matches!(b, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE)),
        (Family::Gb18030, 0x81..=0xFE) => Gb18030,
        (Family::EmacsMule, 0x81..=0x8F) => Double(high),
        (Family::EmacsMule, 0x90..=0x99) => Triple(high, high),
        (Family::EmacsMule, 0x9A..=0x9B) => Triple(|b| matches!(b, 0xE0..=0xEF), high),
        (Family::EmacsMule, 0x9C) => Quadruple(|b| matches!(b, 0xF0..=0xF4), high),
        (Family::EmacsMule, 0x9D) => Quadruple(|b| matches!(b, 0xF5..=0xFE), high),
        _ => Never,
    }
}

fn gr(byte: u8) -> bool {
    matches!(byte, 0xA1..=0xFE)
}

fn high(byte: u8) -> bool {
    byte >= 0xA0
}

fn gbk_trail(byte: u8) -> bool {
    matches!(byte, 0x40..=0x7E | 0x80..=0xFE)
}

fn follow(bytes: &[u8], trails: &[Trail]) -> CharLen {
    for (at, allowed) in trails.iter().enumerate() {
        match bytes.get(at + 1) {
            None => return CharLen::NeedMore(trails.len() - at),
            Some(&byte) if allowed(byte) => {}
            Some(_) => return CharLen::Invalid(1),
        }
    }
    CharLen::Valid(trails.len() + 1)
}

fn gb18030(bytes: &[u8]) -> CharLen {
    match bytes.get(1) {
        None => CharLen::NeedMore(1),
        Some(&byte) if gbk_trail(byte) => CharLen::Valid(2),
        Some(0x30..=0x39) => match (bytes.get(2), bytes.get(3)) {
            (None, _) => CharLen::NeedMore(2),
            (Some(0x81..=0xFE), None) => CharLen::NeedMore(1),
            (Some(0x81..=0xFE), Some(0x30..=0x39)) => CharLen::Valid(4),
            _ => CharLen::Invalid(1),
        },
        Some(_) => CharLen::Invalid(1),
    }
}
