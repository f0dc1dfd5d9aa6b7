//! Reading and setting members.

use abi::{Type, Value};
use object::{Sym, array::Arr, cell, class, hash::HashRef, range, shape::ivars, string::Str, structure};
use runtime::{Args, Cx, R, call, convert, error::ErrorClass, error::OrRaise, keys, make, sym};

use crate::array::read::dig_on;

/// A hidden variable of a class, from the class or a superclass.
pub fn inherited_hidden(cx: &mut Cx, of: Value, name: Sym) -> Value {
    let mut at = of;
    while !at.is_nil() {
        let found = ivars::get(cx, at, name);
        if !found.is_undef() {
            return found;
        }
        at = class::superclass(at);
    }
    Value::NIL
}

/// The names of the members of instances of a Struct or Data class: an Array, or nil.
pub fn members_of(cx: &mut Cx, of: Value) -> Value {
    inherited_hidden(cx, of, sym::MEMO_MEMBERS)
}

/// The names of an instance's members.
pub fn names(cx: &mut Cx, me: Value) -> Value {
    let of = class::real_class(cx, me);
    members_of(cx, of)
}

pub fn position(cx: &mut Cx, me: Value, name: Sym) -> Option<usize> {
    let names = names(cx, me);
    Arr::of(names).index_of(name.value())
}

/// The key of a member: a Symbol, or a String that the key is or converts to; TypeError for others.
pub fn member_name(cx: &mut Cx, key: Value) -> R<(Value, Sym)> {
    let key = match Sym::from_value(key) {
        Some(_) => key,
        None => convert::try_str(cx, key)?.map_or(key, Str::value),
    };
    Ok((key, convert::to_symbol(cx, key)?))
}

/// The Symbol for a member given as Symbol or String.
pub(super) fn named(cx: &mut Cx, member: Value) -> Option<Sym> {
    match Str::from_value(member) {
        Some(text) => Some(convert::string_to_symbol(cx, text)),
        None => Sym::from_value(member),
    }
}

/// The position of a member given by name or index.
fn place(cx: &mut Cx, me: Value, member: Value) -> R<usize> {
    if let Some(name) = named(cx, member) {
        return match position(cx, me, name) {
            Some(at) => Ok(at),
            None => {
                let text = name.to_text(cx);
                Err(cx.name_error(ErrorClass::NameError, &format!("no member '{text}' in struct"), name, me))
            }
        };
    }
    let index = convert::to_i64(cx, member)?;
    let size = structure::members(&me).len() as i64;
    let at = if index < 0 { index + size } else { index };
    if at < 0 {
        return Err(cx.index_error(&format!("offset {index} too small for struct(size:{size})")));
    }
    if at >= size {
        return Err(cx.index_error(&format!("offset {index} too large for struct(size:{size})")));
    }
    Ok(at as usize)
}

/// The position of a member given by a Symbol or a fixnum, if there is one.
fn quick_place(cx: &mut Cx, me: Value, member: Value) -> Option<usize> {
    if let Some(name) = Sym::from_value(member) {
        return position(cx, me, name);
    }
    let (index, size) = (member.as_fixnum()?, structure::members(&me).len() as i64);
    let at = if index < 0 { index + size } else { index };
    (0..size).contains(&at).then_some(at as usize)
}

/// [`aref`] of a member that exists.
pub fn quick_aref(cx: &mut Cx, args: Args) -> R {
    let place = quick_place(cx, args.me(), args.at(0));
    Ok(place.map_or(Value::UNDEF, |at| structure::get(args.me(), at).unwrap_or(Value::NIL)))
}

/// [`aset`] of a member that exists.
pub fn quick_aset(cx: &mut Cx, args: Args) -> R {
    match quick_place(cx, args.me(), args.at(0)) {
        Some(at) if !cell::frozen(args.me()) => {
            structure::set(cx, args.me(), at, args.at(1));
            Ok(args.at(1))
        }
        _ => Ok(Value::UNDEF),
    }
}

/// `self[member] → object`: a member by name or by position, a negative one from the end. NameError for an unknown
/// name, IndexError for a position outside.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    let at = place(cx, args.me(), args.at(0))?;
    Ok(structure::get(args.me(), at).unwrap_or(Value::NIL))
}

/// `self[member] = value`: sets a member by name or by position. NameError for an unknown name, IndexError for a
/// position outside.
pub fn aset(cx: &mut Cx, args: Args) -> R {
    let at = place(cx, args.me(), args.at(0))?;
    cx.check_frozen(args.me())?;
    structure::set(cx, args.me(), at, args.at(1));
    Ok(args.at(1))
}

/// `initialize_copy(other) → self`: copies the members. TypeError for an object of another class.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(me);
    }
    cx.check_frozen(me)?;
    if class::real_class(cx, me) != class::real_class(cx, other) {
        return Err(cx.type_error("initialize_copy should take same class object"));
    }
    for i in 0..structure::members(&other).len() {
        let v = structure::get(other, i).unwrap_or(Value::NIL);
        structure::set(cx, me, i, v);
    }
    Ok(me)
}

