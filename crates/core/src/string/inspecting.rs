//! inspect, dump, undump.

use object::string::Str;
use runtime::{Args, Cx, R, error::ErrorClass};
use text::{
    CodeRange, EncodingId,
    inspect::{self, UndumpError},
};

use super::modify;

/// The encoding of the result of `inspect`.
pub fn result_encoding(cx: &Cx) -> EncodingId {
    let encoding = cx.vm().default_internal.unwrap_or(cx.vm().default_external);
    if encoding.is_ascii_compatible() { encoding } else { EncodingId::US_ASCII }
}

/// `inspect → string`: as a literal in double quotes, with escapes for unprintable characters and for invalid bytes.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let result = result_encoding(cx);
    let mut out = Vec::new();
    inspect::inspect(s.encoding(), s.bytes(cx), result, &mut out);
    modify::of_list(cx, out, result)
}

/// `dump → string`: as a pure ASCII literal, which `undump` reads; other characters are escaped by bytes or, for
/// Unicode, by code points.
pub fn dump(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let mut out = memory::with_capacity(s.len() + 2);
    inspect::dump(s.encoding(), s.bytes(cx), &mut out);
    let encoding = if s.encoding().is_ascii_compatible() { s.encoding() } else { EncodingId::BINARY };
    let result = modify::of_list(cx, out, encoding)?;
    Str::of(result).set_code_range(CodeRange::SevenBit);
    Ok(result)
}

/// `undump → string`: the original of a `dump`. RuntimeError for text that is not a dump, Encoding::CompatibilityError
/// for an encoding that does not extend ASCII.
pub fn undump(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    match inspect::undump(s.encoding(), s.bytes(cx)) {
        Ok(undumped) => modify::of_list(cx, undumped.bytes, undumped.encoding),
        Err(UndumpError::NotAsciiCompatible) => {
            let message = format!("ASCII incompatible encoding: {}", s.encoding().name());
            Err(cx.raise(ErrorClass::CompatibilityError, &message))
        }
        Err(error) => Err(cx.runtime_error(error.message())),
    }
}
