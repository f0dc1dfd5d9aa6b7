//! Creation of Arrays of Array and its subclasses.

use abi::{Flags, Value};
use object::{Known, array::Arr, cell, class};
use runtime::{Args, Cx, R, convert, error::OrRaise, make};

/// Sets the class of a new Array to `of`.
pub fn with_class(cx: &mut Cx, list: Value, of: Value) -> Value {
    if of != cx.class(Known::Array) {
        cell::set_header(list, cell::header(list).with_shape(class::root_shape(of)));
    }
    list
}

/// `Array.allocate → array`: an empty array of the receiver's class, for `new` to initialize.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    Ok(with_class(cx, list, args.me()))
}

/// `Array.new(size = 0, value = nil) → array`: fills a new array; everything but a small size is left to the Ruby half.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    const MOST: i64 = 1 << 20;
    let me = args.me();
    let list = Arr::of(me);
    let size = args.opt(0).unwrap_or(Value::fixnum(0)).as_fixnum().filter(|size| (0..=MOST).contains(size));
    match size {
        Some(size) if list.is_empty() && !cell::frozen(me) => {
            list.fill(cx, 0, size as usize, args.opt(1).unwrap_or(Value::NIL)).or_raise(cx)?;
            Ok(me)
        }
        _ => Ok(Value::UNDEF),
    }
}

/// `Array[*elements] → array`: an array of the receiver's class with these elements.
pub fn literal(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, args.all());
    Ok(with_class(cx, list, args.me()))
}

/// `Array.try_convert(object) → array or nil`: the object if it is an Array, otherwise the result of its `to_ary`; nil
/// without that method. TypeError if `to_ary` returns another object.
pub fn try_convert(cx: &mut Cx, args: Args) -> R {
    Ok(convert::try_ary(cx, args.at(0))?.map_or(Value::NIL, Arr::value))
}

/// `initialize_copy(other)`, `replace(other) → self`: copies the elements of `other`. TypeError unless that is an Array
/// or has `to_ary`.
pub fn replace(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    cx.check_frozen(me)?;
    let other = args.arr(cx, 0)?;
    if other.value() != me {
        Arr::of(me).replace(cx, other).or_raise(cx)?;
    }
    Ok(me)
}

/// `to_a → array`: the receiver itself, or a plain Array of its elements if it is an instance of a subclass.
pub fn to_a(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if class::real_class(cx, me) == cx.class(Known::Array) {
        return Ok(me);
    }
    Ok(Arr::of(me).dup(cx).or_raise(cx)?.value())
}

/// `to_ary → self`: the implicit conversion; unlike `to_a`, it returns instances of subclasses as they are.
pub fn to_ary(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `freeze → self`: elements can no longer be added, removed or replaced; the elements themselves stay as they are.
pub fn freeze(_: &mut Cx, args: Args) -> R {
    let me = args.me();
    cell::set_header(me, cell::header(me).with(Flags::FROZEN));
    Ok(me)
}
