//! The keywords of `Prism.parse` and the others.

use abi::Type;
use memory::ToVector;
use object::{Sym, array::Arr, cell, class, hash::HashRef, string::Str};
use runtime::{Cx, R, Value, convert};
use syntax::{Options, Scope, options as versions};

/// Options from keywords: ArgumentError for unknown ones and for values out of their range, TypeError for the wrong
/// class.
pub fn read(cx: &mut Cx, keywords: Option<Value>) -> R<Options> {
    let mut options = Options::default();
    let Some(keywords) = keywords else { return Ok(options) };
    let mut position = 0;
    while let Some((at, key, value)) = HashRef::of(keywords).next(position) {
        position = at;
        let name = Sym::from_value(key).map(|name| name.to_text(cx)).unwrap_or_default();
        if !set(cx, &mut options, &name, value)? {
            return Err(cx.argument_error(&format!("unknown keyword: {name}")));
        }
    }
    Ok(options)
}

/// Sets one option; false for an unknown one.
fn set(cx: &mut Cx, options: &mut Options, name: &str, value: Value) -> R<bool> {
    const NAMES: [&str; 9] = [
        "filepath", "encoding", "line", "frozen_string_literal", "version", "scopes", "command_line", "main_script",
        "partial_script",
    ];
    if !NAMES.contains(&name) {
        return Ok(false);
    }
    if value.is_nil() {
        return Ok(true);
    }
    match name {
        "filepath" => options.filepath = string(cx, value)?.to_vector(),
        "encoding" if value == Value::FALSE => options.encoding_locked = true,
        "encoding" => options.encoding = core_classes::encoding::from_value(cx, value)?.name().as_bytes().to_vector(),
        "line" => options.line = convert::to_i32(cx, value)?,
        "frozen_string_literal" => options.frozen_string_literal = Some(value.truthy()),
        "version" => options.version = version(cx, value)?,
        "scopes" => options.scopes = scopes(cx, value)?,
        "command_line" => options.command_line = command_line(cx, value)?,
        "main_script" => options.main_script = value.truthy(),
        _ => options.partial_script = value.truthy(),
    }
    Ok(true)
}

/// A String: TypeError "wrong argument type Integer (expected String)", without conversion.
pub fn string(cx: &mut Cx, v: Value) -> R<Str> {
    expect(cx, v, Type::String, "String")?;
    Ok(Str::of(v))
}

fn expect(cx: &mut Cx, v: Value, ty: Type, name: &str) -> R<()> {
    if cell::is(v, ty) {
        return Ok(());
    }
    let class = class::real_class(cx, v);
    let given = runtime::define::class_name(cx, class);
    Err(cx.type_error(&format!("wrong argument type {given} (expected {name})")))
}

/// "3.3", "3.4.1", "4.0", "latest", "current": the last two are the version that Beni implements.
fn version(cx: &mut Cx, v: Value) -> R<u8> {
    let text = string(cx, v)?.to_vector();
    let of = |release: &[u8]| {
        let rest = text.strip_prefix(release)?;
        let patch = rest.strip_prefix(b".").unwrap_or(b"0");
        (rest.is_empty() || !patch.is_empty() && patch.iter().all(u8::is_ascii_digit)).then_some(())
    };
    let known: [(&[u8], u8); 5] = [
        (b"3.3", versions::RUBY_3_3),
        (b"3.4", versions::RUBY_3_4),
        (b"3.5", versions::RUBY_4_0),
        (b"4.0", versions::RUBY_4_0),
        (b"4.1", versions::RUBY_4_1),
    ];
    if matches!(&text[..], b"latest" | b"current") {
        return Ok(versions::RUBY_4_0);
    }
    match known.into_iter().find(|(release, _)| of(release).is_some()) {
        Some((_, version)) => Ok(version),
        None => Err(cx.argument_error(&format!("invalid version: {}", memory::lossy_text(&text)))),
    }
}

/// The letters of switches.
fn command_line(cx: &mut Cx, v: Value) -> R<u8> {
    let letters = string(cx, v)?.to_vector();
    let mut bits = 0;
    for letter in letters {
        match b"aelnpx".iter().position(|known| *known == letter) {
            Some(bit) => bits |= 1 << bit,
            None => {
                let message = format!("invalid command line flag: '{}'", char::from(letter));
                return Err(cx.argument_error(&message));
            }
        }
    }
    Ok(bits)
}

/// An Array of scopes: Arrays of Symbols, or objects of `Prism::Scope` if the library has that class.
fn scopes(cx: &mut Cx, v: Value) -> R<Vec<Scope>> {
    expect(cx, v, Type::Array, "Array")?;
    let mut scopes = Vec::new();
    for at in 0..Arr::of(v).len() {
        let Some(scope) = Arr::of(v).get(at) else { break };
        scopes.push(if cell::is(scope, Type::Array) {
            Scope { locals: locals(cx, scope)?, forwarding: 0 }
        } else {
            given(cx, scope)?
        });
    }
    Ok(scopes)
}

fn locals(cx: &mut Cx, list: Value) -> R<Vec<Vec<u8>>> {
    expect(cx, list, Type::Array, "Array")?;
    let mut locals = Vec::new();
    for local in Arr::of(list).iter() {
        match Sym::from_value(local) {
            Some(name) => locals.push(name.to_text(cx).as_bytes().to_vector()),
            None => return Err(wrong_symbol(cx, local)),
        }
    }
    Ok(locals)
}

/// The contents of a `Prism::Scope`.
fn given(cx: &mut Cx, scope: Value) -> R<Scope> {
    let prism = cx.root(runtime::Root::Prism);
    let name = object::symbol::table::intern_text(cx, "Scope");
    let class = runtime::constants::own_value(cx, prism, name)?;
    if !class.is_some_and(|class| class::is_a(cx, scope, class)) {
        expect(cx, scope, Type::Array, "Array")?;
    }
    let name = object::symbol::table::intern_text(cx, "locals");
    let list = runtime::call::send(cx, scope, name, &[])?;
    let locals = locals(cx, list)?;
    let name = object::symbol::table::intern_text(cx, "forwarding");
    let list = runtime::call::send(cx, scope, name, &[])?;
    expect(cx, list, Type::Array, "Array")?;
    let mut forwarding = 0;
    for at in 0..Arr::of(list).len() {
        let Some(word) = Arr::of(list).get(at).and_then(Sym::from_value) else { continue };
        let word = word.to_text(cx);
        match ["*", "**", "&", "..."].iter().position(|known| *known == word) {
            Some(bit) => forwarding |= 1 << bit,
            None => return Err(cx.argument_error(&format!("invalid forwarding value: {word}"))),
        }
    }
    Ok(Scope { locals, forwarding })
}

fn wrong_symbol(cx: &mut Cx, v: Value) -> runtime::Unwind {
    let class = class::real_class(cx, v);
    let given = runtime::define::class_name(cx, class);
    cx.type_error(&format!("wrong argument type {given} (expected Symbol)"))
}
