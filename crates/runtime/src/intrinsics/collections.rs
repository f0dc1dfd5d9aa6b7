//! Primitives of the Ruby half of the core classes.

use std::cmp::Ordering;

use abi::{BlockHandler, Type, Value};
use bytecode::Intrinsic;
use object::{
    Sym,
    array::Arr,
    bigint, cell, class, float,
    hash::{HashRef, new_identity},
    proc, range,
    shape::ivars,
};

use crate::{
    Cx, R,
    basic_ops::BasicOp,
    call, convert, equality, keys,
    make::{self, OrRaise},
    recursion, sym,
};

use super::{folds, rows};

pub fn run(cx: &mut Cx, which: Intrinsic, arguments: &'static [Value]) -> R {
    let a = |i: usize| arguments[i];
    match which {
        Intrinsic::ArrayPush => {
            Arr::of(a(0)).push(cx, a(1)).or_raise(cx)?;
            Ok(a(0))
        }
        Intrinsic::ArraySet => {
            Arr::of(a(0)).set(cx, a(1).fixnum_value() as usize, a(2)).or_raise(cx)?;
            Ok(a(2))
        }
        Intrinsic::ArrayPrepare => prepare_array(cx, a(0), a(1), a(2), a(3).truthy()),
        Intrinsic::ArrayTruncate => {
            let length = a(1).fixnum_value() as usize;
            if length < Arr::of(a(0)).len() {
                Arr::of(a(0)).truncate(cx, length);
            }
            Ok(a(0))
        }
        Intrinsic::ArrayWithCapacity => {
            Ok(Arr::with_capacity(cx, a(0).as_fixnum().unwrap_or(0).clamp(0, 1 << 20) as usize).or_raise(cx)?.value())
        }
        Intrinsic::PackValues => {
            let list = Arr::of(a(0));
            Ok(match list.len() {
                0 => Value::NIL,
                1 => list.elements()[0],
                _ => a(0),
            })
        }
        Intrinsic::BlockTakesPair => {
            let block = cx.frame().scope.block;
            Ok(Value::bool(block_arity(block) > 1 && !block_is_lambda(block)))
        }
        Intrinsic::BlockArity => {
            let block = cx.frame().scope.block;
            Ok(Value::fixnum(block_arity(block)))
        }
        Intrinsic::BlockIsLambda => Ok(Value::bool(block_is_lambda(cx.frame().scope.block))),
        Intrinsic::BlockTakesApart => {
            let block = cx.frame().scope.block;
            let lambda = block.frame().is_none() && cell::is(block.0, Type::Proc) && proc::is_lambda(block.0);
            Ok(Value::bool(lambda && !matches!(block_arity(block), -1..=1)))
        }
        Intrinsic::CheckFrozen => {
            cx.check_frozen(a(0))?;
            Ok(Value::NIL)
        }
        Intrinsic::Compare => Ok(ordering(call::compare(cx, a(0), a(1))?)),
        Intrinsic::ComparisonResult => Ok(ordering(call::comparison_result(cx, a(0), a(1), a(2))?)),
        Intrinsic::IsEqual => Ok(Value::bool(call::equal(cx, a(0), a(1))?)),
        Intrinsic::ToInteger => convert::to_integer(cx, a(0)),
        Intrinsic::ToLong => {
            let n = convert::to_i64(cx, a(0))?;
            Ok(bigint::from_i64(cx, n))
        }
        Intrinsic::ToArray => convert::to_ary(cx, a(0)),
        Intrinsic::TryArray => Ok(convert::try_ary(cx, a(0))?.unwrap_or(Value::NIL)),
        Intrinsic::ToHash => convert::to_hash(cx, a(0)),
        Intrinsic::TryHash => Ok(convert::try_hash(cx, a(0))?.unwrap_or(Value::NIL)),
        Intrinsic::IsType => Ok(Value::bool(is_type(a(0), a(1).fixnum_value()))),
        Intrinsic::IsKindOf => Ok(Value::bool(class::is_a(cx, a(0), a(1)))),
        Intrinsic::Sum => folds::add(cx, a(0), a(1)),
        Intrinsic::ClassOf => Ok(class::real_class(cx, a(0))),
        Intrinsic::Responds => Ok(Value::bool(call::responds(cx, a(0), Sym::of(a(1)), a(2).truthy())?)),
        Intrinsic::RangeBegin => Ok(range::begin(a(0))),
        Intrinsic::RangeEnd => Ok(range::end(a(0))),
        Intrinsic::RangeIsExclusive => Ok(Value::bool(range::is_exclusive(a(0)))),
        Intrinsic::ArraySum => folds::sum(cx, a(0), a(1)),
        Intrinsic::ArrayFold => folds::fold(cx, a(0), a(1).fixnum_value() as usize, a(2), Sym::of(a(3))),
        Intrinsic::ArrayMin => folds::extreme(cx, a(0), Ordering::Less),
        Intrinsic::ArrayMax => folds::extreme(cx, a(0), Ordering::Greater),
        Intrinsic::ArrayAny => Ok(Value::bool(folds::any(cx, a(0), a(1), a(2).truthy())?)),
        Intrinsic::ArrayIndexOf => Ok(index(equality::index_of(cx, a(0), a(1), a(2).fixnum_value() as usize)?)),
        Intrinsic::ArrayLastIndexOf => Ok(index(equality::last_index_of(cx, a(0), a(1))?)),
        Intrinsic::ArrayCountOf => folds::count_of(cx, a(0), a(1)),
        Intrinsic::ArrayCloseGap => close_gap(cx, a(0), a(1).fixnum_value() as usize, a(2).fixnum_value() as usize),
        Intrinsic::ArrayToH => folds::to_h(cx, a(0)),
        Intrinsic::HashCount => {
            folds::count(cx, a(0), a(1))?;
            Ok(a(0))
        }
        Intrinsic::RangeCount => Ok(range_count(cx, a(0))),
        Intrinsic::ArrayTally => folds::tally(cx, a(0)),
        Intrinsic::NextRow => rows::next(cx, a(0), a(1), a(2).fixnum_value()),
        Intrinsic::ArrayZip => rows::zip(cx, a(0), a(1)),
        Intrinsic::ArrayMove => {
            let at = |i: usize| a(i).fixnum_value() as usize;
            Ok(Value::fixnum(move_up(cx, a(0), at(1), at(2), at(3))? as i64))
        }
        Intrinsic::ArrayFill => {
            Arr::of(a(0)).fill(cx, a(1).fixnum_value() as usize, a(2).fixnum_value() as usize, a(3)).or_raise(cx)?;
            Ok(a(0))
        }
        Intrinsic::ArrayEachIsOwn => {
            let array = cx.class(object::Known::Array);
            let of = class::class_of(cx, a(0));
            if of == array {
                return Ok(Value::TRUE);
            }
            let entry = class::lookup::find_method(cx, of, sym::EACH);
            Ok(Value::bool(!entry.is_undef() && object::method_entry::owner(entry) == array))
        }
        Intrinsic::ToSymbol => Ok(convert::to_symbol(cx, a(0))?.value()),
        Intrinsic::Warn => {
            let text = String::from_utf8_lossy(object::string::bytes(&a(0))).into_owned();
            crate::special::warn_here(cx, &text)?;
            Ok(Value::NIL)
        }
        Intrinsic::SortByKeys => super::sorting::by_keys(cx, a(0), a(1)),
        Intrinsic::IsSame => Ok(Value::bool(a(0) == a(1))),
        other => hashes(cx, other, arguments),
    }
}

