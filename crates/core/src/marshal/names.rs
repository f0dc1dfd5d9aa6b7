//! The format's names of instance variables, and classes by path.

use abi::{Type, Value};
use object::{
    Known, Sym, cell,
    class::{self, class_data},
    shape::ivars,
    string::Str,
    symbol,
};
use runtime::{
    Cx, R, constants, define,
    error::{self, ErrorClass},
    make, sym,
};

/// The hidden attributes of exceptions, by their names in CRuby.
const OF_EXCEPTIONS: &[(&str, Sym)] = &[
    ("mesg", sym::MEMO_MESSAGE),
    ("bt", sym::MEMO_BACKTRACE),
    ("cause", sym::MEMO_CAUSE),
    ("name", sym::MEMO_NAME),
    ("receiver", sym::MEMO_RECEIVER),
    ("key", sym::MEMO_KEY),
    ("args", sym::MEMO_ARGS),
    ("private_call?", sym::MEMO_PRIVATE),
    ("status", sym::MEMO_STATUS),
    ("errno", sym::MEMO_ERRNO),
    ("result", sym::MEMO_RESULT),
    ("signo", sym::MEMO_SIGNO),
    ("tag", sym::MEMO_TAG),
    ("value", sym::MEMO_VALUE),
    ("matchee", sym::MEMO_RECEIVER),
    ("error_bytes", sym::MEMO_ERROR_BYTES),
    ("readagain_bytes", sym::MEMO_READAGAIN_BYTES),
    ("incomplete_input", sym::MEMO_INCOMPLETE),
    ("error_char", sym::MEMO_ERROR_CHAR),
    ("source_encoding_name", sym::MEMO_SOURCE_ENCODING_NAME),
    ("destination_encoding_name", sym::MEMO_DESTINATION_ENCODING_NAME),
    ("source_encoding", sym::MEMO_SOURCE_ENCODING),
    ("destination_encoding", sym::MEMO_DESTINATION_ENCODING),
];

/// The instance variables to dump: those with valid names; the result of `_dump` may have others too.
pub fn variables(cx: &mut Cx, v: Value) -> Vec<Sym> {
    let any = cell::is(v, Type::String);
    let mut names = ivars::names(cx, v);
    names.retain(|name| {
        let bytes = name.bytes(cx);
        bytes.starts_with(b"@") || (any && !bytes.starts_with(b"__"))
    });
    names
}

/// Name and value of an exception's hidden attribute, in the order of assignment, without message and backtrace.
pub fn exception_field(cx: &mut Cx, exception: Value, hidden: Sym) -> Option<&'static str> {
    // The receivers of NameError and FrozenError are not dumped.
    if hidden == sym::MEMO_RECEIVER {
        let class = cx.error_class(ErrorClass::NoMatchingPatternKeyError);
        if class::is_a(cx, exception, class) {
            return Some("matchee");
        }
        let class = cx.error_class(ErrorClass::KeyError);
        if !class::is_a(cx, exception, class) {
            return None;
        }
    }
    if hidden == sym::MEMO_CAUSE && ivars::get(cx, exception, hidden).is_nil() {
        return None;
    }
    OF_EXCEPTIONS.iter().skip(2).find(|(_, of)| *of == hidden).map(|(name, _)| *name)
}

/// Sets a variable that was read. Names that are not valid in Ruby have a meaning for exceptions, and for the Strings
/// passed to `_load`; otherwise they are dropped, so that no dump can change hidden state.
pub fn set_variable(cx: &mut Cx, v: Value, name: Sym, to: Value) -> R<()> {
    cx.check_frozen(v)?;
    if !v.is_heap() {
        return Err(cx.frozen_error(v));
    }
    let bytes = name.bytes(cx);
    if bytes.starts_with(b"@") || (cell::is(v, Type::String) && !bytes.starts_with(b"__")) {
        ivars::set(cx, v, name, to);
    } else if cell::is(v, Type::Exception)
        && let Some((_, hidden)) = OF_EXCEPTIONS.iter().find(|(text, _)| text.as_bytes() == bytes)
    {
        set_exception_field(cx, v, *hidden, to)?;
    }
    Ok(())
}

