//! Fiber-locals (`[]`) and thread-locals (`thread_variable_get`).

use object::{
    Sym, cell,
    hash::{self, BuiltinKeys, HashRef},
    native,
};
use runtime::{
    Args, Cx, Method, R, Value, call,
    concurrency::{
        fiber,
        thread::{ThreadState, running_fiber, state},
    },
    convert,
    error::ErrorClass,
    keys, make, recursion, sym,
};

use super::table;

pub const METHODS: &[Method] = &[
    Method::new("[](key)", get).borrows(0).quick(quick_get),
    Method::new("[]=(key, value)", set).borrows(0).quick(quick_set),
    Method::new("key?(key)", has).borrows(0).quick(quick_has),
    Method::new("keys", keys),
    Method::new("fetch(key, default = nil) { |key| }", fetch).borrows(0),
    Method::new("thread_variable_get(key)", variable_get).borrows(0).quick(quick_variable_get),
    Method::new("thread_variable_set(key, value)", variable_set).borrows(0),
    Method::new("thread_variable?(key)", has_variable).borrows(0),
    Method::new("thread_variables", variables),
];

/// The locals of a thread's running fiber: a Hash or nil.
fn locals(cx: &mut Cx, thread: Value) -> &mut Value {
    match running_fiber(cx, thread) {
        Value::NIL => &mut state(cx, thread).locals,
        fiber => &mut fiber::state(cx, fiber).locals,
    }
}

/// The table of the locals of a thread's running fiber, and a key in it; `None` unless the key is a Symbol.
fn quick_place(cx: &mut Cx, args: Args) -> Option<(Option<HashRef>, Sym)> {
    let key = Sym::from_value(args.at(0))?;
    let table = match running_fiber(cx, args.me()) {
        Value::NIL => native::get::<ThreadState>(args.me_ref())?.locals,
        fiber => fiber::state(cx, fiber).locals,
    };
    Some((HashRef::from_value(table), key))
}

/// [`get`] with a Symbol.
fn quick_get(cx: &mut Cx, args: Args) -> R {
    let Some((table, key)) = quick_place(cx, args) else { return Ok(Value::UNDEF) };
    Ok(table.and_then(|table| found(cx, table, key)).unwrap_or(Value::NIL))
}

/// [`has`] with a Symbol.
fn quick_has(cx: &mut Cx, args: Args) -> R {
    let Some((table, key)) = quick_place(cx, args) else { return Ok(Value::UNDEF) };
    Ok(Value::bool(table.is_some_and(|table| found(cx, table, key).is_some())))
}

/// [`set`] with a Symbol, if the fiber has locals and the value is not nil.
fn quick_set(cx: &mut Cx, args: Args) -> R {
    if cell::frozen(args.me()) || args.at(1).is_nil() {
        return Ok(Value::UNDEF);
    }
    let Some((Some(table), key)) = quick_place(cx, args) else { return Ok(Value::UNDEF) };
    let stored = table.store(&mut BuiltinKeys(cx.mem()), key.value(), args.at(1));
    Ok(if stored.is_ok() { args.at(1) } else { Value::UNDEF })
}

/// [`variable_get`] with a Symbol.
fn quick_variable_get(cx: &mut Cx, args: Args) -> R {
    let (Some(key), Some(thread)) = (Sym::from_value(args.at(0)), native::get::<ThreadState>(args.me_ref())) else {
        return Ok(Value::UNDEF);
    };
    let table = HashRef::from_value(thread.variables);
    Ok(table.and_then(|table| found(cx, table, key)).unwrap_or(Value::NIL))
}

/// The value of a Symbol in a table.
fn found(cx: &mut Cx, table: HashRef, key: Sym) -> Option<Value> {
    table.get(&mut BuiltinKeys(cx.mem()), key.value()).ok().flatten()
}

/// Guards an `inspect` against recursion: `None` if it is running for the object, or if the library pp is printing it,
/// which keeps the objects that it is in the middle of in `Thread.current[:__recursive_key__][:inspect]`.
pub fn guard_inspect<T>(cx: &mut Cx, object: Value, body: impl FnOnce(&mut Cx) -> R<T>) -> R<Option<T>> {
    if is_being_printed(cx, object) {
        return Ok(None);
    }
    recursion::guard(cx, sym::INSPECT, object, Value::NIL, body)
}

