//! FileTest: predicates of files that File also has.

use runtime::{Cx, Method, Value, define};

use crate::file::predicates;

pub fn define(cx: &mut Cx) {
    let module: Value = define::class_or_module_named(cx, "FileTest");
    let methods: &'static [Method] = predicates::METHODS;
    define::define_module_functions(cx, module, methods);
}
