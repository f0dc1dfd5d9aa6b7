//! A String's encoding: force_encoding, valid_encoding?, encode, scrub, unicode_normalize.

use object::{Sym, cell, class, hash::HashRef, string::Str};
use runtime::{Args, Cx, R, Unwind, Value, call, convert, error::ErrorClass, error::OrRaise, keys, sym};
use text::{
    CodeRange, EncodingId, scan,
    transcode::{self, Decorator, EncodeError, Options, Undefined},
    unicode_normalize::{self, Form, NormalizeError},
};

use super::modify::{self, argument, modifiable};
use crate::encoding;

/// `encoding → encoding`: the encoding in which the bytes are decoded as characters.
pub fn encoding_of(cx: &mut Cx, args: Args) -> R {
    Ok(encoding::object(cx, Str::of(args.me()).encoding()))
}

/// `force_encoding(encoding) → self`: sets the encoding without changing the bytes. ArgumentError for an unknown name.
pub fn force_encoding(cx: &mut Cx, args: Args) -> R {
    modifiable(cx, args.me())?;
    let to = encoding::from_value(cx, args.at(0))?;
    let s = modifiable(cx, args.me())?;
    s.set_encoding(to);
    Ok(args.me())
}

/// `valid_encoding? → true or false`: whether all bytes belong to valid characters of the encoding.
pub fn is_valid(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(Str::of(args.me()).code_range() != CodeRange::Broken))
}

/// `ascii_only? → true or false`: whether all characters are ASCII; always false for encodings that do not extend
/// ASCII, unless the string is empty.
pub fn is_ascii_only(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(Str::of(args.me()).is_ascii()))
}

/// `b → string`: a copy of the bytes as BINARY.
pub fn binary(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me()).dup(cx);
    s.set_encoding(EncodingId::BINARY);
    Ok(s.value())
}

/// `scrub(replacement = nil) { |bytes| } → string`: a copy with each invalid sequence replaced by the result of the
/// block for it, by the replacement, or by U+FFFD or `?`. ArgumentError for an invalid replacement.
pub fn scrub(cx: &mut Cx, args: Args) -> R {
    Ok(match scrubbed(cx, args)? {
        Some(result) => result.value(),
        None => Str::of(args.me()).dup(cx).value(),
    })
}

/// `scrub!(replacement = nil) { |bytes| } → self`: `scrub` in place.
pub fn scrub_bang(cx: &mut Cx, args: Args) -> R {
    if let Some(result) = scrubbed(cx, args)? {
        let s = modifiable(cx, args.me())?;
        s.replace(cx, result).or_raise(cx)?;
    }
    Ok(args.me())
}

fn scrubbed(cx: &mut Cx, args: Args) -> R<Option<Str>> {
    let s = Str::of(args.me());
    let replacement = args.opt(0).filter(|v| !v.is_nil());
    if replacement.is_some() && !args.block(cx).is_none() {
        return Err(cx.argument_error("both of block and replacement given"));
    }
    if s.code_range() != CodeRange::Broken {
        return Ok(None);
    }
    let replacement = match replacement {
        Some(v) => Some(argument(cx, v)?),
        None => None,
    };
    if let Some(replacement) = replacement {
        if replacement.code_range() == CodeRange::Broken {
            return Err(bad_replacement(cx, replacement));
        }
        compatible_replacement(cx, s, replacement)?;
    }
    let block = args.block(cx);
    if replacement.is_none() && !block.is_none() {
        let view = s.frozen_dup(cx);
        let bytes = view.held(cx);
        let parts = memory::collect(scan::broken_parts(view.encoding(), &bytes));
        let result = Str::with_capacity(cx, view.len(), view.encoding()).or_raise(cx)?;
        let mut copied = 0;
        for part in parts {
            result.append(cx, &bytes[copied..part.start]).or_raise(cx)?;
            let broken = modify::part(cx, view, part.start, part.end)?;
            let given = call::yield_one(cx, block, broken)?;
            modify::check_length(cx, s, view)?;
            let given = argument(cx, given)?;
            if given.code_range() == CodeRange::Broken {
                return Err(bad_replacement(cx, given));
            }
            compatible_replacement(cx, view, given)?;
            let given = given.held(cx);
            result.append(cx, &given).or_raise(cx)?;
            copied = part.end;
        }
        result.append(cx, &bytes[copied..]).or_raise(cx)?;
        return Ok(Some(result));
    }
    let with = match &replacement {
        Some(replacement) => replacement.bytes(cx),
        None => scan::default_replacement(s.encoding()),
    };
    match scan::scrub(s.encoding(), s.bytes(cx), with) {
        Some(bytes) => Ok(Some(Str::new(cx, &bytes, s.encoding()).or_raise(cx)?)),
        None => Ok(None),
    }
}

