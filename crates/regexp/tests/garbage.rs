//! Random bytes as patterns: nothing may panic, hang or run out of memory.

use regexp::{Captures, Content, Encoding, Haystack, Limits, Options, Program};
use std::time::{Duration, Instant};

const PIECES: [&[u8]; 72] = [
    b"a", b"b", b"(", b")", b"[", b"]", b"{", b"}", b"|", b"*", b"+", b"?", b"^", b"$", b"\\", b".", b"-", b"&&",
    b"(?", b"(?<", b"(?<n>", b"(?'n'", b"(?:", b"(?=", b"(?!", b"(?<=", b"(?<!", b"(?>", b"(?~", b"(?~|", b"(?(",
    b"(?(1)", b"(?#", b"(?i", b"(?x)", b"(?mix-mix:", b"\\1", b"\\k<n>", b"\\g<0>", b"\\g<n>", b"\\p{", b"\\p{^Alpha}",
    b"\\P{L", b"[:", b":]", b"[[:alpha:]]", b"[^", b"\\x", b"\\x4", b"\\u", b"\\u{", b"\\u{61 62", b"\\M-", b"\\C-",
    b"\\c", b"\\0", b"\\377", b"{2", b"{2,3}", b"{,", b"{99999}", b"\xc3", b"\xa9", b"\xe3\x81", b"\xff", b"\x83\x5c",
    b" ", b"#", b"\n", b"\\K", b"\\G", b"\\R",
];

const ENCODINGS: [Encoding; 9] = [
    Encoding::Utf8,
    Encoding::Ascii,
    Encoding::Binary,
    Encoding::EucJp,
    Encoding::ShiftJis,
    Encoding::Gb18030,
    Encoding::Utf16Le,
    Encoding::Utf32Be,
    Encoding::Iso8859(1),
];

#[test]
fn garbage_compiles_or_is_refused() {
    let mut seed = 7u64;
    let mut roll = |sides: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % sides
    };
    let mut compiled = 0;
    for round in 0..30_000 {
        let pattern: Vec<u8> = (0..roll(9) + 1).flat_map(|_| PIECES[roll(PIECES.len())]).copied().collect();
        let encoding = if round % 2 == 0 { Encoding::Utf8 } else { ENCODINGS[roll(ENCODINGS.len())] };
        let Ok(program) = Program::compile(&pattern, Options::from_bits(roll(64) as i64), encoding) else { continue };
        compiled += 1;
        program.warnings();
        for text in [&b"aab\nb-a"[..], "aé\u{3042}b".as_bytes(), b"\x83\x5ca", b""] {
            for encoding in [Encoding::Utf8, Encoding::Binary, Encoding::ShiftJis, encoding] {
                let haystack = Haystack { bytes: text, encoding, content: Content::Unknown };
                let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(200)), interrupt: None };
                let mut captures = Captures::new();
                for (start, end) in [(0, text.len()), (text.len(), 0), (text.len().min(1), 0)] {
                    if program.search(haystack, start, end, &mut captures, limits) == Ok(true) {
                        assert_eq!(captures.spans.len(), program.group_count() + 1);
                        assert!(captures.spans.iter().all(|&(start, end)| start <= end && end <= text.len() as isize));
                    }
                }
            }
        }
    }
    assert!(compiled > 3000, "{compiled}");
}
