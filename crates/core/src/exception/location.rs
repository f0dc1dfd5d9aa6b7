//! Thread::Backtrace::Location: one frame of a backtrace as an object.

use abi::{Type, Value};
use heap::Trace;
use object::{
    Known,
    array::Arr,
    cell,
    native::{self, NativeData},
    string::Str,
};
use runtime::{
    Args, Cx, Method, R,
    backtrace::{Backtrace, Location},
    define, make,
};

const METHODS: &[Method] = &[
    Method::new("lineno", lineno),
    Method::new("label", label),
    Method::new("base_label", base_label),
    Method::new("path", path),
    Method::new("absolute_path", absolute_path),
    Method::new("to_s", to_s),
    Method::new("inspect", inspect),
];

const SCOPE: &[Method] = &[Method::new("limit", limit)];

/// One frame of a backtrace.
#[derive(Trace)]
enum Place {
    /// The backtrace, and the index in it.
    In(Value, usize),
    /// The frame alone: programs often ask for their caller only.
    Alone(Location),
}

impl NativeData for Place {
    object::one_vtable!(Place);

    fn sharing(&self) -> object::native::Sharing {
        object::native::Sharing::Always
    }
}

pub fn define(cx: &mut Cx) {
    let (object, thread) = (cx.class(Known::Object), cx.class(Known::Thread));
    let scope = define::define_class(cx, thread, "Backtrace", object);
    let class = define::define_class(cx, scope, "Location", object);
    cx.set_root(runtime::Root::ThreadBacktraceLocation, class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, scope, SCOPE);
    for class in [scope, class] {
        crate::nil_class::without_instances(cx, class);
    }
}

/// `Thread::Backtrace.limit → integer`: the value of the option `--backtrace-limit`, otherwise -1.
fn limit(cx: &mut Cx, _: Args) -> R {
    let limit = cx.vm().options.backtrace_limit;
    Ok(object::bigint::from_i64(cx, limit))
}

/// The frames of a captured backtrace as an Array of locations.
pub fn to_array(cx: &mut Cx, trace: Value) -> Value {
    let count = native::get::<Backtrace>(&trace).map_or(0, |b| b.len());
    let list = make::array(cx, &[]);
    for index in 0..count {
        let location = at(cx, trace, index);
        make::push(cx, list, location);
    }
    list
}

/// The location of one frame of a captured backtrace.
pub fn at(cx: &mut Cx, trace: Value, index: usize) -> Value {
    let class = cx.root(runtime::Root::ThreadBacktraceLocation);
    native::embed(cx, class, Place::In(trace, index))
}

/// The location of a frame that belongs to no captured backtrace.
pub fn alone(cx: &mut Cx, location: Location) -> Value {
    let class = cx.root(runtime::Root::ThreadBacktraceLocation);
    native::embed(cx, class, Place::Alone(location))
}

/// Whether it is an Array of locations only.
pub fn is_list(v: Value) -> bool {
    cell::is(v, Type::Array) && !Arr::of(v).is_empty() && Arr::of(v).iter().all(|l| native::get::<Place>(&l).is_some())
}

/// The lines of a list of locations.
pub fn to_lines(cx: &mut Cx, list: Value) -> Value {
    let lines = make::array(cx, &[]);
    let mut i = 0;
    while let Some(location) = Arr::of(list).get(i) {
        if let Some(place) = get(&location) {
            let text = place.text(cx);
            let line = make::text(cx, &text);
            make::push(cx, lines, line);
        }
        i += 1;
    }
    lines
}

/// The data of a location object.
pub fn get(v: &Value) -> Option<&Location> {
    match native::get::<Place>(v)? {
        Place::In(trace, index) => native::get::<Backtrace>(trace)?.get(*index),
        Place::Alone(location) => Some(location),
    }
}

fn me<'a>(cx: &mut Cx, args: &'a Args) -> R<&'a Location> {
    match get(args.me_ref()) {
        Some(location) => Ok(location),
        None => Err(cx.type_error("uninitialized location")),
    }
}

/// `lineno → integer`: the line, counted from 1 or from the line passed to `eval`.
fn lineno(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(me(cx, &args)?.line() as i64))
}

/// `label → string`: the method with its class, preceded by `block in` etc.
fn label(cx: &mut Cx, args: Args) -> R {
    let text = me(cx, &args)?.label(cx);
    Ok(make::text(cx, &text))
}

/// `base_label → string`: the name of the method alone, without its class and without `block in`.
fn base_label(cx: &mut Cx, args: Args) -> R {
    let text = me(cx, &args)?.base_label(cx);
    Ok(object::string::intern::intern_name(cx, &text))
}

/// `path → string or nil`: the path as passed to the loader; `absolute_path` resolves it. Nil where no Ruby code runs.
fn path(cx: &mut Cx, args: Args) -> R {
    let location = me(cx, &args)?;
    let path = location.has_code().then(|| location.path());
    Ok(path.map_or(Value::NIL, |path| make::interned(cx, path)))
}

/// `absolute_path → string or nil`: the resolved path; nil for code of `eval`.
fn absolute_path(cx: &mut Cx, args: Args) -> R {
    let path = me(cx, &args)?.real_path();
    Ok(path.map_or(Value::NIL, |path| make::interned(cx, path)))
}

/// `to_s → string`: a line of a backtrace: `path:line:in 'label'`.
fn to_s(cx: &mut Cx, args: Args) -> R {
    let text = me(cx, &args)?.text(cx);
    Ok(make::text(cx, &text))
}

/// `inspect → string`: `to_s` in quotes, with escapes as in a literal.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let text = to_s(cx, args)?;
    let mut out = Vec::new();
    let encoding = Str::of(text).encoding();
    text::inspect::inspect(encoding, Str::of(text).bytes(cx), encoding, &mut out);
    Ok(make::string(cx, &out, encoding))
}
