//! JSON::Ext::ParserConfig: the configuration of parsing.

use abi::Type;
use heap::Trace;
use object::{
    Sym, cell, class,
    hash::HashRef,
    native::{self, NativeData, Sharing},
    string::Str,
};
use runtime::{Args, Cx, Method, R, Value, call, convert, define, error::OrRaise, library, make};
use text::EncodingId;

use super::{name, reader, wrong_type};

pub const METHODS: &[Method] =
    &[Method::new("initialize(options)", initialize).private(), Method::new("parse(source)", parse).borrows(0)];

pub const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

pub const OF_PARSER: &[Method] = &[Method::new("parse(source, options)", parse_once).borrows(0)];

/// The treatment of duplicate keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    Warn,
    Ignore,
    Refuse,
}

/// The configuration of the parser.
#[derive(Clone, Copy, Trace)]
pub struct Config {
    /// 0 means no limit.
    pub max_nesting: i64,
    pub allow_nan: bool,
    pub allow_trailing_comma: bool,
    pub allow_control_characters: bool,
    pub symbolize_names: bool,
    pub freeze: bool,
    #[trace(skip)]
    pub duplicates: Duplicates,
    /// A Proc that converts each value.
    pub on_load: Value,
    /// The class and method that create numbers with a fraction or an exponent.
    pub decimal: Option<(Value, Sym)>,
}

impl Config {
    const NEW: Config = Config {
        max_nesting: 100,
        allow_nan: false,
        allow_trailing_comma: false,
        allow_control_characters: false,
        symbolize_names: false,
        freeze: false,
        duplicates: Duplicates::Warn,
        on_load: Value::NIL,
        decimal: None,
    };
}

impl NativeData for Config {
    object::one_vtable!(Config);

    fn sharing(&self) -> Sharing {
        Sharing::WhenFrozen
    }
}

/// `allocate → config`: the defaults, which `initialize` changes by its options.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(Config::NEW)))
}

/// `JSON::ParserConfig.new(options)`: sets the options of `parse`: `symbolize_names`, `max_nesting`, `allow_nan` and
/// others. TypeError or ArgumentError for wrong values.
fn initialize(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let configured = configured(cx, args.at(0))?;
    if let Some(config) = native::get_mut::<Config>(cx, args.me()) {
        *config = configured;
    }
    Ok(args.me())
}

/// `parse(source) → object`: the value of a JSON text. ParserError for invalid JSON, NestingError beyond `max_nesting`.
/// RFC 8259.
fn parse(cx: &mut Cx, args: Args) -> R {
    let source = in_utf_8(cx, args.at(0))?;
    match native::get::<Config>(&args.me()) {
        Some(config) => reader::read(cx, source, *config),
        None => Err(cx.type_error("uninitialized instance")),
    }
}

/// `JSON::Parser.parse(source, options) → object`: `new` and `parse` in one, without creating an object.
fn parse_once(cx: &mut Cx, args: Args) -> R {
    let source = in_utf_8(cx, args.at(0))?;
    let config = configured(cx, args.at(1))?;
    reader::read(cx, source, config)
}

/// The text in UTF-8, protected from changes: a copy that shares its bytes.
fn in_utf_8(cx: &mut Cx, source: Value) -> R {
    let source = convert::to_str(cx, source)?;
    match source.encoding() {
        EncodingId::UTF_8 => Ok(source.dup(cx).value()),
        EncodingId::BINARY => Ok(source.copied(cx, 0..source.len(), EncodingId::UTF_8).or_raise(cx)?.value()),
        _ => {
            let utf_8 = core_classes::encoding::object(cx, EncodingId::UTF_8);
            let encode = name(cx, "encode");
            let answer = call::send(cx, source.value(), encode, &[utf_8])?;
            convert::to_str(cx, answer).map(Str::value)
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
    while let Some((next, key, v)) = HashRef::of(options).next(at) {
        at = next;
        let Some(key) = Sym::from_value(key) else { continue };
        match key.bytes(cx) {
            b"max_nesting" => config.max_nesting = if v.truthy() { convert::to_i64(cx, v)? } else { 0 },
            b"allow_nan" => config.allow_nan = v.truthy(),
            b"allow_trailing_comma" => config.allow_trailing_comma = v.truthy(),
            b"allow_control_characters" => config.allow_control_characters = v.truthy(),
            b"symbolize_names" => config.symbolize_names = v.truthy(),
            b"freeze" => config.freeze = v.truthy(),
            b"on_load" => config.on_load = if v.truthy() { v } else { Value::NIL },
            b"allow_duplicate_key" => {
                config.duplicates = if v.truthy() { Duplicates::Ignore } else { Duplicates::Refuse };
            }
            b"decimal_class" => config.decimal = decimal(cx, v)?,
            _ => {}
        }
    }
    Ok(config)
}

/// The way in which a class creates numbers: by `try_convert`, `new`, or the Kernel method of its name (Float,
/// BigDecimal).
fn decimal(cx: &mut Cx, class: Value) -> R<Option<(Value, Sym)>> {
    if !class.truthy() {
        return Ok(None);
    }
    for method in ["try_convert", "new"] {
        let method = name(cx, method);
        if call::responds(cx, class, method, false)? {
            return Ok(Some((class, method)));
        }
    }
    if !class::is_class(class) {
        return Ok(None);
    }
    let path = define::class_name(cx, class);
    let (scope, method) = match path.rsplit_once("::") {
        Some((scope, method)) => {
            let object = cx.class(object::Known::Object);
            let (scope, const_get) = (make::text(cx, scope), name(cx, "const_get"));
            (call::send(cx, object, const_get, &[scope])?, method)
        }
        None => (library::loaded(cx, &["Kernel"])?, path.as_str()),
    };
    Ok(Some((scope, name(cx, method))))
}
