//! The numbers of encodings and styles in Psych, which are libyaml's.

use libyaml_safer::{Encoding, MappingStyle, ScalarStyle, SequenceStyle};
use runtime::{Cx, R, Value, convert};

pub const ENCODINGS: [(&str, Encoding); 4] =
    [("ANY", Encoding::Any), ("UTF8", Encoding::Utf8), ("UTF16LE", Encoding::Utf16Le), ("UTF16BE", Encoding::Utf16Be)];

const SCALARS: [ScalarStyle; 6] = [
    ScalarStyle::Any,
    ScalarStyle::Plain,
    ScalarStyle::SingleQuoted,
    ScalarStyle::DoubleQuoted,
    ScalarStyle::Literal,
    ScalarStyle::Folded,
];
const SEQUENCES: [SequenceStyle; 3] = [SequenceStyle::Any, SequenceStyle::Block, SequenceStyle::Flow];
const MAPPINGS: [MappingStyle; 3] = [MappingStyle::Any, MappingStyle::Block, MappingStyle::Flow];

/// The style of a number; libyaml's default for unknown numbers.
fn of_number<T: Copy, const N: usize>(cx: &mut Cx, all: [T; N], v: Value) -> R<T> {
    let number = convert::to_i64(cx, v)?;
    Ok(usize::try_from(number).ok().and_then(|number| all.get(number)).copied().unwrap_or(all[0]))
}

pub fn encoding(cx: &mut Cx, v: Value) -> R<Encoding> {
    of_number(cx, ENCODINGS.map(|(_, encoding)| encoding), v)
}

pub fn scalar(cx: &mut Cx, v: Value) -> R<ScalarStyle> {
    of_number(cx, SCALARS, v)
}

pub fn sequence(cx: &mut Cx, v: Value) -> R<SequenceStyle> {
    of_number(cx, SEQUENCES, v)
}

pub fn mapping(cx: &mut Cx, v: Value) -> R<MappingStyle> {
    of_number(cx, MAPPINGS, v)
}
