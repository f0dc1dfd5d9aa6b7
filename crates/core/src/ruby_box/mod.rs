//! Ruby::Box, as it is where boxes are not enabled. Beni has no boxes: docs/differences.md.

use abi::Value;
use runtime::{Args, Cx, Known, Method, R, define};

const METHODS: &[Method] = &[
    Method::new("initialize", initialize).private(),
    Method::new("load_path", missing),
    Method::new("load(file, wrap = false)", missing).borrows_all(),
    Method::new("require(feature)", missing).borrows_all(),
    Method::new("require_relative(feature)", missing).borrows_all(),
    Method::new("eval(code)", missing).borrows_all(),
    Method::new("inspect", missing),
];

const SINGLETON: &[Method] = &[Method::new("enabled?", is_enabled).leaf(), Method::new("current", current)];

pub fn define(cx: &mut Cx) {
    let (module, object) = (cx.class(Known::Module), cx.class(Known::Object));
    let ruby = define::define_module(cx, object, "Ruby");
    let class = define::define_class(cx, ruby, "Box", module);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
}

/// Whether the environment asks for boxes, as in CRuby.
pub fn is_wanted() -> bool {
    std::env::var_os("RUBY_BOX").is_some_and(|value| value == "1")
}

/// `enabled? → false`: whether the process has boxes.
fn is_enabled(_: &mut Cx, _: Args) -> R {
    Ok(Value::FALSE)
}

/// `current → nil`: the box of the calling code. NotImplementedError with `RUBY_BOX=1`.
fn current(cx: &mut Cx, args: Args) -> R {
    if is_wanted() { missing(cx, args) } else { Ok(Value::NIL) }
}

/// `new → box`: RuntimeError because boxes are not enabled, NotImplementedError if `RUBY_BOX=1` asks for them.
fn initialize(cx: &mut Cx, args: Args) -> R {
    if is_wanted() {
        return missing(cx, args);
    }
    Err(cx.runtime_error("Ruby Box is disabled. Set RUBY_BOX=1 environment variable to use Ruby::Box."))
}

/// `load_path → array`, `load(file, wrap = false) → true`, `require(feature) → true or false`,
/// `require_relative(feature) → true or false`, `eval(code) → object`, `inspect → string`: NotImplementedError; there
/// is no box that could receive them.
fn missing(cx: &mut Cx, _: Args) -> R {
    Err(cx.not_implemented("Ruby::Box is not implemented in Beni"))
}