/// Ends `select!` and its kin, also when their block raised: what was not looked at moves up behind what is kept.
fn close_gap(cx: &mut Cx, list: Value, kept: usize, index: usize) -> R {
    let len = Arr::of(list).len();
    let index = index.min(len);
    if kept >= index {
        return Ok(Value::FALSE);
    }
    if cell::frozen(list) {
        return Err(cx.frozen_error(list));
    }
    Arr::of(list).splice(cx, kept, index - kept, &[]).or_raise(cx)?;
    Ok(Value::TRUE)
}

/// How many integers there are between small ends; undef for other ends, and where a program has an order of its own.
fn range_count(cx: &Cx, r: Value) -> Value {
    let (Some(first), Some(last)) = (range::begin(r).as_fixnum(), range::end(r).as_fixnum()) else {
        return Value::UNDEF;
    };
    if cx.vm().redefinitions().integer & BasicOp::Compare.bit() != 0 {
        return Value::UNDEF;
    }
    let count = last - first + i64::from(!range::is_exclusive(r));
    Value::try_fixnum(count.max(0)).unwrap_or(Value::UNDEF)
}

/// Moves elements up; the index behind them. What Ruby did to the Array meanwhile may have left fewer.
fn move_up(cx: &mut Cx, list: Value, to: usize, from: usize, end: usize) -> R<usize> {
    let end = end.min(Arr::of(list).len());
    if from >= end {
        return Ok(to);
    }
    if to < from {
        Arr::of(list).permute(cx, |elements| elements.copy_within(from..end, to)).or_raise(cx)?;
    }
    Ok(to + end - from)
}

