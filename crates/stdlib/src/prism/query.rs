//! `Prism::StringQuery`: whether a text is a valid name of a local variable, a constant or a method.

use runtime::{Args, Cx, Method, R, Value};

use super::{encoding_of, options};

pub const SINGLETON: &[Method] = &[
    // Whether the text is a valid name of a local variable, a constant or a method. ArgumentError for an encoding that
    // does not extend ASCII.
    Method::new("local?(name)", |cx, args| ask(cx, args, |kind| kind.local)).borrows(0),
    Method::new("constant?(name)", |cx, args| ask(cx, args, |kind| kind.constant)).borrows(0),
    Method::new("method_name?(name)", |cx, args| ask(cx, args, |kind| kind.method)).borrows(0),
];

fn ask(cx: &mut Cx, args: Args, pick: fn(syntax::NameKinds) -> bool) -> R {
    let name = options::string(cx, args.at(0))?.to_vector();
    match syntax::name_kinds(&name, encoding_of(args.at(0)).name()) {
        Some(kinds) => Ok(Value::bool(pick(kinds))),
        None => Err(cx.argument_error("Invalid or non ascii-compatible encoding")),
    }
}
