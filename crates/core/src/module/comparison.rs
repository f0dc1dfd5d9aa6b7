//! Comparison of modules with instances and with each other.

use abi::Value;
use object::class::{self, ancestors};
use runtime::{Args, Cx, R};

/// `module === object → true or false`: whether the object is an instance of the class or of a subclass, or of a class
/// that includes the module.
pub fn case_equal(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(class::is_a(cx, args.at(0), args.me())))
}

/// `==(other) → true or false`: whether both are the same module.
pub fn equal(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(args.me() == args.at(0)))
}

/// Whether `b` is an ancestor of `a`; the refined class is one of a refinement.
fn inherits(cx: &Cx, a: Value, b: Value) -> bool {
    if class::flags(a).refinement { ancestors::reported(cx, a).any(|m| m == b) } else { ancestors::inherits(a, b) }
}

/// true if `a` is below `b`; false if it is above; nil if they are unrelated.
fn below(cx: &mut Cx, a: Value, b: Value) -> R<Option<bool>> {
    if !class::is_module(b) {
        return Err(cx.type_error("compared with non class/module"));
    }
    if a == b || inherits(cx, a, b) {
        Ok(Some(true))
    } else if inherits(cx, b, a) {
        Ok(Some(false))
    } else {
        Ok(None)
    }
}

fn answer(related: Option<bool>) -> R {
    Ok(related.map_or(Value::NIL, Value::bool))
}

/// `self < other → true, false or nil`: whether `other` is another module and an ancestor; nil if neither is an
/// ancestor of the other. TypeError unless it is a module.
pub fn less(cx: &mut Cx, args: Args) -> R {
    let related = below(cx, args.me(), args.at(0))?;
    if args.me() == args.at(0) { Ok(Value::FALSE) } else { answer(related) }
}

/// `self <= other → true, false or nil`: whether `other` is an ancestor or the same; nil if neither is an ancestor of
/// the other. TypeError unless it is a module.
pub fn less_equal(cx: &mut Cx, args: Args) -> R {
    answer(below(cx, args.me(), args.at(0))?)
}

/// `self > other → true, false or nil`: whether the receiver is another module and an ancestor of `other`; nil if
/// neither is an ancestor of the other. TypeError unless it is a module.
pub fn greater(cx: &mut Cx, args: Args) -> R {
    let me = check(cx, args)?;
    let related = below(cx, args.at(0), me)?;
    if args.me() == args.at(0) { Ok(Value::FALSE) } else { answer(related) }
}

/// `self >= other → true, false or nil`: whether the receiver is an ancestor of `other` or the same; nil if neither is
/// an ancestor of the other. TypeError unless it is a module.
pub fn greater_equal(cx: &mut Cx, args: Args) -> R {
    let me = check(cx, args)?;
    answer(below(cx, args.at(0), me)?)
}

/// Returns the receiver if the argument is a module; otherwise raises TypeError.
fn check(cx: &mut Cx, args: Args) -> R {
    if class::is_module(args.at(0)) { Ok(args.me()) } else { Err(cx.type_error("compared with non class/module")) }
}

/// `self <=> other → -1, 0, 1 or nil`: -1 if `other` is an ancestor, 1 if the receiver is an ancestor of `other`; nil
/// for unrelated modules and for anything else.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::fixnum(0));
    }
    if !class::is_module(other) {
        return Ok(Value::NIL);
    }
    if inherits(cx, me, other) {
        Ok(Value::fixnum(-1))
    } else if inherits(cx, other, me) {
        Ok(Value::fixnum(1))
    } else {
        Ok(Value::NIL)
    }
}