fn hashes(cx: &mut Cx, which: Intrinsic, arguments: &'static [Value]) -> R {
    let a = |i: usize| arguments[i];
    // The position of the entry before the position given.
    let at = |i: usize| arguments[i].fixnum_value() as usize - 1;
    match which {
        Intrinsic::HashEnter => {
            HashRef::of(a(0)).begin_iteration(cx).or_raise(cx)?;
            Ok(Value::fixnum(0))
        }
        Intrinsic::HashLeave => {
            HashRef::of(a(0)).end_iteration(cx);
            Ok(Value::NIL)
        }
        Intrinsic::HashNext => {
            let next = HashRef::of(a(0)).next(a(1).fixnum_value() as usize);
            Ok(next.map_or(Value::NIL, |(next, _, _)| Value::fixnum(next as i64)))
        }
        Intrinsic::HashKeyAt => Ok(HashRef::of(a(0)).entry_at(at(1)).map_or(Value::UNDEF, |(key, _)| key)),
        Intrinsic::HashValueAt => Ok(HashRef::of(a(0)).entry_at(at(1)).map_or(Value::NIL, |(_, value)| value)),
        Intrinsic::HashPairAt => {
            let (key, value) = HashRef::of(a(0)).entry_at(at(1)).unwrap_or((Value::NIL, Value::NIL));
            Ok(make::array(cx, &[key, value]))
        }
        Intrinsic::HashSetAt => {
            if HashRef::of(a(0)).entry_at(at(1)).is_some() {
                HashRef::of(a(0)).set_value_at(cx, at(1), a(2));
            }
            Ok(a(2))
        }
        Intrinsic::HashDeleteAt => {
            HashRef::of(a(0)).delete_at(cx, at(1));
            Ok(Value::NIL)
        }
        Intrinsic::HashPut => {
            keys::store(cx, a(0), a(1), a(2))?;
            Ok(a(0))
        }
        Intrinsic::HashAdopt => {
            let adopted = HashRef::of(a(2)).adopt_entry(cx, HashRef::of(a(0)), at(1), (a(3), a(4)));
            keys::raise(cx, adopted)?;
            Ok(a(2))
        }
        Intrinsic::HashMerge => {
            let merged = HashRef::of(a(0)).merge(cx, HashRef::of(a(1)));
            keys::raise(cx, merged)?;
            Ok(a(0))
        }
        Intrinsic::HashEntries => {
            let copied = HashRef::with_entries_of(cx, HashRef::of(a(0)));
            Ok(copied.map_err(|e| keys::raise_table_error(cx, e))?.value())
        }
        Intrinsic::HashPutNew => {
            let stored = HashRef::of(a(0)).store_new(cx, a(1), a(2));
            Ok(Value::bool(keys::raise(cx, stored)?))
        }
        Intrinsic::HashNew => Ok(HashRef::new(cx).value()),
        Intrinsic::HashLike => {
            Ok(if HashRef::of(a(0)).is_by_identity() { new_identity(cx) } else { HashRef::new(cx).value() })
        }
        Intrinsic::HashIsByIdentity => Ok(Value::bool(HashRef::of(a(0)).is_by_identity())),
        Intrinsic::RaiseKeyNotFound => Err(keys::key_not_found(cx, a(0), a(1))),
        Intrinsic::HashRemove => Ok(keys::delete(cx, a(0), a(1))?.unwrap_or(Value::UNDEF)),
        Intrinsic::HashCopy | Intrinsic::HashDup => {
            let copied = HashRef::of(a(0)).dup(cx);
            let copy = copied.map_err(|e| keys::raise_table_error(cx, e))?.value();
            if which == Intrinsic::HashDup {
                let of = class::class_data(class::real_class(cx, a(0))).root_shape;
                cell::set_header(copy, cell::header(copy).with_shape(of));
            }
            Ok(copy)
        }
        Intrinsic::HashEachIsOwn => {
            let hash = cx.class(object::Known::Hash);
            let of = class::class_of(cx, a(0));
            if of == hash {
                return Ok(Value::TRUE);
            }
            let entry = class::lookup::find_method(cx, of, sym::EACH);
            Ok(Value::bool(!entry.is_undef() && object::method_entry::owner(entry) == hash))
        }
        other => objects(cx, other, arguments),
    }
}

