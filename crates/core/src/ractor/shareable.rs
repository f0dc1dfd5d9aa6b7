//! shareable?, make_shareable, shareable blocks.

use object::symbol::table::intern_text;
use runtime::{Args, Cx, Method, R, Value, concurrency::sharing, convert, error::ErrorClass, keys, reflect};

pub const SINGLETON: &[Method] = &[
    Method::new("shareable?(obj)", is_shareable),
    Method::new("make_shareable(obj, copy: false)", make_shareable),
    Method::new("shareable_proc(self: nil)", shareable_proc),
    Method::new("shareable_lambda(self: nil)", shareable_lambda),
];

/// `Ractor.shareable?(obj) → true or false`: whether several Ractors may use the object at once: it and everything it
/// refers to are frozen, or designed for sharing.
fn is_shareable(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(sharing::is_shareable(cx, args.at(0))))
}

/// `Ractor.make_shareable(obj, copy: false) → object`: freezes the object, or a copy of it, with everything it refers
/// to. Ractor::Error for an object that cannot be shared.
fn make_shareable(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "copy");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let copies = keys::keyword(cx, args.keywords(), name).or(Value::NIL).truthy();
    let object = if copies { super::deep_copy(cx, args.at(0))? } else { args.at(0) };
    sharing::make_shareable(cx, object)
}

/// `Ractor.shareable_proc(self: nil) → proc`: a copy of the block that several Ractors may call, with another self if
/// one is given. Ractor::IsolationError if it uses variables that change or are not shareable.
fn shareable_proc(cx: &mut Cx, args: Args) -> R {
    shareable_block(cx, args, false)
}

/// `Ractor.shareable_lambda(self: nil) → proc`: like `shareable_proc`, but the copy is a lambda.
fn shareable_lambda(cx: &mut Cx, args: Args) -> R {
    shareable_block(cx, args, true)
}

/// A copy of the block whose `self` is that of the keyword.
fn shareable_block(cx: &mut Cx, args: Args, lambda: bool) -> R {
    let name = intern_text(cx, "self");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let me = keys::keyword(cx, args.keywords(), name).or(Value::NIL);
    if !sharing::is_shareable(cx, me) {
        let shown = convert::to_s(cx, me)?;
        let shown = shown.to_text();
        return Err(cx.raise(ErrorClass::RactorIsolationError, &format!("self should be shareable: {shown}")));
    }
    let is_literal = reflect::frame_of_written(args.block(cx)).is_some();
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    sharing::shareable_copy(cx, block, me, lambda && is_literal)
}
