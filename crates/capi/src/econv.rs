//! `rb_econv_t`: conversions between encodings in C's buffers.

use std::ffi::{c_char, c_void};

use abi::Value;
use core_classes::encoding::{errors, options, options_as_flags, options_of_flags};
use object::{string::Str, symbol::table::intern_text};
use runtime::{Cx, R, convert, error::OrRaise, make};
use text::{
    EncodingId,
    transcode::{self, Converter, Decorator, ErrorKind, Limits, Outcome},
};

use crate::{
    border::{send, send_to},
    encoding::CEncoding,
    given,
};

const PARTIAL_INPUT: i32 = 0x2_0000;
const AFTER_OUTPUT: i32 = 0x4_0000;

/// `rb_econv_t`, from `rb_econv_open` to `rb_econv_close`.
struct Conversion {
    converter: Converter,
    flags: i32,
}

fn conversion<'a>(given: *mut c_void) -> &'a mut Conversion {
    // SAFETY: C passes what `rb_econv_open` returned and `rb_econv_close` has not freed, from one thread at a time.
    unsafe { &mut *given.cast::<Conversion>() }
}

/// Opens a conversion; null if there is none between the encodings.
pub fn rb_econv_open(from: *const c_char, to: *const c_char, flags: i32) -> *mut c_void {
    match Converter::open(given::text(from), given::text(to), &options_of_flags(flags as i64)) {
        Ok(converter) => Box::into_raw(Box::new(Conversion { converter, flags })).cast(),
        Err(_) => std::ptr::null_mut(),
    }
}

/// Opens a conversion with the replacement that `rb_econv_prepare_options` stored.
pub fn rb_econv_open_opts(
    cx: &mut Cx,
    from: *const c_char,
    to: *const c_char,
    flags: i32,
    options: Value,
) -> R<*mut c_void> {
    let opened = rb_econv_open(from, to, flags);
    if opened.is_null() || options.is_nil() {
        return Ok(opened);
    }
    let name = intern_text(cx, "replace");
    let replacement = send(cx, options, "[]", &[name.value()])?;
    if let Some(text) = Str::from_value(replacement)
        && conversion(opened).converter.set_replacement(&text.to_vector(), text.encoding()).is_err()
    {
        rb_econv_close(opened);
        return Ok(std::ptr::null_mut());
    }
    Ok(opened)
}

/// The exception for a conversion that cannot be opened.
pub fn rb_econv_open_exc(cx: &mut Cx, from: *const c_char, to: *const c_char, flags: i32) -> R {
    let options = options_of_flags(flags as i64);
    let missing = transcode::ConverterNotFound::new(given::text(from), given::text(to), &options.decorators);
    let unwind = errors::converter_not_found(cx, &missing.description);
    cx.take_exception(unwind)
}

pub fn rb_econv_close(given: *mut c_void) {
    if !given.is_null() {
        // SAFETY: `rb_econv_open` made it, and C does not use it again.
        drop(unsafe { Box::from_raw(given.cast::<Conversion>()) });
    }
}

/// Returns the flags of the options, and stores the other options in `rest`: a frozen Hash or nil.
pub fn rb_econv_prepare_options(cx: &mut Cx, hash: Value, rest: *mut Value, flags: i32) -> R<i32> {
    if hash.is_nil() {
        given::write(rest, Value::NIL);
        return Ok(flags);
    }
    let read = options::from_hash(cx, hash)?;
    let mut kept = Value::NIL;
    for name in ["replace", "fallback"] {
        let name = intern_text(cx, name).value();
        let mut v = send(cx, hash, "[]", &[name])?;
        if v.is_nil() {
            continue;
        }
        if let Some(text) = Str::from_value(v) {
            v = text.frozen_dup(cx).value();
        }
        if kept.is_nil() {
            kept = send_to(cx, "Hash", "new", &[])?;
        }
        send(cx, kept, "[]=", &[name, v])?;
    }
    if !kept.is_nil() {
        send(cx, kept, "freeze", &[])?;
    }
    given::write(rest, kept);
    Ok(flags | options_as_flags(&read) as i32)
}

pub fn rb_econv_prepare_opts(cx: &mut Cx, hash: Value, rest: *mut Value) -> R<i32> {
    rb_econv_prepare_options(cx, hash, rest, 0)
}

