//! Encodings.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use abi::Value;
use object::{Sym, cell, string::Str};
use runtime::{Cx, R, error::OrRaise, special::RegexpData};
use text::{
    CodeRange, EncodingId,
    encoding::{self, CharLen, defined::MAXIMUM},
};

use crate::{
    border::{pin, send, send_to},
    given,
};

/// `rb_encoding`.
#[repr(C)]
pub struct CEncoding {
    name: *const c_char,
    max_len: c_int,
    min_len: c_int,
    index: c_int,
    flags: c_uint,
}

// SAFETY: the table is created once and never changes; the names live as long as the process.
unsafe impl Sync for CEncoding {}
// SAFETY: the table never changes, so any thread may read it.
unsafe impl Send for CEncoding {}

static TABLE: OnceLock<Vec<CEncoding>> = OnceLock::new();

/// The encodings that extensions defined.
static DEFINED: [OnceLock<CEncoding>; MAXIMUM - EncodingId::COUNT] =
    [const { OnceLock::new() }; MAXIMUM - EncodingId::COUNT];

fn entry(id: EncodingId) -> CEncoding {
    CEncoding {
        name: CString::new(id.name()).unwrap_or_default().into_raw(),
        max_len: id.max_char_len() as c_int,
        min_len: id.min_char_len() as c_int,
        index: id.index() as c_int,
        flags: id.is_unicode() as c_uint,
    }
}

impl CEncoding {
    /// The encoding for C's pointer; BINARY for null.
    pub fn id(encoding: *const CEncoding) -> EncodingId {
        // SAFETY: C has only entries of the table.
        let index = unsafe { encoding.as_ref() }.map_or(0, |entry| entry.index);
        EncodingId::from_index(index as u8).unwrap_or(EncodingId::BINARY)
    }

    pub fn of(id: EncodingId) -> *mut CEncoding {
        let (index, built_in) = (id.index() as usize, TABLE.get_or_init(|| encoding::all().map(entry).collect()));
        let found = match built_in.get(index) {
            Some(found) => found,
            None => DEFINED[index - EncodingId::COUNT].get_or_init(|| entry(id)),
        };
        std::ptr::from_ref(found).cast_mut()
    }

    /// The name, which C may keep.
    pub fn name_of(id: EncodingId) -> *const c_char {
        // SAFETY: the entries live as long as the process.
        unsafe { (*CEncoding::of(id)).name }
    }
}

pub fn rb_utf8_encoding() -> *mut CEncoding {
    CEncoding::of(EncodingId::UTF_8)
}

pub fn rb_ascii8bit_encoding() -> *mut CEncoding {
    CEncoding::of(EncodingId::BINARY)
}

pub fn rb_usascii_encoding() -> *mut CEncoding {
    CEncoding::of(EncodingId::US_ASCII)
}

pub fn rb_locale_encoding(_: &mut Cx) -> *mut CEncoding {
    CEncoding::of(core_classes::encoding::locale())
}

pub fn rb_filesystem_encoding(cx: &mut Cx) -> *mut CEncoding {
    CEncoding::of(cx.vm().default_external)
}

pub fn rb_default_external_encoding(cx: &mut Cx) -> *mut CEncoding {
    CEncoding::of(cx.vm().default_external)
}

pub fn rb_default_internal_encoding(cx: &mut Cx) -> *mut CEncoding {
    cx.vm().default_internal.map_or(std::ptr::null_mut(), CEncoding::of)
}

pub fn rb_utf8_encindex() -> i32 {
    EncodingId::UTF_8.index() as i32
}

pub fn rb_ascii8bit_encindex() -> i32 {
    EncodingId::BINARY.index() as i32
}

pub fn rb_usascii_encindex() -> i32 {
    EncodingId::US_ASCII.index() as i32
}

pub fn rb_locale_encindex(_: &mut Cx) -> i32 {
    core_classes::encoding::locale().index() as i32
}

