//! Signal: names and numbers of signals.

use object::hash::HashRef;
use runtime::{Args, Cx, Method, R, Value, convert, define, keys, make};

const METHODS: &[Method] = &[Method::new("list", list), Method::new("signame(number)", signame)];

pub fn define(cx: &mut Cx) {
    let module = define::class_or_module_named(cx, "Signal");
    define::define_singleton_methods(cx, module, METHODS);
}

/// `Signal.list → {"EXIT" => 0, …}`
fn list(cx: &mut Cx, _: Args) -> R {
    let hash = HashRef::new(cx).0;
    for (name, number) in host::signal::SIGNALS {
        let name = make::text(cx, name);
        keys::store(cx, hash, name, Value::fixnum(*number as i64))?;
    }
    Ok(hash)
}

/// `Signal.signame(number) → name or nil`
fn signame(cx: &mut Cx, args: Args) -> R {
    let number = convert::to_i32(cx, args.at(0))?;
    Ok(host::signal::name(number).map_or(Value::NIL, |name| make::text(cx, name)))
}