fn objects(cx: &mut Cx, which: Intrinsic, arguments: &'static [Value]) -> R {
    let a = |i: usize| arguments[i];
    match which {
        Intrinsic::ToFloat => {
            let f = number(cx, a(0))?;
            Ok(float::new(cx, f))
        }
        Intrinsic::FloatToOrdered => {
            let bits = convert::to_f64(cx, a(0))?.to_bits() as i64;
            let ordered = if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits };
            Ok(bigint::from_i64(cx, ordered))
        }
        Intrinsic::OrderedToFloat => {
            let ordered = convert::to_i64(cx, a(0))?;
            let bits = if ordered < 0 { i64::MIN.wrapping_sub(ordered) } else { ordered };
            Ok(float::new(cx, f64::from_bits(bits as u64)))
        }
        Intrinsic::StructAt => Ok(object::structure::get(a(0), a(1).fixnum_value() as usize).unwrap_or(Value::NIL)),
        Intrinsic::Callee => {
            let entry = cx.frame().scope.entry;
            Ok(if entry.is_nil() { Value::NIL } else { object::method_entry::name(entry).value() })
        }
        Intrinsic::EnumSize => Ok(call::send_if_responds_privately(cx, a(0), sym::SIZE, &[])?.unwrap_or(Value::NIL)),
        Intrinsic::NewObject => {
            let root = class::class_data(a(0)).root_shape;
            Ok(ivars::new_object(cx, Type::Object, root))
        }
        Intrinsic::HiddenSet => {
            ivars::set(cx, a(0), Sym::of(a(1)), a(2));
            Ok(a(2))
        }
        Intrinsic::HiddenGet => Ok(ivars::get(cx, a(0), Sym::of(a(1))).or(Value::NIL)),
        Intrinsic::GuardEnter => {
            Ok(recursion::enter(cx, Sym::of(a(1)), a(0))?.map_or(Value::NIL, |d| Value::fixnum(d as i64)))
        }
        Intrinsic::GuardLeave => {
            recursion::leave(cx, a(0).fixnum_value() as usize);
            Ok(Value::NIL)
        }
        Intrinsic::ArithmeticSequence => {
            let class = cx.root("ArithmeticSequence");
            let root = class::class_data(class).root_shape;
            let v = ivars::new_object(cx, Type::Object, root);
            let names = ["__receiver", "__method", "__args", "__begin", "__end", "__step", "__exclusive"];
            for (i, name) in names.into_iter().enumerate() {
                let name = object::symbol::table::intern_text(cx, name);
                ivars::set(cx, v, name, a(i));
            }
            Ok(v)
        }
        Intrinsic::FloatStepSize => {
            let n = float_step_size(number(cx, a(0))?, number(cx, a(1))?, number(cx, a(2))?, a(3).truthy());
            if n.is_infinite() {
                return Ok(float::new(cx, n));
            }
            convert::float_to_integer(cx, n)
        }
        other => Err(cx.not_implemented(&format!("intrinsic {}", other.name()))),
    }
}

fn ordering(o: Ordering) -> Value {
    Value::fixnum(o as i64)
}

fn index(at: Option<usize>) -> Value {
    at.map_or(Value::NIL, |at| Value::fixnum(at as i64))
}

