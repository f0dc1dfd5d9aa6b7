//! JSON::State: the configuration of generating.

use std::sync::{Arc, LazyLock};

use abi::Type;
use heap::Trace;
use memory::ToVector;
use object::{
    cell,
    hash::HashRef,
    native::{self, NativeData, Sharing},
    string::Str,
};
use runtime::{Args, Cx, Method, R, Value, call, convert, error::ErrorClass, make, sym};
use text::EncodingId;

use super::{escape::Escapes, generator, name, parser::Duplicates, wrong_type};

pub const METHODS: &[Method] = &[
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("_configure(options)", configure_with).private(),
    Method::new("generate(object, io = nil)", generate_with),
    Method::new("allow_duplicate_key?", allows_duplicates).private(),
    Method::new("as_json", as_json),
    Method::new("as_json=(proc)", set_as_json),
    Method::new("indent", indent),
    Method::new("indent=(text)", set_indent),
    Method::new("space", space),
    Method::new("space=(text)", set_space),
    Method::new("space_before", space_before),
    Method::new("space_before=(text)", set_space_before),
    Method::new("object_nl", object_nl),
    Method::new("object_nl=(text)", set_object_nl),
    Method::new("array_nl", array_nl),
    Method::new("array_nl=(text)", set_array_nl),
    Method::new("max_nesting", max_nesting),
    Method::new("max_nesting=(depth)", set_max_nesting),
    Method::new("check_circular?", checks_circular),
    Method::new("allow_nan?", allow_nan),
    Method::new("allow_nan=(flag)", set_allow_nan),
    Method::new("ascii_only?", ascii_only),
    Method::new("ascii_only=(flag)", set_ascii_only),
    Method::new("script_safe?", script_safe),
    Method::new("script_safe=(flag)", set_script_safe),
    Method::new("strict?", strict),
    Method::new("strict=(flag)", set_strict),
    Method::new("depth", depth),
    Method::new("depth=(depth)", set_depth),
    Method::new("buffer_initial_length", buffer_initial_length),
    Method::new("buffer_initial_length=(length)", set_buffer_initial_length),
];

pub const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("from_state(options)", from_state),
    Method::new("generate(object, options, io)", generate_once),
    Method::new("_generate_pretty(object)", generate_pretty).private(),
];

#[derive(Clone)]
pub struct Config {
    pub indent: Vec<u8>,
    pub space: Vec<u8>,
    pub space_before: Vec<u8>,
    pub object_nl: Vec<u8>,
    pub array_nl: Vec<u8>,
    /// 0 means no limit.
    pub max_nesting: i64,
    pub allow_nan: bool,
    pub strict: bool,
    pub escapes: Escapes,
    pub duplicates: Duplicates,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            indent: Vec::new(),
            space: Vec::new(),
            space_before: Vec::new(),
            object_nl: Vec::new(),
            array_nl: Vec::new(),
            max_nesting: 100,
            allow_nan: false,
            strict: false,
            escapes: Escapes::default(),
            duplicates: Duplicates::Warn,
        }
    }
}

/// The configuration of `generate` without options.
static PLAIN: LazyLock<Arc<Config>> = LazyLock::new(Arc::default);
/// The configuration of `pretty_generate` without options.
static PRETTY: LazyLock<Arc<Config>> = LazyLock::new(|| {
    let [indent, space, line] = [&b"  "[..], b" ", b"\n"].map(|text| text.to_vector());
    Arc::new(Config { indent, space, object_nl: line.clone(), array_nl: line, ..Config::default() })
});

#[derive(Clone, Trace)]
pub struct State {
    /// Shared with the run of the generator that uses it.
    #[trace(skip)]
    pub config: Arc<Config>,
    pub depth: i64,
    /// A Proc, or nil.
    pub as_json: Value,
    pub buffer_initial_length: i64,
}

impl State {
    pub fn new(config: Arc<Config>) -> State {
        State { config, depth: 0, as_json: Value::NIL, buffer_initial_length: 1024 }
    }

    fn config_mut(&mut self) -> &mut Config {
        Arc::make_mut(&mut self.config)
    }
}

impl NativeData for State {
    object::one_vtable!(State);

    fn sharing(&self) -> Sharing {
        Sharing::WhenFrozen
    }
}

/// `JSON::State.allocate → state`: the defaults of JSON, which `initialize` changes by its options.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(make_state(cx, args.me()))
}

