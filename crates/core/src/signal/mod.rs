//! Signal: names and numbers of signals, handlers.

use host::signal::Disposition;
use object::{hash::HashRef, string::Str};
use runtime::{Args, Cx, Method, R, Value, call, concurrency::signals, convert, define, keys, make, sym};

const METHODS: &[Method] =
    &[Method::new("list", list), Method::new("signame(number)", signame), Method::new("__trap(number, handler)", trap)];

pub fn define(cx: &mut Cx) {
    let module = define::class_or_module_named(cx, "Signal");
    define::define_singleton_methods(cx, module, METHODS);
    let handlers = HashRef::new(cx).0;
    cx.set_root("signal handlers", handlers);
    signals::listen(cx);
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

/// `Signal.__trap(number, handler) → the handler before`: a Proc, or a String that names what the system does.
fn trap(cx: &mut Cx, args: Args) -> R {
    let number = convert::to_i32(cx, args.at(0))?;
    let handler = args.at(1);
    let wanted = match Str::from_value(handler).map(|s| s.bytes().to_vec()).as_deref() {
        Some(b"DEFAULT" | b"SIG_DFL" | b"SYSTEM_DEFAULT") => Disposition::Default,
        Some(b"IGNORE" | b"SIG_IGN" | b"") => Disposition::Ignore,
        _ if handler.is_nil() => Disposition::Ignore,
        _ => Disposition::Record,
    };
    if number != 0
        && let Err(errno) = host::signal::set_disposition(number, wanted)
    {
        return Err(cx.system_error(errno, ""));
    }
    let handlers = cx.root("signal handlers");
    let key = Value::fixnum(number as i64);
    let old = keys::get(cx, handlers, key)?;
    keys::store(cx, handlers, key, handler)?;
    Ok(match old {
        Some(old) => old,
        None => make::text(cx, "DEFAULT"),
    })
}

/// Calls the handlers of the signals that came.
pub fn run_handlers(cx: &mut Cx) -> R<()> {
    while let Some(number) = host::signal::take_pending() {
        let handlers = cx.root("signal handlers");
        let key = Value::fixnum(number as i64);
        if let Some(handler) = keys::get(cx, handlers, key)?
            && call::responds(cx, handler, sym::CALL, false)?
        {
            call::send(cx, handler, sym::CALL, &[key])?;
        }
    }
    Ok(())
}
