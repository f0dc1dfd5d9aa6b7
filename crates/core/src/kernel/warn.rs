//! Kernel#warn.

use abi::{BlockHandler, Value};
use memory::Grow;
use object::{class, hash::HashRef, method_entry, native, symbol};
use runtime::{
    Args, Cx, R,
    backtrace::{self, Backtrace},
    call, convert, keys, make, unlinked,
};

use crate::warning;

/// `warn(*messages, uplevel: nil, category: nil) → nil`: writes each message as a line through `Warning.warn`, with the
/// location `uplevel` frames above; does nothing if `$VERBOSE` is nil or the category is disabled. ArgumentError for a
/// negative level or an unknown category.
pub fn warn(cx: &mut Cx, args: Args) -> R {
    let (uplevel_name, category_name) =
        (symbol::table::intern_text(cx, "uplevel"), symbol::table::intern_text(cx, "category"));
    keys::only_keywords(cx, args.keywords(), &[uplevel_name, category_name])?;
    let uplevel = keys::keyword(cx, args.keywords(), uplevel_name).or(Value::NIL);
    let category = keys::keyword(cx, args.keywords(), category_name).or(Value::NIL);
    let verbose = symbol::table::intern_text(cx, "$VERBOSE");
    if cx.global_get(verbose)?.is_nil() || args.is_empty() {
        return Ok(Value::NIL);
    }
    let mut text: Vec<u8> = Vec::new();
    if !uplevel.is_nil() {
        let level = convert::to_i64(cx, uplevel)?;
        if level < 0 {
            return Err(cx.argument_error(&format!("negative level ({level})")));
        }
        text.append_from(prefix(cx, level as usize).into_bytes());
    }
    for v in args.all() {
        lines(cx, *v, &mut text)?;
    }
    if text.is_empty() {
        return Ok(Value::NIL);
    }
    let category = if category.is_nil() {
        Value::NIL
    } else {
        let category = match call::send_if_responds(cx, category, runtime::sym::TO_SYM, &[])? {
            Some(symbol) => convert::to_symbol(cx, symbol)?,
            None => convert::to_symbol(cx, category)?,
        };
        if !warning::is_enabled(cx, category)? {
            return Ok(Value::NIL);
        }
        category.value()
    };
    let message = make::string(cx, &text, text::encoding::EncodingId::UTF_8);
    if args.me() == cx.root(runtime::Root::Warning) {
        // Called by `super` in a Warning.warn that a program has redefined.
        crate::kernel::output::write_to(cx, "$stderr", message)?;
        return Ok(Value::NIL);
    }
    call_warning(cx, message, category_name, category)?;
    Ok(Value::NIL)
}

/// The location of a warning: the frame this many levels up, or the next outer one whose code is not marked as
/// internal, like rubygems' `require`.
fn prefix(cx: &mut Cx, level: usize) -> String {
    let trace = backtrace::capture(cx, 1 + level, usize::MAX);
    let mut places = native::get::<Backtrace>(&trace).into_iter().flat_map(Backtrace::locations);
    match places.find(|place| !place.path().starts_with("<internal:")) {
        Some(place) if place.line() != 0 => format!("{}:{}: warning: ", place.path(), place.line()),
        _ => "warning: ".to_string(),
    }
}

/// The text of a message, or of an array of messages, each with a newline.
fn lines(cx: &mut Cx, v: Value, text: &mut Vec<u8>) -> R<()> {
    cx.check_native_stack()?;
    if let Some(list) = convert::try_ary(cx, v)? {
        let mut i = 0;
        while let Some(inner) = list.get(i) {
            lines(cx, inner, text)?;
            i += 1;
        }
        return Ok(());
    }
    let s = convert::to_s(cx, v)?;
    text.append_slice(s.bytes(cx));
    if text.last() != Some(&b'\n') {
        text.append_one(b'\n');
    }
    Ok(())
}

/// Calls Warning.warn, with the category, which may be nil, if the method accepts one.
fn call_warning(cx: &mut Cx, message: Value, key: object::Sym, category: Value) -> R<()> {
    let module = cx.root(runtime::Root::Warning);
    let name = symbol::table::intern_text(cx, "warn");
    let mut options = None;
    let class = class::class_of(cx, module);
    let entry = class::lookup::find_method(cx, class, name);
    unlinked::link_entry(cx, entry);
    let is_native = !entry.is_undef() && method_entry::kind(entry) == method_entry::Kind::Native;
    if !entry.is_undef() && if is_native { !category.is_nil() } else { call::arity::arity_of(entry) != 1 } {
        let h = HashRef::new(cx).value();
        keys::store(cx, h, key.value(), category)?;
        options = Some(h);
    }
    call::send_full(cx, module, name, &[message], options, BlockHandler::NONE, call::Scope::Function)?;
    Ok(())
}
