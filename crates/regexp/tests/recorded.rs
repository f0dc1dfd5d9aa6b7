//! Random patterns and haystacks with the results of CRuby (the version is in the file).
//!
//! A line is: pattern, option bits, haystack (both as hexadecimal bytes), start, `f`orward or `b`ackward, result,
//! encoding of the haystack. Where CRuby has a bug (docs/regexp.md) or the engines differ, the case is left out.

use regexp::{Captures, Content, Encoding, Haystack, Limits, Options, Program};

const RECORDED: &str = include_str!("data/recorded.txt");

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().as_chunks::<2>().0;
    digits.iter().map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

fn answer(parts: &[&str]) -> String {
    let options = Options::from_bits(parts[1].parse().unwrap());
    let program = match Program::compile(&bytes(parts[0]), options, Encoding::Utf8) {
        Ok(program) => program,
        Err(error) => return format!("error {error}"),
    };
    let text = bytes(parts[2]);
    let encoding = Encoding::from_ruby_name(parts[6]).unwrap();
    let haystack = Haystack { bytes: &text, encoding, content: Content::Unknown };
    let end = if parts[4] == "f" { text.len() } else { 0 };
    let mut captures = Captures::new();
    match program.search(haystack, parts[3].parse().unwrap(), end, &mut captures, Limits::default()) {
        Ok(false) => "nil".to_owned(),
        Ok(true) => {
            let span = |&(start, end): &(isize, isize)| if start < 0 { "-".into() } else { format!("{start}:{end}") };
            captures.spans.iter().map(span).collect::<Vec<_>>().join(",")
        }
        Err(error) => format!("error {error}"),
    }
}

#[test]
fn results_are_cruby_s() {
    let mut wrong = Vec::new();
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let found = answer(&parts);
        if found != parts[5] {
            let pattern = String::from_utf8(bytes(parts[0])).unwrap();
            wrong.push(format!("/{pattern}/ {}, not {found}\n{line}", parts[5]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
