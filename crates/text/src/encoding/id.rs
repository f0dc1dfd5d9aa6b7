//! The identity of an encoding: a small number that fits the 7 bits of an object header.

use super::defined;
use super::table::{EncodingInfo, Family, TABLE};

/// Identity of one of Ruby's encodings; the number is its place in `Encoding.list`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EncodingId(u8);

macro_rules! encoding_ids {
    ($($name:ident = $index:literal,)*) => {
        #[allow(missing_docs)]
        impl EncodingId {
            $(pub const $name: EncodingId = EncodingId($index);)*
        }
    };
}

encoding_ids! {
    BINARY = 0,
    UTF_8 = 1,
    US_ASCII = 2,
    UTF_16BE = 3,
    UTF_16LE = 4,
    UTF_32BE = 5,
    UTF_32LE = 6,
    UTF_16 = 7,
    UTF_32 = 8,
    UTF8_MAC = 9,
    EUC_JP = 10,
    WINDOWS_31J = 11,
    BIG5 = 12,
    BIG5_HKSCS = 13,
    BIG5_UAO = 14,
    CESU_8 = 15,
    CP949 = 16,
    EMACS_MULE = 17,
    EUC_KR = 18,
    EUC_TW = 19,
    GB18030 = 20,
    GBK = 21,
    ISO_8859_1 = 22,
    ISO_8859_2 = 23,
    ISO_8859_3 = 24,
    ISO_8859_4 = 25,
    ISO_8859_5 = 26,
    ISO_8859_6 = 27,
    ISO_8859_7 = 28,
    ISO_8859_8 = 29,
    ISO_8859_9 = 30,
    ISO_8859_10 = 31,
    ISO_8859_11 = 32,
    ISO_8859_13 = 33,
    ISO_8859_14 = 34,
    ISO_8859_15 = 35,
    ISO_8859_16 = 36,
    KOI8_R = 37,
    KOI8_U = 38,
    SHIFT_JIS = 39,
    WINDOWS_1250 = 40,
    WINDOWS_1251 = 41,
    WINDOWS_1252 = 42,
    WINDOWS_1253 = 43,
    WINDOWS_1254 = 44,
    WINDOWS_1257 = 45,
    IBM437 = 46,
    IBM720 = 47,
    IBM737 = 48,
    IBM775 = 49,
    CP850 = 50,
    IBM852 = 51,
    CP852 = 52,
    IBM855 = 53,
    CP855 = 54,
    IBM857 = 55,
    IBM860 = 56,
    IBM861 = 57,
    IBM862 = 58,
    IBM863 = 59,
    IBM864 = 60,
    IBM865 = 61,
    IBM866 = 62,
    IBM869 = 63,
    WINDOWS_1258 = 64,
    GB1988 = 65,
    MACCENTEURO = 66,
    MACCROATIAN = 67,
    MACCYRILLIC = 68,
    MACGREEK = 69,
    MACICELAND = 70,
    MACROMAN = 71,
    MACROMANIA = 72,
    MACTHAI = 73,
    MACTURKISH = 74,
    MACUKRAINE = 75,
    CP950 = 76,
    CP951 = 77,
    IBM037 = 78,
    STATELESS_ISO_2022_JP = 79,
    EUCJP_MS = 80,
    CP51932 = 81,
    EUC_JIS_2004 = 82,
    GB2312 = 83,
    GB12345 = 84,
    ISO_2022_JP = 85,
    ISO_2022_JP_2 = 86,
    CP50220 = 87,
    CP50221 = 88,
    WINDOWS_1256 = 89,
    WINDOWS_1255 = 90,
    TIS_620 = 91,
    WINDOWS_874 = 92,
    MACJAPANESE = 93,
    UTF_7 = 94,
    UTF8_DOCOMO = 95,
    SJIS_DOCOMO = 96,
    UTF8_KDDI = 97,
    SJIS_KDDI = 98,
    ISO_2022_JP_KDDI = 99,
    STATELESS_ISO_2022_JP_KDDI = 100,
    UTF8_SOFTBANK = 101,
    SJIS_SOFTBANK = 102,
}

impl EncodingId {
    /// The number of encodings that are built in. Those that extensions define follow them.
    pub const COUNT: usize = TABLE.len();

    /// The encoding at `index` of `Encoding.list`, if there is one.
    #[inline]
    pub fn from_index(index: u8) -> Option<EncodingId> {
        if (index as usize) < Self::COUNT || defined::info(index).is_some() { Some(EncodingId(index)) } else { None }
    }

    /// Its place in `Encoding.list`, below 128.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its row of the table of encodings.
    #[inline]
    pub fn info(self) -> &'static EncodingInfo {
        match TABLE.get(self.0 as usize) {
            Some(info) => info,
            None => defined::info(self.0).unwrap_or(&TABLE[0]),
        }
    }

    /// Its name, as returned by `Encoding#name`.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Its aliases, in Ruby's order (without `locale` and the like).
    pub fn aliases(self) -> &'static [&'static str] {
        self.info().aliases
    }

    /// `Encoding#dummy?`: Ruby does not examine strings of this encoding.
    pub fn is_dummy(self) -> bool {
        self.info().dummy
    }

    /// `Encoding#ascii_compatible?`: bytes below 0x80 at the start of a character are ASCII.
    #[inline]
    pub fn is_ascii_compatible(self) -> bool {
        // The encodings of nearly all text are known without the table.
        self.0 <= EncodingId::US_ASCII.0 || !self.info().dummy && self.family().min_len() == 1
    }

    /// Whether its code points are Unicode's (UTF-8 and its variants, UTF-16BE/LE, UTF-32BE/LE, CESU-8).
    pub fn is_unicode(self) -> bool {
        self.family().is_unicode()
    }

    /// Whether every byte is a character.
    pub fn is_single_byte(self) -> bool {
        matches!(self.family(), Family::Single | Family::Ascii)
    }

    /// Whether it is UTF-8 or one of the encodings with the same bytes (UTF8-MAC, UTF8-DoCoMo…).
    pub fn is_utf8(self) -> bool {
        self.family() == Family::Utf8
    }

    /// How its bytes form characters.
    #[inline]
    pub fn family(self) -> Family {
        self.info().family
    }

    /// Bytes of its shortest character.
    #[inline]
    pub fn min_char_len(self) -> usize {
        // The encodings with characters of at least two bytes have neighbouring numbers.
        if (EncodingId::UTF_16BE..=EncodingId::UTF_32).contains(&self) { self.family().min_len() } else { 1 }
    }

    /// Bytes of its longest character.
    pub fn max_char_len(self) -> usize {
        self.family().max_len()
    }

    /// The text that `Encoding#inspect` prints between `#<Encoding:` and `>`.
    pub fn inspect_name(self) -> String {
        match self {
            EncodingId::BINARY => "BINARY (ASCII-8BIT)".to_owned(),
            _ if self.is_dummy() => format!("{} (dummy)", self.name()),
            _ => self.name().to_owned(),
        }
    }
}

impl std::fmt::Debug for EncodingId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
