//! The encodings that a pattern can be in, and the shape of their characters.

/// The encodings of Oniguruma, under Ruby's names. Ruby's encodings whose characters have the same structure
/// (`Windows-31J` and `Shift_JIS`) are one here; see [`Encoding::from_ruby_name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// US-ASCII.
    Ascii,
    /// ASCII-8BIT, and single-byte encodings that Oniguruma has no tables for.
    Binary,
    Utf8,
    Utf16Be,
    Utf16Le,
    Utf32Be,
    Utf32Le,
    EucJp,
    EucKr,
    EucCn,
    EucTw,
    ShiftJis,
    Big5,
    Gb18030,
    /// Emacs' internal encoding. Oniguruma has none of this kind: its engine takes the characters for those of EUC-JP,
    /// which have other lengths.
    EmacsMule,
    Koi8R,
    Koi8U,
    Windows1251,
    /// Windows-125n for another n: 0, 2, 3, 4 or 7.
    Windows125(u8),
    /// ISO-8859-n; n is 1..=11 or 13..=16.
    Iso8859(u8),
}

impl Encoding {
    /// The encoding with a name from Ruby's `Encoding.list`, ignoring case. `None` for dummies such as UTF-7, and for
    /// unknown names.
    pub fn from_ruby_name(name: &str) -> Option<Encoding> {
        let name = name.to_ascii_lowercase();
        Some(match name.as_str() {
            "us-ascii" => Encoding::Ascii,
            "ascii-8bit" | "binary" => Encoding::Binary,
            "utf-8" | "utf8-mac" | "utf-8-mac" | "utf-8-hfs" | "cesu-8" | "utf8-docomo" | "utf8-kddi"
            | "utf8-softbank" => Encoding::Utf8,
            "utf-16be" | "ucs-2be" => Encoding::Utf16Be,
            "utf-16le" => Encoding::Utf16Le,
            "utf-32be" | "ucs-4be" => Encoding::Utf32Be,
            "utf-32le" | "ucs-4le" => Encoding::Utf32Le,
            "euc-jp" | "eucjp" | "eucjp-ms" | "euc-jp-ms" | "cp51932" | "euc-jis-2004" | "euc-jisx0213" => {
                Encoding::EucJp
            }
            "emacs-mule" | "stateless-iso-2022-jp" | "stateless-iso-2022-jp-kddi" => Encoding::EmacsMule,
            "euc-kr" | "euckr" | "cp949" => Encoding::EucKr,
            "gb2312" | "euc-cn" | "euccn" | "gb12345" => Encoding::EucCn,
            "euc-tw" | "euctw" => Encoding::EucTw,
            "shift_jis" | "windows-31j" | "cp932" | "cswindows31j" | "sjis" | "pck" | "macjapanese" | "macjapan"
            | "sjis-docomo" | "sjis-kddi" | "sjis-softbank" => Encoding::ShiftJis,
            "big5" | "cp950" | "big5-hkscs" | "cp951" | "big5-uao" | "big5-hkscs:2008" => Encoding::Big5,
            "gb18030" | "gbk" | "cp936" => Encoding::Gb18030,
            "koi8-r" | "cp878" => Encoding::Koi8R,
            "windows-1251" | "cp1251" => Encoding::Windows1251,
            "koi8-u" => Encoding::Koi8U,
            "windows-1250" | "cp1250" => Encoding::Windows125(0),
            "windows-1252" | "cp1252" => Encoding::Windows125(2),
            "windows-1253" | "cp1253" => Encoding::Windows125(3),
            "windows-1254" | "cp1254" => Encoding::Windows125(4),
            "windows-1257" | "cp1257" => Encoding::Windows125(7),
            "utf-7" | "utf-16" | "utf-32" | "iso-2022-jp" | "iso-2022-jp-2" | "iso-2022-jp-kddi" | "cp50220"
            | "cp50221" | "ibm037" | "ebcdic-cp-us" => return None,
            name => match name.strip_prefix("iso-8859-").or(name.strip_prefix("iso8859-")) {
                Some(part) => Encoding::Iso8859(part.parse().ok().filter(|part| matches!(part, 1..=11 | 13..=16))?),
                None if is_single_byte(name) => Encoding::Binary,
                None => return None,
            },
        })
    }