fn is_being_printed(cx: &mut Cx, object: Value) -> bool {
    let thread = cx.thread;
    if thread.is_nil() {
        return false;
    }
    let locals = *locals(cx, thread);
    let Some(locals) = HashRef::from_value(locals) else { return false };
    let Some(methods) = found(cx, locals, sym::RECURSIVE_KEY).and_then(HashRef::from_value) else { return false };
    let printed = found(cx, methods, sym::INSPECT).and_then(HashRef::from_value);
    printed.is_some_and(|printed| {
        printed.is_by_identity() && hash::identity_get(printed.value(), object).or(Value::NIL).truthy()
    })
}

fn check_frozen(cx: &mut Cx, thread: Value) -> R<()> {
    if cell::frozen(thread) {
        return Err(cx.raise(ErrorClass::FrozenError, "can't modify frozen thread locals"));
    }
    Ok(())
}

/// `[](key) → object or nil`: a value of the thread's current fiber by its name, a String or Symbol.
fn get(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let locals = *locals(cx, args.me());
    if locals.is_nil() { Ok(Value::NIL) } else { Ok(keys::get(cx, locals, key.value())?.unwrap_or(Value::NIL)) }
}

/// `[]=(key, value) → value`: sets a named value of the thread's current fiber; nil removes it.
fn set(cx: &mut Cx, args: Args) -> R {
    check_frozen(cx, args.me())?;
    let key = convert::to_symbol(cx, args.at(0))?;
    let slot = *locals(cx, args.me());
    let own = table(cx, slot);
    *locals(cx, args.me()) = own;
    if args.at(1).is_nil() {
        keys::delete(cx, own, key.value())?;
    } else {
        keys::store(cx, own, key.value(), args.at(1))?;
    }
    Ok(args.at(1))
}

/// `key?(key) → true or false`: whether the thread's current fiber has a value with this name.
fn has(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let locals = *locals(cx, args.me());
    if locals.is_nil() { Ok(Value::FALSE) } else { Ok(Value::bool(keys::get(cx, locals, key.value())?.is_some())) }
}

fn keys_of(cx: &mut Cx, slot: Value) -> R {
    let list = make::array(cx, &[]);
    if let Some(table) = HashRef::from_value(slot) {
        for (key, _) in table.entries() {
            make::push(cx, list, key);
        }
    }
    Ok(list)
}

/// `keys → array`: the names of the values of the thread's current fiber, as symbols.
fn keys(cx: &mut Cx, args: Args) -> R {
    let slot = *locals(cx, args.me());
    keys_of(cx, slot)
}

/// `fetch(key, default = nil) { |key| } → object`: like `[]`; without a value the result of the block for the name,
/// otherwise the default. KeyError without either.
fn fetch(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let locals = *locals(cx, args.me());
    if !locals.is_nil()
        && let Some(v) = keys::get(cx, locals, key.value())?
    {
        return Ok(v);
    }
    let block = args.block(cx);
    if !block.is_none() {
        if args.opt(1).is_some() {
            runtime::warning::warn_here(cx, "block supersedes default value argument")?;
        }
        return call::yield_one(cx, block, args.at(0));
    }
    match args.opt(1) {
        Some(v) => Ok(v),
        None => Err(keys::key_not_found(cx, args.me(), args.at(0))),
    }
}

/// `thread_variable_get(key) → object or nil`: a named value shared by all fibers of the thread.
fn variable_get(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let table = state(cx, args.me()).variables;
    if table.is_nil() { Ok(Value::NIL) } else { Ok(keys::get(cx, table, key.value())?.unwrap_or(Value::NIL)) }
}

/// `thread_variable_set(key, value) → value`: sets a named value shared by all fibers of the thread; nil removes it.
fn variable_set(cx: &mut Cx, args: Args) -> R {
    check_frozen(cx, args.me())?;
    let key = convert::to_symbol(cx, args.at(0))?;
    let slot = state(cx, args.me()).variables;
    let variables = table(cx, slot);
    state(cx, args.me()).variables = variables;
    if args.at(1).is_nil() {
        keys::delete(cx, variables, key.value())?;
    } else {
        keys::store(cx, variables, key.value(), args.at(1))?;
    }
    Ok(args.at(1))
}

/// `thread_variable?(key) → true or false`: whether the fibers of the thread share a value with this name.
fn has_variable(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let table = state(cx, args.me()).variables;
    if table.is_nil() { Ok(Value::FALSE) } else { Ok(Value::bool(keys::get(cx, table, key.value())?.is_some())) }
}

/// `thread_variables → array`: the names of the values shared by all fibers of the thread, as symbols.
fn variables(cx: &mut Cx, args: Args) -> R {
    let slot = state(cx, args.me()).variables;
    keys_of(cx, slot)
}
