//! Regular expressions and matches.

use std::ffi::{c_char, c_void};

use abi::Value;
use runtime::{Cx, R, convert, make};

use crate::{
    border::{send, send_to},
    encoding::CEncoding,
    given,
};

fn new(cx: &mut Cx, source: Value, options: i32) -> R {
    send_to(cx, "Regexp", "new", &[source, Value::fixnum(options as i64)])
}

pub fn rb_reg_new(cx: &mut Cx, start: *const c_char, len: i64, options: i32) -> R {
    let bytes = given::bytes(start, len);
    let encoding = if bytes.is_ascii() { text::EncodingId::US_ASCII } else { text::EncodingId::BINARY };
    let source = make::string(cx, bytes, encoding);
    new(cx, source, options)
}

pub fn rb_enc_reg_new(cx: &mut Cx, start: *const c_char, len: i64, encoding: *mut CEncoding, options: i32) -> R {
    let source = make::string(cx, given::bytes(start, len), CEncoding::id(encoding));
    new(cx, source, options)
}

pub fn rb_reg_new_str(cx: &mut Cx, source: Value, options: i32) -> R {
    new(cx, source, options)
}

pub fn rb_reg_regcomp(cx: &mut Cx, source: Value) -> R {
    send_to(cx, "Regexp", "new", &[source])
}

pub fn rb_reg_options(cx: &mut Cx, pattern: Value) -> R<i32> {
    let options = send(cx, pattern, "options", &[])?;
    convert::to_i32(cx, options)
}

/// The byte at which the pattern matches at or after a byte, or -1. Sets `$~`.
pub fn rb_reg_search(cx: &mut Cx, pattern: Value, string: Value, from: i64, reverse: i32) -> R<i64> {
    let name = if reverse != 0 { "byterindex" } else { "byteindex" };
    let found = send(cx, string, name, &[pattern, Value::fixnum(from)])?;
    Ok(found.as_fixnum().unwrap_or(-1))
}

pub fn rb_reg_nth_match(cx: &mut Cx, n: i32, found: Value) -> R {
    if found.is_nil() { Ok(Value::NIL) } else { send(cx, found, "[]", &[Value::fixnum(n as i64)]) }
}

pub fn rb_reg_nth_defined(cx: &mut Cx, n: i32, found: Value) -> R {
    if found.is_nil() {
        return Ok(Value::NIL);
    }
    let group = send(cx, found, "[]", &[Value::fixnum(n as i64)])?;
    Ok(Value::bool(!group.is_nil()))
}

pub fn rb_reg_last_match(cx: &mut Cx, found: Value) -> R {
    rb_reg_nth_match(cx, 0, found)
}

pub fn rb_reg_match_pre(cx: &mut Cx, found: Value) -> R {
    if found.is_nil() { Ok(Value::NIL) } else { send(cx, found, "pre_match", &[]) }
}

pub fn rb_reg_match_post(cx: &mut Cx, found: Value) -> R {
    if found.is_nil() { Ok(Value::NIL) } else { send(cx, found, "post_match", &[]) }
}

pub fn rb_reg_match_last(cx: &mut Cx, found: Value) -> R {
    if found.is_nil() {
        return Ok(Value::NIL);
    }
    let groups = send(cx, found, "captures", &[])?;
    let groups = send(cx, groups, "compact", &[])?;
    send(cx, groups, "last", &[])
}

pub fn rb_memcicmp(a: *const c_void, b: *const c_void, len: i64) -> i32 {
    let lower = |start: *const c_void| given::bytes(start.cast(), len).to_ascii_lowercase();
    lower(a).cmp(&lower(b)) as i32
}