    /// Whether ASCII characters are the same bytes in this encoding.
    pub fn is_ascii_compatible(self) -> bool {
        !matches!(self, Encoding::Utf16Be | Encoding::Utf16Le | Encoding::Utf32Be | Encoding::Utf32Le)
    }

    pub fn is_unicode(self) -> bool {
        self == Encoding::Utf8 || !self.is_ascii_compatible()
    }

    pub(crate) fn is_single_byte(self) -> bool {
        matches!(
            self,
            Encoding::Ascii
                | Encoding::Binary
                | Encoding::Koi8R
                | Encoding::Koi8U
                | Encoding::Windows1251
                | Encoding::Windows125(_)
                | Encoding::Iso8859(_)
        )
    }

    /// The length of the character that these bytes start with.
    pub(crate) fn character(self, bytes: &[u8]) -> Character {
        let Some(&lead) = bytes.first() else { return Character::Invalid };
        if lead < 0x80 && self.is_ascii_compatible() {
            return Character::Length(1);
        }
        match self {
            Encoding::Ascii => Character::Invalid,
            Encoding::Utf8 => utf8(bytes),
            Encoding::Utf16Be => utf16(bytes, u16::from_be_bytes),
            Encoding::Utf16Le => utf16(bytes, u16::from_le_bytes),
            Encoding::Utf32Be => utf32(bytes, u32::from_be_bytes),
            Encoding::Utf32Le => utf32(bytes, u32::from_le_bytes),
            Encoding::EucJp => match lead {
                0x8e | 0xa1..=0xfe => tail(bytes, &[EUC_TRAIL]),
                0x8f => tail(bytes, &[EUC_TRAIL, EUC_TRAIL]),
                _ => Character::Invalid,
            },
            Encoding::EucKr | Encoding::EucCn => match lead {
                0xa1..=0xfe => tail(bytes, &[EUC_TRAIL]),
                _ => Character::Invalid,
            },
            Encoding::EucTw => match lead {
                0x8e => tail(bytes, &[&[(0xa1, 0xb0)], EUC_TRAIL, EUC_TRAIL]),
                0xa1..=0xfe => tail(bytes, &[EUC_TRAIL]),
                _ => Character::Invalid,
            },
            Encoding::ShiftJis => match lead {
                0xa1..=0xdf => Character::Length(1),
                0x81..=0x9f | 0xe0..=0xfc => tail(bytes, &[&[(0x40, 0x7e), (0x80, 0xfc)]]),
                _ => Character::Invalid,
            },
            Encoding::Big5 => match lead {
                0x81..=0xfe => tail(bytes, &[&[(0x40, 0x7e), (0xa1, 0xfe)]]),
                _ => Character::Invalid,
            },
            Encoding::Gb18030 => match (lead, bytes.get(1)) {
                (0x81..=0xfe, Some(0x30..=0x39)) => tail(bytes, &[&[(0x30, 0x39)], &[(0x81, 0xfe)], &[(0x30, 0x39)]]),
                (0x81..=0xfe, _) => tail(bytes, &[&[(0x40, 0x7e), (0x80, 0xfe)]]),
                _ => Character::Invalid,
            },
            Encoding::EmacsMule => match lead {
                0x81..=0x8f => tail(bytes, &[HIGH]),
                0x90..=0x99 => tail(bytes, &[HIGH, HIGH]),
                0x9a..=0x9b => tail(bytes, &[&[(0xe0, 0xef)], HIGH]),
                0x9c => tail(bytes, &[&[(0xf0, 0xf4)], HIGH, HIGH]),
                0x9d => tail(bytes, &[&[(0xf5, 0xfe)], HIGH, HIGH]),
                _ => Character::Invalid,
            },
            Encoding::Binary
            | Encoding::Koi8R
            | Encoding::Koi8U
            | Encoding::Windows1251
            | Encoding::Windows125(_)
            | Encoding::Iso8859(_) => Character::Length(1),
        }
    }

