//! Encoding::Converter: incremental conversion.

use heap::Trace;
use memory::{Grow, ToVector};
use object::{
    array::Arr,
    class::constants::{self, Constant},
    native::{self, NativeData},
    string::Str,
    symbol,
};
use runtime::{Args, Cx, Method, R, Value, convert, define, error::OrRaise, keys, make};
use text::{
    EncodingId,
    transcode::{self, Converter, ConverterNotFound, Decorator, Limits, Options, Outcome, PathElement, Undefined},
};

use super::{errors, names, options};
use crate::string::modify::{self, argument, modifiable};

/// The state of an Encoding::Converter; empty before `initialize`.
#[derive(Trace)]
struct State {
    #[trace(skip)]
    converter: Option<Converter>,
    #[trace(skip)]
    decorators: Vec<Decorator>,
    /// The result of the last step.
    #[trace(skip)]
    outcome: Outcome,
}

impl NativeData for State {
    object::one_vtable!(State);
}

const METHODS: &[Method] = &[
    Method::new("initialize(source, destination = nil, flags = nil, **options)", initialize).private(),
    Method::new("inspect", inspect),
    Method::new("convpath", convpath),
    Method::new("source_encoding", source_encoding),
    Method::new("destination_encoding", destination_encoding),
    Method::new(
        "primitive_convert(source, destination, offset = nil, size = nil, flags = nil, **options)",
        primitive_convert,
    ),
    Method::new("convert(source)", convert_method),
    Method::new("finish", finish),
    Method::new("primitive_errinfo", primitive_errinfo),
    Method::new("insert_output(string)", insert_output),
    Method::new("putback(count = nil)", putback),
    Method::new("last_error", last_error),
    Method::new("replacement", replacement),
    Method::new("replacement=(string)", set_replacement),
    Method::new("==(other)", equal),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("asciicompat_encoding(encoding)", asciicompat_encoding),
    Method::new("search_convpath(source, destination, flags = nil, **options)", search_convpath),
];

const FLAGS: [(&str, i64); 14] = [
    ("INVALID_MASK", 0xF),
    ("INVALID_REPLACE", 0x2),
    ("UNDEF_MASK", 0xF0),
    ("UNDEF_REPLACE", 0x20),
    ("UNDEF_HEX_CHARREF", 0x30),
    ("PARTIAL_INPUT", PARTIAL_INPUT),
    ("AFTER_OUTPUT", AFTER_OUTPUT),
    ("UNIVERSAL_NEWLINE_DECORATOR", 0x100),
    ("CRLF_NEWLINE_DECORATOR", 0x1000),
    ("CR_NEWLINE_DECORATOR", 0x2000),
    ("LF_NEWLINE_DECORATOR", 0x4000),
    ("XML_TEXT_DECORATOR", 0x8000),
    ("XML_ATTR_CONTENT_DECORATOR", 0x1_0000),
    ("XML_ATTR_QUOTE_DECORATOR", 0x10_0000),
];
const PARTIAL_INPUT: i64 = 0x2_0000;
const AFTER_OUTPUT: i64 = 0x4_0000;

/// Creates the class.
pub fn define(cx: &mut Cx, encoding: Value) {
    let object = cx.class(object::Known::Object);
    let class = define::define_class(cx, encoding, "Converter", object);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    for (name, bits) in &FLAGS {
        let name = symbol::table::intern_text(cx, name);
        constants::set(cx, class, name, Constant::new(Value::fixnum(*bits)));
    }
}

/// `Encoding::Converter.allocate → converter`: a converter without a conversion, which `initialize` opens.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let state = State { converter: None, decorators: Vec::new(), outcome: Outcome::SourceBufferEmpty };
    Ok(native::new(cx, args.me(), Box::new(state)))
}

fn state(cx: &mut Cx, v: Value) -> R<&mut State> {
    if native::get::<State>(&v).is_none_or(|state| state.converter.is_none()) {
        return Err(cx.type_error("uninitialized encoding converter"));
    }
    native::get_mut_or::<State, _, _>(cx, v, |cx| cx.type_error("uninitialized encoding converter"))
}

fn converter(cx: &mut Cx, v: Value) -> R<&mut Converter> {
    match &mut state(cx, v)?.converter {
        Some(converter) => Ok(converter),
        None => unreachable!("`state` gives those with a converter"),
    }
}

