//! Strings.

use std::ffi::{c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use abi::Value;
use object::{
    Known,
    array::Arr,
    cell, class,
    string::{Str, intern},
    symbol::table::intern_text,
};
use runtime::{Cx, R, args, call, convert, error::OrRaise, make};
use text::{
    CodeRange, EncodingId,
    number::{self, IntegerError, IntegerText},
    transcode::{Converter, Limits, Options, Outcome},
};

use crate::{
    border::{send, send_to},
    encoding::CEncoding,
    given,
};

/// A String from C's bytes; `len` zeros if the pointer is null.
fn new(cx: &mut Cx, start: *const c_char, len: i64, encoding: EncodingId) -> R {
    if len < 0 {
        return Err(cx.argument_error("negative string size (or size too big)"));
    }
    if start.is_null() && len > 0 {
        let string = Str::filled(cx, len as usize, encoding, CodeRange::Unknown, |_| ()).or_raise(cx)?;
        return Ok(string.value());
    }
    Ok(Str::new(cx, given::bytes(start, len), encoding).or_raise(cx)?.value())
}

fn new_text(cx: &mut Cx, start: *const c_char, encoding: EncodingId) -> R {
    if start.is_null() {
        return Err(cx.argument_error("NULL pointer given"));
    }
    Ok(Str::new(cx, given::text(start), encoding).or_raise(cx)?.value())
}

pub fn rb_str_new(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    new(cx, start, len, EncodingId::BINARY)
}

pub fn rb_str_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    new_text(cx, start, EncodingId::BINARY)
}

pub fn rb_str_new_static(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    new(cx, start, len, EncodingId::BINARY)
}

pub fn rb_usascii_str_new(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    new(cx, start, len, EncodingId::US_ASCII)
}

pub fn rb_usascii_str_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    new_text(cx, start, EncodingId::US_ASCII)
}

pub fn rb_usascii_str_new_static(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    new(cx, start, len, EncodingId::US_ASCII)
}

pub fn rb_utf8_str_new(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    new(cx, start, len, EncodingId::UTF_8)
}

pub fn rb_utf8_str_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    new_text(cx, start, EncodingId::UTF_8)
}

pub fn rb_utf8_str_new_static(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    new(cx, start, len, EncodingId::UTF_8)
}

pub fn rb_enc_str_new(cx: &mut Cx, start: *const c_char, len: i64, encoding: *mut CEncoding) -> R {
    new(cx, start, len, CEncoding::id(encoding))
}

pub fn rb_enc_str_new_cstr(cx: &mut Cx, start: *const c_char, encoding: *mut CEncoding) -> R {
    let encoding = CEncoding::id(encoding);
    if encoding.min_char_len() != 1 {
        return Err(cx.argument_error("wide char encoding: NUL terminates no string of it"));
    }
    new_text(cx, start, encoding)
}

pub fn rb_enc_str_new_static(cx: &mut Cx, start: *const c_char, len: i64, encoding: *mut CEncoding) -> R {
    new(cx, start, len, CEncoding::id(encoding))
}

/// Converts to the default internal encoding, if there is one and the conversion is possible.
fn external(cx: &mut Cx, bytes: &[u8], encoding: EncodingId) -> R {
    let mut encoding = encoding;
    if encoding == EncodingId::US_ASCII && !bytes.is_ascii() {
        encoding = EncodingId::BINARY;
    }
    let v = Str::new(cx, bytes, encoding).or_raise(cx)?.value();
    match cx.vm().default_internal {
        Some(internal) if internal != encoding && encoding != EncodingId::BINARY => {
            Ok(converted(cx, v, internal).unwrap_or(v))
        }
        _ => Ok(v),
    }
}

/// The String in another encoding; `None` if it cannot be converted.
fn converted(cx: &mut Cx, v: Value, to: EncodingId) -> Option<Value> {
    let string = Str::of(v);
    if string.is_ascii() && string.encoding().is_ascii_compatible() && to.is_ascii_compatible() {
        let copy = string.dup(cx);
        copy.set_encoding(to);
        return Some(copy.value());
    }
    let name = make::text(cx, to.name());
    match send(cx, v, "encode", &[name]) {
        Ok(v) => Some(v),
        Err(unwind) => {
            let _ = cx.take_exception(unwind);
            None
        }
    }
}