fn bad_replacement(cx: &mut Cx, replacement: Str) -> Unwind {
    let mut shown = Vec::new();
    let encoding = super::inspecting::result_encoding(cx);
    text::inspect::inspect(replacement.encoding(), replacement.bytes(cx), encoding, &mut shown);
    let shown = memory::lossy_text(&shown);
    cx.argument_error(&format!("replacement must be valid byte sequence '{shown}'"))
}

fn compatible_replacement(cx: &mut Cx, s: Str, replacement: Str) -> R<()> {
    if replacement.encoding() == s.encoding() || replacement.is_ascii() && s.encoding().is_ascii_compatible() {
        return Ok(());
    }
    Err(modify::incompatible(cx, s.encoding(), replacement.encoding()))
}

/// The parsed arguments of `encode`.
struct Request {
    source: EncodingId,
    destination: Option<EncodingId>,
    options: Options,
    fallback: Value,
}

/// The two encodings and the options; ConverterNotFoundError for unknown names.
fn request(cx: &mut Cx, s: Str, args: Args) -> R<Request> {
    let keywords = args.keywords();
    let fallback = keys::keyword(cx, keywords, sym::FALLBACK).or(Value::NIL);
    let (to, from) = (args.opt(0), args.non_nil(1));
    let source = match from {
        Some(v) => match encoding::find(cx, v)? {
            Some(source) => source,
            None => return Err(not_found(cx, v, to)),
        },
        None => s.encoding(),
    };
    let destination = match to {
        Some(v) => match encoding::find(cx, v)? {
            Some(destination) => Some(destination),
            None => {
                let from = from.unwrap_or_else(|| encoding::object(cx, source));
                return Err(not_found(cx, from, Some(v)));
            }
        },
        None => cx.vm().default_internal,
    };
    let mut options = match keywords {
        Some(keywords) => encoding::options::from_hash(cx, keywords)?,
        None => Options::default(),
    };
    // The default is the internal encoding, with all unconvertible characters replaced. What is not converted keeps its
    // invalid bytes.
    if to.is_none() && destination.is_some_and(|destination| destination != source) {
        options.replace_invalid = true;
        if matches!(options.undefined, Undefined::Raise) {
            options.undefined = Undefined::Replace;
        }
    }
    Ok(Request { source, destination, options, fallback })
}

fn not_found(cx: &mut Cx, from: Value, to: Option<Value>) -> Unwind {
    let mut name = |v: Value| match convert::to_s(cx, v) {
        Ok(s) => Ok(s.to_vector()),
        Err(unwind) => Err(unwind),
    };
    let from = match name(from) {
        Ok(from) => from,
        Err(unwind) => return unwind,
    };
    let to = match to.map_or(Ok(Vec::new()), name) {
        Ok(to) => to,
        Err(unwind) => return unwind,
    };
    let description = transcode::ConverterNotFound::new(&from, &to, &[]).description;
    encoding::errors::converter_not_found(cx, &description)
}

/// The converted bytes (`None`: unchanged) and their encoding.
fn encoded(cx: &mut Cx, s: Str, args: Args) -> R<(Option<Vec<u8>>, EncodingId)> {
    let request = request(cx, s, args)?;
    // Without a destination only the options have an effect.
    let destination = request.destination.unwrap_or(request.source);
    if args.is_empty() && args.keywords().is_none() && request.destination.is_none() {
        return Ok((None, s.encoding()));
    }
    convert_bytes(cx, s, &request, destination)
}