/// `members → array`: the members' names as symbols, in their order.
pub fn members(cx: &mut Cx, args: Args) -> R {
    let names = names(cx, args.me());
    Ok(make::copy(cx, Arr::of(names)))
}

/// `to_a → array`: the members' values in their order. Aliases: `values`, `deconstruct`.
pub fn to_a(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    Ok(make::array(cx, structure::members(&me)))
}

/// `to_h → hash`: the values by the members' names; with a block it is left to the Ruby half.
pub fn to_h(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let names = Arr::of(names(cx, me));
    let table = HashRef::with_capacity(cx, names.len()).map_err(|error| keys::raise_table_error(cx, error))?;
    for at in 0..names.len() {
        keys::store(cx, table.value(), names.at(at), structure::get(me, at).unwrap_or(Value::NIL))?;
    }
    Ok(table.value())
}

/// `length → integer`: the number of members. Alias: `size`.
pub fn length(_: &mut Cx, args: Args) -> R {
    let me = args.me();
    Ok(Value::fixnum(structure::members(&me).len() as i64))
}

/// `dig(member, *rest) → object or nil`: a member by name or by position, then `dig` of that with the remaining
/// arguments; nil for an unknown member. TypeError if a result has no `dig`.
pub fn dig(cx: &mut Cx, args: Args) -> R {
    let (me, member) = (args.me(), args.at(0));
    let v = if let Some(name) = named(cx, member) {
        position(cx, me, name).and_then(|at| structure::get(me, at)).unwrap_or(Value::NIL)
    } else {
        let index = convert::to_i64(cx, member)?;
        let at = if index < 0 { index + structure::members(&me).len() as i64 } else { index };
        if at < 0 { Value::NIL } else { structure::get(me, at as usize).unwrap_or(Value::NIL) }
    };
    dig_on(cx, v, args.from(1))
}

/// `values_at(*selectors) → array`: members at positions and ranges of positions; in a range nil for positions beyond
/// the end. IndexError or RangeError for others outside.
pub fn values_at(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let result = make::array(cx, &[]);
    for selector in args.all() {
        if cell::is(*selector, Type::Range) {
            let size = structure::members(&me).len();
            let exclusive = range::is_exclusive(*selector);
            let (b, e) = (range::begin(*selector), range::end(*selector));
            let start = if b.is_nil() { 0 } else { convert::to_i64(cx, b)? };
            let start = if start < 0 { start + size as i64 } else { start };
            if start < 0 || start > size as i64 {
                let shown = call::inspect_text(cx, *selector)?;
                return Err(cx.range_error(&format!("{shown} out of range")));
            }
            let end = if e.is_nil() { -1 } else { convert::to_i64(cx, e)? };
            let end = if end < 0 { end + size as i64 } else { end };
            let end = if exclusive && !e.is_nil() { end } else { end + 1 };
            for i in start..end {
                make::push(cx, result, structure::get(me, i as usize).unwrap_or(Value::NIL));
            }
        } else {
            let index = convert::to_integer(cx, *selector)?;
            let at = place(cx, me, index)?;
            make::push(cx, result, structure::get(me, at).unwrap_or(Value::NIL));
        }
    }
    Ok(result)
}

/// `deconstruct_keys(keys) → hash`: the members that the array names, up to the first unknown name, or all for nil.
/// TypeError for anything else.
pub fn deconstruct_keys(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let result = HashRef::new(cx).value();
    let names = names(cx, me);
    if args.at(0).is_nil() {
        for (i, name) in Arr::of(names).iter().enumerate() {
            keys::store(cx, result, name, structure::get(me, i).unwrap_or(Value::NIL))?;
        }
        return Ok(result);
    }
    if !cell::is(args.at(0), Type::Array) {
        let name = runtime::error::class_name_of(cx, args.at(0));
        return Err(cx.type_error(&format!("wrong argument type {name} (expected Array or nil)")));
    }
    let wanted = args.at(0);
    if Arr::of(wanted).len() > structure::members(&me).len() {
        return Ok(result);
    }
    let mut i = 0;
    while let Some(key) = Arr::of(wanted).get(i) {
        let at = if let Some(name) = named(cx, key) {
            Arr::of(names).index_of(name.value())
        } else {
            let size = structure::members(&me).len() as i64;
            let index = convert::to_i64(cx, key)?;
            let index = if index < 0 { index + size } else { index };
            (0..size).contains(&index).then_some(index as usize)
        };
        let Some(at) = at else { return Ok(result) };
        keys::store(cx, result, key, structure::get(me, at).unwrap_or(Value::NIL))?;
        i += 1;
    }
    Ok(result)
}

/// A copy of the Array of members, for the program.
pub fn copy_of(cx: &mut Cx, names: Value) -> R {
    Ok(Arr::of(names).dup(cx).or_raise(cx)?.value())
}
