//! Messages of exceptions: message, detailed_message, full_message, inspect.

use abi::{BlockHandler, Value};
use memory::{Grow, ToVector};
use object::{class, hash::HashRef, string::Str};
use runtime::{Args, Cx, R, call, convert, define, error, keys, make, sym};
use text::encoding::EncodingId;

use super::{field, report, snippet, suggestions, syntax_hints};
use crate::features;

/// `to_s → string`: the message as a String, or the name of the class if none was given.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let message = field(cx, args.me(), sym::MEMO_MESSAGE);
    if message.is_nil() {
        let class = class::real_class(cx, args.me());
        if let Some(name) = Str::from_value(class::name(class)) {
            return Ok(name.dup(cx).value());
        }
        let name = define::class_name(cx, class);
        return Ok(make::described(cx, &name));
    }
    convert::to_s(cx, message).map(Str::value)
}

/// `message → string`: calls `to_s` and returns its result, whatever its class.
pub fn message(cx: &mut Cx, args: Args) -> R {
    call::send(cx, args.me(), sym::TO_S, &[])
}

/// `inspect → string`: `#<Class: message>`, or the name of the class if the message is empty.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let class = class::real_class(cx, args.me());
    let name = define::class_name(cx, class);
    let text = convert::to_s(cx, args.me())?;
    if text.is_empty() {
        return Ok(make::described(cx, &name));
    }
    let encoding = text.encoding();
    let bytes = text.to_vector();
    let is_quoted = bytes.contains(&b'\n');
    let inner = if is_quoted {
        let mut shown = Vec::new();
        text::inspect::inspect(encoding, &bytes, encoding, &mut shown);
        shown
    } else {
        bytes
    };
    // A message in quotes follows the colon without a space, so that it differs from a message that contains the
    // quotes.
    let separator: &[u8] = if is_quoted { b":" } else { b": " };
    let all = [b"#<", name.as_bytes(), separator, &inner, b">"].concat();
    let is_plain = encoding.is_ascii_compatible() && all.is_ascii();
    Ok(make::string(cx, &all, if is_plain { EncodingId::BINARY } else { encoding }))
}

/// `Exception.to_tty? → true or false`: whether the standard error output is a terminal, so that messages may be
/// highlighted.
pub fn to_tty(_: &mut Cx, _: Args) -> R {
    Ok(Value::bool(is_tty()))
}

/// Whether the standard error output is a terminal.
pub fn is_tty() -> bool {
    std::io::IsTerminal::is_terminal(&std::io::stderr())
}

/// The value of `highlight:`, true or false.
pub fn highlight(cx: &mut Cx, options: Option<Value>, default: bool) -> R<bool> {
    match keys::keyword(cx, options, sym::HIGHLIGHT).or(Value::NIL) {
        Value::NIL => Ok(default),
        Value::TRUE => Ok(true),
        Value::FALSE => Ok(false),
        other => {
            let shown = call::inspect_text(cx, other)?;
            Err(cx.argument_error(&format!("expected true or false as highlight: {shown}")))
        }
    }
}

/// `detailed_message(highlight: false, **options) → string`: the message with the name of the class, suggestions of
/// `did_you_mean` and the source line; with escape sequences for a terminal if `highlight` is true.
pub fn detailed_message(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if let Some(message) = syntax_hints::message(cx, args)? {
        return Ok(message);
    }
    let did_you_mean = object::symbol::table::intern_text(cx, "did_you_mean");
    // did_you_mean's detailed_message highlights by default.
    let highlight = highlight(cx, args.keywords(), suggestions::has_any(cx, me))?;
    let message = call::send(cx, me, sym::MESSAGE, &[])?;
    // CRuby shows no message whose encoding has no ASCII.
    let shown = Str::from_value(message).filter(|message| message.encoding().is_ascii_compatible());
    let text = shown.map_or_else(Vec::new, Str::to_vector);
    let encoding = shown.map_or(EncodingId::UTF_8, Str::encoding);
    let class = class::real_class(cx, me);
    let name = define::class_name(cx, class);
    // An exception with a singleton class has a name, as in CRuby.
    let is_runtime_error = class::class_of(cx, me) == cx.error_class(error::ErrorClass::RuntimeError);
    let plain_runtime = is_runtime_error && text.is_empty();
    let anonymous = class::name(class).is_nil();
    let mut shown = if plain_runtime {
        decorate(&text, "unhandled exception", highlight)
    } else if anonymous && !text.is_empty() {
        if highlight { report::in_bold(&text) } else { text.clone() }
    } else {
        decorate(&text, &name, highlight)
    };
    if let Some(code) = snippet::of(cx, me) {
        if highlight {
            shown.append_slice(b"\n\n");
            shown.extend(report::in_bold(code.trim_start_matches('\n').as_bytes()));
        } else {
            shown.append_slice(code.as_bytes());
        }
    }
    let is_wanted = keys::keyword(cx, args.keywords(), did_you_mean).or(Value::TRUE).truthy();
    let mut suggested = if is_wanted { suggestions::text(cx, me)? } else { String::new() };
    if error::is_error(cx, me, error::ErrorClass::LoadError) {
        suggested.extend(features::missing_library());
    }
    if highlight {
        shown.extend(report::in_bold(suggested.as_bytes()));
    } else {
        shown.append_slice(suggested.as_bytes());
    }
    Ok(make::string(cx, &shown, encoding))
}