fn set_exception_field(cx: &mut Cx, exception: Value, hidden: Sym, to: Value) -> R<()> {
    let fits = match hidden {
        sym::MEMO_BACKTRACE => to.is_nil() || cell::is(to, Type::Array),
        sym::MEMO_CAUSE => to.is_nil() || cell::is(to, Type::Exception),
        sym::MEMO_STATUS | sym::MEMO_ERRNO | sym::MEMO_SIGNO => to.is_fixnum(),
        sym::MEMO_NAME => to.is_nil() || Sym::from_value(to).is_some(),
        sym::MEMO_ARGS => to.is_nil() || cell::is(to, Type::Array),
        _ => true,
    };
    if !fits {
        return Ok(());
    }
    if hidden == sym::MEMO_CAUSE && error::is_among_causes(cx, exception, to) {
        return Err(cx.argument_error("circular causes"));
    }
    ivars::set_hidden(cx, exception, hidden, to);
    Ok(())
}

/// A class's path, a String; TypeError for anonymous classes and for those that are not found by their path.
pub fn path_of(cx: &mut Cx, module: Value) -> R {
    let path = name_of(cx, module);
    let kind = if class::is_class(module) { "class" } else { "module" };
    not_anonymous(cx, kind, path)?;
    if class_data(cx, module).temporary_name || find_module(cx, path)? != module {
        let text = shown(path);
        return Err(cx.type_error(&format!("{text} can't be referred to")));
    }
    Ok(path)
}

/// The name of a module, or the text that describes a singleton class or an anonymous module.
pub fn name_of(cx: &mut Cx, module: Value) -> Value {
    let name = class::name(module);
    if !name.is_nil() && !class::flags(module).singleton {
        return name;
    }
    let text = define::class_name(cx, module);
    make::text(cx, &text)
}

pub fn not_anonymous(cx: &mut Cx, kind: &str, path: Value) -> R<()> {
    let text = shown(path);
    if !Str::of(path).encoding().is_ascii_compatible() {
        return Err(cx.type_error(&format!("can't dump non-ascii {kind} name {text}")));
    }
    if text.starts_with('#') {
        return Err(cx.type_error(&format!("can't dump anonymous {kind} {text}")));
    }
    Ok(())
}

/// A String as text for messages.
pub fn shown(s: Value) -> String {
    Str::of(s).to_text()
}

/// The class or module with a path (autoloaded if necessary); ArgumentError if there is none.
pub fn find_module(cx: &mut Cx, path: Value) -> R {
    let bytes = Str::of(path).to_vector();
    let encoding = Str::of(path).encoding();
    if bytes.is_empty() || bytes[0] == b'#' {
        return Err(cx.argument_error(&format!("can't retrieve anonymous class {}", shown(path))));
    }
    let mut module = cx.class(Known::Object);
    let mut at = 0;
    while at < bytes.len() {
        let end = bytes[at..].iter().position(|b| *b == b':').map_or(bytes.len(), |length| at + length);
        let mut next = end;
        if end < bytes.len() {
            if bytes.get(end + 1) != Some(&b':') {
                return Err(undefined(cx, &bytes[..end]));
            }
            next += 2;
        }
        let Some(name) = symbol::table::find(cx, &bytes[at..end], symbol_encoding(&bytes[at..end], encoding)) else {
            return Err(undefined(cx, &bytes[..next]));
        };
        match constants::own_value(cx, module, name)? {
            Some(v) if class::is_module(v) => module = v,
            Some(_) => {
                return Err(cx.type_error(&format!("{} does not refer to class/module", shown(path))));
            }
            None => return Err(undefined(cx, &bytes[..next])),
        }
        at = next;
    }
    if bytes.ends_with(b":") {
        return Err(undefined(cx, &bytes));
    }
    Ok(module)
}

fn symbol_encoding(bytes: &[u8], encoding: text::EncodingId) -> text::EncodingId {
    if bytes.is_ascii() { text::EncodingId::US_ASCII } else { encoding }
}

fn undefined(cx: &mut Cx, path: &[u8]) -> runtime::Unwind {
    cx.argument_error(&format!("undefined class/module {}", memory::lossy_text(path)))
}

/// The class with a path; ArgumentError for modules.
pub fn find_class_at(cx: &mut Cx, path: Value) -> R {
    let found = find_module(cx, path)?;
    if class::is_class(found) {
        return Ok(found);
    }
    Err(cx.argument_error(&format!("{} does not refer to class", shown(path))))
}

/// Returns `found`, which has the path `path`. ArgumentError if it is a class.
pub fn must_be_module(cx: &mut Cx, found: Value, path: Value) -> R {
    if class::is_class(found) {
        return Err(cx.argument_error(&format!("{} does not refer to module", shown(path))));
    }
    Ok(found)
}

/// A core class by its path.
pub fn find_class(cx: &mut Cx, path: &str) -> Option<Value> {
    let path = make::text(cx, path);
    find_module(cx, path).ok()
}