fn convert_bytes(cx: &mut Cx, s: Str, request: &Request, destination: EncodingId) -> R<(Option<Vec<u8>>, EncodingId)> {
    let range =
        if request.source == s.encoding() { s.code_range() } else { scan::code_range(request.source, s.bytes(cx)) };
    let (handler, options) = (request.fallback, &request.options);
    let converted = if handler.is_nil() {
        transcode::encode(request.source, destination, s.bytes(cx), range, options, None)
    } else {
        // The fallback may change the String.
        let bytes = s.to_vector();
        let mut ask = |char: &[u8], encoding: EncodingId| call_fallback(cx, handler, char, encoding);
        transcode::encode(request.source, destination, &bytes, range, options, Some(&mut ask))
    };
    match converted {
        Ok(converted) => Ok((converted, destination)),
        Err(error) => Err(raise(cx, error)),
    }
}

fn raise(cx: &mut Cx, error: EncodeError<Unwind>) -> Unwind {
    match error {
        EncodeError::NotFound(missing) => encoding::errors::converter_not_found(cx, &missing.description),
        EncodeError::Conversion(info, message) => encoding::errors::conversion(cx, &info, &message),
        EncodeError::BadFallback => cx.argument_error("too big fallback string"),
        EncodeError::Fallback(unwind) => unwind,
    }
}

/// The replacement that the `fallback:` of `encode` returns for a character: a Hash, a Proc, a Method or any object
/// with `[]`. `None` if it returns nil.
fn call_fallback(cx: &mut Cx, handler: Value, char: &[u8], encoding: EncodingId) -> R<Option<(Vec<u8>, EncodingId)>> {
    let char = modify::new(cx, char, encoding)?;
    let given = if HashRef::from_value(handler).is_none()
        && (cell::is(handler, abi::Type::Proc) || cell::is(handler, abi::Type::Method))
    {
        call::send(cx, handler, sym::CALL, &[char])?
    } else {
        call::send_if_responds(cx, handler, sym::AREF, &[char])?.unwrap_or(Value::NIL)
    };
    if given.is_nil() || given.is_undef() {
        return Ok(None);
    }
    let given = argument(cx, given)?;
    Ok(Some((given.to_vector(), given.encoding())))
}

/// The String converted to another encoding with a stream's options (a Hash or nil).
pub fn encoded_by(cx: &mut Cx, s: Str, destination: EncodingId, options: Value) -> R {
    let options = if options.is_nil() { Options::default() } else { encoding::options::from_hash(cx, options)? };
    let request = Request { source: s.encoding(), destination: Some(destination), options, fallback: Value::NIL };
    encoded_as(cx, s, &request, destination)
}

/// Like [`encoded_by`], for text that is written: its `fallback:` is called, and `xml: :attr` adds no quotes, which
/// belong around all that is written.
pub fn encoded_for_output(cx: &mut Cx, s: Str, destination: EncodingId, hash: Value) -> R {
    if hash.is_nil() {
        return encoded_by(cx, s, destination, hash);
    }
    let mut options = encoding::options::from_hash(cx, hash)?;
    options.decorators.retain(|decorator| *decorator != Decorator::XmlAttributeQuote);
    let fallback = keys::keyword(cx, Some(hash), sym::FALLBACK).or(Value::NIL);
    let request = Request { source: s.encoding(), destination: Some(destination), options, fallback };
    encoded_as(cx, s, &request, destination)
}

fn encoded_as(cx: &mut Cx, s: Str, request: &Request, destination: EncodingId) -> R {
    match convert_bytes(cx, s, request, destination)? {
        (Some(bytes), encoding) => modify::of_list(cx, bytes, encoding),
        (None, encoding) => {
            let copy = s.dup(cx);
            copy.set_encoding(encoding);
            Ok(copy.value())
        }
    }
}

/// `encode(to = Encoding.default_internal, from = self.encoding, **options) → string`: a converted copy.
/// UndefinedConversionError and InvalidByteSequenceError unless options specify replacements, ConverterNotFoundError.
/// Ruby: doc/language/encodings.rdoc.
pub fn encode(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let (bytes, encoding) = encoded(cx, s, args)?;
    let copy = match bytes {
        Some(bytes) => Str::of(modify::of_list(cx, bytes, encoding)?),
        None => {
            let copy = s.dup(cx);
            copy.set_encoding(encoding);
            copy
        }
    };
    Ok(copy.with_class(class::real_class(cx, args.me())).value())
}