/// A number as a Float; what text is told differs from what `convert` says.
fn number(cx: &mut Cx, v: Value) -> R<f64> {
    if cell::is(v, Type::String) {
        return Err(cx.type_error("no implicit conversion to float from string"));
    }
    convert::to_f64(cx, v)
}

/// How many steps of `unit` lead from `from` to `to`, errors of rounding allowed for.
fn float_step_size(from: f64, to: f64, unit: f64, exclusive: bool) -> f64 {
    let n = (to - from) / unit;
    let error = (from.abs() + to.abs() + (to - from).abs()) / unit.abs() * f64::EPSILON;
    if unit == 0.0 {
        return f64::INFINITY;
    }
    if unit.is_infinite() {
        return if if unit > 0.0 { from <= to } else { from >= to } { 1.0 } else { 0.0 };
    }
    let error = error.min(0.5);
    if exclusive {
        if n <= 0.0 {
            return 0.0;
        }
        let d = if n < 1.0 { 0.0 } else { (n - error).floor() };
        let next = (d + 1.0) * unit + from;
        return if (from < to && next < to) || (from > to && next > to) { d + 2.0 } else { d + 1.0 };
    }
    if n < 0.0 {
        return 0.0;
    }
    (n + error).floor() + 1.0
}

/// The most elements of an Array.
const ARRAY_MAX: i64 = 0x0fff_ffff_ffff_ffff;

/// Array#initialize but for the calls of its block: how many there are to be.
fn prepare_array(cx: &mut Cx, me: Value, size: Value, value: Value, block: bool) -> R {
    cx.check_frozen(me)?;
    if size.is_undef() {
        if block {
            crate::special::warn_here(cx, "given block not used")?;
        }
        Arr::of(me).clear(cx);
        return Ok(Value::fixnum(0));
    }
    if value.is_undef()
        && !size.is_fixnum()
        && let Some(list) = convert::try_ary(cx, size)?
    {
        Arr::of(me).replace(cx, Arr::of(list)).or_raise(cx)?;
        return Ok(Value::fixnum(0));
    }
    let size = convert::to_i64(cx, size)?;
    if size < 0 {
        return Err(cx.argument_error("negative array size"));
    }
    if size > ARRAY_MAX {
        return Err(cx.argument_error("array size too big"));
    }
    Arr::of(me).clear(cx);
    if !block {
        let value = if value.is_undef() { Value::NIL } else { value };
        Arr::of(me).fill(cx, 0, size as usize, value).or_raise(cx)?;
        return Ok(Value::fixnum(0));
    }
    if !value.is_undef() {
        crate::special::warn_here(cx, "block supersedes default value argument")?;
    }
    // At once, as long elements moved to a larger buffer are a long stop; the system gives pages as they are touched.
    Arr::of(me).reserve(cx, size.min(1 << 27) as usize).or_raise(cx)?;
    Ok(Value::fixnum(size))
}

/// How many values the block takes: what it requires, or all that it could where it has optional ones.
fn block_arity(block: BlockHandler) -> i64 {
    if block.is_none() {
        return 0;
    }
    if let Some(target) = call::block::target(block) {
        let code = crate::code::code(target.body);
        return call::invoke::code_arity(code, target.lambda);
    }
    if Sym::from_value(block.0).is_some() {
        return -2;
    }
    if cell::is(block.0, Type::Proc) {
        return call::invoke::proc_arity(block.0, is_lambda(block.0));
    }
    -1
}

fn block_is_lambda(block: BlockHandler) -> bool {
    block.frame().is_none()
        && (Sym::from_value(block.0).is_some() || (cell::is(block.0, Type::Proc) && is_lambda(block.0)))
}

/// A method's Proc checks its arguments as a lambda does.
fn is_lambda(p: Value) -> bool {
    proc::is_lambda(p) || cell::header(p).has(proc::FROM_METHOD)
}

fn is_type(v: Value, number: i64) -> bool {
    match number {
        0 => cell::is(v, Type::Array),
        1 => cell::is(v, Type::Hash),
        2 => convert::is_integer(v),
        3 => convert::is_float(v),
        4 => cell::is(v, Type::String),
        5 => cell::is(v, Type::Range),
        6 => Sym::from_value(v).is_some(),
        7 => cell::is(v, Type::Proc),
        _ => false,
    }
}
