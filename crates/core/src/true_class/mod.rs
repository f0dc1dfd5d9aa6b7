//! TrueClass: the class of true.

use abi::Value;
use object::Known;
use runtime::{Args, Cx, Method, R, define};

use crate::nil_class::{same, without_instances};

pub const METHODS: &[Method] = &[
    Method::new("to_s", to_s).leaf(),
    Method::new("&(other)", and).leaf().pure(),
    Method::new("|(other)", or).leaf().pure(),
    Method::new("^(other)", xor).leaf().pure(),
    Method::new("===(other)", same),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::TrueClass);
    define::define_methods(cx, class, METHODS);
    define::alias(cx, class, "inspect", "to_s");
    without_instances(cx, class);
}

/// `to_s → string`: "true", always the same frozen String. Alias: `inspect`.
fn to_s(cx: &mut Cx, _: Args) -> R {
    Ok(runtime::convert::constant_text(cx, runtime::Root::TrueText, "true"))
}

/// `true & other → true or false`: whether `other` is truthy; both sides are evaluated.
fn and(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(args.at(0).truthy()))
}

/// `true | other → true`: both sides are evaluated.
fn or(_: &mut Cx, _: Args) -> R {
    Ok(Value::TRUE)
}

/// `true ^ other → true or false`: whether `other` is nil or false.
fn xor(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!args.at(0).truthy()))
}
