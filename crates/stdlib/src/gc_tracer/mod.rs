//! GC::Tracer: a log of the collector, one line per event. Its hooks use only native memory. Child: `log` (the lines).

mod log;

use object::{Known, array::Arr, string::Str};
use runtime::{Args, Cx, Method, R, Value, convert, define, error::ErrorClass, internal, library};

use log::{Log, Settings};

const SINGLETON: &[Method] = &[
    Method::new("__start(file, events, tick, stat, info, usage, fields)", start),
    Method::new("__stop", stop),
    Method::new("__flush", flush),
    Method::new("__change(field, by)", change),
    Method::new("__set(field, value)", set),
    Method::new("__event(name)", event),
];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let gc = library::module(cx, object, "GC")?;
    let module = library::module(cx, gc, "Tracer")?;
    define::define_singleton_methods(cx, module, SINGLETON);
    internal::load(cx, runtime::ruby_half!("gc_tracer/gc_tracer"))
}

/// The current log, if there is one.
fn current(cx: &mut Cx) -> Option<&mut Log> {
    cx.vm_mut().collector.subscriber.as_mut()?.as_any().downcast_mut()
}

fn texts(list: Value) -> Vec<String> {
    Arr::of(list).iter().map(|s| Str::of(s).to_text()).collect()
}

/// `__start(file, events, tick, stat, info, usage, fields) → nil`: from now on writes a line for each of the
/// collector's events, to a file or the standard error output. RuntimeError if it is already started, SystemCallError
/// if the file cannot be opened.
fn start(cx: &mut Cx, args: Args) -> R {
    if current(cx).is_some() {
        return Err(cx.runtime_error("logging is already started"));
    }
    let file = args.non_nil(0).map(|path| Str::of(path).to_text());
    let settings = Settings {
        events: texts(args.at(1)),
        tick: convert::to_i64(cx, args.at(2))?,
        stat: args.at(3).truthy(),
        info: args.at(4).truthy(),
        usage: args.at(5).truthy(),
        fields: texts(args.at(6)),
    };
    let shown = file.clone().unwrap_or_default();
    match Log::open(file.as_deref(), settings, cx.vm().heap) {
        Ok(log) => {
            cx.vm_mut().collector.subscriber = Some(Box::new(log));
            cx.listen_to_collector();
            Ok(Value::NIL)
        }
        Err(error) => {
            let errno = host::Errno(error.raw_os_error().unwrap_or(0));
            Err(cx.system_error(errno, &shown))
        }
    }
}

/// `__stop → nil`: writes buffered output and stops logging.
fn stop(cx: &mut Cx, _: Args) -> R {
    if let Some(log) = current(cx) {
        log.flush();
        cx.vm_mut().collector.subscriber = None;
        cx.listen_to_collector();
    }
    Ok(Value::NIL)
}

/// `__flush → nil`: writes buffered output.
fn flush(cx: &mut Cx, _: Args) -> R {
    if let Some(log) = current(cx) {
        log.flush();
    }
    Ok(Value::NIL)
}

/// A custom field by its number. RuntimeError unless logging has been started.
fn field<'a>(cx: &'a mut Cx, args: Args) -> R<&'a mut i64> {
    let number = convert::to_i64(cx, args.at(0))? as usize;
    if current(cx).is_none_or(|log| log.values.get(number).is_none()) {
        return Err(cx.raise(ErrorClass::RuntimeError, "logging is not started"));
    }
    match current(cx).and_then(|log| log.values.get_mut(number)) {
        Some(field) => Ok(field),
        None => unreachable!("the field was there"),
    }
}

/// `__change(field, by) → integer`: adds `by` to a custom field and returns the sum. RuntimeError unless logging has
/// been started.
fn change(cx: &mut Cx, args: Args) -> R {
    let by = convert::to_i64(cx, args.at(1))?;
    let field = field(cx, args)?;
    *field = field.wrapping_add(by);
    let sum = i128::from(*field);
    Ok(object::bigint::from_i128(cx, sum))
}

/// `__set(field, value) → integer`: sets a custom field. RuntimeError unless logging has been started.
fn set(cx: &mut Cx, args: Args) -> R {
    let value = convert::to_i64(cx, args.at(1))?;
    *field(cx, args)? = value;
    Ok(args.at(1))
}

/// `__event(name) → nil`: writes a line for an event of the program; does nothing unless logging has been started.
fn event(cx: &mut Cx, args: Args) -> R {
    let name = Str::of(args.at(0)).to_text();
    let heap = cx.vm().heap;
    if let Some(log) = current(cx) {
        log.line(&name, heap);
    }
    Ok(Value::NIL)
}
