//! Case pairs beyond ASCII of encodings for which Oniguruma's tables have none, as in CRuby.

use crate::encoding::Encoding;
use memory::Grow;

/// Runs of capital letters, `(first, last, distance to the small letter)`, all as the bytes of the encoding, read as
/// one number.
type Runs = &'static [(u16, u16, u16)];

const EUC_JP: Runs = &[(0xa3c1, 0xa3da, 0x20), (0xa6a1, 0xa6b8, 0x20), (0xa7a1, 0xa7c1, 0x30)];
// The small letters skip 0x7f.
const SHIFT_JIS: Runs =
    &[(0x8260, 0x8279, 0x21), (0x839f, 0x83b6, 0x20), (0x8440, 0x844e, 0x30), (0x844f, 0x8460, 0x31)];
const KOI8_U: Runs = &[(0xa4, 0xa4, 0x10), (0xa6, 0xa7, 0x10), (0xad, 0xad, 0x10)];
const WINDOWS_1250: Runs = &[
    (0x8a, 0x8a, 0x10),
    (0x8c, 0x8f, 0x10),
    (0xa3, 0xa3, 0x10),
    (0xa5, 0xa5, 0x14),
    (0xaa, 0xaa, 0x10),
    (0xaf, 0xaf, 0x10),
    (0xbc, 0xbc, 2),
    (0xc0, 0xd6, 0x20),
    (0xd8, 0xde, 0x20),
];
const WINDOWS_1251: Runs = &[
    (0x80, 0x80, 0x10),
    (0x81, 0x81, 2),
    (0x8a, 0x8a, 0x10),
    (0x8c, 0x8f, 0x10),
    (0xa1, 0xa1, 1),
    (0xa3, 0xa3, 0x19),
    (0xa5, 0xa5, 0xf),
    (0xaa, 0xaa, 0x10),
    (0xaf, 0xaf, 0x10),
    (0xb2, 0xb2, 1),
    (0xbd, 0xbd, 1),
];
const WINDOWS_1252: Runs = &[(0x8a, 0x8a, 0x10), (0x8c, 0x8c, 0x10), (0x8e, 0x8e, 0x10), (0x9f, 0x9f, 0x60)];
const WINDOWS_1253: Runs = &[
    (0xa2, 0xa2, 0x3a),
    (0xb8, 0xba, 0x25),
    (0xbc, 0xbc, 0x40),
    (0xbe, 0xbf, 0x3f),
    (0xc1, 0xd1, 0x20),
    (0xd3, 0xdb, 0x20),
];
const WINDOWS_1254: Runs = &[
    (0x8a, 0x8a, 0x10),
    (0x8c, 0x8c, 0x10),
    (0x9f, 0x9f, 0x60),
    (0xc0, 0xd6, 0x20),
    (0xd8, 0xdc, 0x20),
    (0xde, 0xde, 0x20),
];
const WINDOWS_1257: Runs =
    &[(0xa8, 0xa8, 0x10), (0xaa, 0xaa, 0x10), (0xaf, 0xaf, 0x10), (0xc0, 0xd6, 0x20), (0xd8, 0xde, 0x20)];

fn runs(encoding: Encoding) -> Runs {
    match encoding {
        Encoding::EucJp => EUC_JP,
        Encoding::ShiftJis => SHIFT_JIS,
        Encoding::Koi8U => KOI8_U,
        Encoding::Windows1251 => WINDOWS_1251,
        Encoding::Windows125(0) => WINDOWS_1250,
        Encoding::Windows125(2) => WINDOWS_1252,
        Encoding::Windows125(3) => WINDOWS_1253,
        Encoding::Windows125(4) => WINDOWS_1254,
        Encoding::Windows125(7) => WINDOWS_1257,
        _ => &[],
    }
}

/// The other cases of the letters from `first` to `last`, which are characters of this encoding.
pub(super) fn other_cases(encoding: Encoding, first: &[u8], last: &[u8]) -> Vec<u8> {
    let (Some(low), Some(high)) = (number(first), number(last)) else { return Vec::new() };
    let mut out = Vec::new();
    for &(first, last, distance) in runs(encoding) {
        for capital in first..=last {
            let small = capital + distance;
            if (low..=high).contains(&capital) {
                push(&mut out, small);
            }
            if (low..=high).contains(&small) {
                push(&mut out, capital);
            }
        }
    }
    out
}

/// The number of a character of one or two bytes.
fn number(character: &[u8]) -> Option<u16> {
    match *character {
        [byte] => Some(u16::from(byte)),
        [lead, trail] => Some(u16::from_be_bytes([lead, trail])),
        _ => None,
    }
}

fn push(out: &mut Vec<u8>, number: u16) {
    let bytes = number.to_be_bytes();
    out.append_slice(&bytes[usize::from(bytes[0] == 0)..]);
}
