//! The arguments of `round`, `floor`, `ceil`, `truncate`.

use memory::ToVector;
use numeric::big::Half;
use object::string::Str;
use runtime::{Args, Cx, R, Sym, convert, error::ErrorClass, keys, sym};
use text::EncodingId;

/// The number of digits as a C int, if it was given.
pub fn digits(cx: &mut Cx, args: Args) -> R<Option<i32>> {
    match args.opt(0) {
        None => Ok(None),
        Some(v) => convert::to_i32(cx, v).map(Some),
    }
}

/// The keyword `half:`; ArgumentError "invalid rounding mode: x".
pub fn half(cx: &mut Cx, args: Args) -> R<Half> {
    let keywords = args.keywords();
    keys::only_keywords(cx, keywords, &[sym::HALF])?;
    let v = keys::keyword(cx, keywords, sym::HALF);
    if v.is_undef() || v.is_nil() {
        return Ok(Half::Up);
    }
    let bytes = match Sym::from_value(v) {
        Some(name) => Some(name.bytes(cx).to_vector()),
        None => convert::try_str(cx, v)?.map(|s| s.to_vector()),
    };
    let encoding = match Sym::from_value(v) {
        Some(name) => Str::of(name.name(cx)).encoding(),
        None => convert::try_str(cx, v)?.map_or(EncodingId::UTF_8, |s| s.encoding()),
    };
    if !encoding.is_ascii_compatible() {
        let message = format!("ASCII incompatible encoding: {}", encoding.name());
        return Err(cx.raise(ErrorClass::CompatibilityError, &message));
    }
    match bytes.map(|b| b.to_ascii_lowercase()).as_deref() {
        Some(b"up") => Ok(Half::Up),
        Some(b"even") => Ok(Half::Even),
        Some(b"down") => Ok(Half::Down),
        _ => {
            let shown = convert::to_s(cx, v)?;
            let shown = shown.to_text();
            Err(cx.argument_error(&format!("invalid rounding mode: {shown}")))
        }
    }
}
