//! Character classes: printable characters, letters, digits, in each encoding.

use unicode_general_category::{GeneralCategory, get_general_category};

use super::byte_classes::{ByteClasses, byte_classes};
use super::codepoint::codepoint_len;
use super::id::EncodingId;
use super::table::Family;

/// `[[:print:]]`: whether `inspect` shows the character as it is.
pub fn is_printable(encoding: EncodingId, code: u32) -> bool {
    match code {
        0x20..=0x7E => return true,
        0..=0x7F => return false,
        _ => {}
    }
    if encoding.is_unicode() {
        // Blocks without gaps: letters of Latin, kana, Han characters, Hangul.
        if matches!(code, 0xC0..=0x24F | 0x3041..=0x3096 | 0x30A1..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3) {
            return true;
        }
        return char::from_u32(code).is_some_and(unicode_printable);
    }
    match encoding.family() {
        Family::Single | Family::Ascii => in_class(encoding, code, |classes| classes.print),
        Family::EucJp | Family::ShiftJis => codepoint_len(encoding, code).is_ok(),
        _ => codepoint_len(encoding, code).is_ok_and(|len| len > 1),
    }
}

/// `[[:alpha:]]`.
pub fn is_alpha(encoding: EncodingId, code: u32) -> bool {
    match char_of(encoding, code) {
        Some(char) => char.is_alphabetic(),
        None => in_class(encoding, code, |classes| classes.alpha),
    }
}

/// `[[:digit:]]`.
pub fn is_digit(encoding: EncodingId, code: u32) -> bool {
    char_of(encoding, code).is_some_and(|char| {
        char.is_ascii_digit() || !char.is_ascii() && get_general_category(char) == GeneralCategory::DecimalNumber
    })
}

/// `[[:alnum:]]`.
pub fn is_alnum(encoding: EncodingId, code: u32) -> bool {
    is_alpha(encoding, code) || is_digit(encoding, code)
}

/// `[[:space:]]`.
pub fn is_space(encoding: EncodingId, code: u32) -> bool {
    char_of(encoding, code).is_some_and(char::is_whitespace)
        || code == 0xA0 && in_class(encoding, code, |classes| classes.print)
}

/// Whether it can start a constant's name: an upper or title case letter.
pub fn is_upper_or_title(encoding: EncodingId, code: u32) -> bool {
    match char_of(encoding, code) {
        Some(char) => char.is_uppercase() || get_general_category(char) == GeneralCategory::TitlecaseLetter,
        None => in_class(encoding, code, |classes| classes.upper) || is_wide_upper(encoding, code),
    }
}

/// The capital letters of Japanese encodings: full-width Latin, Greek and Cyrillic ones.
fn is_wide_upper(encoding: EncodingId, code: u32) -> bool {
    let ranges = match encoding.family() {
        Family::EucJp => [0xA3C1..=0xA3DA, 0xA6A1..=0xA6B8, 0xA7A1..=0xA7C1],
        Family::ShiftJis => [0x8260..=0x8279, 0x839F..=0x83B6, 0x8440..=0x8460],
        _ => return false,
    };
    ranges.iter().any(|range| range.contains(&code))
}

/// The Unicode character of a code point, if the encoding is a Unicode one or the character is ASCII.
fn char_of(encoding: EncodingId, code: u32) -> Option<char> {
    if code < 0x80 || encoding.is_unicode() { char::from_u32(code) } else { None }
}

fn in_class(encoding: EncodingId, code: u32, pick: fn(ByteClasses) -> &'static [(u8, u8)]) -> bool {
    let Ok(byte) = u8::try_from(code) else {
        return false;
    };
    pick(byte_classes(encoding)).iter().any(|&(low, high)| (low..=high).contains(&byte))
}

fn unicode_printable(char: char) -> bool {
    is_surely_printable(char) || is_in_printable_category(char)
}

/// The frequent blocks in which everything is printable: Latin, Cyrillic, kana, ideographs, hangul.
fn is_surely_printable(char: char) -> bool {
    matches!(char, '\u{a0}'..='\u{377}' | '\u{400}'..='\u{52f}' | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30ff}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

fn is_in_printable_category(char: char) -> bool {
    use GeneralCategory::*;
    match get_general_category(char) {
        Control | Surrogate | Unassigned | LineSeparator | ParagraphSeparator => false,
        SpaceSeparator => true,
        _ => !char.is_whitespace(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_in_the_frequent_blocks_is_in_a_printable_category() {
        let frequent = ('\0'..=char::MAX).filter(|char| is_surely_printable(*char));
        assert_eq!(frequent.filter(|char| !is_in_printable_category(*char)).collect::<String>(), "");
    }
}
