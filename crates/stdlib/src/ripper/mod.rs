//! `ripper.so`: the native part for the library's `ripper/core.rb`, based on prism. The crate `syntax` produces the
//! [`tokens`]; `tree.rb` produces the tree through the library's own translation of prism's tree.

mod tokens;

use object::{Known, Sym, class, method_entry, shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, define, internal, library};

const METHODS: &[Method] = &[Method::new("__attach(scan)", attach).private(), Method::new("__scan", scan).private()];

const SINGLETON: &[Method] = &[Method::new("__handled?(target, methods, classes)", is_handled)];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, object, "Ripper", object)?;
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    tokens::define(cx, class)?;
    internal::load(cx, runtime::ruby_half!("ripper/events"))?;
    internal::load(cx, runtime::ruby_half!("ripper/ripper"))
}

/// `beni/ripper_tree`, required when a tree is first needed.
pub fn define_tree(cx: &mut Cx) -> R<()> {
    internal::load(cx, runtime::ruby_half!("ripper/tree"))
}

/// Attaches a Scan to an object, invisibly to subclasses.
fn attach(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "__scan");
    ivars::set_hidden(cx, args.me(), name, args.at(0));
    Ok(args.at(0))
}

/// `__scan → scan`: the object's Scan, set by `__attach`. ArgumentError if a subclass did not call `initialize`.
fn scan(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "__scan");
    match ivars::get(cx, args.me(), name) {
        scan if scan.is_undef() || scan.is_nil() => Err(cx.argument_error("method called for uninitialized object")),
        scan => Ok(scan),
    }
}

/// `__handled?(target, methods, classes) → true or false`: whether the object has one of the methods from anywhere but
/// these classes.
fn is_handled(cx: &mut Cx, args: Args) -> R {
    let class = class::class_of(cx, args.at(0));
    let methods = args.arr(cx, 1)?;
    let classes = args.arr(cx, 2)?;
    let is_other = |v: Value| {
        let name = Sym::from_value(v)?;
        let entry = class::lookup::find_method(cx, class, name);
        let owner = if entry.is_undef() { Value::NIL } else { method_entry::owner(entry) };
        (!classes.iter().any(|class| class == owner)).then_some(())
    };
    Ok(Value::bool(methods.iter().find_map(is_other).is_some()))
}