fn make_state(cx: &mut Cx, class: Value) -> Value {
    make_state_of(cx, class, State::new(PLAIN.clone()))
}

/// A State of a class with these settings.
pub fn make_state_of(cx: &mut Cx, class: Value, state: State) -> Value {
    native::new(cx, class, Box::new(state))
}

pub fn of(cx: &mut Cx, v: Value) -> R<&mut State> {
    native::get_mut_or::<State, _, _>(cx, v, |cx| {
        cx.raise(ErrorClass::TypeError, "wrong argument type (expected JSON/Generator/State)")
    })
}

/// `initialize_copy(other) → self`: copies all settings of another State.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let other = of(cx, args.at(0))?.clone();
    *of(cx, args.me())? = other;
    Ok(args.me())
}

/// `JSON::State.from_state(options) → state`: returns a State unchanged, creates one from a Hash of options, or one
/// with the defaults.
fn from_state(cx: &mut Cx, args: Args) -> R {
    if is_state(args.at(0)) {
        return Ok(args.at(0));
    }
    let state = from_options(cx, args.at(0))?;
    let class = cx.root(runtime::Root::JsonState);
    Ok(make_state_of(cx, class, state))
}

pub fn is_state(v: Value) -> bool {
    native::get::<State>(&v).is_some()
}

/// JSON's defaults, changed by a Hash of options if one is given.
pub fn from_options(cx: &mut Cx, options: Value) -> R<State> {
    let mut state = State::new(PLAIN.clone());
    if cell::is(options, Type::Hash) {
        configure(cx, &mut state, options)?;
    }
    Ok(state)
}

/// `_configure(options) → self`: sets the options in a Hash; unknown ones are ignored.
fn configure_with(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    configure_object(cx, args.me(), args.at(0))?;
    Ok(args.me())
}

/// `generate(object, io = nil) → string or io`: the object as JSON text, written to `io` if one is given.
/// GeneratorError for NaN, infinities and invalid text, NestingError beyond `max_nesting`.
fn generate_with(cx: &mut Cx, args: Args) -> R {
    generator::run(cx, args.me(), args.at(0), args.opt(1).unwrap_or(Value::NIL))
}

/// `allow_duplicate_key? → true, false or nil`: whether two keys of a Hash may have the same text; nil warns.
fn allows_duplicates(cx: &mut Cx, args: Args) -> R {
    Ok(match of(cx, args.me())?.config.duplicates {
        Duplicates::Warn => Value::NIL,
        Duplicates::Ignore => Value::TRUE,
        Duplicates::Refuse => Value::FALSE,
    })
}

/// `as_json → proc or false`: the Proc that converts objects without a JSON representation; false if there is none.
fn as_json(cx: &mut Cx, args: Args) -> R {
    let proc = of(cx, args.me())?.as_json;
    Ok(if proc.is_nil() { Value::FALSE } else { proc })
}

/// `as_json=(proc) → nil`: sets the Proc that converts objects without a JSON representation; nil removes it.
fn set_as_json(cx: &mut Cx, args: Args) -> R {
    set_proc(cx, args.me(), args.at(0))?;
    Ok(Value::NIL)
}

fn set_proc(cx: &mut Cx, state: Value, v: Value) -> R<()> {
    cx.check_frozen(state)?;
    let proc = as_proc(cx, v)?;
    of(cx, state)?.as_json = proc;
    Ok(())
}

fn as_proc(cx: &mut Cx, v: Value) -> R {
    let mut proc = if v.truthy() { v } else { Value::NIL };
    if proc.truthy() && !cell::is(proc, Type::Proc) {
        let to_proc = name(cx, "to_proc");
        proc = match call::send_if_responds(cx, v, to_proc, &[])? {
            Some(made) if cell::is(made, Type::Proc) => made,
            _ => {
                let class = runtime::error::describe_for_conversion(cx, v);
                return Err(cx.type_error(&format!("no implicit conversion of {class} into Proc")));
            }
        };
    }
    Ok(proc)
}

/// `JSON::State.generate(object, options, io) → string or io`: `new` and `generate` in one; `options` may be nil.
fn generate_once(cx: &mut Cx, args: Args) -> R {
    if !args.at(1).truthy() {
        return generator::run_by(cx, args.me(), State::new(PLAIN.clone()), args.at(0), args.at(2));
    }
    let mut state = State::new(PLAIN.clone());
    configure(cx, &mut state, args.at(1))?;
    generator::run_by(cx, args.me(), state, args.at(0), args.at(2))
}

