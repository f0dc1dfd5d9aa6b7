//! JSON::Parser: its options, and objects around a text.

use abi::Type;
use heap::Marker;
use object::{
    cell,
    hash::HashRef,
    native::{self, NativeData, Visit},
    string::Str,
};
use runtime::{Args, Cx, Method, R, Value, call, convert, make::OrRaise};
use text::EncodingId;

use super::{json, name, reader, wrong_type};

pub const METHODS: &[Method] = &[
    Method::new("initialize(source, options = {})", initialize).private(),
    Method::new("source", source),
    Method::new("parse", parse),
];

pub const SINGLETON: &[Method] =
    &[Method::new("allocate", allocate), Method::new("parse(source, options)", parse_once)];

/// How to parse.
#[derive(Clone, Copy)]
pub struct Config {
    /// 0: no bound.
    pub max_nesting: i64,
    pub allow_nan: bool,
    pub allow_trailing_comma: bool,
    pub symbolize_names: bool,
    pub freeze: bool,
    pub create_additions: bool,
    /// Objects are created although nobody asked for it: JSON.load of old.
    pub implicit_additions: bool,
    pub create_id: Value,
    pub object_class: Value,
    pub array_class: Value,
    pub decimal_class: Value,
    pub match_string: Value,
}

impl Config {
    const NEW: Config = Config {
        max_nesting: 100,
        allow_nan: false,
        allow_trailing_comma: false,
        symbolize_names: false,
        freeze: false,
        create_additions: false,
        implicit_additions: false,
        create_id: Value::NIL,
        object_class: Value::NIL,
        array_class: Value::NIL,
        decimal_class: Value::NIL,
        match_string: Value::NIL,
    };
}

/// A parser and its text.
struct Parser {
    source: Value,
    config: Config,
}

impl NativeData for Parser {
    fn trace(&mut self, marker: &mut Marker) {
        let config = &mut self.config;
        for slot in [
            &mut self.source,
            &mut config.create_id,
            &mut config.object_class,
            &mut config.array_class,
            &mut config.decimal_class,
            &mut config.match_string,
        ] {
            marker.visit(slot);
        }
    }
}

fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(Parser { source: Value::NIL, config: Config::NEW })))
}

/// `Parser.new(source, options = {})`
fn initialize(cx: &mut Cx, args: Args) -> R {
    let source = in_utf_8(cx, args.at(0))?;
    let config = configured(cx, args.opt(1).unwrap_or(Value::NIL))?;
    if let Some(parser) = native::get_mut::<Parser>(cx, args.me()) {
        *parser = Parser { source, config };
    }
    Ok(args.me())
}

fn of(cx: &mut Cx, args: Args) -> R<&'static mut Parser> {
    match native::get_mut::<Parser>(cx, args.me()) {
        Some(parser) if !parser.source.is_nil() => Ok(parser),
        _ => Err(cx.type_error("uninitialized instance")),
    }
}

/// `source → string`
fn source(cx: &mut Cx, args: Args) -> R {
    let source = of(cx, args)?.source;
    Ok(Str(source).dup(cx).0)
}

/// `parse → object`
fn parse(cx: &mut Cx, args: Args) -> R {
    let parser = of(cx, args)?;
    let (source, config) = (parser.source, parser.config);
    reader::read(cx, source, config)
}

/// `Parser.parse(source, options) → object`
fn parse_once(cx: &mut Cx, args: Args) -> R {
    let source = in_utf_8(cx, args.at(0))?;
    let config = configured(cx, args.at(1))?;
    reader::read(cx, source, config)
}

/// The text in UTF-8, and safe from changes: a copy that shares its bytes.
fn in_utf_8(cx: &mut Cx, source: Value) -> R {
    let source = convert::to_str(cx, source)?;
    match Str(source).encoding() {
        EncodingId::UTF_8 => Ok(Str(source).dup(cx).0),
        EncodingId::BINARY => Ok(Str::new(cx, Str(source).bytes(), EncodingId::UTF_8).or_raise(cx)?.0),
        _ => {
            let utf_8 = core_classes::encoding::object(cx, EncodingId::UTF_8);
            let encode = name(cx, "encode");
            call::send(cx, source, encode, &[utf_8])
        }
    }
}

fn configured(cx: &mut Cx, options: Value) -> R<Config> {
    let mut config = Config::NEW;
    if options.is_nil() {
        return Ok(config);
    }
    if !cell::is(options, Type::Hash) {
        return Err(wrong_type(cx, options, "Hash"));
    }
    let mut at = 0;
    while let Some((next, key, v)) = HashRef(options).next(at) {
        at = next;
        let Some(key) = object::Sym::from_value(key) else { continue };
        match key.bytes(cx) {
            b"max_nesting" => config.max_nesting = if v.truthy() { convert::to_i64(cx, v)? } else { 0 },
            b"allow_nan" => config.allow_nan = v.truthy(),
            b"allow_trailing_comma" => config.allow_trailing_comma = v.truthy(),
            b"symbolize_names" => config.symbolize_names = v.truthy(),
            b"freeze" => config.freeze = v.truthy(),
            b"create_id" => config.create_id = v,
            b"object_class" => config.object_class = v,
            b"array_class" => config.array_class = v,
            b"decimal_class" => config.decimal_class = v,
            b"match_string" => config.match_string = v,
            b"create_additions" => {
                config.implicit_additions = v.is_nil();
                config.create_additions = v.is_nil() || v.truthy();
            }
            _ => {}
        }
    }
    if config.symbolize_names && config.create_additions {
        return Err(cx.argument_error("options :symbolize_names and :create_additions cannot be  used in conjunction"));
    }
    if config.create_additions && config.create_id.is_nil() {
        let json = json(cx);
        let create_id = name(cx, "create_id");
        config.create_id = call::send(cx, json, create_id, &[])?;
    }
    Ok(config)
}