    /// Whether the bytes consist of complete characters.
    pub fn is_valid(self, bytes: &[u8]) -> bool {
        match self {
            Encoding::Utf8 => std::str::from_utf8(bytes).is_ok(),
            Encoding::Ascii => bytes.is_ascii(),
            _ if self.is_single_byte() => true,
            _ => {
                let mut rest = bytes;
                while !rest.is_empty() {
                    match self.character(rest) {
                        Character::Length(length) => rest = &rest[length..],
                        _ => return false,
                    }
                }
                true
            }
        }
    }

    /// The longest character, in bytes.
    pub(crate) fn max_length(self) -> usize {
        match self {
            Encoding::Utf8 | Encoding::EucTw | Encoding::Gb18030 | Encoding::EmacsMule => 4,
            Encoding::Utf16Be | Encoding::Utf16Le | Encoding::Utf32Be | Encoding::Utf32Le => 4,
            Encoding::EucJp => 3,
            Encoding::EucKr | Encoding::EucCn | Encoding::ShiftJis | Encoding::Big5 => 2,
            _ => 1,
        }
    }
}

/// The character that some bytes begin with, or the reason why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Character {
    Length(usize),
    /// A truncated character.
    Incomplete,
    Invalid,
}

const HIGH: &[(u8, u8)] = &[(0xa0, 0xff)];
const EUC_TRAIL: &[(u8, u8)] = &[(0xa1, 0xfe)];

fn tail(bytes: &[u8], trails: &[&[(u8, u8)]]) -> Character {
    for (place, ranges) in trails.iter().enumerate() {
        match bytes.get(place + 1) {
            None => return Character::Incomplete,
            Some(&byte) if ranges.iter().any(|&(low, high)| (low..=high).contains(&byte)) => {}
            Some(_) => return Character::Invalid,
        }
    }
    Character::Length(trails.len() + 1)
}

fn utf8(bytes: &[u8]) -> Character {
    let second: &[(u8, u8)] = match bytes[0] {
        0xe0 => &[(0xa0, 0xbf)],
        0xed => &[(0x80, 0x9f)],
        0xf0 => &[(0x90, 0xbf)],
        0xf4 => &[(0x80, 0x8f)],
        _ => &[(0x80, 0xbf)],
    };
    let more: &[(u8, u8)] = &[(0x80, 0xbf)];
    match bytes[0] {
        0xc2..=0xdf => tail(bytes, &[second]),
        0xe0..=0xef => tail(bytes, &[second, more]),
        0xf0..=0xf4 => tail(bytes, &[second, more, more]),
        _ => Character::Invalid,
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Character {
    let Some(first) = bytes.first_chunk::<2>() else { return Character::Incomplete };
    match unit(*first) {
        0xd800..=0xdbff => match bytes.get(2..).and_then(|rest| rest.first_chunk::<2>()) {
            Some(second) if (0xdc00..=0xdfff).contains(&unit(*second)) => Character::Length(4),
            Some(_) => Character::Invalid,
            None => Character::Incomplete,
        },
        0xdc00..=0xdfff => Character::Invalid,
        _ => Character::Length(2),
    }
}

fn utf32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> Character {
    match bytes.first_chunk::<4>() {
        None => Character::Incomplete,
        Some(first) if char::from_u32(unit(*first)).is_some() => Character::Length(4),
        Some(_) => Character::Invalid,
    }
}

fn is_single_byte(name: &str) -> bool {
    const PREFIXES: [&str; 8] = ["windows-", "cp", "ibm", "mac", "koi8-", "tis-620", "gb1988", "dos"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
