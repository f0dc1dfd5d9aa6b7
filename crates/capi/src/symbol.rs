//! Identifiers and symbols.
//!
//! ```text
//! 1 .. 255      a one-character operator: its character code, as extensions write it ('+')
//! 256 ..        a static symbol: its number + 256
//! an address    a symbol on the heap, pinned
//! ```

use std::ffi::c_char;
use std::sync::OnceLock;

use abi::Value;
use object::{Sym, string::Str, symbol::table};
use runtime::{Cx, R, convert};
use text::EncodingId;

use crate::{border::pin, encoding::CEncoding, given, string};

const FIRST: u64 = 256;
/// An upper bound of static symbols' numbers, and a lower bound of addresses.
const END_OF_STATIC: u64 = 1 << 32;
const OPERATORS: &[u8] = b"+-*/%<>!~^&|`";

/// The symbols of one-character operators.
static OPERATOR_SYMBOLS: OnceLock<Vec<(u64, u64)>> = OnceLock::new();

/// Initializes the operators' symbols, before the first extension is loaded.
pub fn set_up(cx: &mut Cx) {
    let pairs = OPERATORS.iter().map(|c| {
        let symbol = table::intern(cx, &[*c], EncodingId::US_ASCII);
        (*c as u64, symbol.value().0)
    });
    let _ = OPERATOR_SYMBOLS.set(pairs.collect());
}

fn operators() -> &'static [(u64, u64)] {
    OPERATOR_SYMBOLS.get().map_or(&[], Vec::as_slice)
}

/// The identifier of a symbol, which is kept until the process ends.
pub fn id(cx: &mut Cx, symbol: Sym) -> u64 {
    let v = symbol.value();
    if !v.is_static_symbol() {
        table::pin(cx, symbol);
        return pin(v).0;
    }
    let number = v.static_symbol_number() as u64;
    if number < 512
        && let Some((code, _)) = operators().iter().find(|(_, symbol)| *symbol == v.0)
    {
        return *code;
    }
    number + FIRST
}

/// The symbol of an identifier; undef for an invalid one.
#[inline]
pub fn value(id: u64) -> Value {
    match id {
        FIRST..END_OF_STATIC => Value::static_symbol((id - FIRST) as u32),
        END_OF_STATIC.. => Value(id),
        _ => operator(id),
    }
}

#[cold]
fn operator(id: u64) -> Value {
    operators().iter().find(|(code, _)| *code == id).map_or(Value::UNDEF, |(_, symbol)| Value(*symbol))
}

/// The symbol of an identifier as a handle.
#[inline]
pub fn sym(id: u64) -> Sym {
    Sym::from_value(value(id)).unwrap_or(Sym::NONE)
}

fn encoding_of_name(bytes: &[u8], wanted: EncodingId) -> EncodingId {
    if bytes.is_ascii() { EncodingId::US_ASCII } else { wanted }
}

/// The symbol with the name that C passes.
pub fn named(cx: &mut Cx, name: *const c_char) -> Sym {
    let bytes = given::text(name);
    table::intern(cx, bytes, encoding_of_name(bytes, EncodingId::UTF_8))
}

pub fn rb_intern(cx: &mut Cx, name: *const c_char) -> R<u64> {
    let symbol = named(cx, name);
    Ok(id(cx, symbol))
}

pub fn rb_intern2(cx: &mut Cx, name: *const c_char, len: i64) -> R<u64> {
    let bytes = given::bytes(name, len);
    let symbol = table::intern(cx, bytes, encoding_of_name(bytes, EncodingId::UTF_8));
    Ok(id(cx, symbol))
}

pub fn rb_intern3(cx: &mut Cx, name: *const c_char, len: i64, encoding: *mut CEncoding) -> R<u64> {
    let bytes = given::bytes(name, len);
    let symbol = table::intern(cx, bytes, encoding_of_name(bytes, CEncoding::id(encoding)));
    Ok(id(cx, symbol))
}

pub fn rb_intern_str(cx: &mut Cx, name: Value) -> R<u64> {
    let name = convert::to_str(cx, name)?;
    let symbol = convert::string_to_symbol(cx, name);
    Ok(id(cx, symbol))
}

pub fn rb_sym2id(cx: &mut Cx, symbol: Value) -> R<u64> {
    match Sym::from_value(symbol) {
        Some(symbol) => Ok(id(cx, symbol)),
        None => {
            let class = runtime::error::class_name_of(cx, symbol);
            Err(cx.type_error(&format!("wrong argument type {class} (expected Symbol)")))
        }
    }
}

pub fn rb_id2sym(_: &mut Cx, id: u64) -> Value {
    let v = value(id);
    if v.is_undef() { Value::NIL } else { v }
}