pub fn rb_filesystem_encindex(cx: &mut Cx) -> i32 {
    cx.vm().default_external.index() as i32
}

pub fn rb_enc_default_external(cx: &mut Cx) -> R {
    send_to(cx, "Encoding", "default_external", &[])
}

pub fn rb_enc_default_internal(cx: &mut Cx) -> R {
    send_to(cx, "Encoding", "default_internal", &[])
}

pub fn rb_enc_set_default_external(cx: &mut Cx, v: Value) -> R<()> {
    send_to(cx, "Encoding", "default_external=", &[v]).map(drop)
}

pub fn rb_enc_set_default_internal(cx: &mut Cx, v: Value) -> R<()> {
    send_to(cx, "Encoding", "default_internal=", &[v]).map(drop)
}

pub fn rb_enc_from_index(index: i32) -> *mut CEncoding {
    u8::try_from(index).ok().and_then(EncodingId::from_index).map_or(std::ptr::null_mut(), CEncoding::of)
}

fn found(cx: &Cx, name: &[u8]) -> Option<EncodingId> {
    match name.to_ascii_lowercase().as_slice() {
        b"external" | b"filesystem" => Some(cx.vm().default_external),
        b"internal" => cx.vm().default_internal,
        b"locale" => Some(core_classes::encoding::locale()),
        _ => encoding::find(name),
    }
}

pub fn rb_enc_find(cx: &mut Cx, name: *const c_char) -> R<*mut CEncoding> {
    Ok(found(cx, given::text(name)).map_or(std::ptr::null_mut(), CEncoding::of))
}

pub fn rb_enc_find_index(cx: &mut Cx, name: *const c_char) -> R<i32> {
    Ok(found(cx, given::text(name)).map_or(-1, |id| id.index() as i32))
}

pub fn rb_enc_to_index(encoding: *mut CEncoding) -> i32 {
    if encoding.is_null() { 0 } else { CEncoding::id(encoding).index() as i32 }
}

/// The encoding of a String, Symbol, Regexp, File or Encoding.
fn encoding_of(cx: &mut Cx, v: Value) -> R<Option<EncodingId>> {
    if let Some(string) = Str::from_value(v) {
        return Ok(Some(string.encoding()));
    }
    if let Some(symbol) = Sym::from_value(v) {
        return Ok(Some(Str::of(symbol.name(cx)).encoding()));
    }
    if let Some(id) = core_classes::encoding::names::id_of(v) {
        return Ok(Some(id));
    }
    let object = if cell::is(v, abi::Type::Regexp) {
        send(cx, v, "encoding", &[])?
    } else if v.is_heap() && crate::object::beni_builtin_type(v) == 0x0b && cell::is(v, abi::Type::Native) {
        let internal = send(cx, v, "internal_encoding", &[])?;
        if internal.is_nil() { send(cx, v, "external_encoding", &[])? } else { internal }
    } else {
        return Ok(None);
    };
    Ok(core_classes::encoding::names::id_of(object))
}

pub fn rb_enc_get(cx: &mut Cx, v: Value) -> R<*mut CEncoding> {
    Ok(encoding_of(cx, v)?.map_or(std::ptr::null_mut(), CEncoding::of))
}

/// The number as the word of the result.
#[inline(always)]
pub fn quick_rb_enc_get_index(_: &mut Cx, v: Value) -> Option<Value> {
    Str::from_value(v).map(|string| Value(string.encoding().index() as u64))
}

pub fn rb_enc_get_index(cx: &mut Cx, v: Value) -> R<i32> {
    Ok(encoding_of(cx, v)?.map_or(-1, |id| id.index() as i32))
}

fn set(cx: &mut Cx, v: Value, id: EncodingId) -> R<()> {
    cx.check_frozen(v)?;
    match Str::from_value(v) {
        Some(string) => {
            string.set_encoding(id);
            Ok(())
        }
        None if cell::is(v, abi::Type::Regexp) => set_of_pattern(cx, v, id),
        None => Err(cx.argument_error("cannot set encoding on non-encoding capable object")),
    }
}

