//! source, options, encoding, to_s, inspect, equality.

use memory::Grow;
use object::string::Str;
use regexp::Options;
use runtime::{Args, Cx, R, Value, special::RegexpData};
use text::{EncodingId, inspect::regexp_source};

use super::search::data;
use crate::encoding;
use crate::string::{inspecting::result_encoding, modify};

const LETTERS: [(u8, u8); 3] = [(b'm', 4), (b'i', 1), (b'x', 2)];

/// `source → string`: the text between the slashes, without the options.
pub fn source(cx: &mut Cx, args: Args) -> R {
    let source = Str::of(data(cx, args.me_ref())?.source);
    Ok(source.dup(cx).value())
}

/// `options → integer`: the flags IGNORECASE, EXTENDED, MULTILINE, FIXEDENCODING and NOENCODING.
pub fn options(cx: &mut Cx, args: Args) -> R {
    let data = data(cx, args.me_ref())?;
    Ok(Value::fixnum(data.options as i64))
}

/// `casefold? → true or false`: whether the option `i` is set.
pub fn is_casefold(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(cx, args.me_ref())?.options & 1 != 0))
}

/// `fixed_encoding? → true or false`: whether it only matches text in its own encoding and ASCII.
pub fn is_fixed_encoding(_: &mut Cx, args: Args) -> R {
    let data = object::native::get::<RegexpData>(args.me_ref());
    Ok(Value::bool(data.is_some_and(|data| !data.source.is_nil() && data.program.is_fixed_encoding())))
}

/// `encoding → encoding`: the encoding of the source; US-ASCII if it matches text in any encoding that extends ASCII.
pub fn encoding_of(cx: &mut Cx, args: Args) -> R {
    let id = match object::native::get::<RegexpData>(args.me_ref()) {
        Some(data) if !data.source.is_nil() => Str::of(data.source).encoding(),
        _ => EncodingId::BINARY,
    };
    Ok(encoding::object(cx, id))
}

/// `inspect → string`: as a literal, with escaped slashes and the options.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let Some(data) = object::native::get::<RegexpData>(args.me_ref()).filter(|data| !data.source.is_nil()) else {
        let shown = runtime::define::any_to_text(cx, args.me());
        return modify::new(cx, shown.as_bytes(), EncodingId::UTF_8);
    };
    let result = result_encoding(cx);
    let (bytes, encoding) = inspect_bytes(cx, data, result);
    modify::new(cx, &bytes, encoding)
}

fn inspect_bytes(cx: &Cx, data: &RegexpData, result: EncodingId) -> (Vec<u8>, EncodingId) {
    let source = Str::of(data.source);
    let mut out = vec![b'/'];
    regexp_source(source.encoding(), source.bytes(cx), Some(result), b'/', &mut out);
    out.append_one(b'/');
    for (letter, bit) in LETTERS {
        if data.options & bit != 0 {
            out.append_one(letter);
        }
    }
    if data.options & Options::NOENCODING != 0 {
        out.append_one(b'n');
    }
    let encoding = if out.is_ascii() { source.encoding() } else { result };
    (out, encoding)
}

/// `to_s → string`: `(?-mix:source)`, which keeps its meaning within another regexp.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let data = data(cx, args.me_ref())?;
    let bytes = to_s_bytes(cx, data, b'/');
    modify::new(cx, &bytes, Str::of(data.source).encoding())
}

/// The text of `to_s`, with `end` escaped in the source.
pub fn to_s_bytes(cx: &Cx, data: &RegexpData, end: u8) -> Vec<u8> {
    let source = Str::of(data.source);
    let (options, inner) = simplified(data, source.bytes(cx)).unwrap_or((data.options & 7, source.bytes(cx)));
    let encoding = source.encoding();
    let mut shown = memory::with_capacity(inner.len() + 10);
    shown.append_slice(b"(?");
    shown.extend(LETTERS.iter().filter(|(_, bit)| options & bit != 0).map(|(letter, _)| letter));
    if options & 7 != 7 {
        shown.append_one(b'-');
        shown.extend(LETTERS.iter().filter(|(_, bit)| options & bit == 0).map(|(letter, _)| letter));
    }
    shown.append_one(b':');
    if encoding.is_ascii_compatible() {
        regexp_source(encoding, inner, None, end, &mut shown);
        shown.append_one(b')');
        return shown;
    }
    let mut out = Vec::new();
    append_ascii(encoding, &shown, &mut out);
    out.append_slice(inner);
    append_ascii(encoding, b")", &mut out);
    out
}

