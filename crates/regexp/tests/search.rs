//! Compilation and search. Expected results come from CRuby 4.1dev.

mod support;

use regexp::{Content, Encoding, Haystack, Limits, MatchError, Options, Program};
use support::{captures, compile, error, find, groups, rfind};

#[test]
fn finds_the_leftmost_match() {
    assert_eq!(find("b+", "", "abbc"), Some((1, 3)));
    assert_eq!(find("x", "", "abc"), None);
    assert_eq!(find("", "", "abc"), Some((0, 0)));
    assert_eq!(find("é", "", "caféé"), Some((3, 5)));
    assert_eq!(groups("(a)|(b)", "", "b"), ["b", "-", "b"]);
}

#[test]
fn patterns_that_waited_long_are_compiled_again() {
    let source = |number: usize| format!("(?<name>a{{{}}})(é)?$", number + 1);
    let programs: Vec<Program> = (0..200).map(|number| compile(&source(number), "")).collect();
    for (number, program) in programs.iter().enumerate() {
        let text = "a".repeat(number + 1);
        for content in [Content::Ascii, Content::Valid] {
            let haystack = Haystack { bytes: text.as_bytes(), encoding: Encoding::Utf8, content };
            let mut captures = regexp::Captures::new();
            assert_eq!(program.search(haystack, 0, 0, &mut captures, Limits::default()), Ok(true));
            assert_eq!(captures.get(1), Some((0, number + 1)));
        }
        assert_eq!((program.group_count(), &program.names()[0].name[..]), (1, &b"name"[..]));
    }
}

#[test]
fn finds_the_last_match_backwards() {
    assert_eq!(rfind("a", "", "banana"), Some((5, 6)));
    assert_eq!(rfind("an", "", "banana"), Some((3, 5)));
    assert_eq!(rfind("", "", "abc"), Some((3, 3)));
    assert_eq!(rfind("^", "", "a\nb"), Some((2, 2)));
    assert_eq!(rfind("é", "", "éaéb"), Some((3, 5)));
    assert_eq!(rfind("x", "", "abc"), None);
}

fn bounded(source: &str, text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let mut captures = regexp::Captures::new();
    let haystack = Haystack { bytes: text.as_bytes(), encoding: Encoding::Utf8, content: Content::Valid };
    let found = compile(source, "").search(haystack, start, end, &mut captures, Limits::default()).unwrap();
    found.then(|| captures.get(0)).flatten()
}

#[test]
fn bounds_limit_only_the_starts_of_matches() {
    assert_eq!(bounded("bcd", "abcd", 1, 0), Some((1, 4)));
    assert_eq!(bounded("b(?=cd)", "abcdbcd", 2, 0), Some((1, 2)));
    assert_eq!(bounded(r"b\z", "abcd", 1, 0), None);
    assert_eq!(bounded("é+", "éééa", 2, 0), Some((2, 6)));
    assert_eq!(bounded("b+", "abbb", 0, 1), Some((1, 4)));
    assert_eq!(bounded("b+", "aabb", 0, 1), None);
    assert_eq!(bounded("", "aabb", 4, 4), Some((4, 4)));
    assert_eq!(bounded("", "aabb", 5, 5), None);
    let long = "x".repeat(100_000);
    assert_eq!(bounded("x+", &long, 0, 100_000), Some((0, 100_000)));
    assert_eq!(bounded("(?<!y)x+?\\z", &long, 99_000, 100_000), Some((99_000, 100_000)));
    let wide = Program::compile(b"\xa4\xa2", Options::default(), Encoding::EucJp).unwrap();
    let haystack = Haystack { bytes: b"\xa4\xa2\xa4\xa2\xa4\xa4", encoding: Encoding::EucJp, content: Content::Valid };
    let mut captures = regexp::Captures::new();
    assert_eq!(wide.search(haystack, 4, 0, &mut captures, Limits::default()), Ok(true));
    assert_eq!(captures.get(0), Some((2, 4)));
}

#[test]
fn matches_at_one_position_only() {
    let program = compile("b", "");
    let mut captures = regexp::Captures::new();
    let haystack = Haystack { bytes: b"ab", encoding: Encoding::Utf8, content: Content::Ascii };
    assert_eq!(program.match_at(haystack, 0, &mut captures, Limits::default()), Ok(false));
    assert_eq!(program.match_at(haystack, 1, &mut captures, Limits::default()), Ok(true));
    assert_eq!(captures.get(0), Some((1, 2)));
    assert_eq!(program.match_at(haystack, 3, &mut captures, Limits::default()), Ok(false));
}