pub fn rb_external_str_new(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    let encoding = cx.vm().default_external;
    external(cx, given::bytes(start, len), encoding)
}

pub fn rb_external_str_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    let encoding = cx.vm().default_external;
    external(cx, given::text(start), encoding)
}

pub fn rb_external_str_new_with_enc(cx: &mut Cx, start: *const c_char, len: i64, encoding: *mut CEncoding) -> R {
    external(cx, given::bytes(start, len), CEncoding::id(encoding))
}

pub fn rb_locale_str_new(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    external(cx, given::bytes(start, len), core_classes::encoding::locale())
}

pub fn rb_locale_str_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    external(cx, given::text(start), core_classes::encoding::locale())
}

pub fn rb_filesystem_str_new(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    rb_external_str_new(cx, start, len)
}

pub fn rb_filesystem_str_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    rb_external_str_new_cstr(cx, start)
}

fn interned(cx: &mut Cx, bytes: &[u8], encoding: EncodingId) -> R {
    let encoding = if bytes.is_ascii() && encoding == EncodingId::BINARY { EncodingId::US_ASCII } else { encoding };
    Ok(intern::intern(cx, bytes, encoding).or_raise(cx)?.value())
}

pub fn rb_interned_str(cx: &mut Cx, start: *const c_char, len: i64) -> R {
    let bytes = given::bytes(start, len);
    interned(cx, bytes, if bytes.is_ascii() { EncodingId::US_ASCII } else { EncodingId::BINARY })
}

pub fn rb_interned_str_cstr(cx: &mut Cx, start: *const c_char) -> R {
    let bytes = given::text(start);
    interned(cx, bytes, if bytes.is_ascii() { EncodingId::US_ASCII } else { EncodingId::BINARY })
}

pub fn rb_enc_interned_str(cx: &mut Cx, start: *const c_char, len: i64, encoding: *mut CEncoding) -> R {
    let encoding = if encoding.is_null() { EncodingId::BINARY } else { CEncoding::id(encoding) };
    Ok(intern::intern(cx, given::bytes(start, len), encoding).or_raise(cx)?.value())
}

pub fn rb_enc_interned_str_cstr(cx: &mut Cx, start: *const c_char, encoding: *mut CEncoding) -> R {
    let encoding = if encoding.is_null() { EncodingId::BINARY } else { CEncoding::id(encoding) };
    Ok(intern::intern(cx, given::text(start), encoding).or_raise(cx)?.value())
}

pub fn rb_str_to_interned_str(cx: &mut Cx, v: Value) -> R {
    send(cx, v, "-@", &[])
}

pub fn rb_str_buf_new(cx: &mut Cx, capacity: i64) -> R {
    Ok(Str::with_capacity(cx, capacity.max(0) as usize + 1, EncodingId::BINARY).or_raise(cx)?.value())
}

pub fn rb_str_buf_new_cstr(cx: &mut Cx, start: *const c_char) -> R {
    new_text(cx, start, EncodingId::BINARY)
}

pub fn rb_str_tmp_new(cx: &mut Cx, len: i64) -> R {
    let made = new(cx, std::ptr::null(), len, EncodingId::BINARY)?;
    let hidden = cx.class(Known::Internal);
    Ok(of_class(cx, made, hidden))
}

pub fn rb_str_new_shared(cx: &mut Cx, v: Value) -> R {
    Ok(of_same_class(cx, v))
}

fn of_same_class(cx: &mut Cx, v: Value) -> Value {
    Str::of(v).dup(cx).value()
}

pub fn rb_str_new_frozen(cx: &mut Cx, v: Value) -> R {
    if cell::frozen(v) {
        return Ok(v);
    }
    let copy = send(cx, v, "dup", &[])?;
    send(cx, copy, "freeze", &[])
}

pub fn rb_str_new_with_class(cx: &mut Cx, v: Value, start: *const c_char, len: i64) -> R {
    let encoding = Str::of(v).encoding();
    let made = new(cx, start, len, encoding)?;
    let class = class::real_class(cx, v);
    Ok(of_class(cx, made, class))
}

pub fn rb_str_dup(cx: &mut Cx, v: Value) -> R {
    let class = class::real_class(cx, v);
    let copy = Str::of(v).dup(cx).value();
    Ok(of_class(cx, copy, class))
}

