//! The options of conversions: `invalid:`, `undef:`, `replace:`, `xml:`, `newline:` etc.

use object::{Sym, symbol};
use runtime::{Cx, R, Value, call, keys, sym};
use text::transcode::{Decorator, Options, Undefined};

use crate::string::modify::argument;

fn given(cx: &mut Cx, hash: Value, name: Sym) -> Option<Value> {
    let v = keys::get_symbol(cx, hash, name);
    if v.is_undef() || v.is_nil() { None } else { Some(v) }
}

fn is_symbol(cx: &Cx, v: Value, name: &str) -> bool {
    Sym::from_value(v).is_some_and(|symbol| symbol.bytes(cx) == name.as_bytes())
}

/// The options in a Hash of keywords; others in it are ignored.
pub fn from_hash(cx: &mut Cx, hash: Value) -> R<Options> {
    let mut options = Options::default();
    if let Some(v) = given(cx, hash, sym::INVALID) {
        if !is_symbol(cx, v, "replace") {
            return Err(cx.argument_error("unknown value for invalid character option"));
        }
        options.replace_invalid = true;
    }
    if let Some(v) = given(cx, hash, sym::UNDEF) {
        if !is_symbol(cx, v, "replace") {
            return Err(cx.argument_error("unknown value for undefined character option"));
        }
        options.undefined = Undefined::Replace;
    }
    if let Some(v) = given(cx, hash, sym::REPLACE) {
        let replacement = argument(cx, v)?;
        if replacement.code_range() == text::CodeRange::Broken {
            let (shown, name) = (call::inspect_text(cx, v)?, replacement.encoding().name());
            return Err(cx.argument_error(&format!("replacement string is broken: {shown} as {name}")));
        }
        options.replacement = Some((replacement.to_vector(), replacement.encoding()));
    }
    if let Some(v) = given(cx, hash, sym::XML) {
        if is_symbol(cx, v, "text") {
            options.xml_text();
        } else if is_symbol(cx, v, "attr") {
            options.xml_attribute();
        } else {
            let shown = shown(cx, v)?;
            return Err(cx.argument_error(&format!("unexpected value for xml option: {shown}")));
        }
    }
    newlines(cx, hash, &mut options)?;
    Ok(options)
}

fn shown(cx: &mut Cx, v: Value) -> R<String> {
    match Sym::from_value(v) {
        Some(symbol) => Ok(symbol.to_text(cx)),
        None => {
            let s = call::inspect_text(cx, v)?;
            Ok(s)
        }
    }
}

fn newlines(cx: &mut Cx, hash: Value, options: &mut Options) -> R<()> {
    if let Some(v) = given(cx, hash, sym::NEWLINE) {
        let others = [sym::UNIVERSAL_NEWLINE, sym::CRLF_NEWLINE, sym::CR_NEWLINE];
        if cx.verbose() == Some(true) && others.iter().any(|name| given(cx, hash, *name).is_some()) {
            runtime::warning::warn_here(cx, ":newline option precedes other newline options")?;
        }
        let kinds = [
            ("universal", Decorator::UniversalNewline),
            ("crlf", Decorator::CrLfNewline),
            ("cr", Decorator::CrNewline),
            ("lf", Decorator::LfNewline),
        ];
        match kinds.iter().find(|(name, _)| is_symbol(cx, v, name)) {
            Some((_, decorator)) => options.add(*decorator),
            None => {
                let text = match Sym::from_value(v) {
                    Some(symbol) => format!("unexpected value for newline option: {}", symbol.to_text(cx)),
                    None => "unexpected value for newline option".to_string(),
                };
                return Err(cx.argument_error(&text));
            }
        }
        return Ok(());
    }
    let lf = symbol::table::intern_text(cx, "lf_newline");
    for (name, decorator) in [
        (sym::UNIVERSAL_NEWLINE, Decorator::UniversalNewline),
        (sym::CRLF_NEWLINE, Decorator::CrLfNewline),
        (sym::CR_NEWLINE, Decorator::CrNewline),
        (lf, Decorator::LfNewline),
    ] {
        if given(cx, hash, name).is_some_and(Value::truthy) {
            options.add(decorator);
        }
    }
    Ok(())
}
