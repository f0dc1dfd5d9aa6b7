//! The conversion steps between encodings.

use memory::Grow;
use std::collections::{HashMap, VecDeque};

use super::charset::{carrier_form, has_charset};
use super::codec::Codec;
use super::emoji::Exchange;
use super::iso2022::{Iso2022, Kind};
use super::utf8_mac::Composer;
use crate::encoding::{self, EncodingId};

/// The shortest path of steps from `source` to `destination`, as pairs of encodings; `None` if there is none, or if the
/// two are equal.
pub fn search_path(source: EncodingId, destination: EncodingId) -> Option<Vec<(EncodingId, EncodingId)>> {
    if source == destination {
        return None;
    }
    // Nearly all paths are one step, or two steps through UTF-8, and need no search.
    if codec(source, destination).is_some() {
        return Some(vec![(source, destination)]);
    }
    let middle = EncodingId::UTF_8;
    if codec(source, middle).is_some() && codec(middle, destination).is_some() {
        return Some(vec![(source, middle), (middle, destination)]);
    }
    let mut came_from = HashMap::new();
    let mut queue = VecDeque::from([source]);
    while let Some(here) = queue.pop_front() {
        for next in encoding::all().filter(|&next| next != source && codec(here, next).is_some()) {
            if came_from.contains_key(&next) {
                continue;
            }
            came_from.insert(next, here);
            if next == destination {
                let mut path = Vec::new();
                let mut end = destination;
                while end != source {
                    let start = came_from[&end];
                    path.append_one((start, end));
                    end = start;
                }
                path.reverse();
                return Some(path);
            }
            queue.push_back(next);
        }
    }
    None
}

/// The direct step from one encoding to another.
pub(super) fn codec(source: EncodingId, destination: EncodingId) -> Option<Codec> {
    use EncodingId as E;
    Some(match (source, destination) {
        (E::UTF_16, E::UTF_8) => Codec::DecodeMarked(2, None),
        (E::UTF_32, E::UTF_8) => Codec::DecodeMarked(4, None),
        (E::UTF_8, E::UTF_16) => Codec::EncodeMarked(E::UTF_16BE, false),
        (E::UTF_8, E::UTF_32) => Codec::EncodeMarked(E::UTF_32BE, false),
        (E::UTF8_MAC, E::UTF_8) => Codec::ComposeMac(Composer::default()),
        (E::UTF_8, E::UTF8_MAC) => Codec::DecomposeMac,
        (from, E::UTF_8) if has_charset(from) => Codec::Decode(from),
        (E::UTF_8, to) if has_charset(to) => Codec::Encode(to),
        (E::IBM037, E::ISO_8859_1) => Codec::EbcdicToLatin1,
        (E::ISO_8859_1, E::IBM037) => Codec::Latin1ToEbcdic,
        (E::EUC_JP, E::SHIFT_JIS) => Codec::EucJpToShiftJis,
        (E::SHIFT_JIS, E::EUC_JP) => Codec::ShiftJisToEucJp,
        (E::EUC_JP, E::STATELESS_ISO_2022_JP) => Codec::EucJpToStateless,
        (E::STATELESS_ISO_2022_JP, E::EUC_JP) => Codec::StatelessToEucJp,
        (E::ISO_2022_JP, E::STATELESS_ISO_2022_JP) => Codec::Iso2022(Iso2022::new(Kind::DecodeIso)),
        (E::STATELESS_ISO_2022_JP, E::ISO_2022_JP) => Codec::Iso2022(Iso2022::new(Kind::EncodeIso)),
        (E::CP50220 | E::CP50221, E::CP51932) => Codec::Iso2022(Iso2022::new(Kind::DecodeMicrosoft)),
        (E::CP51932, E::CP50221) => Codec::Iso2022(Iso2022::new(Kind::EncodeMicrosoft)),
        (E::CP51932, E::CP50220) => Codec::Iso2022(Iso2022::new(Kind::EncodeFullWidth)),
        (E::ISO_2022_JP_KDDI, E::STATELESS_ISO_2022_JP_KDDI) => Codec::Iso2022(Iso2022::new(Kind::DecodeIso)),
        (E::STATELESS_ISO_2022_JP_KDDI, E::ISO_2022_JP_KDDI) => Codec::Iso2022(Iso2022::new(Kind::EncodeIso)),
        (from, to) if carrier_form(from) == Some(to) => Codec::Decode(from),
        (from, to) if carrier_form(to) == Some(from) => Codec::Encode(to),
        _ => Codec::Emoji(Exchange::new(source, destination)?),
    })
}

/// Whether a step writes an encoding that is stateful or not ASCII compatible, so that text must be inserted before it.
pub(super) fn is_encoder(source: EncodingId, destination: EncodingId) -> bool {
    use EncodingId as E;
    match (source, destination) {
        (E::UTF_8, E::CESU_8) | (E::UTF8_MAC, E::UTF_8) | (E::ISO_8859_1, E::IBM037) => true,
        (E::UTF_8, to) => !to.is_ascii_compatible(),
        (_, E::ISO_2022_JP | E::ISO_2022_JP_KDDI | E::CP50220 | E::CP50221) => true,
        _ => false,
    }
}

/// `Encoding::Converter.asciicompat_encoding`: the ASCII compatible encoding to which an encoding is first converted.
pub fn asciicompat_encoding(source: EncodingId) -> Option<EncodingId> {
    use EncodingId as E;
    Some(match source {
        E::UTF_16BE | E::UTF_16LE | E::UTF_32BE | E::UTF_32LE | E::UTF_16 | E::UTF_32 | E::CESU_8 => E::UTF_8,
        E::ISO_2022_JP => E::STATELESS_ISO_2022_JP,
        E::ISO_2022_JP_KDDI => E::STATELESS_ISO_2022_JP_KDDI,
        E::CP50220 | E::CP50221 => E::CP51932,
        E::IBM037 => E::ISO_8859_1,
        _ => return None,
    })
}

/// The name of an encoding in the errors of Ruby's transcoders: mostly its own name.
pub(super) fn transcoder_name(encoding: EncodingId) -> &'static str {
    use EncodingId as E;
    match encoding {
        E::WINDOWS_1250 => "WINDOWS-1250",
        E::WINDOWS_1251 => "WINDOWS-1251",
        E::WINDOWS_1252 => "WINDOWS-1252",
        E::WINDOWS_1253 => "WINDOWS-1253",
        E::WINDOWS_1254 => "WINDOWS-1254",
        E::WINDOWS_1255 => "WINDOWS-1255",
        E::WINDOWS_1256 => "WINDOWS-1256",
        E::WINDOWS_1257 => "WINDOWS-1257",
        E::WINDOWS_874 => "WINDOWS-874",
        E::MACCROATIAN => "MACCROATIAN",
        E::MACCYRILLIC => "MACCYRILLIC",
        E::MACGREEK => "MACGREEK",
        E::MACICELAND => "MACICELAND",
        E::MACROMAN => "MACROMAN",
        E::MACROMANIA => "MACROMANIA",
        E::MACTURKISH => "MACTURKISH",
        E::MACUKRAINE => "MACUKRAINE",
        E::SJIS_DOCOMO => "SJIS-DOCOMO",
        _ => encoding.name(),
    }
}
