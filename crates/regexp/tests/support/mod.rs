//! Helpers to compile and search.
#![allow(dead_code, reason = "each test file uses some of these")]

use regexp::{Captures, Content, Encoding, Haystack, Limits, Options, Program};

pub fn options(letters: &str) -> Options {
    Options {
        ignore_case: letters.contains('i'),
        multi_line: letters.contains('m'),
        extended: letters.contains('x'),
        fixed_encoding: letters.contains('u'),
        no_encoding: letters.contains('n'),
    }
}

pub fn compile(source: &str, letters: &str) -> Program {
    Program::compile(source.as_bytes(), options(letters), Encoding::Utf8)
        .unwrap_or_else(|error| panic!("{source}: {error}"))
}

pub fn error(source: &str) -> String {
    match Program::compile(source.as_bytes(), Options::default(), Encoding::Utf8) {
        Ok(_) => format!("{source} compiles"),
        Err(error) => error.message,
    }
}

/// The spans of a match; empty if there is none.
pub fn captures(program: &Program, bytes: &[u8], encoding: Encoding) -> Vec<Option<(usize, usize)>> {
    let mut captures = Captures::new();
    let haystack = Haystack { bytes, encoding, content: Content::Unknown };
    let found = program.search(haystack, 0, bytes.len(), &mut captures, Limits::default()).unwrap();
    if !found {
        return Vec::new();
    }
    (0..captures.spans.len()).map(|group| captures.get(group)).collect()
}

pub fn find(source: &str, letters: &str, text: &str) -> Option<(usize, usize)> {
    captures(&compile(source, letters), text.as_bytes(), Encoding::Utf8).first().copied().flatten()
}

pub fn rfind(source: &str, letters: &str, text: &str) -> Option<(usize, usize)> {
    let mut captures = Captures::new();
    let haystack = Haystack { bytes: text.as_bytes(), encoding: Encoding::Utf8, content: Content::Unknown };
    let found = compile(source, letters).search(haystack, text.len(), 0, &mut captures, Limits::default()).unwrap();
    found.then(|| captures.get(0)).flatten()
}

/// The texts of the match and of its groups, `-` for groups that did not match.
pub fn groups(source: &str, letters: &str, text: &str) -> Vec<String> {
    let spans = captures(&compile(source, letters), text.as_bytes(), Encoding::Utf8);
    spans.iter().map(|span| span.map_or("-".to_owned(), |(start, end)| text[start..end].to_owned())).collect()
}
