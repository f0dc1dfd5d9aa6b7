//! Guarding against structures that contain themselves.
//!
//! A thread's active calls are in an Array, in groups of four elements. The deeper groups are also found by an index,
//! so that the time for a structure does not grow with the square of its depth.
//!
//! ```text
//! false nil nil index | method object partner nil | … | method object partner previous | …
//!  group 0              groups 1 to SEARCHED - 1       groups from SEARCHED on
//! ```
//! The index is a Hash that compares by identity, or nil: from an object to the last of the deeper groups that have it.
//! `previous` is the number of the last such group before this one.

use abi::Value;
use object::{array::Arr, hash};

use crate::{Cx, R, Sym, error::OrRaise, make};

const GROUP: usize = 4;
/// The index in the list of the Hash, and in a group of the previous group.
const PREVIOUS: usize = 3;
/// The number of groups that are searched one by one.
const SEARCHED: usize = 16;

/// Guards `body` unless it is already running for the same method and object (and second operand, for binary methods);
/// in that case returns `None`.
pub fn guard<T>(
    cx: &mut Cx,
    method: Sym,
    object: Value,
    partner: Value,
    body: impl FnOnce(&mut Cx) -> R<T>,
) -> R<Option<T>> {
    let Some(depth) = enter_with(cx, method, object, partner, Some(partner))? else { return Ok(None) };
    let result = body(cx);
    leave(cx, depth);
    result.map(Some)
}

/// For the Ruby half: the depth for `leave`, or `None` if the method is already running for the object.
pub fn enter(cx: &mut Cx, method: Sym, object: Value) -> R<Option<usize>> {
    enter_with(cx, method, object, Value::NIL, None)
}

/// `compared`: the partner that an active call must have; `None`: any.
fn enter_with(cx: &mut Cx, method: Sym, object: Value, partner: Value, compared: Option<Value>) -> R<Option<usize>> {
    cx.check_native_stack()?;
    cx.safepoint()?;
    if cx.recursion_guard.is_nil() {
        cx.recursion_guard = make::array(cx, &[Value::FALSE, Value::NIL, Value::NIL, Value::NIL]);
    }
    let list = cx.recursion_guard;
    let fits = |group: [Value; GROUP]| {
        group[1] == object && group[0] == method.value() && compared.is_none_or(|partner| group[2] == partner)
    };
    if is_active(list, object, fits) {
        return Ok(None);
    }
    let depth = Arr::of(list).len();
    add(cx, list, [method.value(), object, partner])?;
    Ok(Some(depth))
}

/// Whether the method is running for any object.
pub fn is_running(cx: &Cx, method: Sym) -> bool {
    let list = cx.recursion_guard;
    !list.is_nil() && Arr::of(list).groups::<GROUP>().any(|group| group[0] == method.value())
}

/// Removes the groups beyond a depth: also those that unwinding has left.
pub fn leave(cx: &mut Cx, depth: usize) {
    let list = cx.recursion_guard;
    if list.is_nil() || depth >= Arr::of(list).len() {
        return;
    }
    let index = Arr::of(list).at(PREVIOUS);
    for number in (depth.div_ceil(GROUP).max(SEARCHED)..Arr::of(list).len() / GROUP).rev() {
        let [_, object, _, previous] = group(list, number);
        if index.is_nil() || hash::identity_get(index, object) != Value::fixnum(number as i64) {
            continue;
        }
        if previous.is_nil() {
            hash::identity_delete(cx, index, object);
        } else {
            hash::identity_store(cx, index, object, previous);
        }
    }
    Arr::of(list).truncate(cx, depth);
}

fn is_active(list: Value, object: Value, fits: impl Fn([Value; GROUP]) -> bool) -> bool {
    let groups = Arr::of(list).groups::<GROUP>();
    let is_deep = groups.len() > SEARCHED;
    if groups.take(SEARCHED).any(&fits) {
        return true;
    }
    let index = Arr::of(list).at(PREVIOUS);
    if !is_deep || index.is_nil() {
        return false;
    }
    let mut next = hash::identity_get(index, object);
    while next.is_fixnum() {
        let found = group(list, next.fixnum_value() as usize);
        if fits(found) {
            return true;
        }
        next = found[PREVIOUS];
    }
    false
}

/// Adds a group; to the index last, so that it refers to no group that could not be added for want of memory.
fn add(cx: &mut Cx, list: Value, call: [Value; 3]) -> R<()> {
    let number = Arr::of(list).len() / GROUP;
    let is_indexed = number >= SEARCHED;
    if is_indexed && Arr::of(list).at(PREVIOUS).is_nil() {
        let index = hash::new_identity(cx);
        Arr::of(list).set(cx, PREVIOUS, index).or_raise(cx)?;
    }
    let index = Arr::of(list).at(PREVIOUS);
    let previous = if is_indexed { hash::identity_get(index, call[1]) } else { Value::UNDEF };
    let previous = if previous.is_undef() { Value::NIL } else { previous };
    for v in call.into_iter().chain([previous]) {
        make::push(cx, list, v);
    }
    if is_indexed {
        hash::identity_store(cx, index, call[1], Value::fixnum(number as i64));
    }
    Ok(())
}

fn group(list: Value, number: usize) -> [Value; GROUP] {
    std::array::from_fn(|i| Arr::of(list).at(number * GROUP + i))
}