/// Makes a new String an instance of a subclass.
fn of_class(cx: &mut Cx, v: Value, class: Value) -> Value {
    if class != cx.class(Known::String) {
        let shape = class::root_shape(class);
        cell::set_header(v, cell::header(v).with_shape(shape));
        cx.remember(v);
    }
    v
}

pub fn rb_str_resurrect(cx: &mut Cx, v: Value) -> R {
    Ok(Str::of(v).dup(cx).value())
}

fn changeable(cx: &mut Cx, v: Value) -> R<Str> {
    let Some(string) = Str::from_value(v) else {
        let class = runtime::error::class_name_of(cx, v);
        return Err(cx.type_error(&format!("wrong argument type {class} (expected String)")));
    };
    cx.check_frozen(v)?;
    Ok(string)
}

#[inline(always)]
pub fn quick_rb_str_cat(cx: &mut Cx, v: Value, start: *const c_char, len: i64) -> Option<Value> {
    let header = Str::from_value(v).map(|_| cell::header(v))?;
    if len < 0 || header.has(abi::Flags::FROZEN) || header.has(abi::Flags::CHILLED) {
        return None;
    }
    let string = Str::of(v);
    let is_done = string.encoding().min_char_len() == 1 && string.append_in_place(cx, given::bytes(start, len));
    is_done.then_some(v)
}

pub fn rb_str_cat(cx: &mut Cx, v: Value, start: *const c_char, len: i64) -> R {
    if len < 0 {
        return Err(cx.argument_error("negative string size (or size too big)"));
    }
    let string = changeable(cx, v)?;
    string.append(cx, given::bytes(start, len)).or_raise(cx)?;
    string.terminate(cx);
    Ok(v)
}

pub fn rb_str_cat_cstr(cx: &mut Cx, v: Value, start: *const c_char) -> R {
    let string = changeable(cx, v)?;
    string.append(cx, given::text(start)).or_raise(cx)?;
    string.terminate(cx);
    Ok(v)
}

/// Appends ASCII characters, in the encoding of the String.
pub fn rb_str_buf_cat_ascii(cx: &mut Cx, v: Value, start: *const c_char) -> R {
    let encoding = changeable(cx, v)?.encoding();
    if encoding.is_ascii_compatible() {
        return rb_str_cat_cstr(cx, v, start);
    }
    let other = make::string(cx, given::text(start), EncodingId::US_ASCII);
    let name = make::text(cx, encoding.name());
    let other = send(cx, other, "encode", &[name])?;
    send(cx, v, "<<", &[other])
}

/// Appends bytes in an encoding; an empty or ASCII-only String takes over that encoding.
pub fn rb_enc_str_buf_cat(cx: &mut Cx, v: Value, start: *const c_char, len: i64, encoding: *mut CEncoding) -> R {
    changeable(cx, v)?;
    let other = Str::new(cx, given::bytes(start, len), CEncoding::id(encoding)).or_raise(cx)?.value();
    send(cx, v, "<<", &[other])
}

pub fn rb_str_buf_append(cx: &mut Cx, v: Value, other: Value) -> R {
    changeable(cx, v)?;
    send(cx, v, "<<", &[other])
}

pub fn rb_str_append(cx: &mut Cx, v: Value, other: Value) -> R {
    let other = convert::to_str(cx, other)?.value();
    changeable(cx, v)?;
    send(cx, v, "<<", &[other])
}

pub fn rb_str_strlen(cx: &mut Cx, v: Value) -> R<i64> {
    let length = send(cx, v, "length", &[])?;
    convert::to_i64(cx, length)
}

pub fn rb_str_substr(cx: &mut Cx, v: Value, start: i64, len: i64) -> R {
    send(cx, v, "[]", &[Value::fixnum(start), Value::fixnum(len)])
}

pub fn rb_str_subseq(cx: &mut Cx, v: Value, start: i64, len: i64) -> R {
    let string = Str::of(v);
    let start = (start.max(0) as usize).min(string.len());
    let len = (len.max(0) as usize).min(string.len() - start);
    Ok(string.slice(cx, start, len).or_raise(cx)?.value())
}

