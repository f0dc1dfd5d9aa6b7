//! Range.

pub mod ends;
mod show;

use abi::{Flags, Type, Value};
use object::{Known, cell, class, range};
use runtime::{Args, Cx, Method, R, call, define, error::ErrorClass, internal, recursion, sym};

const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

const METHODS: &[Method] = &[
    Method::new("initialize(begin, end, exclude_end = false)", initialize).private(),
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("begin", begin).leaf().pure(),
    Method::new("end", end).leaf().pure(),
    Method::new("exclude_end?", is_exclusive).leaf().pure(),
    Method::new("==(other)", equal).borrows(0),
    Method::new("eql?(other)", eql).borrows(0),
    Method::new("first(count = nil)", ends::first).shortcut(),
    Method::new("last(count = nil)", ends::last).shortcut(),
    Method::new("min(count = nil)", ends::min).shortcut(),
    Method::new("max(count = nil)", ends::max).shortcut(),
    Method::new("minmax", ends::minmax).shortcut(),
    Method::new("size", ends::size).shortcut(),
    Method::new("count(value = nil)", ends::count).borrows(0).shortcut(),
    Method::new("sum(initial = 0)", ends::sum).shortcut(),
    Method::new("cover?(value)", ends::cover).borrows(0).shortcut(),
    Method::new("===(value)", ends::cover).borrows(0).shortcut(),
    Method::new("include?(value)", ends::include).borrows(0).shortcut(),
    Method::new("overlap?(other)", ends::overlap).shortcut(),
    Method::new("to_s", show::to_s),
    Method::new("inspect", show::inspect),
];

const RUBY: &[&[u8]] = &[
    runtime::ruby_half!("range/range"),
    runtime::ruby_half!("range/cover"),
    runtime::ruby_half!("range/step"),
    runtime::ruby_half!("range/bsearch"),
];

/// Private methods of the Ruby half.
const HELPERS: &[&str] = &[
    "__float_size", "__linear?", "__empty?", "__starts_before?", "__covers_range", "__covers?", "__step",
    "__step_integers", "__step_floats", "__step_text", "__step_down", "__step_objects", "__direction", "__goes_left?",
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Range);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    internal::load_all(cx, RUBY).expect("the Ruby half of Range runs");
    crate::enumerator::hide_in(cx, class, HELPERS);
}

/// `Range.allocate → range`: a range whose ends are not set yet, for `initialize`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let r = range::allocate(cx);
    let root = class::root_shape(args.me());
    cell::set_header(r, cell::header(r).with_shape(root));
    Ok(r)
}

/// `Range.new(begin, end, exclude_end = false)`: ArgumentError unless the ends compare by `<=>` or one is nil,
/// FrozenError or NameError if it is already initialized.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let (b, e) = (args.at(0), args.at(1));
    cx.check_frozen(me)?;
    if range::is_initialized(me) {
        return Err(cx.name_error(ErrorClass::NameError, "'initialize' called twice", sym::INITIALIZE, me));
    }
    check_ends(cx, b, e)?;
    range::initialize(cx, me, b, e, args.get(2).given().is_some_and(|v| v.truthy()));
    if class::real_class(cx, me) == cx.class(Known::Range) {
        cell::set_header(me, cell::header(me).with(Flags::FROZEN));
    }
    Ok(Value::NIL)
}

/// ArgumentError unless the ends compare.
pub fn check_ends(cx: &mut Cx, b: Value, e: Value) -> R<()> {
    if b.both_fixnum(e) || b.is_nil() || e.is_nil() {
        return Ok(());
    }
    let order = call::send(cx, b, sym::COMPARE, &[e])?;
    if order.is_nil() {
        return Err(cx.argument_error("bad value for range"));
    }
    Ok(())
}

/// `initialize_copy(other) → self`: copies the ends of another Range. FrozenError if the receiver is already
/// initialized, TypeError for another object.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    cx.check_frozen(me)?;
    if !cell::is(other, Type::Range) {
        return Err(cx.type_error("initialize_copy should take same class object"));
    }
    range::initialize(cx, me, range::begin(other), range::end(other), range::is_exclusive(other));
    Ok(me)
}

/// `begin → object or nil`: the lower end; nil for a range without one.
fn begin(_: &mut Cx, args: Args) -> R {
    Ok(range::begin(args.me()))
}

/// `end → object or nil`: the upper end, included or excluded; nil for a range without one.
fn end(_: &mut Cx, args: Args) -> R {
    Ok(range::end(args.me()))
}

/// `exclude_end? → true or false`: whether the upper end is excluded, as with `...`.
fn is_exclusive(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(range::is_exclusive(args.me())))
}

fn same(cx: &mut Cx, args: Args, test: fn(&mut Cx, Value, Value) -> R<bool>) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if !cell::is(other, Type::Range) || range::is_exclusive(me) != range::is_exclusive(other) {
        return Ok(Value::FALSE);
    }
    let (a, b) = (range::begin(me), range::begin(other));
    let (c, d) = (range::end(me), range::end(other));
    if !a.is_heap() && !c.is_heap() {
        return Ok(Value::bool(test(cx, a, b)? && test(cx, c, d)?));
    }
    // Ranges that contain themselves are the same unless another part differs.
    let answer = recursion::guard(cx, sym::EQ, me, other, |cx| Ok(test(cx, a, b)? && test(cx, c, d)?))?;
    Ok(Value::bool(answer.unwrap_or(true)))
}

/// `==(other) → true or false`: whether `other` is a Range with the same ends by `==` that includes the upper end as
/// well, or excludes it as well.
fn equal(cx: &mut Cx, args: Args) -> R {
    same(cx, args, call::equal)
}

/// `eql?(other) → true or false`: whether `other` is a Range with the same ends by `eql?` that includes the upper end
/// as well, or excludes it as well.
fn eql(cx: &mut Cx, args: Args) -> R {
    same(cx, args, call::eql)
}
