//! Ractor-local values by name.

use object::hash::HashRef;
use runtime::{Args, Cx, Known, Method, R, Value, call, concurrency::ractor, convert, error::ErrorClass, keys, sym};

use crate::mutex;

pub const METHODS: &[Method] = &[Method::new("[](sym)", get_own), Method::new("[]=(sym, val)", set_own)];

pub const SINGLETON: &[Method] = &[
    Method::new("[](sym)", get),
    Method::new("[]=(sym, val)", set),
    Method::new("store_if_absent(sym)", store_if_absent),
];

/// The value under a name.
fn find(cx: &mut Cx, name: Value) -> R<Option<Value>> {
    let own = cx.ractor;
    let locals = ractor::state(cx, own).locals;
    if locals.is_nil() { Ok(None) } else { keys::get(cx, locals, name) }
}

fn store(cx: &mut Cx, name: Value, value: Value) -> R<()> {
    let own = cx.ractor;
    let mut locals = ractor::state(cx, own).locals;
    if locals.is_nil() {
        locals = HashRef::new(cx).value();
        ractor::state(cx, own).locals = locals;
    }
    keys::store(cx, locals, name, value)
}

/// `Ractor.[](sym) → object or nil`: the running Ractor's value with a name.
fn get(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_symbol(cx, args.at(0))?;
    Ok(find(cx, name.value())?.unwrap_or(Value::NIL))
}

/// `Ractor.[]=(sym, val) → value`: sets the running Ractor's value with a name; no other Ractor sees it.
fn set(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_symbol(cx, args.at(0))?;
    store(cx, name.value(), args.at(1))?;
    Ok(args.at(1))
}

/// `[](sym) → object or nil`: the Ractor's value with a name. RuntimeError unless it is the running one.
fn get_own(cx: &mut Cx, args: Args) -> R {
    if args.me() != cx.ractor {
        return Err(cx.raise(ErrorClass::RuntimeError, "Cannot get ractor local storage for non-current ractor"));
    }
    get(cx, args)
}

/// `[]=(sym, val) → value`: sets the running Ractor's value with a name; RuntimeError for others.
fn set_own(cx: &mut Cx, args: Args) -> R {
    if args.me() != cx.ractor {
        return Err(cx.raise(ErrorClass::RuntimeError, "Cannot set ractor local storage for non-current ractor"));
    }
    set(cx, args)
}

/// `Ractor.store_if_absent(sym) → object`: the running Ractor's value with a name; if there is none, the result of the
/// block, which only one of several threads runs.
fn store_if_absent(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_symbol(cx, args.at(0))?;
    if let Some(value) = find(cx, name.value())? {
        return Ok(value);
    }
    let own = cx.ractor;
    let mut guard = ractor::state(cx, own).locals_mutex;
    if guard.is_nil() {
        let class = cx.class(Known::Mutex);
        guard = call::send(cx, class, sym::NEW, &[])?;
        ractor::state(cx, own).locals_mutex = guard;
    }
    mutex::lock_mutex(cx, guard)?;
    let block = args.block(cx);
    let result = match find(cx, name.value()) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => {
            call::yield_one(cx, block, Value::NIL).and_then(|value| store(cx, name.value(), value).map(|()| value))
        }
        Err(unwind) => Err(unwind),
    };
    mutex::unlock_mutex(cx, guard)?;
    result
}
