//! FalseClass: the class of false.

use object::Known;
use runtime::{Args, Cx, Method, R, define};

use crate::nil_class::{and, or, same, without_instances};

pub const METHODS: &[Method] = &[
    Method::new("to_s", to_s).leaf(),
    Method::new("&(other)", and).leaf().pure(),
    Method::new("|(other)", or).leaf().pure(),
    Method::new("^(other)", or).leaf().pure(),
    Method::new("===(other)", same),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::FalseClass);
    define::define_methods(cx, class, METHODS);
    define::alias(cx, class, "inspect", "to_s");
    without_instances(cx, class);
}

/// `to_s → string`: "false", always the same frozen String. Alias: `inspect`.
fn to_s(cx: &mut Cx, _: Args) -> R {
    Ok(runtime::convert::constant_text(cx, runtime::Root::FalseText, "false"))
}