/// A Regexp has the encoding of its source.
fn set_of_pattern(cx: &mut Cx, v: Value, id: EncodingId) -> R<()> {
    let source = Str::of(core_classes::regexp::search::data(cx, &v)?.source);
    let copy = source.dup(cx);
    copy.set_encoding(id);
    cell::set_header(copy.value(), cell::header(copy.value()).with(abi::Flags::FROZEN));
    if let Some(data) = object::native::get_mut::<RegexpData>(cx, v) {
        data.source = copy.value();
    }
    Ok(())
}

pub fn rb_enc_set_index(cx: &mut Cx, v: Value, index: i32) -> R<()> {
    rb_enc_associate_index(cx, v, index).map(drop)
}

pub fn rb_enc_associate(cx: &mut Cx, v: Value, encoding: *mut CEncoding) -> R {
    set(cx, v, CEncoding::id(encoding))?;
    Ok(v)
}

pub fn rb_enc_associate_index(cx: &mut Cx, v: Value, index: i32) -> R {
    let Some(id) = u8::try_from(index).ok().and_then(EncodingId::from_index) else {
        return Err(
            cx.raise(runtime::error::ErrorClass::EncodingError, &format!("encoding index out of bound: {index}"))
        );
    };
    set(cx, v, id)?;
    Ok(v)
}

pub fn rb_enc_copy(cx: &mut Cx, to: Value, from: Value) -> R<()> {
    match encoding_of(cx, from)? {
        Some(id) => set(cx, to, id),
        None => Ok(()),
    }
}

pub fn rb_enc_from_encoding(cx: &mut Cx, encoding: *mut CEncoding) -> R {
    if encoding.is_null() {
        return Ok(Value::NIL);
    }
    Ok(pin(core_classes::encoding::object(cx, CEncoding::id(encoding))))
}

fn converted(cx: &mut Cx, v: Value) -> R<EncodingId> {
    let object =
        if core_classes::encoding::names::id_of(v).is_some() { v } else { send_to(cx, "Encoding", "find", &[v])? };
    Ok(core_classes::encoding::names::id_of(object).unwrap_or(EncodingId::BINARY))
}

pub fn rb_to_encoding(cx: &mut Cx, v: Value) -> R<*mut CEncoding> {
    Ok(CEncoding::of(converted(cx, v)?))
}

pub fn rb_to_encoding_index(cx: &mut Cx, v: Value) -> R<i32> {
    Ok(named(cx, v)?.map_or(-1, |id| id.index() as i32))
}

/// Like `converted`; `None` for an unknown name.
fn named(cx: &mut Cx, v: Value) -> R<Option<EncodingId>> {
    if let Some(id) = core_classes::encoding::names::id_of(v) {
        return Ok(Some(id));
    }
    let name = runtime::convert::to_str(cx, v)?;
    Ok(found(cx, &name.to_vector()))
}

pub fn rb_find_encoding(cx: &mut Cx, v: Value) -> R<*mut CEncoding> {
    Ok(named(cx, v)?.map_or(std::ptr::null_mut(), CEncoding::of))
}

pub fn rb_obj_encoding(cx: &mut Cx, v: Value) -> R {
    match encoding_of(cx, v)? {
        Some(id) => Ok(pin(core_classes::encoding::object(cx, id))),
        None => Err(cx.type_error("unknown encoding")),
    }
}

fn compatible(cx: &mut Cx, a: Value, b: Value) -> R<Option<EncodingId>> {
    let found = send_to(cx, "Encoding", "compatible?", &[a, b])?;
    Ok(core_classes::encoding::names::id_of(found))
}

pub fn rb_enc_compatible(cx: &mut Cx, a: Value, b: Value) -> R<*mut CEncoding> {
    Ok(compatible(cx, a, b)?.map_or(std::ptr::null_mut(), CEncoding::of))
}