fn append_ascii(encoding: EncodingId, text: &[u8], out: &mut Vec<u8>) {
    for byte in text {
        let _ = text::encoding::encode_codepoint(encoding, u32::from(*byte), out);
    }
}

/// If the source is a single group with options, or begins with options for all that follows, those are shown instead
/// of an additional group.
fn simplified<'a>(data: &RegexpData, source: &'a [u8]) -> Option<(u8, &'a [u8])> {
    let mut options = data.options & 7;
    let mut rest = source;
    loop {
        if rest.len() < 4 {
            return None;
        }
        rest = rest.strip_prefix(b"(?")?;
        let bit_of = |letter: u8| LETTERS.iter().find(|(known, _)| *known == letter).map(|(_, bit)| *bit);
        while let Some(bit) = rest.first().and_then(|letter| bit_of(*letter)) {
            options |= bit;
            rest = &rest[1..];
        }
        if rest.len() > 1 && rest[0] == b'-' {
            rest = &rest[1..];
            while let Some(bit) = rest.first().and_then(|letter| bit_of(*letter)) {
                options &= !bit;
                rest = &rest[1..];
            }
        }
        if rest.first() == Some(&b')') {
            rest = &rest[1..];
            if rest.len() >= 4 && rest.starts_with(b"(?") {
                continue;
            }
            return Some((options, rest));
        }
        let inner = rest.strip_prefix(b":")?.strip_suffix(b")")?;
        let encoding = Str::of(data.source).encoding();
        let compiles = || {
            let encoding = super::search::engine_encoding(encoding)?;
            Some(regexp::Program::compile(inner, regexp::Options::from_bits(options as i64), encoding).is_ok())
        };
        let is_whole = if encoding == EncodingId::UTF_8 || inner.is_ascii() { is_balanced(inner) } else { None };
        return is_whole.or_else(compiles)?.then_some((options, inner));
    }
}

/// Whether a part of a valid regular expression closes exactly the groups that it opens, so that it is valid by itself;
/// `None` where this scan does not know the syntax well enough. Compiling the part takes a hundred times as long.
fn is_balanced(part: &[u8]) -> Option<bool> {
    let (mut groups, mut brackets) = (0, 0);
    let mut bytes = part.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            // The next character may be any, except after the prefixes of control characters.
            b'\\' if matches!(bytes.next(), Some(b'c' | b'C' | b'M') | None) => return None,
            // A comment may begin here.
            b'#' => return None,
            b'[' => {
                brackets += 1;
                bytes.next_if_eq(&b'^');
                if bytes.peek() == Some(&b']') {
                    return None;
                }
            }
            b']' if brackets > 0 => brackets -= 1,
            b'(' if brackets == 0 => groups += 1,
            b')' if brackets == 0 && groups == 0 => return Some(false),
            b')' if brackets == 0 => groups -= 1,
            _ => {}
        }
    }
    (brackets == 0).then_some(groups == 0)
}

/// `==(other) → true or false`: whether `other` is a Regexp with the same source, options and encoding. Alias: `eql?`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    if args.me() == args.at(0) {
        return Ok(Value::TRUE);
    }
    if !object::cell::is(args.at(0), abi::Type::Regexp) {
        return Ok(Value::FALSE);
    }
    let (a, b) = (data(cx, args.me_ref())?, data(cx, args.at_ref(0))?);
    let same = a.options & 7 == b.options & 7
        && Str::of(a.source).encoding() == Str::of(b.source).encoding()
        && a.program.is_fixed_encoding() == b.program.is_fixed_encoding()
        && Str::of(a.source).same_bytes(Str::of(b.source));
    Ok(Value::bool(same))
}

/// `hash → integer`: equal for regexps that are equal: with the same source, options and encoding.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let data = data(cx, args.me_ref())?;
    let hash = Str::of(data.source).hash(cx) ^ ((data.options & 7) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Ok(Value::fixnum((hash as i64) >> 2))
}

#[cfg(test)]
mod tests {
    use super::is_balanced;

    #[test]
    fn groups_brackets_and_escapes_are_told_apart() {
        for (part, expected) in [
            ("a", Some(true)),
            ("a(b)c", Some(true)),
            ("a)|(?:b", Some(false)),
            (r"\)[)(\]](x)", Some(true)),
            ("[a[(]b]", Some(true)),
            ("[^()]", Some(true)),
            ("[]a]", None),
            (r"\c(", None),
            ("a # (", None),
        ] {
            assert_eq!(is_balanced(part.as_bytes()), expected, "{part}");
        }
    }
}