/// The name of an encoding given as an Encoding or by any name.
fn name_of(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    if let Some(id) = names::id_of(v) {
        return Ok(id.name().as_bytes().to_vector());
    }
    let name = argument(cx, v)?;
    if name.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    match names::find(cx, name.value())? {
        Some(id) => Ok(id.name().as_bytes().to_vector()),
        None => Ok(name.to_vector()),
    }
}

/// Options as flags or keywords, from argument `at` on.
fn options_of(cx: &mut Cx, args: Args, at: usize) -> R<Options> {
    match (args.non_nil(at), args.keywords()) {
        (Some(_), Some(_)) => Err(cx.arity_error(args.len() + 1, 2, Some(at + 1))),
        (Some(flags), None) => Ok(options_of_flags(convert::to_i32(cx, flags)? as i64)),
        (None, Some(keywords)) => options::from_hash(cx, keywords),
        (None, None) => Ok(Options::default()),
    }
}

const DECORATORS: [(i64, Decorator); 7] = [
    (0x100, Decorator::UniversalNewline),
    (0x1000, Decorator::CrLfNewline),
    (0x2000, Decorator::CrNewline),
    (0x4000, Decorator::LfNewline),
    (0x8000, Decorator::XmlText),
    (0x1_0000, Decorator::XmlAttributeContent),
    (0x10_0000, Decorator::XmlAttributeQuote),
];

/// The options for the flags of Encoding::Converter.
pub fn options_of_flags(flags: i64) -> Options {
    let mut options = Options { replace_invalid: flags & 0xF == 2, ..Options::default() };
    options.undefined = match flags & 0xF0 {
        0x20 => Undefined::Replace,
        0x30 => Undefined::HexReference,
        _ => Undefined::Raise,
    };
    for (bit, decorator) in DECORATORS {
        if flags & bit != 0 {
            options.add(decorator);
        }
    }
    options
}

/// The flags for options, without the replacement.
pub fn options_as_flags(options: &Options) -> i64 {
    let invalid = if options.replace_invalid { 2 } else { 0 };
    let undefined = match options.undefined {
        Undefined::Raise => 0,
        Undefined::Replace => 0x20,
        Undefined::HexReference => 0x30,
    };
    let decorators = DECORATORS.iter().filter(|(_, decorator)| options.decorators.contains(decorator));
    decorators.fold(invalid | undefined, |flags, (bit, _)| flags | bit)
}

/// `initialize(source, destination = nil, flags = nil, **options) → self`: opens the conversion from one encoding to
/// another, or the steps that an Array lists. ConverterNotFoundError if there is no conversion between them, TypeError
/// if the converter is already initialized.
fn initialize(cx: &mut Cx, args: Args) -> R {
    if native::get::<State>(&args.me()).is_some_and(|state| state.converter.is_some()) {
        return Err(cx.type_error("already initialized"));
    }
    let (converter, decorators) = if args.len() == 1
        && let Some(path) = convert::try_ary(cx, args.at(0))?
    {
        let path = path_of(cx, path.value())?;
        match Converter::from_path(&path) {
            Some(converter) => (converter, Vec::new()),
            None => return Err(cx.argument_error("adding conversion failed")),
        }
    } else {
        if args.len() < 2 {
            return Err(cx.arity_error(args.len(), 2, Some(3)));
        }
        let options = options_of(cx, args, 2)?;
        let (source, destination) = (name_of(cx, args.at(0))?, name_of(cx, args.at(1))?);
        match Converter::open(&source, &destination, &options) {
            Ok(converter) => (converter, options.decorators),
            Err(missing) => return Err(errors::converter_not_found(cx, &missing.description)),
        }
    };
    if let Some(state) = native::get_mut::<State>(cx, args.me()) {
        state.converter = Some(converter);
        state.decorators = decorators;
    }
    Ok(args.me())
}

/// A path given as an Array of pairs and names of decorators.
fn path_of(cx: &mut Cx, list: Value) -> R<Vec<PathElement>> {
    let list = Arr::of(list);
    let mut path = Vec::new();
    for index in 0..list.len() {
        let element = list.get(index).unwrap_or(Value::NIL);
        if let Some(pair) = convert::try_ary(cx, element)? {
            let &[from, to] = pair.elements(cx) else {
                return Err(cx.argument_error("not a 2-element array in convpath"));
            };
            let (from_name, to_name) = (name_of(cx, from)?, name_of(cx, to)?);
            match Converter::open(&from_name, &to_name, &Options::default()) {
                Ok(steps) => path.append_from(steps.path()),
                Err(_) => {
                    let (from, to) = (memory::lossy_text(&from_name), memory::lossy_text(&to_name));
                    let message = format!("adding conversion failed: {from} to {to}");
                    return Err(cx.argument_error(&message));
                }
            }
            continue;
        }
        let name = argument(cx, element)?;
        match Decorator::from_name(name.bytes(cx)) {
            Some(decorator) => path.append_one(PathElement::Decorate(decorator)),
            None => {
                let shown = name.to_text();
                return Err(cx.argument_error(&format!("decoration failed: {shown}")));
            }
        }
    }
    Ok(path)
}