/// `_generate_pretty(object) → string`: the object as JSON text with the layout of `pretty_generate`.
fn generate_pretty(cx: &mut Cx, args: Args) -> R {
    generator::run_by(cx, args.me(), State::new(PRETTY.clone()), args.at(0), Value::NIL)
}

/// Sets the options of a State; those before one that raises an error stay set.
fn configure_object(cx: &mut Cx, state: Value, options: Value) -> R<()> {
    let mut data = of(cx, state)?.clone();
    let outcome = configure(cx, &mut data, options);
    *of(cx, state)? = data;
    outcome
}

fn configure(cx: &mut Cx, state: &mut State, options: Value) -> R<()> {
    if !cell::is(options, Type::Hash) {
        return Err(wrong_type(cx, options, "Hash"));
    }
    let mut at = 0;
    while let Some((next, key, v)) = HashRef::of(options).next(at) {
        at = next;
        let Some(key) = object::Sym::from_value(key) else { continue };
        match key.bytes(cx) {
            b"indent" => state.config_mut().indent = text(cx, v)?,
            b"space" => state.config_mut().space = text(cx, v)?,
            b"space_before" => state.config_mut().space_before = text(cx, v)?,
            b"object_nl" => state.config_mut().object_nl = text(cx, v)?,
            b"array_nl" => state.config_mut().array_nl = text(cx, v)?,
            b"max_nesting" => {
                let depth = if v.truthy() { integer(cx, v)? } else { 0 };
                state.config_mut().max_nesting = depth;
            }
            b"allow_nan" => state.config_mut().allow_nan = v.truthy(),
            b"ascii_only" => state.config_mut().escapes.ascii_only = v.truthy(),
            b"script_safe" | b"escape_slash" => state.config_mut().escapes.script_safe = v.truthy(),
            b"allow_duplicate_key" => {
                state.config_mut().duplicates = if v.truthy() { Duplicates::Ignore } else { Duplicates::Refuse };
            }
            b"as_json" => state.as_json = as_proc(cx, v)?,
            b"strict" => state.config_mut().strict = v.truthy(),
            b"depth" => state.depth = if v.truthy() { depth_of(cx, v)? } else { 0 },
            b"buffer_initial_length" => {
                let length = if v.truthy() { integer(cx, v)? } else { 0 };
                if length > 0 {
                    state.buffer_initial_length = length;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn config_mut(cx: &mut Cx, state: Value) -> R<&mut Config> {
    cx.check_frozen(state)?;
    Ok(of(cx, state)?.config_mut())
}

fn integer(cx: &mut Cx, v: Value) -> R<i64> {
    if convert::is_integer(v) { convert::to_i64(cx, v) } else { Err(wrong_type(cx, v, "Integer")) }
}

fn set_text(cx: &mut Cx, state: Value, v: Value, field: fn(&mut Config) -> &mut Vec<u8>) -> R<()> {
    cx.check_frozen(state)?;
    let bytes = text(cx, v)?;
    *field(config_mut(cx, state)?) = bytes;
    Ok(())
}

/// The bytes of a String; none for nil and false.
fn text(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    match Str::from_value(v) {
        Some(text) => Ok(text.to_vector()),
        None if v.truthy() => Err(wrong_type(cx, v, "String")),
        None => Ok(Vec::new()),
    }
}

/// A reader and a writer of a text.
macro_rules! texts {
    ($($(#[$reader:meta])* $field:ident $(#[$writer:meta])* $set:ident;)*) => { $(
        $(#[$reader])*
        fn $field(cx: &mut Cx, args: Args) -> R {
            let text = of(cx, args.me())?.config.$field.clone();
            Ok(make::string(cx, &text, EncodingId::UTF_8))
        }

        $(#[$writer])*
        fn $set(cx: &mut Cx, args: Args) -> R {
            set_text(cx, args.me(), args.at(0), |config| &mut config.$field)?;
            Ok(Value::NIL)
        }
    )* };
}

texts! {
    /// `indent → string`: the text that indents a level; empty by default.
    indent
    /// `indent=(text) → nil`: sets the text that indents a level.
    set_indent;
    /// `space → string`: the text after a colon; empty by default.
    space
    /// `space=(text) → nil`: sets the text after a colon.
    set_space;
    /// `space_before → string`: the text before a colon; empty by default.
    space_before
    /// `space_before=(text) → nil`: sets the text before a colon.
    set_space_before;
    /// `object_nl → string`: the text after each member of an object; empty by default.
    object_nl
    /// `object_nl=(text) → nil`: sets the text after each member of an object.
    set_object_nl;
    /// `array_nl → string`: the text after each element of an array; empty by default.
    array_nl
    /// `array_nl=(text) → nil`: sets the text after each element of an array.
    set_array_nl;
}

/// A reader and a writer of a flag.
macro_rules! flags {
    ($($(#[$reader:meta])* $get:ident $(#[$writer:meta])* $set:ident $($field:ident).+;)*) => { $(
        $(#[$reader])*
        fn $get(cx: &mut Cx, args: Args) -> R {
            Ok(Value::bool(of(cx, args.me())?.config.$($field).+))
        }

        $(#[$writer])*
        fn $set(cx: &mut Cx, args: Args) -> R {
            config_mut(cx, args.me())?.$($field).+ = args.at(0).truthy();
            Ok(Value::NIL)
        }
    )* };
}

flags! {
    /// `allow_nan? → true or false`: whether NaN and infinities are written, which are not valid JSON.
    allow_nan
    /// `allow_nan=(flag) → nil`: sets whether NaN and infinities are written, which are not valid JSON.
    set_allow_nan allow_nan;
    /// `strict? → true or false`: whether objects without a JSON representation raise GeneratorError. Alias: `strict`.
    strict
    /// `strict=(flag) → nil`: sets whether objects without a JSON representation raise GeneratorError.
    set_strict strict;
    /// `ascii_only? → true or false`: whether characters beyond ASCII are written as `\u` escapes.
    ascii_only
    /// `ascii_only=(flag) → nil`: sets whether characters beyond ASCII are written as `\u` escapes.
    set_ascii_only escapes.ascii_only;
    /// `script_safe? → true or false`: whether `/`, U+2028 and U+2029 are escaped, so that the text can be part of a
    /// script.
    script_safe
    /// `script_safe=(flag) → nil`: sets whether `/`, U+2028 and U+2029 are escaped, so that the text can be part of a
    /// script.
    set_script_safe escapes.script_safe;
}

/// `max_nesting → integer`: the maximum nesting depth of arrays and objects; 0 means no limit.
fn max_nesting(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.config.max_nesting))
}

/// `max_nesting=(depth) → nil`: sets the maximum nesting depth of arrays and objects; 0 means no limit.
fn set_max_nesting(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let depth = integer(cx, args.at(0))?;
    config_mut(cx, args.me())?.max_nesting = depth;
    Ok(Value::NIL)
}

/// `check_circular? → true or false`: whether `max_nesting` is set, which detects objects that contain themselves.
fn checks_circular(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(of(cx, args.me())?.config.max_nesting != 0))
}

/// `depth → integer`: the present nesting depth, for a program's own `to_json`.
fn depth(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.depth))
}

fn depth_of(cx: &mut Cx, v: Value) -> R<i64> {
    match integer(cx, v)? {
        depth @ 0..=0x7fff_ffff => Ok(depth),
        depth @ 0.. => Err(cx.argument_error(&format!("depth is too large (got {depth})"))),
        depth => Err(cx.argument_error(&format!("depth must be >= 0 (got {depth})"))),
    }
}

/// `depth=(depth) → nil`: sets the present nesting depth. ArgumentError if it is negative or beyond 32 bits.
fn set_depth(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let depth = depth_of(cx, args.at(0))?;
    of(cx, args.me())?.depth = depth;
    Ok(Value::NIL)
}

/// `buffer_initial_length → integer`: kept for programs that set it; buffers grow as needed.
fn buffer_initial_length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.buffer_initial_length))
}

/// `buffer_initial_length=(length) → nil`: kept for programs that set it; numbers that are not positive are ignored.
fn set_buffer_initial_length(cx: &mut Cx, args: Args) -> R {
    cx.check_frozen(args.me())?;
    let length = integer(cx, args.at(0))?;
    if length > 0 {
        of(cx, args.me())?.buffer_initial_length = length;
    }
    Ok(Value::NIL)
}

/// Writes the generated text to an IO, or returns it.
pub fn deliver(cx: &mut Cx, out: &[u8], io: Value) -> R {
    let text = make::string(cx, out, EncodingId::UTF_8);
    if !io.truthy() {
        return Ok(text);
    }
    call::send(cx, io, sym::WRITE, &[text])?;
    Ok(io)
}