/// `encode!(to = Encoding.default_internal, from = self.encoding, **options) → self`: `encode` in place.
pub fn encode_bang(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    let (bytes, encoding) = encoded(cx, s, args)?;
    let s = modifiable(cx, args.me())?;
    if let Some(bytes) = bytes {
        s.set_bytes(cx, &bytes).or_raise(cx)?;
    }
    s.set_encoding(encoding);
    Ok(args.me())
}

fn form(cx: &mut Cx, args: Args) -> R<Form> {
    let Some(v) = args.opt(0) else { return Ok(Form::Nfc) };
    let name = match Sym::from_value(v) {
        Some(symbol) => symbol.to_text(cx),
        None => String::new(),
    };
    match Form::from_name(&name) {
        Some(form) => Ok(form),
        None => {
            let shown = convert::to_s(cx, v)?;
            let shown = shown.to_text();
            Err(cx.argument_error(&format!("Invalid normalization form {shown}.")))
        }
    }
}

fn raise_normalize(cx: &mut Cx, s: Str, error: NormalizeError) -> Unwind {
    match error {
        NormalizeError::InvalidByteSequence => modify::invalid_bytes(cx, s.encoding()),
        NormalizeError::NotUnicode => cx.raise(
            ErrorClass::CompatibilityError,
            &format!("Unicode Normalization not appropriate for {}", s.encoding().name()),
        ),
    }
}

/// Whether the encoding is normalized by converting to UTF-8 and back.
fn is_normalized_as_utf8(encoding: EncodingId) -> bool {
    encoding == EncodingId::GB18030
}

fn normalized(cx: &mut Cx, s: Str, form: Form) -> R<Vec<u8>> {
    if s.encoding() == EncodingId::US_ASCII {
        return Ok(s.to_vector());
    }
    if is_normalized_as_utf8(s.encoding()) {
        let unicode = plain(cx, &s.to_vector(), s.encoding(), EncodingId::UTF_8)?;
        let normal = unicode_normalize::normalize(EncodingId::UTF_8, &unicode, form)
            .map_err(|error| raise_normalize(cx, s, error))?;
        return plain(cx, &normal, EncodingId::UTF_8, s.encoding());
    }
    unicode_normalize::normalize(s.encoding(), s.bytes(cx), form).map_err(|error| raise_normalize(cx, s, error))
}

/// Converts without options.
fn plain(cx: &mut Cx, bytes: &[u8], from: EncodingId, to: EncodingId) -> R<Vec<u8>> {
    let none = None::<transcode::Fallback<'_, Unwind>>;
    transcode::convert(Some((from, to)), bytes, &Options::default(), none).map_err(|error| raise(cx, error))
}

/// `unicode_normalize(form = :nfc) → string`: a copy in a normalization form: `:nfc`, `:nfd`, `:nfkc` or `:nfkd`.
/// ArgumentError for another one, Encoding::CompatibilityError for an encoding that is not Unicode.
pub fn unicode_normalize(cx: &mut Cx, args: Args) -> R {
    let form = form(cx, args)?;
    let s = Str::of(args.me());
    let bytes = normalized(cx, s, form)?;
    modify::new(cx, &bytes, s.encoding())
}

/// `unicode_normalize!(form = :nfc) → self`: `unicode_normalize` in place.
pub fn unicode_normalize_bang(cx: &mut Cx, args: Args) -> R {
    let form = form(cx, args)?;
    let s = modifiable(cx, args.me())?;
    let bytes = normalized(cx, s, form)?;
    s.set_bytes(cx, &bytes).or_raise(cx)?;
    Ok(args.me())
}

/// `unicode_normalized?(form = :nfc) → true or false`: whether `unicode_normalize` with this form would change nothing;
/// raises the same errors.
pub fn is_unicode_normalized(cx: &mut Cx, args: Args) -> R {
    let form = form(cx, args)?;
    let s = Str::of(args.me());
    if s.encoding() == EncodingId::US_ASCII {
        return Ok(Value::TRUE);
    }
    if is_normalized_as_utf8(s.encoding()) {
        let normal = normalized(cx, s, form)?;
        return Ok(Value::bool(normal == s.bytes(cx)));
    }
    match unicode_normalize::is_normalized(s.encoding(), s.bytes(cx), form) {
        Ok(normal) => Ok(Value::bool(normal)),
        Err(error) => Err(raise_normalize(cx, s, error)),
    }
}