/// `inspect → string`: the class and the two encodings with the decorators.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let class = runtime::error::class_name_of(cx, args.me());
    let Some(State { converter: Some(converter), decorators, .. }) = native::get::<State>(args.me_ref()) else {
        return Ok(make::described(cx, &format!("#<{class}: uninitialized>")));
    };
    let name = |id: Option<EncodingId>| id.map_or("", EncodingId::name);
    let (source, destination) = (name(converter.source_encoding()), name(converter.destination_encoding()));
    let shown = ConverterNotFound::new(source.as_bytes(), destination.as_bytes(), decorators).description;
    let shown = memory::lossy_text(&shown);
    Ok(make::described(cx, &format!("#<{class}: {shown}>")))
}

fn path_value(cx: &mut Cx, path: &[PathElement]) -> Value {
    let list = make::array(cx, &[]);
    for element in path {
        let v = match element {
            PathElement::Convert(from, to) => {
                let (from, to) = (names::object(cx, *from), names::object(cx, *to));
                make::array(cx, &[from, to])
            }
            PathElement::Decorate(decorator) => make::text(cx, decorator.name()),
        };
        make::push(cx, list, v);
    }
    list
}

/// `convpath → array`: the steps of the conversion: pairs of encodings and names of decorators, for instance
/// `crlf_newline`.
fn convpath(cx: &mut Cx, args: Args) -> R {
    let path = converter(cx, args.me())?.path();
    Ok(path_value(cx, &path))
}

fn encoding_value(cx: &mut Cx, id: Option<EncodingId>) -> Value {
    id.map_or(Value::NIL, |id| names::object(cx, id))
}

/// `source_encoding → encoding or nil`: the source encoding; nil if it has no Encoding object.
fn source_encoding(cx: &mut Cx, args: Args) -> R {
    let id = converter(cx, args.me())?.source_encoding();
    Ok(encoding_value(cx, id))
}

/// `destination_encoding → encoding or nil`: the destination encoding; nil if it has no Encoding object.
fn destination_encoding(cx: &mut Cx, args: Args) -> R {
    let id = converter(cx, args.me())?.destination_encoding();
    Ok(encoding_value(cx, id))
}

/// `primitive_convert(source, destination, offset = nil, size = nil, flags = nil, **options) → symbol`: removes bytes
/// from `source` and appends the converted ones to `destination` until an error, a limit or the end of the data:
/// `:finished`, `:source_buffer_empty`, `:destination_buffer_full`, `:invalid_byte_sequence` …
fn primitive_convert(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me())?;
    let offset = match args.non_nil(2) {
        Some(v) => Some(convert::to_i64(cx, v)?),
        None => None,
    };
    let size = match args.non_nil(3) {
        Some(v) => Some(convert::to_i64(cx, v)?),
        None => None,
    };
    let (partial_input, after_output) = step_flags(cx, args)?;
    let output = argument(cx, args.at(1))?;
    let input = if args.at(0).is_nil() { None } else { Some(argument(cx, args.at(0))?) };
    let output = modifiable(cx, output.value())?;
    let offset = offset.unwrap_or(output.len() as i64);
    if offset < 0 {
        return Err(cx.argument_error("negative output_byteoffset"));
    }
    if offset > output.len() as i64 {
        return Err(cx.argument_error("output_byteoffset too big"));
    }
    if size.is_some_and(|size| size < 0) {
        return Err(cx.argument_error("negative output_bytesize"));
    }
    if size.is_some_and(|size| offset.checked_add(size).is_none()) {
        return Err(cx.argument_error("output_byteoffset+output_bytesize too big"));
    }
    let limits = Limits { bytes: size.map(|size| size as usize), partial_input, after_output };
    let bytes = input.map_or(Vec::new(), |input| input.to_vector());
    let (mut rest, mut converted) = (&bytes[..], Vec::new());
    // The conversion of the arguments may have changed the converter.
    let state = state(cx, args.me())?;
    let Some(converter) = state.converter.as_mut() else { return Ok(Value::NIL) };
    let outcome = converter.convert(&mut rest, &mut converted, limits);
    let destination = converter.destination_encoding();
    state.outcome = outcome;
    if let Some(input) = input {
        let input = modifiable(cx, input.value())?;
        input.splice(cx, 0, bytes.len() - rest.len(), &[]).or_raise(cx)?;
    }
    output.truncate(cx, offset as usize);
    output.append(cx, &converted).or_raise(cx)?;
    if let Some(destination) = destination {
        output.set_encoding(destination);
    }
    Ok(symbol::table::intern_text(cx, outcome.name()).value())
}

