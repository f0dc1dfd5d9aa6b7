//! NilClass: the class of nil.

use abi::Value;
use object::{Known, class::class_data_mut, float, hash::HashRef};
use runtime::{Args, Cx, Method, R, Root, call, convert, define, make, method_table::InLine};
use text::encoding::EncodingId;

pub const METHODS: &[Method] = &[
    Method::new("to_s", to_s).leaf(),
    Method::new("to_a", to_a).leaf(),
    Method::new("to_h", to_h).leaf(),
    Method::new("to_i", to_i).leaf().pure(),
    Method::new("to_f", to_f).leaf().pure(),
    Method::new("to_r", to_r).leaf().pure(),
    Method::new("to_c", to_c).leaf().pure(),
    Method::new("rationalize(eps = nil)", to_r).leaf().pure(),
    Method::new("inspect", inspect).leaf(),
    Method::new("=~(other)", no_match).leaf(),
    Method::new("nil?", yes).leaf().pure().in_line(InLine::IsNil),
    Method::new("&(other)", and).leaf().pure(),
    Method::new("|(other)", or).leaf().pure(),
    Method::new("^(other)", or).leaf().pure(),
    Method::new("===(other)", same),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::NilClass);
    define::define_methods(cx, class, METHODS);
    without_instances(cx, class);
}

/// Removes `new` and `allocate`.
pub fn without_instances(cx: &mut Cx, class: Value) {
    class_data_mut(cx, class).flags.no_allocator = true;
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
}

/// `to_s → string`: "", always the same frozen String.
fn to_s(cx: &mut Cx, _: Args) -> R {
    Ok(convert::constant_text(cx, Root::NilText, ""))
}

/// `to_a → array`: an empty array.
fn to_a(cx: &mut Cx, _: Args) -> R {
    Ok(make::array(cx, &[]))
}

/// `to_h → hash`: an empty hash.
fn to_h(cx: &mut Cx, _: Args) -> R {
    Ok(HashRef::new(cx).value())
}

/// `to_i → 0`: a missing number counts as 0.
fn to_i(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(0))
}

/// `to_f → 0.0`: a missing number counts as 0.
fn to_f(cx: &mut Cx, _: Args) -> R {
    Ok(float::new(cx, 0.0))
}

/// `to_r`, `rationalize(eps = nil) → rational`: 0/1; the `eps` of `rationalize` is ignored.
fn to_r(cx: &mut Cx, _: Args) -> R {
    Ok(make::pair(cx, Known::Rational, Value::fixnum(0), Value::fixnum(1)))
}

/// `to_c → complex`: the number 0+0i.
fn to_c(cx: &mut Cx, _: Args) -> R {
    Ok(make::pair(cx, Known::Complex, Value::fixnum(0), Value::fixnum(0)))
}

/// `inspect → string`: "nil"; `to_s` is empty.
fn inspect(cx: &mut Cx, _: Args) -> R {
    Ok(make::string(cx, b"nil", EncodingId::US_ASCII))
}

/// `nil =~ other → nil`: nil matches nothing, regardless of `other`.
fn no_match(_: &mut Cx, _: Args) -> R {
    Ok(Value::NIL)
}

/// `nil? → true`: for nil; false for any other object.
fn yes(_: &mut Cx, _: Args) -> R {
    Ok(Value::TRUE)
}

/// `&(other) → false`: of nil and false, regardless of `other`; both sides are evaluated.
pub fn and(_: &mut Cx, _: Args) -> R {
    Ok(Value::FALSE)
}

/// `|(other)`, `^(other) → true or false`: of nil and false: whether `other` is truthy.
pub fn or(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(args.at(0).truthy()))
}

/// `===(other) → true or false`: of nil, true and false: whether both are the same object, or equal by an `==` that a
/// program redefined.
pub fn same(cx: &mut Cx, args: Args) -> R {
    call::equal(cx, args.me(), args.at(0)).map(Value::bool)
}
