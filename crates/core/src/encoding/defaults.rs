//! default_external, default_internal, the locale; compatible?.

use std::sync::OnceLock;

use abi::Type;
use object::{Sym, cell, string::Str};
use runtime::{Args, Cx, R, Value, warning};
use text::encoding::{self, EncodingId, Operand, OperandKind};

use super::names::{self, from_value, object};
use crate::regexp;

/// The encoding of the process's locale at startup.
pub fn locale() -> EncodingId {
    static LOCALE: OnceLock<EncodingId> = OnceLock::new();
    *LOCALE.get_or_init(of_environment)
}

fn of_environment() -> EncodingId {
    let value = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    let Some(locale) = value("LC_ALL").or_else(|| value("LC_CTYPE")).or_else(|| value("LANG")) else {
        return EncodingId::US_ASCII;
    };
    match locale.split_once('.') {
        Some((_, charmap)) => {
            let charmap = charmap.split('@').next().unwrap_or_default();
            match encoding::find(charmap.as_bytes()) {
                Some(id) => id,
                None if charmap.eq_ignore_ascii_case("utf8") => EncodingId::UTF_8,
                None => EncodingId::US_ASCII,
            }
        }
        None => EncodingId::US_ASCII,
    }
}

/// The encoding named by a command-line option.
pub fn named_by_option(name: &str) -> Option<EncodingId> {
    if name.eq_ignore_ascii_case("locale") { Some(locale()) } else { encoding::find(name.as_bytes()) }
}

/// `Encoding.default_external → encoding`: the assumed encoding of data read from outside; from the locale or the
/// option `-E`.
pub fn external(cx: &mut Cx, _: Args) -> R {
    let id = cx.vm().default_external;
    Ok(object(cx, id))
}

/// `Encoding.default_external = encoding`: sets the encoding for streams opened from now on. ArgumentError for nil and
/// for an unknown name.
pub fn set_external(cx: &mut Cx, args: Args) -> R {
    if args.at(0).is_nil() {
        return Err(cx.argument_error("default external can not be nil"));
    }
    if cx.verbose() == Some(true) {
        warning::warn_here(cx, "setting Encoding.default_external")?;
    }
    let id = from_value(cx, args.at(0))?;
    cx.vm_mut().default_external = id;
    Ok(args.at(0))
}

/// `Encoding.default_internal → encoding or nil`: the encoding that data read from outside is converted to; nil for no
/// conversion.
pub fn internal(cx: &mut Cx, _: Args) -> R {
    match cx.vm().default_internal {
        Some(id) => Ok(object(cx, id)),
        None => Ok(Value::NIL),
    }
}

/// `Encoding.default_internal = encoding or nil`: sets the encoding for streams opened from now on. ArgumentError for
/// an unknown name.
pub fn set_internal(cx: &mut Cx, args: Args) -> R {
    if cx.verbose() == Some(true) {
        warning::warn_here(cx, "setting Encoding.default_internal")?;
    }
    let id = if args.at(0).is_nil() { None } else { Some(from_value(cx, args.at(0))?) };
    cx.vm_mut().default_internal = id;
    Ok(args.at(0))
}

/// `Encoding.locale_charmap → string`: the operating system's name for the locale's encoding.
pub fn locale_charmap(cx: &mut Cx, _: Args) -> R {
    let name = match locale() {
        EncodingId::US_ASCII => "ANSI_X3.4-1968",
        id => id.name(),
    };
    Ok(names::name_string(cx, name))
}

/// One operand of `compatible?`; `None` for a value without an encoding.
fn operand(cx: &mut Cx, v: Value) -> R<Option<Operand>> {
    if let Some(s) = Str::from_value(v) {
        return Ok(Some(s.operand()));
    }
    let encoding = if let Some(symbol) = Sym::from_value(v) {
        Some(Str::of(symbol.name(cx)).encoding())
    } else if cell::is(v, Type::Regexp) {
        let source = regexp::search::data(cx, &v)?.source;
        Some(Str::of(source).encoding())
    } else {
        names::id_of(v)
    };
    Ok(encoding.map(|encoding| Operand { encoding, kind: OperandKind::Other }))
}

/// `Encoding.compatible?(first, second) → encoding or nil`: the encoding of the concatenation of both strings, symbols,
/// regexps or encodings; nil if they are incompatible.
pub fn compatible(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (operand(cx, args.at(0))?, operand(cx, args.at(1))?);
    let (Some(a), Some(b)) = (a, b) else { return Ok(Value::NIL) };
    match encoding::compatible(a, b) {
        Some(id) => Ok(object(cx, id)),
        None => Ok(Value::NIL),
    }
}
