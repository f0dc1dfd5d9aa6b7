//! The table of Ruby's encodings, in the order of `Encoding.list`.

use std::cmp::Ordering;

use super::id::EncodingId;

/// Properties of an encoding.
#[derive(Debug)]
pub struct EncodingInfo {
    /// `Encoding#name`.
    pub name: &'static str,
    /// The rest of `Encoding#names`.
    pub aliases: &'static [&'static str],
    /// `Encoding#dummy?`.
    pub dummy: bool,
    /// How bytes form characters.
    pub family: Family,
}

/// The schemes by which bytes form characters; encodings of one family differ only in their repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Family {
    Single,
    Ascii,
    Utf8,
    Cesu8,
    Utf16Be,
    Utf16Le,
    Utf32Be,
    Utf32Le,
    EucJp,
    EucKr,
    EucTw,
    ShiftJis,
    Big5,
    Gbk,
    Gb18030,
    Cp949,
    EmacsMule,
}

impl Family {
    /// Bytes of the shortest character.
    #[inline]
    pub const fn min_len(self) -> usize {
        match self {
            Family::Utf16Be | Family::Utf16Le => 2,
            Family::Utf32Be | Family::Utf32Le => 4,
            _ => 1,
        }
    }

    /// Bytes of the longest character.
    pub const fn max_len(self) -> usize {
        match self {
            Family::Single | Family::Ascii => 1,
            Family::EucKr | Family::ShiftJis | Family::Big5 | Family::Gbk | Family::Cp949 => 2,
            Family::EucJp => 3,
            Family::Cesu8 => 6,
            _ => 4,
        }
    }

    /// Whether code points are Unicode code points.
    pub const fn is_unicode(self) -> bool {
        matches!(
            self,
            Family::Utf8 | Family::Cesu8 | Family::Utf16Be | Family::Utf16Le | Family::Utf32Be | Family::Utf32Le
        )
    }
}

/// Every encoding, in the order of `Encoding.list`.
pub fn all() -> impl Iterator<Item = EncodingId> {
    (0..EncodingId::COUNT as u8).filter_map(EncodingId::from_index)
}

/// The encoding with that name or alias, ignoring case. The caller handles the names that depend on the process
/// (`locale`, `external`, `filesystem`, `internal`).
pub fn find(name: &[u8]) -> Option<EncodingId> {
    // The name in most files and modes.
    if name.eq_ignore_ascii_case(b"UTF-8") {
        return Some(EncodingId::UTF_8);
    }
    let found = NAMES.binary_search_by(|place| compare(name_at(*place).as_bytes(), name));
    match found.ok().and_then(|at| NAMES.get(at)) {
        Some(place) => EncodingId::from_index(place.0),
        None => super::defined::find(name),
    }
}

/// An index of [`TABLE`], and of the name: 0, or that of an alias and 1.
type Place = (u8, u8);

const NAME_COUNT: usize = {
    let (mut count, mut row) = (0, 0);
    while row < TABLE.len() {
        count += 1 + TABLE[row].aliases.len();
        row += 1;
    }
    count
};

/// All names in the order of [`compare`].
static NAMES: [Place; NAME_COUNT] = {
    let mut names = [(0, 0); NAME_COUNT];
    let (mut count, mut row) = (0, 0);
    while row < TABLE.len() {
        let mut alias = 0;
        while alias <= TABLE[row].aliases.len() {
            let place = (row as u8, alias as u8);
            let mut at = count;
            while at > 0 && compare(name_at(names[at - 1]).as_bytes(), name_at(place).as_bytes()).is_gt() {
                names[at] = names[at - 1];
                at -= 1;
            }
            names[at] = place;
            count += 1;
            alias += 1;
        }
        row += 1;
    }
    names
};

const fn name_at((row, name): Place) -> &'static str {
    let row = &TABLE[row as usize];
    if name == 0 { row.name } else { row.aliases[name as usize - 1] }
}

/// The order of two names, ignoring case: by their lengths at first, because many begin alike.
const fn compare(a: &[u8], b: &[u8]) -> Ordering {
    if a.len() != b.len() {
        return if a.len() < b.len() { Ordering::Less } else { Ordering::Greater };
    }
    let mut at = 0;
    while at < a.len() {
        let (x, y) = (a[at].to_ascii_lowercase(), b[at].to_ascii_lowercase());
        if x != y {
            return if x < y { Ordering::Less } else { Ordering::Greater };
        }
        at += 1;
    }
    Ordering::Equal
}