/// The numbers of `rb_econv_result_t`.
fn number(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Error(ErrorKind::InvalidByteSequence) => 0,
        Outcome::Error(ErrorKind::UndefinedConversion) => 1,
        Outcome::DestinationBufferFull => 2,
        Outcome::SourceBufferEmpty => 3,
        Outcome::Finished => 4,
        Outcome::AfterOutput => 5,
        Outcome::Error(ErrorKind::IncompleteInput) => 6,
    }
}

fn limits(bytes: Option<usize>, flags: i32) -> Limits {
    Limits { bytes, partial_input: flags & PARTIAL_INPUT != 0, after_output: flags & AFTER_OUTPUT != 0 }
}

/// Converts from one buffer to another and advances both positions.
pub fn rb_econv_convert(
    given: *mut c_void,
    source: *mut *const u8,
    source_end: *const u8,
    target: *mut *mut u8,
    target_end: *mut u8,
    flags: i32,
) -> i32 {
    let start = if source.is_null() { source_end } else { given::read(source) };
    let bytes = given::bytes(start.cast(), source_end as i64 - start as i64);
    let to = if target.is_null() { target_end } else { given::read(target) };
    let room = (target_end as usize).saturating_sub(to as usize);
    let (mut rest, mut out) = (bytes, Vec::new());
    let outcome = conversion(given).converter.convert(&mut rest, &mut out, limits(Some(room), flags));
    given::slice_mut(out.len(), to).copy_from_slice(&out);
    given::write(source, start.wrapping_add(bytes.len() - rest.len()));
    given::write(target, to.wrapping_add(out.len()));
    number(outcome)
}

/// Appends the converted bytes to a String, a new one for nil; raises the error of the conversion.
fn append(cx: &mut Cx, given: *mut c_void, mut bytes: &[u8], target: Value, flags: i32) -> R {
    let mut out = Vec::new();
    memory::expect_work(bytes.len());
    let converter = &mut conversion(given).converter;
    converter.convert(&mut bytes, &mut out, limits(None, flags));
    let encoding = converter.destination_encoding().unwrap_or(EncodingId::BINARY);
    let target = match Str::from_value(target) {
        None => make::string(cx, &out, encoding),
        Some(string) => {
            cx.check_frozen(target)?;
            string.append(cx, &out).or_raise(cx)?;
            target
        }
    };
    rb_econv_check_error(cx, given)?;
    Ok(target)
}

pub fn rb_econv_append(
    cx: &mut Cx,
    given: *mut c_void,
    bytes: *const c_char,
    len: i64,
    target: Value,
    flags: i32,
) -> R {
    append(cx, given, given::bytes(bytes, len), target, flags)
}

pub fn rb_econv_substr_append(
    cx: &mut Cx,
    given: *mut c_void,
    source: Value,
    offset: i64,
    len: i64,
    target: Value,
    flags: i32,
) -> R {
    let bytes = convert::to_str(cx, source)?.to_vector();
    let start = usize::try_from(offset).unwrap_or(0).min(bytes.len());
    let end = start.saturating_add(usize::try_from(len).unwrap_or(0)).min(bytes.len());
    append(cx, given, &bytes[start..end], target, flags)
}

pub fn rb_econv_str_append(cx: &mut Cx, given: *mut c_void, source: Value, target: Value, flags: i32) -> R {
    rb_econv_substr_append(cx, given, source, 0, i64::MAX, target, flags)
}

pub fn rb_econv_substr_convert(cx: &mut Cx, given: *mut c_void, source: Value, offset: i64, len: i64, flags: i32) -> R {
    rb_econv_substr_append(cx, given, source, offset, len, Value::NIL, flags)
}

pub fn rb_econv_str_convert(cx: &mut Cx, given: *mut c_void, source: Value, flags: i32) -> R {
    rb_econv_str_append(cx, given, source, Value::NIL, flags)
}

/// The exception for the last error; nil if there is none.
pub fn rb_econv_make_exception(cx: &mut Cx, given: *mut c_void) -> R {
    let converter = &conversion(given).converter;
    Ok(match (converter.last_error().cloned(), converter.error_message()) {
        (Some(info), Some(message)) => errors::exception(cx, &info, &message),
        _ => Value::NIL,
    })
}

