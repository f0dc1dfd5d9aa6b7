//! JSON as in json 2.18: `json/common` and the native parts of `json/ext.rb`. Children: `parser` (the configuration),
//! `reader` (parsing text) with `number` and `known_keys`, `state` (objects of State), `generator` (objects to text),
//! `output` and `escape` (strings to text). Ruby halves: `common` (the module's methods), `options` (conversion of
//! parsed values), `coder`, `deprecated`, `parser`, `state`, `raw_string`.

mod deep;
mod escape;
pub mod generator;
mod known_keys;
mod number;
mod output;
mod parser;
mod reader;
mod state;

use object::{Known, Sym, symbol::table::intern_text};
use runtime::{Cx, R, Unwind, Value, define, error, internal, library, make, ruby_half, warning};

/// The version of json that is implemented: Ruby 4.0's.
const VERSION: &str = "2.18.0";

/// `json/ext`
pub fn define_ext(cx: &mut Cx) -> R<()> {
    crate::require(cx, "json/ext/parser")?;
    crate::require(cx, "json/ext/generator")?;
    internal::load(cx, ruby_half!("json/ext"))
}

/// `json/ext/parser`
pub fn define_parser(cx: &mut Cx) -> R<()> {
    crate::require(cx, "json/common")?;
    let ext = ext(cx)?;
    let object = cx.class(Known::Object);
    let class = library::class(cx, ext, "Parser", object)?;
    define::define_singleton_methods(cx, class, parser::OF_PARSER);
    let class = library::class(cx, ext, "ParserConfig", object)?;
    define::define_methods(cx, class, parser::METHODS);
    define::define_singleton_methods(cx, class, parser::SINGLETON);
    internal::load(cx, ruby_half!("json/parser"))
}

/// `json/version`
pub fn define_version(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let json = library::module(cx, object, "JSON")?;
    let (name, version) = (name(cx, "VERSION"), make::interned(cx, VERSION));
    define::set_constant(cx, json, name, version);
    Ok(())
}

/// `json/common`
pub fn define_common(cx: &mut Cx) -> R<()> {
    crate::require(cx, "json/version")?;
    for half in [
        &ruby_half!("json/common")[..],
        ruby_half!("json/options"),
        ruby_half!("json/coder"),
        ruby_half!("json/deprecated"),
    ] {
        internal::load(cx, half)?;
    }
    Ok(())
}

/// `json/ext/generator/state`
pub fn define_state(cx: &mut Cx) -> R<()> {
    internal::load(cx, ruby_half!("json/state"))
}

/// `json/add/string`
pub fn define_raw_string(cx: &mut Cx) -> R<()> {
    internal::load(cx, ruby_half!("json/raw_string"))
}

/// `json/ext/generator`
pub fn define_generator(cx: &mut Cx) -> R<()> {
    crate::require(cx, "json/common")?;
    let ext = ext(cx)?;
    let object = cx.class(Known::Object);
    let module = library::module(cx, ext, "Generator")?;
    let class = library::class(cx, module, "State", object)?;
    cx.set_root(runtime::Root::JsonState, class);
    define::define_methods(cx, class, state::METHODS);
    define::define_singleton_methods(cx, class, state::SINGLETON);
    define::synonyms(
        cx,
        class,
        &[("strict", "strict?"), ("script_safe", "script_safe?"), ("escape_slash", "script_safe?")],
    );
    define::aliases(cx, class, &[("escape_slash?", "script_safe?"), ("escape_slash=", "script_safe=")]);
    let methods = library::module(cx, module, "GeneratorMethods")?;
    for name in ["Array", "Hash", "Integer", "Float", "String", "TrueClass", "FalseClass", "NilClass", "Object"] {
        let module = library::module(cx, methods, name)?;
        define::define_methods(cx, module, if name == "Object" { generator::OF_OBJECT } else { generator::OF_VALUES });
    }
    crate::require(cx, "json/ext/generator/state")
}

/// The module JSON.
fn json(cx: &mut Cx) -> R {
    library::loaded(cx, &["JSON"])
}

fn ext(cx: &mut Cx) -> R {
    let json = json(cx)?;
    library::module(cx, json, "Ext")
}

fn name(cx: &mut Cx, text: &str) -> Sym {
    intern_text(cx, text)
}

/// One of JSON's own error classes, from the library's `json/common.rb`.
fn error_class(cx: &mut Cx, class: &str) -> R {
    library::error_class(cx, &["JSON", class])
}

/// A JSON::GeneratorError about an object.
fn generator_error(cx: &mut Cx, message: Value, about: Value) -> Unwind {
    library::raise(cx, &["JSON", "GeneratorError"], &[message, about])
}

/// A JSON::ParserError, JSON::NestingError, …
fn json_error(cx: &mut Cx, class: &str, message: &[u8]) -> Unwind {
    let message = make::string(cx, message, text::EncodingId::UTF_8);
    match error_class(cx, class) {
        Ok(class) => {
            let exception = error::new_exception(cx, class, message);
            error::raise_exception(cx, exception)
        }
        Err(unwind) => unwind,
    }
}

/// A JSON::ParserError with its position.
fn parser_error(cx: &mut Cx, message: &str, line: i64, column: i64) -> Unwind {
    let class = match error_class(cx, "ParserError") {
        Ok(class) => class,
        Err(unwind) => return unwind,
    };
    let message = make::string(cx, message.as_bytes(), text::EncodingId::UTF_8);
    let exception = error::new_exception(cx, class, message);
    for (variable, number) in [("@line", line), ("@column", column)] {
        let variable = name(cx, variable);
        object::shape::ivars::set(cx, exception, variable, Value::fixnum(number));
    }
    error::raise_exception(cx, exception)
}

/// TypeError "wrong argument type Integer (expected String)".
fn wrong_type(cx: &mut Cx, v: Value, expected: &str) -> Unwind {
    let class = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("wrong argument type {class} (expected {expected})"))
}

/// A warning that is only shown with `-W:deprecated`.
fn deprecated(cx: &mut Cx, text: &str) -> R<()> {
    warning::warn_deprecated(cx, text)
}