/// The message with the class after its first line.
pub fn decorate(text: &[u8], class: &str, highlight: bool) -> Vec<u8> {
    if text.is_empty() {
        return if highlight { format!("\x1b[1;4m{class}\x1b[m").into_bytes() } else { class.as_bytes().to_vector() };
    }
    // Faster than finding the place, and most messages are one line.
    let has_lines = text.contains(&b'\n');
    let end = if has_lines { text.iter().position(|b| *b == b'\n') } else { None };
    let (first, rest) = match end {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &text[text.len()..]),
    };
    let mut out = Vec::new();
    if highlight {
        out.append_slice(b"\x1b[1m");
        out.append_slice(first);
        out.append_slice(format!(" (\x1b[1;4m{class}\x1b[m\x1b[1m)\x1b[m").as_bytes());
        if !rest.is_empty() {
            out.append_one(b'\n');
            out.append_from(report::in_bold(rest));
        }
    } else {
        out.append_slice(first);
        out.append_slice(format!(" ({class})").as_bytes());
        if !rest.is_empty() {
            out.append_one(b'\n');
            out.append_slice(rest);
        }
    }
    out
}

/// `full_message(highlight: false, order: :top, **options) → string`: the text printed for an uncaught exception:
/// `detailed_message`, backtrace and causes, in the order `:top` or `:bottom`. ArgumentError for other values.
pub fn full_message(cx: &mut Cx, args: Args) -> R {
    let highlight = highlight(cx, args.keywords(), is_tty())?;
    let order = keys::keyword(cx, args.keywords(), sym::ORDER).or(Value::NIL);
    let bottom_first = match object::Sym::from_value(order).map(|s| s.to_text(cx)) {
        None if order.is_nil() => false,
        Some(name) if name == "top" => false,
        Some(name) if name == "bottom" => true,
        _ => {
            let shown = call::inspect_text(cx, order)?;
            return Err(cx.argument_error(&format!("expected :top or :bottom as order: {shown}")));
        }
    };
    let options = match args.keywords() {
        Some(h) => keys::dup(cx, h),
        None => HashRef::new(cx).value(),
    };
    keys::store(cx, options, sym::HIGHLIGHT.value(), Value::bool(highlight))?;
    let bytes = report::full(cx, args.me(), options, highlight, bottom_first)?;
    Ok(make::string(cx, &bytes, EncodingId::UTF_8))
}

/// The detailed_message of an exception; empty if the result is not a String.
pub fn detailed(cx: &mut Cx, exception: Value, options: Value) -> R<Vec<u8>> {
    let name = object::symbol::table::intern_text(cx, "detailed_message");
    if !call::responds(cx, exception, name, false)? {
        return Ok(Vec::new());
    }
    let shown = call::send_full(cx, exception, name, &[], Some(options), BlockHandler::NONE, call::Scope::Function)?;
    Ok(convert::try_str(cx, shown)?.map_or_else(Vec::new, Str::to_vector))
}

/// What a report shows for an exception with an empty detailed_message.
pub fn class_only(cx: &mut Cx, exception: Value, options: Value) -> Vec<u8> {
    let highlight = keys::get_symbol(cx, options, sym::HIGHLIGHT) == Value::TRUE;
    // An exception with a singleton class has a name, as in CRuby.
    if class::class_of(cx, exception) == cx.error_class(error::ErrorClass::RuntimeError) {
        return decorate(b"", "unhandled exception", highlight);
    }
    let class = class::real_class(cx, exception);
    let name = define::class_name(cx, class);
    decorate(b"", &name, highlight)
}