fn step_flags(cx: &mut Cx, args: Args) -> R<(bool, bool)> {
    if let Some(flags) = args.non_nil(4) {
        if args.keywords().is_some() {
            return Err(cx.arity_error(args.len() + 1, 2, Some(5)));
        }
        let flags = convert::to_i32(cx, flags)? as i64;
        return Ok((flags & PARTIAL_INPUT != 0, flags & AFTER_OUTPUT != 0));
    }
    let mut flag = |name: &str| {
        let name = symbol::table::intern_text(cx, name);
        let v = keys::keyword(cx, args.keywords(), name);
        !v.is_undef() && v.truthy()
    };
    Ok((flag("partial_input"), flag("after_output")))
}

/// Converts all of `bytes`; raises the error of the conversion.
fn run(cx: &mut Cx, me: Value, bytes: &[u8], partial_input: bool) -> R<(Outcome, Value)> {
    let state = state(cx, me)?;
    let Some(converter) = state.converter.as_mut() else { return Ok((Outcome::Finished, Value::NIL)) };
    memory::expect_work(bytes.len());
    let (mut rest, mut out) = (bytes, Vec::new());
    let outcome = converter.convert(&mut rest, &mut out, Limits { partial_input, ..Limits::default() });
    let destination = converter.destination_encoding();
    state.outcome = outcome;
    if let Outcome::Error(_) = outcome {
        let (info, message) = (converter.last_error().cloned(), converter.error_message());
        return Err(match (info, message) {
            (Some(info), Some(message)) => errors::conversion(cx, &info, &message),
            _ => cx.runtime_error("conversion failed"),
        });
    }
    let out = modify::new(cx, &out, destination.unwrap_or(EncodingId::BINARY))?;
    Ok((outcome, out))
}

/// `convert(source) → string`: the converted text; an incomplete end is kept for the next call.
/// UndefinedConversionError, InvalidByteSequenceError; ArgumentError after `finish`.
fn convert_method(cx: &mut Cx, args: Args) -> R {
    let source = argument(cx, args.at(0))?.to_vector();
    let (outcome, out) = run(cx, args.me(), &source, true)?;
    if outcome == Outcome::Finished {
        return Err(cx.argument_error("converter already finished"));
    }
    Ok(out)
}

/// `finish → string`: the output for the bytes kept so far, and the end of the output. InvalidByteSequenceError for an
/// incomplete character.
fn finish(cx: &mut Cx, args: Args) -> R {
    Ok(run(cx, args.me(), &[], false)?.1)
}

/// `primitive_errinfo → [result, source, destination, error_bytes, readagain_bytes]`: the outcome of the last step and
/// the details of its error; nil for all but the first if there is none.
fn primitive_errinfo(cx: &mut Cx, args: Args) -> R {
    let state = state(cx, args.me())?;
    let outcome = state.outcome;
    let error = state.converter.as_ref().and_then(|converter| converter.last_error()).cloned();
    let result = symbol::table::intern_text(cx, outcome.name()).value();
    let list = make::array(cx, &[result]);
    match (outcome, error) {
        (Outcome::Error(_), Some(info)) => {
            for text in [info.source, info.destination] {
                let name = make::text(cx, text);
                make::push(cx, list, name);
            }
            for bytes in [&info.error_bytes, &info.readagain_bytes] {
                let bytes = make::string(cx, bytes, EncodingId::BINARY);
                make::push(cx, list, bytes);
            }
        }
        _ => {
            for _ in 0..4 {
                make::push(cx, list, Value::NIL);
            }
        }
    }
    Ok(list)
}