pub fn rb_str_offset(cx: &mut Cx, v: Value, position: i64) -> R<i64> {
    let head = send(cx, v, "[]", &[Value::fixnum(0), Value::fixnum(position)])?;
    Ok(if head.is_nil() { Str::of(v).len() as i64 } else { Str::of(head).len() as i64 })
}

pub fn rb_str_sublen(cx: &mut Cx, v: Value, bytes: i64) -> R<i64> {
    let head = rb_str_subseq(cx, v, 0, bytes)?;
    rb_str_strlen(cx, head)
}

pub fn rb_str_freeze(cx: &mut Cx, v: Value) -> R {
    send(cx, v, "freeze", &[])
}

pub fn rb_str_cmp(_: &mut Cx, a: Value, b: Value) -> R<i32> {
    Ok(Str::of(a).compare(Str::of(b)) as i32)
}

pub fn rb_str_comparable(_: &mut Cx, a: Value, b: Value) -> R<i32> {
    Ok(Str::of(a).comparable(Str::of(b)) as i32)
}

pub fn rb_str_hash_cmp(_: &mut Cx, a: Value, b: Value) -> R<i32> {
    Ok(!Str::of(a).equal(Str::of(b)) as i32)
}

pub fn rb_str_hash(cx: &mut Cx, v: Value) -> R<u64> {
    Ok(Str::of(v).hash(cx))
}

pub fn rb_str_split(cx: &mut Cx, v: Value, separator: *const c_char) -> R {
    let separator = make::string(cx, given::text(separator), EncodingId::UTF_8);
    send(cx, v, "split", &[separator])
}

pub fn rb_str_update(cx: &mut Cx, v: Value, start: i64, len: i64, with: Value) -> R<()> {
    send(cx, v, "[]=", &[Value::fixnum(start), Value::fixnum(len), with]).map(drop)
}

pub fn rb_str_drop_bytes(cx: &mut Cx, v: Value, count: i64) -> R {
    let string = changeable(cx, v)?;
    let count = (count.max(0) as usize).min(string.len());
    string.splice(cx, 0, count, &[]).or_raise(cx)?;
    Ok(v)
}

pub fn rb_str_scrub(cx: &mut Cx, v: Value, with: Value) -> R {
    let string = Str::of(v);
    if string.code_range() != CodeRange::Broken {
        return Ok(Value::NIL);
    }
    if with.is_nil() { send(cx, v, "scrub", &[]) } else { send(cx, v, "scrub", &[with]) }
}

/// Sets the length; new bytes are those already in the buffer, or zeros in a new one.
fn resize(cx: &mut Cx, string: Str, len: usize) -> R<()> {
    let old = string.len();
    if len <= old {
        // Required even if nothing is removed: C may change the bytes from now on.
        string.make_own(cx).or_raise(cx)?;
        string.truncate(cx, len);
        return Ok(());
    }
    string.lengthen(cx, len - old).or_raise(cx)
}

pub fn rb_str_resize(cx: &mut Cx, v: Value, len: i64) -> R {
    if len < 0 {
        return Err(cx.argument_error("negative string size (or size too big)"));
    }
    let Some(string) = Str::from_value(v) else { return Err(cx.type_error("wrong argument type (expected String)")) };
    if string.len() as i64 == len {
        return Ok(v);
    }
    let string = changeable(cx, v)?;
    resize(cx, string, len as usize)?;
    Ok(v)
}

pub fn rb_str_set_len(cx: &mut Cx, v: Value, len: i64) -> R<()> {
    let string = changeable(cx, v)?;
    if len < 0 || len as usize > string.capacity(cx) {
        return Err(cx.runtime_error("probable buffer overflow"));
    }
    string.set_native_len(cx, len as usize).or_raise(cx)?;
    beni_string_pointer(cx, v)?;
    Ok(())
}

pub fn rb_str_modify(cx: &mut Cx, v: Value) -> R<()> {
    let string = changeable(cx, v)?;
    string.native_change(cx).or_raise(cx)?;
    Ok(())
}

pub fn rb_str_modify_expand(cx: &mut Cx, v: Value, more: i64) -> R<()> {
    if more < 0 {
        return Err(cx.argument_error("negative expanding string size"));
    }
    let string = changeable(cx, v)?;
    string.native_change(cx).or_raise(cx)?;
    string.expand_native(cx, more as usize + 1).or_raise(cx)
}

