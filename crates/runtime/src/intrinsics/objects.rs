//! Ranges, structs and plain objects: primitives of the Ruby half of core classes.

use abi::{Type, Value};
use object::{Known, Sym, array::Arr, class, range, shape::ivars, structure};

use crate::{Cx, R, args, basic_ops::BasicOp, call, error::OrRaise, make, recursion, sym};

pub fn range_begin(_: &mut Cx, [r]: [Value; 1]) -> Value {
    range::begin(r)
}

pub fn range_end(_: &mut Cx, [r]: [Value; 1]) -> Value {
    range::end(r)
}

pub fn range_each_is_own(cx: &mut Cx, [range]: [Value; 1]) -> bool {
    super::has_each_of_class(cx, range, Known::Range)
}

pub fn range_is_exclusive(_: &mut Cx, [r]: [Value; 1]) -> bool {
    range::is_exclusive(r)
}

/// The number of integers in a Range with small ends; undef for other ends, and if the program has redefined their
/// order.
pub fn range_count(cx: &mut Cx, [r]: [Value; 1]) -> Value {
    let (Some(first), Some(last)) = (range::begin(r).as_fixnum(), range::end(r).as_fixnum()) else {
        return Value::UNDEF;
    };
    if cx.vm().redefinitions().integer & BasicOp::Compare.bit() != 0 {
        return Value::UNDEF;
    }
    let count = last - first + i64::from(!range::is_exclusive(r));
    Value::try_fixnum(count.max(0)).unwrap_or(Value::UNDEF)
}

pub fn enum_size(cx: &mut Cx, [v]: [Value; 1]) -> R {
    Ok(call::send_conversion(cx, v, sym::SIZE, &[])?.unwrap_or(Value::NIL))
}

pub fn new_object(cx: &mut Cx, [class]: [Value; 1]) -> Value {
    let root = class::root_shape(class);
    ivars::new_object(cx, Type::Object, root)
}

pub fn hidden_set(cx: &mut Cx, [object, name, v]: [Value; 3]) -> Value {
    ivars::set(cx, object, Sym::of(name), v);
    v
}

pub fn hidden_get(cx: &mut Cx, [object, name]: [Value; 2]) -> Value {
    ivars::get(cx, object, Sym::of(name)).or(Value::NIL)
}

pub fn guard_enter(cx: &mut Cx, [object, method]: [Value; 2]) -> R {
    Ok(recursion::enter(cx, Sym::of(method), object)?.map_or(Value::NIL, |depth| Value::fixnum(depth as i64)))
}

pub fn guard_leave(cx: &mut Cx, [depth]: [Value; 1]) {
    recursion::leave(cx, depth.fixnum_value() as usize);
}

pub fn arithmetic_sequence(cx: &mut Cx, parts: [Value; 7]) -> Value {
    static FILLED: ivars::Filled = ivars::Filled::new();
    const NAMES: [Sym; 7] = [
        sym::MEMO_RECEIVER,
        sym::ENUM_METHOD,
        sym::MEMO_ARGS,
        sym::SEQUENCE_BEGIN,
        sym::SEQUENCE_END,
        sym::SEQUENCE_STEP,
        sym::SEQUENCE_EXCLUSIVE,
    ];
    let class = cx.root(crate::Root::ArithmeticSequence);
    let v = new_object(cx, [class]);
    ivars::fill(cx, v, &NAMES, parts, &FILLED);
    v
}

pub fn enumerator(cx: &mut Cx, [receiver, method, arguments, size]: [Value; 4]) -> R {
    static FILLED: ivars::Filled = ivars::Filled::new();
    const NAMES: [Sym; 5] = [sym::MEMO_RECEIVER, sym::ENUM_METHOD, sym::MEMO_ARGS, sym::ENUM_OPTIONS, sym::ENUM_SIZE];
    let arguments = if arguments.is_nil() { make::array(cx, &[]) } else { arguments };
    let enumerators = cx.class(Known::Enumerator);
    // Enumerator::Lazy answers with one of its kind.
    if class::class_of(cx, receiver) != enumerators && class::is_a(cx, receiver, enumerators) {
        let all = make::array(cx, &[method]);
        Arr::of(all).append_all(cx, Arr::of(arguments)).or_raise(cx)?;
        let v = args::spread(cx, Arr::of(all), |cx, all| call::send_private(cx, receiver, sym::TO_ENUM, all))?;
        ivars::set(cx, v, sym::ENUM_SIZE, size);
        return Ok(v);
    }
    let v = new_object(cx, [enumerators]);
    ivars::fill(cx, v, &NAMES, [receiver, method, arguments, Value::NIL, size], &FILLED);
    Ok(v)
}

pub fn struct_at(_: &mut Cx, [v, index]: [Value; 2]) -> Value {
    structure::get(v, index.fixnum_value() as usize).unwrap_or(Value::NIL)
}

pub fn warn(cx: &mut Cx, [text]: [Value; 1]) -> R<()> {
    let text = object::string::Str::of(text).to_text();
    crate::warning::warn_here(cx, &text)
}