#[test]
fn options() {
    assert_eq!(find("A.c", "i", "xaBC"), Some((1, 4)));
    assert_eq!(find("a.b", "", "a\nb"), None);
    assert_eq!(find("a.b", "m", "a\nb"), Some((0, 3)));
    assert_eq!(find("a b # c\n c", "x", "abc"), Some((0, 3)));
    assert_eq!(find("a(?-i:b)c", "i", "ABC"), None);
    assert_eq!(find("a(?i)b|c", "", "aC"), Some((0, 2)));
    assert_eq!(find("(?x: a b )c", "", "abc"), Some((0, 3)));
    assert_eq!(find("(?mi-x:A.)", "x", "a\n"), Some((0, 2)));
    assert_eq!(find("ß", "i", "SS"), Some((0, 2)));
    assert_eq!(find("ÀÉ", "i", "àé"), Some((0, 4)));
}

#[test]
fn shorthands_are_ascii_and_boundaries_are_not() {
    assert_eq!(find(r"\w", "", "é"), None);
    assert_eq!(find(r"\W", "", "é"), Some((0, 2)));
    assert_eq!(find(r"[\w]", "", "é"), None);
    assert_eq!(find(r"[\W]", "", "é"), Some((0, 2)));
    assert_eq!(find(r"[^\W]", "", "é"), None);
    assert_eq!(find(r"(?u)\w", "", "é"), Some((0, 2)));
    assert_eq!(find(r"(?u:[\w])", "", "é"), Some((0, 2)));
    assert_eq!(find(r"\bb", "", "éb"), None);
    assert_eq!(find(r"(?a)\bb", "", "éb"), Some((2, 3)));
    assert_eq!(find(r"[[:alpha:]]", "", "é"), Some((0, 2)));
    assert_eq!(find(r"(?a)[[:alpha:]]", "", "é"), None);
    assert_eq!(find(r"(?a)\p{Alpha}", "", "é"), Some((0, 2)));
    assert_eq!(find(r"\d", "", "٣"), None);
    assert_eq!(find(r"[[:digit:]]", "", "٣"), Some((0, 2)));
    assert_eq!(find(r"\s", "", "\u{a0}"), None);
    assert_eq!(find(r"[[:space:]]", "", "\u{a0}"), Some((0, 2)));
    assert_eq!(find(r"\s", "", "\u{b}"), Some((0, 1)));
    assert_eq!(find(r"\h+", "", "xfF9g"), Some((1, 4)));
    assert_eq!(find(r"\w", "i", "ſ"), None);
    assert_eq!(find(r"[[:punct:]]", "", "$"), Some((0, 1)));
    assert_eq!(find(r"[[:punct:]]", "", "€"), None);
    assert_eq!(find(r"[\w-]+", "", "a-z"), Some((0, 3)));
    assert_eq!(find(r"[a-y-\w]+", "", "a-z"), Some((0, 3)));
}

#[test]
fn onigmo_syntax() {
    assert_eq!(find(r"\R", "", "a\r\nb"), Some((1, 3)));
    assert_eq!(find(r"\X", "", "e\u{301}x"), Some((0, 3)));
    assert_eq!(find(r"a\Kb", "", "ab"), Some((1, 2)));
    assert_eq!(find(r"/\*(?~\*/)\*/", "", "/* a */ */"), Some((0, 7)));
    assert_eq!(find(r"(?~|ab)", "", "xaby"), Some((0, 0)));
    assert_eq!(find(r"\y\Y\o", "", "yYo"), Some((0, 3)));
    assert_eq!(find(r"\p{^Alpha}\P{^Alpha}", "", "1a"), Some((0, 2)));
    assert_eq!(find(r"[a-z&&[^aeiou]]+", "", "aebcd"), Some((2, 5)));
    assert_eq!(find(r"\u{1F600 1F601}", "", "😀😁"), Some((0, 8)));
    assert_eq!(find(r"\u00e9", "", "é"), Some((0, 2)));
    assert_eq!(find(r"\x2A", "", "a*"), Some((1, 2)));
    assert_eq!(find(r"\xC3\xA9", "", "é"), Some((0, 2)));
    assert_eq!(find(r"\101\cA\C-a\M-\C-a", "n", "A\u{1}\u{1}"), None);
    assert_eq!(find(r"(?<a>.)(?(<a>)b|c)", "", "xb"), Some((0, 2)));
    assert_eq!(find(r"(?<p>\((?:[^()]|\g<p>)*\))", "", "a(b(c)d)"), Some((1, 8)));
    assert_eq!(find(r"a{2}+", "", "aaaaa"), Some((0, 4)));
    assert_eq!(find(r"a++a", "", "aaa"), None);
    assert_eq!(find(r"(?>a+)a", "", "aaa"), None);
    assert_eq!(find(r"(?<=é)b", "", "éb"), Some((2, 3)));
    assert_eq!(find(r"^", "", ""), Some((0, 0)));
    assert_eq!(find(r"\n^", "", "a\n"), None);
    assert_eq!(find(r"a(?#comment\))b", "", "ab"), Some((0, 2)));
    assert_eq!(find(r"\Aab\Z", "", "ab\n"), Some((0, 2)));
}