pub fn rb_enc_check(cx: &mut Cx, a: Value, b: Value) -> R<*mut CEncoding> {
    if let Some(id) = compatible(cx, a, b)? {
        return Ok(CEncoding::of(id));
    }
    let name = |id: Option<EncodingId>| id.map_or(String::new(), |id| id.name().to_string());
    let (a, b) = (name(encoding_of(cx, a)?), name(encoding_of(cx, b)?));
    let class = runtime::error::ErrorClass::CompatibilityError;
    Err(cx.raise(class, &format!("incompatible character encodings: {a} and {b}")))
}

fn number_of(range: CodeRange) -> i32 {
    match range {
        CodeRange::Unknown => 0,
        CodeRange::SevenBit => 1,
        CodeRange::Valid => 2,
        CodeRange::Broken => 3,
    }
}

pub fn rb_enc_str_coderange(_: &mut Cx, v: Value) -> R<i32> {
    Ok(number_of(Str::of(v).code_range()))
}

pub fn beni_code_range(_: &mut Cx, v: Value) -> i32 {
    Str::from_value(v).map_or(0, |string| number_of(string.known_code_range()))
}

pub fn beni_set_code_range(_: &mut Cx, v: Value, range: i32) {
    if let Some(string) = Str::from_value(v) {
        string.set_code_range(match range {
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            3 => CodeRange::Broken,
            _ => CodeRange::Unknown,
        });
    }
}

pub fn rb_enc_str_asciionly_p(_: &mut Cx, v: Value) -> R<i32> {
    let string = Str::of(v);
    Ok((string.encoding().is_ascii_compatible() && string.is_ascii()) as i32)
}

/// Whether the object is of a class whose instances have encodings.
pub fn rb_enc_capable(_: &mut Cx, v: Value) -> i32 {
    let is_file = v.is_heap() && cell::is(v, abi::Type::Native) && crate::object::beni_builtin_type(v) == 0x0b;
    let is_encoding = core_classes::encoding::names::id_of(v).is_some();
    let is_text = Str::from_value(v).is_some() || Sym::from_value(v).is_some() || cell::is(v, abi::Type::Regexp);
    (is_text || is_file || is_encoding) as i32
}

pub fn rb_locale_charmap(cx: &mut Cx, _: Value) -> R {
    send_to(cx, "Encoding", "locale_charmap", &[])
}

pub fn rb_enc_dummy_p(encoding: *mut CEncoding) -> i32 {
    CEncoding::id(encoding).is_dummy() as i32
}

pub fn rb_enc_unicode_p(encoding: *mut CEncoding) -> i32 {
    CEncoding::id(encoding).is_unicode() as i32
}

/// The bytes between two addresses.
fn between<'a>(start: *const c_char, end: *const c_char) -> &'a [u8] {
    given::bytes(start, (end as i64) - (start as i64))
}

pub fn rb_enc_uint_chr(cx: &mut Cx, code: u32, encoding: *mut CEncoding) -> R {
    let encoding = rb_enc_from_encoding(cx, encoding)?;
    send(cx, Value::fixnum(code as i64), "chr", &[encoding])
}

