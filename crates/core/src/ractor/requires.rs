//! `require` in Ractors, where rubygems or a program has replaced `Kernel#require` by a method in Ruby: the method
//! belongs to the program, so it runs as the main Ractor.

use object::{
    Known, class,
    method_entry::{self, Kind},
    symbol::table::intern_text,
};
use runtime::{Args, Cx, Method, R, call, concurrency::ractor, define};

const METHODS: &[Method] = &[Method::new("require(feature)", require).private()];

/// Prepends a module with a native `require` to Kernel, if the `require` that is found is not native.
pub fn prepare(cx: &mut Cx) {
    let (object, name) = (cx.class(Known::Object), intern_text(cx, "require"));
    let entry = class::lookup::find_method(cx, object, name);
    if entry.is_undef() || method_entry::kind(entry) == Kind::Native {
        return;
    }
    let module = class::new_module(cx);
    let name_of_module = intern_text(cx, "<RactorRequire>").name(cx);
    let data = class::class_data_mut(cx, module);
    (data.name, data.temporary_name) = (name_of_module, true);
    define::define_methods(cx, module, METHODS);
    let kernel = define::class_or_module_named(cx, "Kernel");
    class::ancestors::prepend(cx, kernel, module).expect("a module of its own");
}

/// `require(feature) → true or false`: Kernel's own, as the main Ractor.
fn require(cx: &mut Cx, args: Args) -> R {
    let (entry, me, block) = (cx.frame().scope.entry, args.me(), args.block(cx));
    ractor::as_main(cx, |cx| call::call_super(cx, entry, me, args.all(), None, block))
}