pub fn rb_econv_check_error(cx: &mut Cx, given: *mut c_void) -> R<()> {
    let exception = rb_econv_make_exception(cx, given)?;
    if exception.is_nil() { Ok(()) } else { Err(runtime::error::raise_exception(cx, exception)) }
}

/// A String in another encoding.
pub fn encoded(cx: &mut Cx, v: Value, to: Value, flags: i32, options: Value) -> R {
    let (from, to) = (convert::to_str(cx, v)?.encoding(), crate::encoding::rb_to_encoding(cx, to)?);
    let (from, to) = (CEncoding::name_of(from), CEncoding::name_of(CEncoding::id(to)));
    // A decorator alone has no encodings.
    let (from, to) = if given::text(from) == given::text(to) { (c"".as_ptr(), c"".as_ptr()) } else { (from, to) };
    let opened = rb_econv_open_opts(cx, from, to, flags, options)?;
    if opened.is_null() {
        let exception = rb_econv_open_exc(cx, from, to, flags)?;
        return Err(runtime::error::raise_exception(cx, exception));
    }
    let result = rb_econv_str_convert(cx, opened, v, 0);
    rb_econv_close(opened);
    let result = result?;
    if given::text(to).is_empty() {
        Str::of(result).set_encoding(Str::of(v).encoding());
    }
    Ok(result)
}

pub fn rb_econv_putbackable(given: *mut c_void) -> i32 {
    conversion(given).converter.putbackable() as i32
}

/// Writes at most `count` bytes that were read but not converted.
pub fn rb_econv_putback(given: *mut c_void, to: *mut u8, count: i32) {
    let bytes = conversion(given).converter.putback(Some(usize::try_from(count).unwrap_or(0)));
    given::slice_mut(bytes.len(), to).copy_from_slice(&bytes);
}

/// Inserts text in a named encoding into the output; -1 if the output's encoding lacks its characters.
pub fn rb_econv_insert_output(given: *mut c_void, bytes: *const u8, len: usize, encoding: *const c_char) -> i32 {
    let encoding = text::encoding::find(given::text(encoding));
    let done = conversion(given).converter.insert_output(given::slice(len, bytes), encoding);
    if done.is_ok() { 0 } else { -1 }
}

/// The name of the encoding in which text is inserted without a conversion; empty for any.
pub fn rb_econv_encoding_to_insert_output(given: *mut c_void) -> *const c_char {
    match conversion(given).converter.insert_encoding() {
        Some(id) => CEncoding::name_of(id),
        None => c"".as_ptr(),
    }
}

/// Sets the replacement, text in a named encoding; -1 if the output's encoding lacks its characters.
pub fn rb_econv_set_replacement(given: *mut c_void, bytes: *const u8, len: usize, encoding: *const c_char) -> i32 {
    let encoding = text::encoding::find(given::text(encoding)).unwrap_or(EncodingId::BINARY);
    let done = conversion(given).converter.set_replacement(given::slice(len, bytes), encoding);
    if done.is_ok() { 0 } else { -1 }
}

fn decorate(given: *mut c_void, name: *const c_char, at_first: bool) -> i32 {
    let decorator = Decorator::from_name(given::text(name));
    let added = decorator.is_some_and(|d| conversion(given).converter.add_decorator(d, at_first));
    if added { 0 } else { -1 }
}

pub fn rb_econv_decorate_at_first(given: *mut c_void, name: *const c_char) -> i32 {
    decorate(given, name, true)
}

pub fn rb_econv_decorate_at_last(given: *mut c_void, name: *const c_char) -> i32 {
    decorate(given, name, false)
}

/// Turns off the conversion of line ends.
pub fn rb_econv_binmode(given: *mut c_void) {
    const NEWLINES: i32 = 0x7f00;
    let conversion = conversion(given);
    conversion.converter.remove_newline_decorators();
    conversion.flags &= !NEWLINES;
}

/// The name of an encoding with the same characters that extends ASCII; null if the given one does, or there is none.
pub fn rb_econv_asciicompat_encoding(name: *const c_char) -> *const c_char {
    let found = text::encoding::find(given::text(name)).and_then(transcode::asciicompat_encoding);
    found.map_or(std::ptr::null(), CEncoding::name_of)
}