pub fn rb_str_capacity(cx: &mut Cx, v: Value) -> usize {
    Str::of(v).capacity(cx).saturating_sub(1).max(Str::of(v).len())
}

pub fn rb_str_to_str(cx: &mut Cx, v: Value) -> R {
    Ok(convert::to_str(cx, v)?.value())
}

pub fn rb_obj_as_string(cx: &mut Cx, v: Value) -> R {
    Ok(convert::to_s(cx, v)?.value())
}

pub fn rb_check_string_type(cx: &mut Cx, v: Value) -> R {
    Ok(convert::try_str(cx, v)?.map_or(Value::NIL, Str::value))
}

pub fn rb_string_value(cx: &mut Cx, variable: *mut Value) -> R {
    let v = given::read(variable);
    if Str::from_value(v).is_some() {
        return Ok(v);
    }
    let v = convert::to_str(cx, v)?.value();
    given::write(variable, v);
    Ok(v)
}

pub fn rb_string_value_ptr(cx: &mut Cx, variable: *mut Value) -> R<*mut c_char> {
    let v = rb_string_value(cx, variable)?;
    pointer(cx, Str::of(v))
}

pub fn rb_string_value_cstr(cx: &mut Cx, variable: *mut Value) -> R<*mut c_char> {
    let v = rb_string_value(cx, variable)?;
    rb_str_to_cstr(cx, v)
}

pub fn rb_str_to_cstr(cx: &mut Cx, v: Value) -> R<*mut c_char> {
    let string = Str::of(v);
    let bytes = string.bytes(cx);
    let has_null = match string.encoding().min_char_len() {
        1 => bytes.contains(&0),
        wide => bytes.chunks_exact(wide).any(|unit| unit.iter().all(|b| *b == 0)),
    };
    if has_null {
        let wide = if string.encoding().min_char_len() > 1 { "wide char" } else { "byte" };
        let text = if wide == "byte" { "string contains null byte" } else { "string contains null char" };
        return Err(cx.argument_error(text));
    }
    let start = pointer(cx, string)?;
    if !string.is_shared() {
        string.terminate(cx);
    }
    Ok(start)
}

/// The address of a String's bytes, which end with NUL; valid until the String changes.
pub fn pointer(cx: &mut Cx, string: Str) -> R<*mut c_char> {
    Ok(string.native_pointer(cx).or_raise(cx)?.cast())
}

/// The lengths of Strings at the time when C got their addresses, by address. If the length of a String differs now,
/// Ruby has changed the String and has not written a NUL after it.
static LENGTHS: [[AtomicU64; 2]; 64] = [const { [const { AtomicU64::new(0) }; 2] }; 64];

/// The address that C got before, if the String has the same length and room for the NUL.
#[inline(always)]
pub fn quick_beni_string_pointer(cx: &mut Cx, v: Value) -> Option<Value> {
    let string = Str::from_value(v)?;
    let [address, length] = &LENGTHS[(v.0 >> 4) as usize % LENGTHS.len()];
    let is_known = address.load(Relaxed) == v.0 && length.load(Relaxed) == string.len() as u64;
    if is_known { Some(Value(string.known_native_pointer(cx)? as u64)) } else { None }
}

pub fn beni_string_pointer(cx: &mut Cx, v: Value) -> R<*mut c_char> {
    match Str::from_value(v) {
        Some(string) => {
            let start = pointer(cx, string)?;
            let [address, length] = &LENGTHS[(v.0 >> 4) as usize % LENGTHS.len()];
            let (before, now) = (length.load(Relaxed), string.len() as u64);
            let same = address.load(Relaxed) == v.0;
            // The global lock is held here, so no atomic read-modify-write is needed.
            length.store(now, Relaxed);
            address.store(v.0, Relaxed);
            if same && before != now && !string.is_shared() && !cell::frozen(v) {
                string.terminate(cx);
            }
            Ok(start)
        }
        None => Err(cx.type_error("RSTRING_PTR of an object that is no String")),
    }
}

/// The address of text that is kept until the process ends.
pub fn interned_pointer(cx: &mut Cx, text: &[u8]) -> R<*const c_char> {
    let string = intern::intern(cx, text, EncodingId::UTF_8).or_raise(cx)?;
    let list = crate::gc::kept(cx);
    make::push(cx, list, string.value());
    Ok(pointer(cx, string)?.cast_const())
}