#[test]
fn named_groups() {
    let program = compile(r"(?<y>\d+)-(?<m>\d+)(x)?", "");
    assert_eq!(program.group_count(), 2);
    let names: Vec<_> = program.names().iter().map(|group| (group.name.as_slice(), group.groups.as_slice())).collect();
    assert_eq!(names, [(&b"y"[..], &[1][..]), (b"m", &[2])]);
    let program = compile(r"(?<a>.)(?<b>.)(?<a>.)", "");
    assert_eq!(program.groups_named(b"a"), Some(&[1, 3][..]));
    assert_eq!(program.groups_named(b"c"), None);
    assert_eq!(groups(r"(?<é>.)\k<é>", "", "xx"), ["xx", "x"]);
}

#[test]
fn errors_are_ruby_s() {
    for (source, message) in [
        ("(a", "end pattern with unmatched parenthesis"),
        ("a)", "unmatched close parenthesis"),
        ("[a", "premature end of char-class"),
        ("[]", "empty char-class"),
        ("*", "target of repeat operator is not specified"),
        ("[z-a]", "empty range in char class"),
        (r"[a-\d]", "char-class value at end of range"),
        ("(?z)", "undefined group option"),
        ("(?i-a)", "undefined group option"),
        (r"\", "too short escape sequence"),
        (r"\x", "invalid hex escape"),
        (r"\x{41}", "invalid hex escape"),
        (r"\u12", "invalid Unicode escape"),
        (r"\u{110000}", "invalid Unicode range"),
        (r"\u{}", "invalid Unicode list"),
        (r"\777", "invalid escape code"),
        (r"\M-a", "too short escaped multibyte character"),
        (r"\xff", "invalid multibyte escape"),
        (r"\p{foo}", "invalid character property name {foo}"),
        (r"\k<b>", "undefined name <b> reference"),
        (r"\g<1>", "undefined group <1> reference"),
        (r"(?<a>x)\1", "numbered backref/call is not allowed. (use name)"),
        (r"(?<>a)", "group name is empty"),
        (r"(?<1>a)", "invalid group name <1>"),
        (r"(?<=a+b)", "invalid pattern in look-behind"),
        (r"(?<a>\g<a>)", "never ending recursion"),
        (r"(?(1)b|c)", "invalid backref number/name"),
        (r"(?(a)b|c)", "invalid conditional pattern"),
        ("a{100001}", "too big number for repeat range"),
        ("a{3,1}", "upper is smaller than lower in repeat range"),
        ("(?#a", "end pattern in group"),
        ("[[:foo:]]", "invalid POSIX bracket type"),
        (r"\8", "invalid backref number/name"),
        ("(?<!(a))", "invalid pattern in look-behind"),
        (r"[\d-a]", "unmatched range specifier in char-class"),
        ("()(?(1)a|b|c)", "invalid conditional pattern"),
        ("(?(1)a|b|c)", "invalid backref number/name"),
        ("(?)", "undefined group option"),
        ("(?W)", "undefined group option"),
        ("(?~", "end pattern with unmatched parenthesis"),
    ] {
        assert_eq!(error(source), message, "{source}");
    }
}

/// As in CRuby 4.1dev.
#[test]
fn look_behinds_have_one_length_or_alternatives() {
    for body in [
        "a+", "a*", "a?", "a{1,2}", "a{2,}", "a{2}?", "a{2}+", "a{3}*", "a|b+", "(?>a)", "(?>a)|bb", r"\b?a", "^*",
        "(?:a|bc){0}", "(?:a|bb)|cd", "(?:a|bb)c", "((?:a|bb))", "(?i:a|bc)", "(?~a|b)|c", "(?=a)",
    ] {
        assert_eq!(error(&format!("(?<={body})")), "invalid pattern in look-behind", "{body}");
    }
    assert_eq!(error(r"(a)(?<=\1)"), "invalid pattern in look-behind");
    assert_eq!(error("(?<!a+)"), "invalid pattern in look-behind");
    // Another error of the pattern comes first.
    assert_eq!(error(r"(?<=a+)\g<x>"), "undefined name <x> reference");

    for (body, text, at) in [
        ("(?:a|bc)", "xbcy", 3),
        ("(?:(?:a|bc))", "xbcy", 3),
        ("(?:^|,)", "x,y", 2),
        ("(?:a|(?:bc))", "xbcy", 3),
        (r"(?:\A|[^\\])", "", 0),
        ("(?x: a )", "xa", 2),
        ("a{2}", "xaa", 3),
        ("(?:ab){2}|c", "abab", 4),
        ("[[:alpha:]&&[^a]]|11", "a11", 3),
        (r"\p{L}{2}|\d", "aé", 3),
        ("a{|bc", "a{", 2),
    ] {
        let found = if body.starts_with("(?:^") {
            bounded(&format!("(?<={body})"), text, 1, text.len())
        } else {
            find(&format!("(?<={body})"), "", text)
        };
        assert_eq!(found, Some((at, at)), "{body}");
    }
    assert_eq!(find("(?<= (?: a | bc ) )x", "x", "bx bcx"), Some((5, 6)));
    assert_eq!(find("(?<!(?:^|,))b", "", "b,b ab"), Some((5, 6)));
    assert_eq!(groups("(?<=(?:(a)|bc))x", "", "ax"), ["x", "a"]);
    let nested = format!("(?<={}a{})", "(?:".repeat(5_000), ")".repeat(5_000));
    let _ = Program::compile(nested.as_bytes(), Options::default(), Encoding::Utf8);
}

/// The expected names are those of CRuby 4.1dev.
#[test]
fn names_of_groups() {
    let names = |source: &str| {
        let program = Program::compile(source.as_bytes(), Options::default(), Encoding::Utf8).unwrap();
        assert!(!captures(&program, b"aa", Encoding::Utf8).is_empty(), "{source}");
        program.names().iter().map(|group| String::from_utf8(group.name.clone()).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(names(r"(?<@x>a)\k<@x>"), ["@x"]);
    assert_eq!(names(r"(?'a b'a)(?<__0>)\g'a b'"), ["a b", "__0"]);
    assert_eq!(names(r"(?<$>a)\k<$+0>(?(<$>)|b)"), ["$"]);
    assert_eq!(error(r"(?<a+1>a)\k<a+1>"), "undefined name <a> reference");
}

#[test]
fn letters_beyond_ascii_are_folded() {
    for (encoding, capital, small) in [
        (Encoding::EucJp, &b"\xa3\xc1"[..], &b"\xa3\xe1"[..]),
        (Encoding::ShiftJis, b"\x84\x4f", b"\x84\x80"),
        (Encoding::Koi8U, b"\xa6", b"\xb6"),
        (Encoding::Windows125(2), b"\x9f", b"\xff"),
    ] {
        let options = Options { ignore_case: true, ..Options::default() };
        for (pattern, text) in [(capital, small), (small, capital)] {
            for source in
                [pattern.to_vec(), [b"[", pattern, b"]"].concat(), [b"[", pattern, b"-", pattern, b"]"].concat()]
            {
                let program = Program::compile(&source, options, encoding).unwrap();
                assert!(!captures(&program, text, encoding).is_empty(), "{encoding:?} {source:?}");
            }
        }
    }
}

#[test]
fn encodings() {
    let program = |source: &[u8], encoding| Program::compile(source, Options::default(), encoding).unwrap();
    // Not bound to an encoding: compiled for each encoding on use.
    let dot = program(b"^.$", Encoding::Utf8);
    assert_eq!((dot.encoding(), dot.is_fixed_encoding()), (Encoding::Ascii, false));
    assert_eq!(captures(&dot, "é".as_bytes(), Encoding::Utf8), [Some((0, 2))]);
    assert_eq!(captures(&dot, b"\xa4\xa2", Encoding::EucJp), [Some((0, 2))]);
    assert_eq!(captures(&dot, b"\x83\x5c", Encoding::ShiftJis), [Some((0, 2))]);
    assert!(captures(&dot, "é".as_bytes(), Encoding::Binary).is_empty());
    assert_eq!(captures(&dot, b"\xe9", Encoding::Iso8859(1)), [Some((0, 1))]);
    assert_eq!(captures(&dot, b"\x81\x30\x81\x30", Encoding::Gb18030), [Some((0, 4))]);

    let hiragana = program(b"\xa4\xa2+", Encoding::EucJp);
    assert_eq!((hiragana.encoding(), hiragana.is_fixed_encoding()), (Encoding::EucJp, true));
    assert_eq!(captures(&hiragana, b"x\xa4\xa2\xa4\xa2", Encoding::EucJp), [Some((1, 5))]);
    // The second byte of a Shift_JIS character may look like a backslash or a bracket.
    let odd = program(b"\x83\x5c\x83\x5b", Encoding::ShiftJis);
    assert_eq!(captures(&odd, b"\x83\x5c\x83\x5b", Encoding::ShiftJis), [Some((0, 4))]);

    let binary = program(b"[\\x80-\\xff]+", Encoding::Binary);
    assert_eq!(captures(&binary, b"a\x80\xff", Encoding::Binary), [Some((1, 3))]);
    let utf16: Vec<u8> = "a.é".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let wide = program(&utf16, Encoding::Utf16Le);
    let text: Vec<u8> = "xaxé".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(captures(&wide, &text, Encoding::Utf16Le), [Some((2, 8))]);

    let utf8 = program(b"\\u3042", Encoding::Utf8);
    assert_eq!((utf8.encoding(), utf8.is_fixed_encoding()), (Encoding::Utf8, true));
    let none = Options { no_encoding: true, ..Options::default() };
    assert_eq!(Program::compile(b".", none, Encoding::Utf8).unwrap().encoding(), Encoding::Ascii);
    assert_eq!(Program::compile(b"\\xff", none, Encoding::Utf8).unwrap().encoding(), Encoding::Binary);
    let error = Program::compile("é".as_bytes(), none, Encoding::Utf8).err().unwrap();
    assert_eq!(error.message, "/.../n has a non escaped non ASCII character in non ASCII-8BIT script");
    let error = Program::compile(b"\xa4\xa2\\u3042", Options::default(), Encoding::EucJp).err().unwrap();
    assert_eq!(error.message, "UTF-8 character in non UTF-8 regexp");
}

#[test]
fn broken_haystacks_are_refused() {
    for (bytes, encoding) in [
        (&b"a\xff"[..], Encoding::Utf8),
        (b"\xe3\x81", Encoding::Utf8),
        (b"\xa4", Encoding::EucJp),
        (b"\x83", Encoding::ShiftJis),
        (b"a", Encoding::Utf16Le),
        (b"\x80", Encoding::Ascii),
    ] {
        let program = compile(".", "");
        let haystack = Haystack { bytes, encoding, content: Content::Unknown };
        let found = program.search(haystack, 0, bytes.len(), &mut regexp::Captures::new(), Limits::default());
        assert_eq!(found, Err(MatchError::InvalidBytes), "{bytes:?}");
    }
}

#[test]
fn expressions_that_match_a_position_can_be_repeated() {
    for pattern in
        ["^*", "$?", r"\b+", r"\A{2}", r"\Z*?", "(?=a)?", "(?!x)*", "(?<=a){,3}", "(?<!x)+", "^?+", "(?x: ^ * )"]
    {
        assert!(find(pattern, "", "a").is_some(), "{pattern}");
    }
    assert_eq!(groups("a(?=(b))?", "", "ab"), ["a", "b"]);
    assert_eq!(groups("a(?=(b))?", "", "ac"), ["a", "-"]);
    assert_eq!(find("^{x", "", "{x"), Some((0, 2)));
    assert_eq!(error("a|*"), "target of repeat operator is not specified");
}

#[test]
fn the_length_of_a_look_behind_may_exceed_a_word() {
    assert_eq!(error("(?<=a{65535}{65535}{65535}{65535}{65535}b)"), "too big number for repeat range");
}