const fn row(name: &'static str, aliases: &'static [&'static str], dummy: bool, family: Family) -> EncodingInfo {
    EncodingInfo { name, aliases, dummy, family }
}

use Family::*;

pub(super) static TABLE: [EncodingInfo; 103] = [
    row("ASCII-8BIT", &["BINARY"], false, Single),
    row("UTF-8", &["CP65001"], false, Utf8),
    row("US-ASCII", &["ASCII", "ANSI_X3.4-1968", "646"], false, Ascii),
    row("UTF-16BE", &["UCS-2BE"], false, Utf16Be),
    row("UTF-16LE", &[], false, Utf16Le),
    row("UTF-32BE", &["UCS-4BE"], false, Utf32Be),
    row("UTF-32LE", &["UCS-4LE"], false, Utf32Le),
    row("UTF-16", &[], true, Single),
    row("UTF-32", &[], true, Single),
    row("UTF8-MAC", &["UTF-8-MAC", "UTF-8-HFS"], false, Utf8),
    row("EUC-JP", &["eucJP"], false, EucJp),
    row("Windows-31J", &["CP932", "csWindows31J", "SJIS", "PCK"], false, ShiftJis),
    row("Big5", &[], false, Big5),
    row("Big5-HKSCS", &["Big5-HKSCS:2008"], false, Big5),
    row("Big5-UAO", &[], false, Big5),
    row("CESU-8", &[], false, Cesu8),
    row("CP949", &[], false, Cp949),
    row("Emacs-Mule", &[], false, EmacsMule),
    row("EUC-KR", &["eucKR"], false, EucKr),
    row("EUC-TW", &["eucTW"], false, EucTw),
    row("GB18030", &[], false, Gb18030),
    row("GBK", &["CP936"], false, Gbk),
    row("ISO-8859-1", &["ISO8859-1"], false, Single),
    row("ISO-8859-2", &["ISO8859-2"], false, Single),
    row("ISO-8859-3", &["ISO8859-3"], false, Single),
    row("ISO-8859-4", &["ISO8859-4"], false, Single),
    row("ISO-8859-5", &["ISO8859-5"], false, Single),
    row("ISO-8859-6", &["ISO8859-6"], false, Single),
    row("ISO-8859-7", &["ISO8859-7"], false, Single),
    row("ISO-8859-8", &["ISO8859-8"], false, Single),
    row("ISO-8859-9", &["ISO8859-9"], false, Single),
    row("ISO-8859-10", &["ISO8859-10"], false, Single),
    row("ISO-8859-11", &["ISO8859-11"], false, Single),
    row("ISO-8859-13", &["ISO8859-13"], false, Single),
    row("ISO-8859-14", &["ISO8859-14"], false, Single),
    row("ISO-8859-15", &["ISO8859-15"], false, Single),
    row("ISO-8859-16", &["ISO8859-16"], false, Single),
    row("KOI8-R", &["CP878"], false, Single),
    row("KOI8-U", &[], false, Single),
    row("Shift_JIS", &[], false, ShiftJis),
    row("Windows-1250", &["CP1250"], false, Single),
    row("Windows-1251", &["CP1251"], false, Single),
    row("Windows-1252", &["CP1252"], false, Single),
    row("Windows-1253", &["CP1253"], false, Single),
    row("Windows-1254", &["CP1254"], false, Single),
    row("Windows-1257", &["CP1257"], false, Single),
    row("IBM437", &["CP437"], false, Single),
    row("IBM720", &["CP720"], false, Single),
    row("IBM737", &["CP737"], false, Single),
    row("IBM775", &["CP775"], false, Single),
    row("CP850", &["IBM850"], false, Single),
    row("IBM852", &[], false, Single),
    row("CP852", &[], false, Single),
    row("IBM855", &[], false, Single),
    row("CP855", &[], false, Single),
    row("IBM857", &["CP857"], false, Single),
    row("IBM860", &["CP860"], false, Single),
    row("IBM861", &["CP861"], false, Single),
    row("IBM862", &["CP862"], false, Single),
    row("IBM863", &["CP863"], false, Single),
    row("IBM864", &["CP864"], false, Single),
    row("IBM865", &["CP865"], false, Single),
    row("IBM866", &["CP866"], false, Single),
    row("IBM869", &["CP869"], false, Single),
    row("Windows-1258", &["CP1258"], false, Single),
    row("GB1988", &[], false, Single),
    row("macCentEuro", &[], false, Single),
    row("macCroatian", &[], false, Single),
    row("macCyrillic", &[], false, Single),
    row("macGreek", &[], false, Single),
    row("macIceland", &[], false, Single),
    row("macRoman", &[], false, Single),
    row("macRomania", &[], false, Single),
    row("macThai", &[], false, Single),
    row("macTurkish", &[], false, Single),
    row("macUkraine", &[], false, Single),
    row("CP950", &[], false, Big5),
    row("CP951", &[], false, Big5),
    row("IBM037", &["ebcdic-cp-us"], true, Single),
    row("stateless-ISO-2022-JP", &[], false, EmacsMule),
    row("eucJP-ms", &["euc-jp-ms"], false, EucJp),
    row("CP51932", &[], false, EucJp),
    row("EUC-JIS-2004", &["EUC-JISX0213"], false, EucJp),
    row("GB2312", &["EUC-CN", "eucCN"], false, EucKr),
    row("GB12345", &[], false, EucKr),
    row("ISO-2022-JP", &["ISO2022-JP"], true, Single),
    row("ISO-2022-JP-2", &["ISO2022-JP2"], true, Single),
    row("CP50220", &[], true, Single),
    row("CP50221", &[], true, Single),
    row("Windows-1256", &["CP1256"], false, Single),
    row("Windows-1255", &["CP1255"], false, Single),
    row("TIS-620", &[], false, Single),
    row("Windows-874", &["CP874"], false, Single),
    row("MacJapanese", &["MacJapan"], false, ShiftJis),
    row("UTF-7", &["CP65000"], true, Single),
    row("UTF8-DoCoMo", &[], false, Utf8),
    row("SJIS-DoCoMo", &[], false, ShiftJis),
    row("UTF8-KDDI", &[], false, Utf8),
    row("SJIS-KDDI", &[], false, ShiftJis),
    row("ISO-2022-JP-KDDI", &[], true, Single),
    row("stateless-ISO-2022-JP-KDDI", &[], false, EmacsMule),
    row("UTF8-SoftBank", &[], false, Utf8),
    row("SJIS-SoftBank", &[], false, ShiftJis),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_found() {
        for id in all() {
            for name in std::iter::once(&id.name()).chain(id.aliases()) {
                assert_eq!(find(name.to_lowercase().as_bytes()), Some(id), "{name}");
            }
        }
        assert_eq!(find(b"utf-9"), None);
        assert_eq!(find(b""), None);
    }
}