pub fn rb_must_asciicompat(cx: &mut Cx, v: Value) -> R<()> {
    let encoding = Str::of(v).encoding();
    if encoding.is_ascii_compatible() {
        return Ok(());
    }
    let class = runtime::error::ErrorClass::CompatibilityError;
    Err(cx.raise(class, &format!("ASCII incompatible encoding: {}", encoding.name())))
}

pub fn rb_str_to_inum(cx: &mut Cx, v: Value, base: i32, strict: i32) -> R {
    if strict != 0 {
        return send_to(cx, "Kernel", "Integer", &[v, Value::fixnum(base as i64)]);
    }
    rb_must_asciicompat(cx, v)?;
    let parsed = number::parse_integer(Str::of(v).bytes(cx), base.into());
    integer(cx, parsed, base)
}

/// The Integer that a text starts with.
pub fn integer(cx: &mut Cx, parsed: Result<IntegerText, IntegerError>, base: i32) -> R {
    match parsed {
        Ok(parsed) => core_classes::string::number::integer(cx, parsed),
        Err(_) => Err(cx.argument_error(&format!("invalid radix {base}"))),
    }
}

pub fn rb_str_to_dbl(cx: &mut Cx, v: Value, strict: i32) -> R<f64> {
    if strict != 0 {
        let f = send_to(cx, "Kernel", "Float", &[v])?;
        return convert::to_f64(cx, f);
    }
    rb_must_asciicompat(cx, v)?;
    Ok(number::parse_float(Str::of(v).bytes(cx)))
}

pub fn rb_str_export(cx: &mut Cx, v: Value) -> R {
    let to = cx.vm().default_external;
    conv_enc(cx, v, Str::of(v).encoding(), to)
}

pub fn rb_str_export_locale(cx: &mut Cx, v: Value) -> R {
    conv_enc(cx, v, Str::of(v).encoding(), core_classes::encoding::locale())
}

pub fn rb_str_export_to_enc(cx: &mut Cx, v: Value, to: *mut CEncoding) -> R {
    conv_enc(cx, v, Str::of(v).encoding(), CEncoding::id(to))
}

fn conv_enc(cx: &mut Cx, v: Value, from: EncodingId, to: EncodingId) -> R {
    if to == EncodingId::BINARY { Ok(v) } else { conv_enc_with(cx, v, from, to, &Options::default()) }
}

/// The String from one encoding in another one; the String itself if it cannot be converted.
fn conv_enc_with(cx: &mut Cx, v: Value, from: EncodingId, to: EncodingId, options: &Options) -> R {
    let string = Str::of(v);
    if from == to {
        return Ok(v);
    }
    let is_ascii = || to.is_ascii_compatible() && from.is_ascii_compatible() && string.is_ascii();
    if to == EncodingId::BINARY || is_ascii() {
        if string.encoding() == to {
            return Ok(v);
        }
        let copy = string.dup(cx);
        copy.set_encoding(to);
        return Ok(copy.value());
    }
    let Ok(mut converter) = Converter::between(Some((from, to)), options) else {
        return Ok(v);
    };
    let bytes = string.to_vector();
    memory::expect_work(bytes.len());
    let (mut rest, mut out) = (&bytes[..], Vec::new());
    match converter.convert(&mut rest, &mut out, Limits::default()) {
        Outcome::Finished => Ok(Str::new(cx, &out, to).or_raise(cx)?.value()),
        _ => Ok(v),
    }
}

pub fn rb_str_conv_enc(cx: &mut Cx, v: Value, from: *mut CEncoding, to: *mut CEncoding) -> R {
    rb_str_conv_enc_opts(cx, v, from, to, 0, Value::NIL)
}

pub fn rb_str_conv_enc_opts(
    cx: &mut Cx,
    v: Value,
    from: *mut CEncoding,
    to: *mut CEncoding,
    flags: i32,
    rest: Value,
) -> R {
    if to.is_null() {
        return Ok(v);
    }
    let from = if from.is_null() { Str::of(v).encoding() } else { CEncoding::id(from) };
    let mut options = core_classes::encoding::options_of_flags(flags as i64);
    if !rest.is_nil() {
        options.replacement = core_classes::encoding::options::from_hash(cx, rest)?.replacement;
    }
    conv_enc_with(cx, v, from, CEncoding::id(to), &options)
}

