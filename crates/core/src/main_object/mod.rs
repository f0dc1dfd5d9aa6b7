//! The object `main`: self at the top level of a program.

use abi::Value;
use object::Known;
use runtime::{Args, Cx, Method, R, constants::cref, define, make, reflect, warning};

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

/// `to_s`, `inspect → string`: the text "main".
fn to_s(cx: &mut Cx, _: Args) -> R {
    Ok(make::described(cx, "main"))
}

fn object(cx: &Cx) -> Value {
    cx.class(Known::Object)
}

/// The module in which the file's top level defines methods: Object, or the wrapping module of a file loaded with one.
fn target(cx: &mut Cx) -> Value {
    match reflect::definition_frame(cx) {
        Some(frame) if frame.flags & abi::FrameFlags::TOP != 0 => cref::module(frame.scope.cref),
        _ => object(cx),
    }
}

/// `target` for the method `main.name`, with a warning in a file loaded with a wrapping module.
fn warned_target(cx: &mut Cx, name: &str) -> R {
    let target = target(cx);
    if target != object(cx) {
        let message = format!("main.{name} in the wrapped load is effective only in wrapper module");
        if cx.verbose() == Some(true) {
            warning::warn_here(cx, &message)?;
        }
    }
    Ok(target)
}

/// `include(*modules) → object`: includes the modules in Object; in a file loaded with a wrapper, in the wrapping
/// module.
fn include(cx: &mut Cx, args: Args) -> R {
    let target = target(cx);
    module::inclusion::include_all(cx, target, args.all())
}

/// Whether a lexical scope is that of a running file, which may have a wrapping module, or a copy of it for an eval.
fn is_top(cx: &Cx, scope: Value) -> bool {
    let same = |top: Value| cref::module(top) == cref::module(scope) && cref::outer(top) == cref::outer(scope);
    cx.frames().any(|frame| frame.flags & abi::FrameFlags::TOP != 0 && same(frame.scope.cref))
}

/// `using(refinement) → self`: activates the refinements of a module until the end of the file. RuntimeError inside of
/// a method, class or module.
fn using(cx: &mut Cx, args: Args) -> R {
    if let Some(frame) = reflect::caller(cx) {
        let scope = frame.scope.cref;
        let is_inner = !scope.is_nil() && (cref::is_eval(scope) || !cref::outer(scope).is_nil() && !is_top(cx, scope));
        // `using` as a method object is called by the method of another object.
        let is_called_by_method = cx.frames().nth(1).is_some_and(|frame| frame.scope.entry.is_heap());
        if frame.scope.entry.is_heap() || is_called_by_method || is_inner {
            return Err(cx.runtime_error("main.using is permitted only at toplevel"));
        }
    }
    refinement::activate(cx, args.at(0), "main.using")?;
    Ok(args.me())
}

/// `public(*names) → object`: `Module#public` of Object, or of the module that wraps the file: makes methods defined
/// outside of classes public.
fn public(cx: &mut Cx, args: Args) -> R {
    let target = warned_target(cx, "public")?;
    module::visibility::set(cx, target, args.all(), 0)
}

/// `private(*names) → object`: `Module#private` of Object, or of the module that wraps the file: makes methods defined
/// outside of classes private.
fn private(cx: &mut Cx, args: Args) -> R {
    let target = warned_target(cx, "private")?;
    module::visibility::set(cx, target, args.all(), 1)
}

/// `ruby2_keywords(name, *names) → nil`: `Module#ruby2_keywords` of Object, for methods defined outside of classes.
fn ruby2_keywords(cx: &mut Cx, args: Args) -> R {
    let target = warned_target(cx, "ruby2_keywords")?;
    module::definition::flag_keywords(cx, target, args.all())
}

/// `define_method(name, body = nil) → symbol`: `Module#define_method` of Object: the body is the block, a Proc or a
/// Method.
fn define_method(cx: &mut Cx, args: Args) -> R {
    let target = warned_target(cx, "define_method")?;
    module::definition::define_from(cx, target, args)
}
