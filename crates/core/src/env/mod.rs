//! ENV: the environment variables, with the interface of a Hash.

use object::{hash::HashRef, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Known, Method, R, Value, call, convert, define, internal, keys, make};

use crate::string::encodings::encoded_by;

const METHODS: &[Method] = &[
    Method::new("[](name)", get).borrows(0),
    Method::new("[]=(name, value)", set).borrows(0),
    Method::new("delete(name)", delete).borrows(0),
    Method::new("fetch(name, default = nil) { |name| }", fetch).borrows(0).shortcut(),
    Method::new("key?(name)", has_key).borrows(0),
    Method::new("__all", all).private(),
    // For the Ruby half: an error is one of its method, without a line for the helper.
    Method::new("__get(name)", get).borrows(0).private(),
    Method::new("__set(name, value)", set).borrows(0).private(),
    Method::new("__delete(name)", delete).borrows(0).private(),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let new = intern_text(cx, "new");
    let env = call::send(cx, object, new, &[]).expect("an object");
    let singleton = object::class::singleton_class(cx, env);
    define::define_methods(cx, singleton, METHODS);
    define::synonyms(
        cx,
        singleton,
        &[("store", "[]="), ("include?", "key?"), ("has_key?", "key?"), ("member?", "key?")],
    );
    let name = intern_text(cx, "ENV");
    // ENV is shared by all Ractors, because it only changes the process.
    object::cell::set_header(env, object::cell::header(env).with(abi::Flags::SHAREABLE));
    define::set_constant(cx, object, name, env);
}

/// The Ruby half.
pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("env/env")).expect("the Ruby half of ENV runs");
}

/// A name or value: a String without null bytes.
fn text_of(cx: &mut Cx, v: Value, what: &str) -> R<Vec<u8>> {
    let s = convert::to_str(cx, v)?;
    if !s.encoding().is_ascii_compatible() {
        let name = s.encoding().name();
        return Err(cx.argument_error(&format!("bad environment variable {what}: ASCII incompatible encoding: {name}")));
    }
    let bytes = s.to_vector();
    if bytes.contains(&0) {
        return Err(cx.argument_error(&format!("bad environment variable {what}: contains null byte")));
    }
    Ok(bytes)
}

/// A variable's text: frozen, in the locale's encoding, or in the default internal one if it can be converted.
fn string(cx: &mut Cx, bytes: &[u8]) -> Value {
    let s = make::string(cx, bytes, crate::encoding::locale());
    let internal = cx.vm().default_internal;
    let converted = internal.map(|internal| encoded_by(cx, Str::of(s), internal, Value::NIL));
    let s = converted.and_then(Result::ok).unwrap_or(s);
    Str::of(s).freeze();
    s
}

/// `ENV.[](name) → string or nil`: the value of an environment variable, a frozen String. TypeError unless the name is
/// a String or has `to_str`.
fn get(cx: &mut Cx, args: Args) -> R {
    let name = text_of(cx, args.at(0), "name")?;
    Ok(match host::environment::get(&name) {
        Some(value) => string(cx, &value),
        None => Value::NIL,
    })
}

/// `ENV.fetch(name)` of an existing variable; the Ruby half handles defaults and the KeyError.
fn fetch(cx: &mut Cx, args: Args) -> R {
    let v = get(cx, args)?;
    Ok(if v.is_nil() { Value::UNDEF } else { v })
}

/// `ENV.key?(name) → true or false`: whether a variable of that name exists, even an empty one. Aliases: `include?`,
/// `has_key?`, `member?`. TypeError unless the name is a String or has `to_str`.
fn has_key(cx: &mut Cx, args: Args) -> R {
    let name = text_of(cx, args.at(0), "name")?;
    Ok(Value::bool(host::environment::get(&name).is_some()))
}

/// `ENV[name] = value`, `ENV.store(name, value)`: sets an environment variable, which child processes inherit; nil
/// removes it. TypeError for other objects, SystemCallError (EINVAL) for an empty name or one with `=`.
fn set(cx: &mut Cx, args: Args) -> R {
    let name = text_of(cx, args.at(0), "name")?;
    if args.at(1).is_nil() {
        let _ = host::environment::remove(&name);
        return Ok(Value::NIL);
    }
    let value = text_of(cx, args.at(1), "value")?;
    if let Err(errno) = host::environment::set(&name, &value) {
        let shown = memory::lossy_text(&name);
        return Err(cx.system_error(errno, &format!("setenv({shown})")));
    }
    Ok(args.at(1))
}

/// `ENV.delete(name) → string or nil`: removes a variable and returns its value. If there is none, returns the block's
/// result for the name, or nil without a block.
fn delete(cx: &mut Cx, args: Args) -> R {
    let name = text_of(cx, args.at(0), "name")?;
    let old = host::environment::get(&name);
    match old {
        Some(old) => {
            let _ = host::environment::remove(&name);
            Ok(string(cx, &old))
        }
        None => {
            let block = args.block(cx);
            if block.is_none() { Ok(Value::NIL) } else { call::yield_one(cx, block, args.at(0)) }
        }
    }
}

/// `ENV.__all → hash`: all environment variables, for the methods of the Ruby half.
fn all(cx: &mut Cx, _: Args) -> R {
    let all = host::environment::all();
    let hash = HashRef::new(cx).value();
    for (name, value) in all {
        let (name, value) = (string(cx, &name), string(cx, &value));
        keys::store(cx, hash, name, value)?;
    }
    Ok(hash)
}