pub fn rb_id2name(cx: &mut Cx, id: u64) -> R<*const c_char> {
    let name = rb_id2str(cx, id)?;
    if name == Value::FALSE {
        return Ok(std::ptr::null());
    }
    Ok(string::pointer(cx, Str::of(name))?.cast_const())
}

pub fn rb_id2str(cx: &mut Cx, id: u64) -> R {
    Ok(Sym::from_value(value(id)).map_or(Value::FALSE, |symbol| symbol.name(cx)))
}

pub fn rb_sym2str(cx: &mut Cx, symbol: Value) -> R {
    match Sym::from_value(symbol) {
        Some(symbol) => Ok(symbol.name(cx)),
        None => Err(cx.type_error("wrong argument type (expected Symbol)")),
    }
}

pub fn rb_to_id(cx: &mut Cx, name: Value) -> R<u64> {
    let symbol = convert::to_symbol(cx, name)?;
    Ok(id(cx, symbol))
}

pub fn rb_to_symbol(cx: &mut Cx, name: Value) -> R {
    Ok(convert::to_symbol(cx, name)?.value())
}

/// The name in a variable, as a String or Symbol; other objects are converted and stored back.
fn checked_name(cx: &mut Cx, name: *mut Value) -> R<Value> {
    let v = given::read(name);
    if Sym::from_value(v).is_some() || Str::from_value(v).is_some() {
        return Ok(v);
    }
    match convert::try_str(cx, v)? {
        Some(s) => {
            given::write(name, s.value());
            Ok(s.value())
        }
        None => {
            let shown = runtime::call::inspect_text(cx, v)?;
            Err(cx.type_error(&format!("{shown} is not a symbol nor a string")))
        }
    }
}

fn existing(cx: &mut Cx, name: Value) -> Option<Sym> {
    if let Some(symbol) = Sym::from_value(name) {
        return Some(symbol);
    }
    let name = Str::from_value(name)?;
    let encoding = convert::symbol_encoding(name);
    table::find(cx, &name.to_vector(), encoding)
}

pub fn rb_check_id(cx: &mut Cx, name: *mut Value) -> R<u64> {
    let name = checked_name(cx, name)?;
    Ok(existing(cx, name).map_or(0, |symbol| id(cx, symbol)))
}

pub fn rb_check_symbol(cx: &mut Cx, name: *mut Value) -> R {
    let name = checked_name(cx, name)?;
    Ok(existing(cx, name).map_or(Value::NIL, Sym::value))
}

fn existing_bytes(cx: &mut Cx, name: *const c_char, len: i64, encoding: *mut CEncoding) -> Option<Sym> {
    let bytes = given::bytes(name, len);
    table::find(cx, bytes, encoding_of_name(bytes, CEncoding::id(encoding)))
}

pub fn rb_check_id_cstr(cx: &mut Cx, name: *const c_char, len: i64, encoding: *mut CEncoding) -> R<u64> {
    Ok(existing_bytes(cx, name, len, encoding).map_or(0, |symbol| id(cx, symbol)))
}

pub fn rb_check_symbol_cstr(cx: &mut Cx, name: *const c_char, len: i64, encoding: *mut CEncoding) -> R {
    Ok(existing_bytes(cx, name, len, encoding).map_or(Value::NIL, Sym::value))
}

fn name_bytes(cx: &Cx, id: u64) -> Vec<u8> {
    Sym::from_value(value(id)).map_or(Vec::new(), |symbol| symbol.bytes(cx).to_vec())
}

fn is_name(bytes: &[u8]) -> bool {
    let is_start = |c: u8| c.is_ascii_alphabetic() || c == b'_' || c >= 0x80;
    bytes.first().is_some_and(|c| is_start(*c)) && bytes.iter().all(|c| is_start(*c) || c.is_ascii_digit())
}

pub fn rb_is_const_id(cx: &mut Cx, id: u64) -> i32 {
    let name = name_bytes(cx, id);
    (is_name(&name) && name[0].is_ascii_uppercase()) as i32
}

pub fn rb_is_instance_id(cx: &mut Cx, id: u64) -> i32 {
    let name = name_bytes(cx, id);
    name.strip_prefix(b"@").is_some_and(is_name) as i32
}

pub fn rb_is_class_id(cx: &mut Cx, id: u64) -> i32 {
    let name = name_bytes(cx, id);
    name.strip_prefix(b"@@").is_some_and(is_name) as i32
}

pub fn rb_is_local_id(cx: &mut Cx, id: u64) -> i32 {
    let name = name_bytes(cx, id);
    (is_name(&name) && !name[0].is_ascii_uppercase()) as i32
}

pub fn rb_id_attrset(cx: &mut Cx, given: u64) -> R<u64> {
    let mut name = name_bytes(cx, given);
    name.push(b'=');
    let symbol = table::intern(cx, &name, encoding_of_name(&name, EncodingId::UTF_8));
    Ok(id(cx, symbol))
}
