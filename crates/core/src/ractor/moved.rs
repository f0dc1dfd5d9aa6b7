//! Ractor::MovedObject: replaces an object that was moved to another Ractor. It responds to no method.

use object::class;
use runtime::{Args, Cx, Known, Method, R, Value, define, error::ErrorClass};

const METHODS: &[Method] = &[
    Method::new("method_missing(*arguments, **options)", refuse),
    Method::new("__send__(*arguments, **options)", refuse),
    Method::new("!(*arguments, **options)", refuse),
    Method::new("==(*arguments, **options)", refuse),
    Method::new("!=(*arguments, **options)", refuse),
    Method::new("__id__(*arguments, **options)", refuse),
    Method::new("equal?(*arguments, **options)", refuse),
    Method::new("instance_eval(*arguments, **options)", refuse),
    Method::new("instance_exec(*arguments, **options)", refuse),
];

pub fn define(cx: &mut Cx, ractor: Value) {
    let above = cx.class(Known::BasicObject);
    let class = define::define_class(cx, ractor, "MovedObject", above);
    define::define_methods(cx, class, METHODS);
    class::class_data_mut(cx, class).flags.no_allocator = true;
    cx.set_root(runtime::Root::RactorMovedObject, class);
}

/// Any method of an object that was moved to another Ractor raises Ractor::MovedError.
fn refuse(cx: &mut Cx, _: Args) -> R {
    Err(cx.raise(ErrorClass::RactorMovedError, "can not send any methods to a moved object"))
}
