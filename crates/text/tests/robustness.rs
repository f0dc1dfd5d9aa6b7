//! For all bytes, encodings and formats the functions return results or errors and never panic; round trips preserve
//! data.

use proptest::prelude::*;
use text::case::{CaseMapping, CaseOptions};
use text::charset::{CharSet, Translation};
use text::encoding::{self, EncodingId};
use text::path::MatchFlags;
use text::scan::{self, CodeRange, Separator};
use text::transcode::{Converter, Decorator, Limits, Options, Outcome, Undefined};
use text::{case, charset, inspect, number, pack, path, sprintf, succ, time};

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let interesting = prop::sample::select(&b"\x00\x1B$B(\x80\x81\x8E\x8F\xA1\xD8\xDC\xED\xF0\xFE\xFF -~%*"[..]);
    prop::collection::vec(prop_oneof![any::<u8>(), 0x20u8..0x7F, interesting], 0..24)
}

fn encodings() -> impl Strategy<Value = EncodingId> {
    (0..EncodingId::COUNT as u8).prop_map(|index| EncodingId::from_index(index).unwrap())
}

/// Text composed of the words of a small language.
fn words(letters: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(letters), 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strings(encoding in encodings(), bytes in bytes(), needle in bytes(), at in 0usize..30) {
        let range = scan::code_range(encoding, &bytes);
        let count = scan::char_count(encoding, &bytes, range);
        prop_assert_eq!(count, scan::chars(encoding, &bytes).count());
        prop_assert_eq!(scan::char_count(encoding, &bytes, CodeRange::Unknown), count);
        prop_assert_eq!(scan::chars(encoding, &bytes).flatten().copied().collect::<Vec<_>>(), bytes.clone());
        if let Some(offset) = scan::byte_offset(encoding, &bytes, range, at) {
            prop_assert_eq!(scan::char_index(encoding, &bytes, range, offset), at);
        }
        let start = scan::char_start(encoding, &bytes, at);
        prop_assert!(start <= at && scan::next_char_start(encoding, &bytes, at) >= at.min(bytes.len()));
        for found in [scan::find(encoding, &bytes, &needle, 0), scan::rfind(encoding, &bytes, &needle, at)] {
            prop_assert!(found.is_none_or(|found| bytes[found..].starts_with(&needle)));
        }
        let found = scan::Needle::new(&needle).find(encoding, &bytes, at);
        prop_assert_eq!(found, scan::find(encoding, &bytes, &needle, at));
        for separator in [Separator::Newline, Separator::Paragraph, Separator::Bytes(&needle)] {
            prop_assert!(scan::lines(encoding, &bytes, separator, true).count() <= bytes.len());
            scan::chomp(encoding, &bytes, separator);
        }
        prop_assert_eq!(scan::reverse(encoding, &bytes, range).len(), bytes.len());
        scan::graphemes(encoding, &bytes, |_| true);
        if let Some(repaired) = scan::scrub(encoding, &bytes, scan::default_replacement(encoding)) {
            prop_assert!(scan::code_range(encoding, &repaired) != CodeRange::Broken);
        }
        succ::succ(encoding, &bytes);
        case::casecmp(encoding, &bytes, &needle);
        for mapping in [CaseMapping::Up, CaseMapping::Down, CaseMapping::Swap, CaseMapping::Capitalize] {
            for turkic in [false, true] {
                let options = CaseOptions { turkic, ..CaseOptions::default() };
                let _ = case::map_case(encoding, &bytes, range, mapping, options);
            }
        }
    }

    #[test]
    fn sources(encoding in encodings(), bytes in bytes()) {
        let mut out = Vec::new();
        inspect::inspect(encoding, &bytes, EncodingId::UTF_8, &mut out);
        inspect::inspect_symbol(encoding, &bytes, EncodingId::UTF_8, &mut out);
        inspect::hash_key(encoding, &bytes, EncodingId::UTF_8, &mut out);
        inspect::regexp_escape(encoding, &bytes, &mut out);
        inspect::regexp_source(encoding, &bytes, Some(EncodingId::UTF_8), b'/', &mut out);
        inspect::regexp_source(encoding, &bytes, None, b'/', &mut out);
        inspect::escape_unprintable(encoding, &bytes, &mut out);
        let _ = inspect::undump(encoding, &bytes);
        let mut dumped = Vec::new();
        inspect::dump(encoding, &bytes, &mut dumped);
        let read_as = if encoding.is_ascii_compatible() { encoding } else { EncodingId::BINARY };
        // The dump of a broken UTF-8 string mixes `\u` and `\x`, which undump rejects.
        if let Ok(undumped) = inspect::undump(read_as, &dumped) {
            prop_assert_eq!(undumped.bytes, bytes);
            prop_assert_eq!(undumped.encoding, encoding);
        } else {
            prop_assert_eq!(encoding, EncodingId::UTF_8);
        }
    }

    #[test]
    fn sets(encoding in encodings(), bytes in bytes(), from in bytes(), to in bytes()) {
        if let Ok(set) = CharSet::new(encoding, [&from[..], &to[..]]) {
            let _ = charset::count(encoding, &bytes, &set);
            let _ = charset::delete(encoding, &bytes, &set);
            let _ = charset::squeeze(encoding, &bytes, Some(&set));
        }
        // Ranges over millions of four-byte codes are slow, as they are in Ruby.
        if (encoding.max_char_len() < 3 || encoding.is_unicode())
            && let Ok(rules) = Translation::new(encoding, &from, &to)
        {
            let _ = charset::translate(encoding, &bytes, &rules, true);
        }
    }

    #[test]
    fn conversions(
        source in encodings(),
        destination in encodings(),
        bytes in bytes(),
        chunk in 1usize..6,
        room in 1usize..6,
        decorator in prop::option::of(prop::sample::select(&Decorator::ALL[..])),
    ) {
        let mut options = Options { replace_invalid: true, undefined: Undefined::Replace, ..Options::default() };
        decorator.into_iter().for_each(|decorator| options.add(decorator));
        let names = (source.name().as_bytes(), destination.name().as_bytes());
        let Ok(mut whole) = Converter::open(names.0, names.1, &options) else { return Ok(()) };
        let mut pieces = whole.clone();
        let (mut expected, mut rest) = (Vec::new(), &bytes[..]);
        prop_assert_eq!(whole.convert(&mut rest, &mut expected, Limits::default()), Outcome::Finished);
        let mut out = Vec::new();
        let mut chunks = bytes.chunks(chunk).peekable();
        let mut rest = chunks.next().unwrap_or_default();
        for _ in 0..10_000 {
            let limits = Limits { bytes: Some(room), partial_input: chunks.peek().is_some(), after_output: false };
            match pieces.convert(&mut rest, &mut out, limits) {
                Outcome::Finished => break,
                Outcome::SourceBufferEmpty => rest = chunks.next().unwrap_or_default(),
                _ => {}
            }
        }
        if decorator.is_none() {
            prop_assert_eq!(out, expected);
        }
    }

    #[test]
    fn numbers(text in words(b"0123456789_.eE+-xXbodpri/@ zZ\0"), base in -40i64..40) {
        let _ = number::parse_integer_strict(&text, base);
        let _ = number::parse_integer(&text, base);
        number::parse_float(&text);
        number::parse_rational(&text);
        number::parse_rational_strict(&text);
        number::parse_complex(&text);
        number::parse_complex_strict(&text);
        if let Some(value) = number::parse_float_strict(&text) {
            let shown = number::float_to_s(value);
            prop_assert!(value.is_infinite() || number::parse_float_strict(shown.as_bytes()) == Some(value));
        }
    }

    #[test]
    fn floats(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        let shown = number::float_to_s(value);
        if value.is_finite() {
            prop_assert_eq!(number::parse_float_strict(shown.as_bytes()).unwrap().to_bits(), bits);
        }
    }

    #[test]
    fn formats(format in words(b"%%%0123456789$*.-+ #dxobfegacsp<>{}\xE3n"), bits in any::<u64>(), count in 0usize..3) {
        let mut parser = sprintf::Parser::new(EncodingId::UTF_8, &format, count);
        let mut out = Vec::new();
        while let Ok(Some(piece)) = parser.next_piece() {
            let sprintf::Piece::Directive(directive) = piece else { continue };
            let resolved = directive.resolve(|_| Ok::<_, sprintf::FormatError>(bits as i16 as i32));
            let Ok(mut spec) = resolved else { continue };
            spec.width = spec.width.map(|width| width % 5000);
            spec.precision = spec.precision.map(|precision| precision % 5000);
            let _ = match directive.conversion {
                b'c' | b's' | b'p' => {
                    sprintf::format_text(&spec, EncodingId::UTF_8, &format, CodeRange::Unknown, &mut out)
                }
                b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
                    sprintf::format_integer(&spec, directive.conversion, bits & 1 == 1, b"1", &mut out)
                }
                letter => sprintf::format_float(&spec, letter, f64::from_bits(bits), &mut out)
                    .and_then(|()| sprintf::format_fixed(&spec, bits & 1 == 1, b"12", bits & 2 == 2, &mut out)),
            };
        }
    }

    #[test]
    fn packs(
        format in words(b"aAZbBhHcCsSlLqQjJnNvVfdeEgGUwrRumMxX@^0123*!_<> #\n%p"), data in bytes(), offset in -9i64..30,
    ) {
        if let Ok(mut unpacker) = pack::Unpacker::new(&format, &data, offset) {
            while let Ok(Some(_)) = unpacker.next_item(&data) {}
        }
        let mut parser = pack::Parser::new(pack::Mode::Pack, &format);
        while let Ok(Some(directive)) = parser.next_directive() {
            let mut out = Vec::new();
            pack::pack_armor(directive.kind, &data, directive.count, &mut out);
        }
        let mut out = Vec::new();
        pack::encode_base64(&data, None, &mut out);
        prop_assert_eq!(pack::decode_base64_strict(&out).unwrap(), data.clone());
        out.clear();
        pack::encode_uu(&data, 45, &mut out);
        prop_assert_eq!(pack::decode_uu(&out).0, data.clone());
        out.clear();
        pack::encode_quoted_printable(&data, 72, &mut out);
        prop_assert_eq!(pack::decode_quoted_printable(&out).0, data);
    }

    #[test]
    fn paths(
        pattern in words(b"*?[]!^-a.b/\\{},\xE3\x81\x82"), name in words(b"ab./-\xE3\x81\x82"),
        bits in 0i64..32, level in 0usize..5,
    ) {
        path::fnmatch(EncodingId::UTF_8, &pattern, &name, MatchFlags::from_bits(bits));
        path::basename(&name, Some(&pattern));
        path::dirname(&name, level);
        path::extname(&name);
    }

    #[test]
    fn times(format in words(b"%%%-^#_0123:zEOdHYGgVUWCcNLsZpPaABjvx\xE9"), days in -1_000_000_000i64..1_000_000_000) {
        let date = time::civil_from_days(days);
        prop_assert_eq!(time::days_from_civil(date), Some(days));
        let parts = time::TimeParts {
            year: date.year.into(), month: date.month, day: date.day, hour: 23, minute: 59, second: 60,
            weekday: (days + 4).rem_euclid(7) as u8, year_day: 366, utc: days % 2 == 0, utc_offset: days % 90_000,
            zone: None, epoch: days.into(), fraction: &|count| time::nanosecond_digits(123, count.min(5000)),
        };
        let mut out = Vec::new();
        let _ = time::strftime(&format, &parts, &mut out);
    }

    #[test]
    fn code_points(encoding in encodings(), code in prop_oneof![any::<u32>(), 0u32..0x11_0000, 0x8000u32..0x1_0000]) {
        let mut out = Vec::new();
        if encoding::encode_codepoint(encoding, code, &mut out).is_ok() {
            prop_assert_eq!(encoding::codepoint(encoding, &out), Some((code, out.len())));
        }
        encoding::is_printable(encoding, code);
        encoding::is_alnum(encoding, code);
        encoding::is_space(encoding, code);
    }
}