/// The `ECONV_…` flags as keywords of String#encode, or for a conversion with decorators.
pub fn rb_str_encode(cx: &mut Cx, v: Value, to: Value, flags: i32, options: Value) -> R {
    const DECORATORS: i32 = 0x11_ff00;
    if flags & DECORATORS != 0 {
        return crate::econv::encoded(cx, v, to, flags, options);
    }
    let keywords = object::hash::HashRef::new(cx).value();
    if !options.is_nil() {
        send(cx, keywords, "update", &[options])?;
    }
    let set = |cx: &mut Cx, name: &str, value: &str| {
        let (name, value) = (intern_text(cx, name).value(), intern_text(cx, value).value());
        runtime::keys::store(cx, keywords, name, value)
    };
    if flags & 0x0f == 2 {
        set(cx, "invalid", "replace")?;
    }
    if flags & 0xf0 == 0x20 {
        set(cx, "undef", "replace")?;
    }
    let name = intern_text(cx, "encode");
    call::send_full(cx, v, name, &[to], Some(keywords), abi::BlockHandler::NONE, call::Scope::Function)
}

pub fn rb_str_encode_ospath(_: &mut Cx, v: Value) -> R {
    Ok(v)
}

pub fn rb_str_format(cx: &mut Cx, count: i32, argv: *const Value, format: Value) -> R {
    let list = make::array(cx, &[format]);
    for v in given::values(count, argv) {
        make::push(cx, list, *v);
    }
    args::spread(cx, Arr::of(list), |cx, all| send_to(cx, "Kernel", "format", all))
}

pub fn rb_f_sprintf(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    send_to(cx, "Kernel", "format", given::values(count, argv))
}

pub fn rb_str_shared_replace(cx: &mut Cx, v: Value, other: Value) -> R<()> {
    send(cx, v, "replace", &[other]).map(drop)
}

pub fn rb_str_free(_: &mut Cx, _: Value) {}

pub fn rb_str_locktmp(cx: &mut Cx, v: Value) -> R {
    let header = cell::header(v);
    if header.has(object::string::LOCKED) {
        return Err(cx.runtime_error("temporal locking already locked string"));
    }
    cx.check_frozen(v)?;
    cell::set_header(v, header.with(object::string::LOCKED).with(abi::Flags::FROZEN));
    Ok(v)
}

pub fn rb_str_unlocktmp(cx: &mut Cx, v: Value) -> R {
    let header = cell::header(v);
    if !header.has(object::string::LOCKED) {
        cx.check_frozen(v)?;
        return Err(cx.runtime_error("temporal unlocking already unlocked string"));
    }
    cell::set_header(v, header.without(object::string::LOCKED).without(abi::Flags::FROZEN));
    Ok(v)
}

pub fn rb_memsearch(
    _: &mut Cx,
    wanted: *const c_void,
    len: i64,
    within: *const c_void,
    all: i64,
    _: *mut CEncoding,
) -> R<i64> {
    let (wanted, within) = (given::bytes(wanted.cast(), len), given::bytes(within.cast(), all));
    if wanted.is_empty() {
        return Ok(0);
    }
    Ok(within.windows(wanted.len()).position(|w| w == wanted).map_or(-1, |at| at as i64))
}

pub fn rb_memhash(start: *const c_void, len: i64) -> u64 {
    crate::st::hash_bytes(given::bytes(start.cast(), len), 0)
}

pub fn rb_hash_start(seed: u64) -> u64 {
    seed.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The address of the characters from `start` to `start + *len`; `*len` is set to their number of bytes.
pub fn rb_str_subpos(cx: &mut Cx, v: Value, start: i64, len: *mut i64) -> R<*mut c_char> {
    let count = given::read(len);
    let all = rb_str_strlen(cx, v)?;
    let from = if start < 0 { start + all } else { start };
    if count < 0 || from < 0 || from > all {
        return Ok(std::ptr::null_mut());
    }
    let at = rb_str_offset(cx, v, from)?;
    let end = rb_str_offset(cx, v, (from + count).min(all))?;
    given::write(len, end - at);
    Ok(pointer(cx, Str::of(v))?.wrapping_add(at as usize))
}