/// The first character of the bytes, as a String.
fn first(cx: &mut Cx, start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> R {
    let bytes = between(start, end);
    let id = CEncoding::id(encoding);
    let bytes = &bytes[..bytes.len().min(id.max_char_len())];
    let string = Str::new(cx, bytes, id).or_raise(cx)?.value();
    send(cx, string, "[]", &[Value::fixnum(0)])
}

pub fn rb_enc_codepoint_len(
    cx: &mut Cx,
    start: *const c_char,
    end: *const c_char,
    len: *mut i32,
    encoding: *mut CEncoding,
) -> R<u32> {
    if between(start, end).is_empty() {
        return Err(cx.argument_error("empty string"));
    }
    let character = first(cx, start, end, encoding)?;
    let code = send(cx, character, "ord", &[])?;
    given::write(len, Str::of(character).len() as i32);
    Ok(code.as_fixnum().unwrap_or(0) as u32)
}

pub fn rb_enc_codepoint(cx: &mut Cx, start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> R<u32> {
    rb_enc_codepoint_len(cx, start, end, std::ptr::null_mut(), encoding)
}

/// The code of the first character: 0 if there is none, the first byte if it is invalid.
pub fn beni_mbc_to_code(start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> u32 {
    let bytes = between(start, end);
    match encoding::codepoint(CEncoding::id(encoding), bytes) {
        Some((code, _)) => code,
        None => bytes.first().map_or(0, |byte| u32::from(*byte)),
    }
}

pub fn rb_enc_codelen(cx: &mut Cx, code: i32, encoding: *mut CEncoding) -> R<i32> {
    let character = rb_enc_uint_chr(cx, code as u32, encoding)?;
    Ok(Str::of(character).len() as i32)
}

pub fn rb_enc_mbclen(start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> i32 {
    let bytes = between(start, end);
    encoding::char_len_or_min(CEncoding::id(encoding), bytes).max(1) as i32
}

/// The length of the first character; -1 for invalid bytes, -1 - n if n bytes are missing.
pub fn rb_enc_precise_mbclen(start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> i32 {
    match encoding::char_len(CEncoding::id(encoding), between(start, end)) {
        CharLen::Valid(len) => len as i32,
        CharLen::Invalid(_) => -1,
        CharLen::NeedMore(more) => -1 - more.max(1) as i32,
    }
}

pub fn rb_enc_fast_mbclen(start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> i32 {
    rb_enc_mbclen(start, end, encoding)
}

pub fn rb_enc_ascget(start: *const c_char, end: *const c_char, len: *mut i32, encoding: *mut CEncoding) -> i32 {
    match encoding::codepoint(CEncoding::id(encoding), between(start, end)) {
        Some((code, bytes)) if code < 128 => {
            given::write(len, bytes as i32);
            code as i32
        }
        _ => -1,
    }
}

pub fn rb_enc_strlen(start: *const c_char, end: *const c_char, encoding: *mut CEncoding) -> i64 {
    let (id, mut bytes, mut count) = (CEncoding::id(encoding), between(start, end), 0);
    while !bytes.is_empty() {
        bytes = &bytes[encoding::char_len_or_min(id, bytes).clamp(1, bytes.len())..];
        count += 1;
    }
    count
}

pub fn rb_enc_nth(start: *const c_char, end: *const c_char, nth: i64, encoding: *mut CEncoding) -> *mut c_char {
    let (id, all) = (CEncoding::id(encoding), between(start, end));
    let (mut at, mut left) = (0, nth);
    while left > 0 && at < all.len() {
        at += encoding::char_len_or_min(id, &all[at..]).clamp(1, all.len() - at);
        left -= 1;
    }
    start.wrapping_add(at).cast_mut()
}

/// The start of the character that contains an address.
pub fn beni_left_char_head(
    start: *const c_char,
    at: *const c_char,
    end: *const c_char,
    encoding: *mut CEncoding,
) -> *mut c_char {
    let (id, all) = (CEncoding::id(encoding), between(start, end));
    if id.max_char_len() == 1 {
        return at.cast_mut();
    }
    let wanted = (at as usize).saturating_sub(start as usize);
    let mut head = 0;
    while head < all.len() {
        let next = head + encoding::char_len_or_min(id, &all[head..]).clamp(1, all.len() - head);
        if next > wanted {
            break;
        }
        head = next;
    }
    start.wrapping_add(head).cast_mut()
}

pub fn rb_enc_toupper(code: i32, _: *mut CEncoding) -> i32 {
    u8::try_from(code).map_or(code, |c| c.to_ascii_uppercase() as i32)
}

pub fn rb_enc_tolower(code: i32, _: *mut CEncoding) -> i32 {
    u8::try_from(code).map_or(code, |c| c.to_ascii_lowercase() as i32)
}

/// Whether a code point is in a class (ONIGENC_CTYPE_…).
pub fn beni_enc_ctype(code: u32, class: i32, encoding: *mut CEncoding) -> i32 {
    let id = CEncoding::id(encoding);
    let c = char::from_u32(code).filter(|_| id.is_unicode() || code < 128);
    let test = |test: fn(char) -> bool| c.is_some_and(test);
    let is = match class {
        0 => test(|c| c == '\n'),
        1 => encoding::is_alpha(id, code),
        2 => test(|c| c == ' ' || c == '\t'),
        3 => test(char::is_control),
        4 => encoding::is_digit(id, code),
        5 => encoding::is_printable(id, code) && !encoding::is_space(id, code),
        6 if c.is_none() => encoding::is_alpha(id, code) && !encoding::is_upper_or_title(id, code),
        6 => test(char::is_lowercase),
        7 => encoding::is_printable(id, code),
        8 => test(|c| c.is_ascii_punctuation()),
        9 => encoding::is_space(id, code),
        10 if c.is_none() => encoding::is_upper_or_title(id, code),
        10 => test(char::is_uppercase),
        11 => test(|c| c.is_ascii_hexdigit()),
        12 => encoding::is_alnum(id, code) || c == Some('_'),
        13 => encoding::is_alnum(id, code),
        _ => test(|c| c.is_ascii()),
    };
    is as i32
}

pub fn beni_mbcput(cx: &mut Cx, code: u32, to: *mut c_void, encoding: *mut CEncoding) -> R<i32> {
    let id = CEncoding::id(encoding);
    let mut bytes = Vec::new();
    if id == EncodingId::UTF_8 && (0xd800..0xe000).contains(&code) {
        // The bytes of a surrogate are written although no valid text contains them.
        bytes = vec![0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8];
    } else if encoding::encode_codepoint(id, code, &mut bytes).is_err() {
        return Err(cx.argument_error(&format!("invalid codepoint 0x{code:x} in {}", id.name())));
    }
    given::slice_mut(bytes.len(), to.cast::<u8>()).copy_from_slice(&bytes);
    Ok(bytes.len() as i32)
}

pub fn rb_uv_to_utf8(cx: &mut Cx, to: *mut c_char, code: u64) -> R<i32> {
    // Up to six bytes, as in the original UTF-8.
    let (count, lead) = match code {
        0..=0x7f => (1, 0),
        0x80..=0x7ff => (2, 0xc0),
        0x800..=0xffff => (3, 0xe0),
        0x1_0000..=0x1f_ffff => (4, 0xf0),
        0x20_0000..=0x3ff_ffff => (5, 0xf8),
        0x400_0000..=0x7fff_ffff => (6, 0xfc),
        _ => return Err(cx.range_error("pack(U): value out of range")),
    };
    let to = given::slice_mut(count, to.cast::<u8>());
    for (i, byte) in to.iter_mut().enumerate() {
        let shift = 6 * (count - 1 - i);
        let bits = (code >> shift) as u8;
        *byte = if i == 0 { lead | bits } else { 0x80 | (bits & 0x3f) };
    }
    Ok(count as i32)
}

fn is_symbol_name(cx: &mut Cx, bytes: &[u8], id: EncodingId) -> R<i32> {
    let name = runtime::make::string(cx, bytes, id);
    let symbol = send(cx, name, "to_sym", &[])?;
    let shown = send(cx, symbol, "inspect", &[])?;
    Ok((!Str::of(shown).bytes(cx).starts_with(b":\"")) as i32)
}

pub fn rb_symname_p(cx: &mut Cx, name: *const c_char) -> R<i32> {
    is_symbol_name(cx, given::text(name), EncodingId::US_ASCII)
}

pub fn rb_enc_symname_p(cx: &mut Cx, name: *const c_char, encoding: *mut CEncoding) -> R<i32> {
    is_symbol_name(cx, given::text(name), CEncoding::id(encoding))
}

pub fn rb_enc_symname2_p(cx: &mut Cx, name: *const c_char, len: i64, encoding: *mut CEncoding) -> R<i32> {
    is_symbol_name(cx, given::bytes(name, len), CEncoding::id(encoding))
}

pub fn rb_econv_has_convpath_p(cx: &mut Cx, from: *const c_char, to: *const c_char) -> R<i32> {
    let from = runtime::make::string(cx, given::text(from), EncodingId::US_ASCII);
    let to = runtime::make::string(cx, given::text(to), EncodingId::US_ASCII);
    match send_to(cx, "Encoding::Converter", "search_convpath", &[from, to]) {
        Ok(_) => Ok(1),
        Err(unwind) => {
            cx.take_exception(unwind)?;
            Ok(0)
        }
    }
}

pub fn rb_char_to_option_kcode(c: i32, option: *mut i32, kcode: *mut i32) -> i32 {
    let bits = match u8::try_from(c).unwrap_or(0) {
        b'i' => 1,
        b'x' => 2,
        b'm' => 4,
        _ => {
            given::write(option, 0);
            given::write(kcode, -1);
            return 0;
        }
    };
    given::write(option, bits);
    given::write(kcode, -1);
    bits
}

/// Writes the first character case-folded, advances past it, and returns the number of bytes written.
pub fn beni_case_fold(
    cx: &mut Cx,
    at: *mut *const c_char,
    end: *const c_char,
    to: *mut c_void,
    encoding: *mut CEncoding,
) -> R<i32> {
    let start = given::read(at);
    let character = first(cx, start, end, encoding)?;
    given::write(at, start.wrapping_add(Str::of(character).len()));
    let fold = object::symbol::table::intern_text(cx, "fold").value();
    let folded = send(cx, character, "downcase", &[fold])?;
    let bytes = Str::of(folded).bytes(cx);
    given::slice_mut(bytes.len(), to.cast::<u8>()).copy_from_slice(bytes);
    Ok(bytes.len() as i32)
}

pub fn rb_define_dummy_encoding(cx: &mut Cx, name: *const c_char) -> R<i32> {
    let name = given::name(name);
    Ok(core_classes::encoding::names::define_dummy(cx, &name)?.index() as i32)
}

/// Defines an alias of an encoding; returns the encoding's number, or -1 if there is none of that name.
pub fn rb_enc_alias(cx: &mut Cx, alias: *const c_char, name: *const c_char) -> R<i32> {
    let Some(id) = found(cx, given::text(name)) else { return Ok(-1) };
    core_classes::encoding::names::add_alias(cx, &given::name(alias), id)?;
    Ok(id.index() as i32)
}

/// Combines the code range of a part of a String with that of the bytes before it, and returns the number of bytes
/// before an incomplete or invalid character.
pub fn rb_str_coderange_scan_restartable(
    start: *const c_char,
    end: *const c_char,
    encoding: *mut CEncoding,
    range: *mut i32,
) -> i64 {
    let (id, bytes, before) = (CEncoding::id(encoding), between(start, end), given::read(range));
    if before == number_of(CodeRange::Broken) {
        return bytes.len() as i64;
    }
    let mut is_ascii = before != number_of(CodeRange::Valid) && id.is_ascii_compatible();
    let mut at = 0;
    while at < bytes.len() {
        match encoding::char_len(id, &bytes[at..]) {
            CharLen::Valid(len) => {
                is_ascii &= bytes[at] < 0x80;
                at += len.max(1);
            }
            other => {
                let is_incomplete = matches!(other, CharLen::NeedMore(_));
                given::write(range, number_of(if is_incomplete { CodeRange::Unknown } else { CodeRange::Broken }));
                return at as i64;
            }
        }
    }
    given::write(range, number_of(if is_ascii { CodeRange::SevenBit } else { CodeRange::Valid }));
    bytes.len() as i64
}
