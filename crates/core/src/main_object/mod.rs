//! The object `main`: self at the top of a program.

use abi::Value;
use object::Known;
use runtime::{Args, Cx, Method, R, constants::cref, define, make, reflect};

use crate::{module, refinement};

pub const METHODS: &[Method] = &[
    Method::new("to_s", to_s),
    Method::new("inspect", to_s),
    Method::new("include(*modules)", include).private(),
    Method::new("using(refinement)", using).private(),
    Method::new("public(*names)", public).private(),
    Method::new("private(*names)", private).private(),
    Method::new("ruby2_keywords(name, *names)", ruby2_keywords).private(),
    Method::new("define_method(name, body = nil)", define_method).private(),
];

pub fn define(cx: &mut Cx) {
    let main = cx.vm().main_object;
    if main.is_nil() {
        return;
    }
    define::define_singleton_methods(cx, main, METHODS);
}

fn to_s(cx: &mut Cx, _: Args) -> R {
    Ok(make::text(cx, "main"))
}

fn object(cx: &Cx) -> Value {
    cx.class(Known::Object)
}

fn include(cx: &mut Cx, args: Args) -> R {
    // In a file loaded with a wrapper it is the wrapper that takes them in.
    let target = match reflect::definition_frame(cx) {
        Some(frame) if frame.flags & abi::FrameFlags::TOP != 0 => cref::module(frame.scope.cref),
        _ => object(cx),
    };
    module::inclusion::include_all(cx, target, args.all())
}

fn using(cx: &mut Cx, args: Args) -> R {
    refinement::activate(cx, args.at(0), "main.using")?;
    Ok(args.me())
}

fn public(cx: &mut Cx, args: Args) -> R {
    let object = object(cx);
    module::visibility::set(cx, object, args.all(), 0)
}

fn private(cx: &mut Cx, args: Args) -> R {
    let object = object(cx);
    module::visibility::set(cx, object, args.all(), 1)
}

fn ruby2_keywords(cx: &mut Cx, args: Args) -> R {
    let object = object(cx);
    module::definition::flag_keywords(cx, object, args.all())
}

fn define_method(cx: &mut Cx, args: Args) -> R {
    let object = object(cx);
    module::definition::define_from(cx, object, args)
}