/// `insert_output(string) → nil`: inserts a string into the output before the next converted text.
/// UndefinedConversionError if the output's encoding cannot represent it.
fn insert_output(cx: &mut Cx, args: Args) -> R {
    let s = argument(cx, args.at(0))?;
    let bytes = s.to_vector();
    let converter = converter(cx, args.me())?;
    match converter.insert_output(&bytes, Some(s.encoding())) {
        Ok(()) => Ok(Value::NIL),
        Err(info) => {
            let to = converter.insert_encoding().map_or("", EncodingId::name);
            let message = info.message(s.encoding().name(), to, &[to]);
            Err(errors::conversion(cx, &info, &message))
        }
    }
}

/// `putback(count = nil) → string`: removes and returns bytes that were read but not converted, the last `count` of
/// them.
fn putback(cx: &mut Cx, args: Args) -> R {
    let count = match args.non_nil(0) {
        Some(v) => Some(convert::to_i32(cx, v)?.max(0) as usize),
        None => None,
    };
    let converter = converter(cx, args.me())?;
    let bytes = converter.putback(count);
    let encoding = converter.source_encoding().unwrap_or(EncodingId::BINARY);
    modify::new(cx, &bytes, encoding)
}

/// `last_error → exception or nil`: the exception of the last failing step, without raising it.
fn last_error(cx: &mut Cx, args: Args) -> R {
    let converter = converter(cx, args.me())?;
    match (converter.last_error().cloned(), converter.error_message()) {
        (Some(info), Some(message)) => Ok(errors::exception(cx, &info, &message)),
        _ => Ok(Value::NIL),
    }
}

/// `replacement → string`: the replacement of characters that cannot be converted: U+FFFD, or `?` outside of Unicode.
fn replacement(cx: &mut Cx, args: Args) -> R {
    let (bytes, encoding) = converter(cx, args.me())?.replacement();
    modify::new(cx, &bytes, encoding)
}

/// `replacement = string`: the replacement of characters that cannot be converted. UndefinedConversionError if the
/// output's encoding cannot represent it.
fn set_replacement(cx: &mut Cx, args: Args) -> R {
    let s: Str = argument(cx, args.at(0))?;
    let bytes = s.to_vector();
    let converter = converter(cx, args.me())?;
    match converter.set_replacement(&bytes, s.encoding()) {
        Ok(()) => Ok(args.at(0)),
        Err(info) => {
            let to = converter.insert_encoding().map_or("", EncodingId::name);
            let message = info.message(s.encoding().name(), to, &[to]);
            Err(errors::conversion(cx, &info, &message))
        }
    }
}

/// `==(other) → true or false`: whether `other` is a converter with the same steps and the same replacement.
fn equal(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me())?;
    let Some(other) = native::get::<State>(args.at_ref(0)) else { return Ok(Value::NIL) };
    let mine = native::get::<State>(args.me_ref()).and_then(|state| state.converter.as_ref());
    let (Some(mine), Some(other)) = (mine, &other.converter) else { return Ok(Value::FALSE) };
    let same = mine.path() == other.path()
        && mine.source_encoding() == other.source_encoding()
        && mine.destination_encoding() == other.destination_encoding()
        && mine.replacement() == other.replacement();
    Ok(Value::bool(same))
}

/// `Encoding::Converter.asciicompat_encoding(encoding) → encoding or nil`: an encoding for the same characters that
/// extends ASCII; nil if there is none, or if the encoding itself extends ASCII.
fn asciicompat_encoding(cx: &mut Cx, args: Args) -> R {
    let id = match names::id_of(args.at(0)) {
        Some(id) => Some(id),
        None => match convert::try_str(cx, args.at(0))? {
            Some(name) => names::find(cx, name.value())?,
            None => {
                let name = runtime::error::describe_for_conversion(cx, args.at(0));
                return Err(cx.type_error(&format!("no implicit conversion of {name} into String")));
            }
        },
    };
    let id = id.and_then(transcode::asciicompat_encoding);
    Ok(encoding_value(cx, id))
}

/// `Encoding::Converter.search_convpath(source, destination, flags = nil, **options) → array`: the steps of a converter
/// with these arguments. ConverterNotFoundError if there is no conversion between them.
fn search_convpath(cx: &mut Cx, args: Args) -> R {
    let options = options_of(cx, args, 2)?;
    let (source, destination) = (name_of(cx, args.at(0))?, name_of(cx, args.at(1))?);
    match Converter::open(&source, &destination, &options) {
        Ok(converter) => {
            let path = converter.path();
            Ok(path_value(cx, &path))
        }
        Err(missing) => Err(errors::converter_not_found(cx, &missing.description)),
    }
}
