//! Regular expressions and matches.

use std::cell::Cell;
use std::ffi::{c_char, c_void};

use abi::Value;
use core_classes::regexp::search;
use object::{Sym, string::Str};
use runtime::{Cx, R, convert, make};

use crate::{
    border::{pin, send, send_to},
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

/// A Regexp whose address C keeps.
pub fn beni_onig_compile(cx: &mut Cx, start: *const c_char, len: i64, options: i32, encoding: *mut CEncoding) -> R {
    rb_enc_reg_new(cx, start, len, encoding, options).map(pin)
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

/// The number of the group with a number or name in a match.
pub fn rb_reg_backref_number(cx: &mut Cx, found: Value, group: Value) -> R<i32> {
    if group.is_fixnum() {
        return convert::to_i32(cx, group);
    }
    let name = match Sym::from_value(group) {
        Some(symbol) => Str::of(symbol.name(cx)),
        None => convert::to_str(cx, group)?,
    };
    let pattern = send(cx, found, "regexp", &[])?;
    let data = search::data(cx, &pattern)?;
    let groups = data.program.groups_named(&name.to_vector()).map(<[usize]>::to_vec);
    match groups.as_deref() {
        Some([.., last]) => Ok(*last as i32),
        _ => {
            let text = name.to_text();
            Err(cx.index_error(&format!("undefined group name reference: {text}")))
        }
    }
}

thread_local! {
    /// The String for which `rb_reg_prepare_re` prepared a search, and its bytes.
    static PREPARED: Cell<(u64, usize, usize)> = const { Cell::new((0, 0, 0)) };
}

/// Checks that the String can be searched, and remembers it for `onig_match` and `onig_search`.
pub fn rb_reg_prepare_re(cx: &mut Cx, pattern: Value, string: Value) -> R<*mut c_void> {
    let string = convert::to_str(cx, string)?.value();
    search::check(cx, pattern, Str::of(string))?;
    let bytes = Str::of(string).bytes(cx);
    PREPARED.set((string.0, bytes.as_ptr() as usize, bytes.len()));
    Ok(pin(pattern).0 as *mut c_void)
}

pub fn rb_match_busy(_: &mut Cx, _: Value) {}

/// The number of groups.
pub fn beni_onig_groups(cx: &mut Cx, pattern: Value) -> R<i32> {
    Ok(search::data(cx, &pattern)?.program.group_count() as i32)
}

/// The number of names of groups.
pub fn beni_onig_names(cx: &mut Cx, pattern: Value) -> R<i32> {
    Ok(search::data(cx, &pattern)?.program.names().len() as i32)
}

/// A name, which lives as long as the Regexp, and its groups.
pub fn beni_onig_name(
    cx: &mut Cx,
    pattern: Value,
    index: i32,
    len: *mut usize,
    count: *mut i32,
    groups: *mut i32,
) -> R<*const c_char> {
    let Some(name) = search::data(cx, &pattern)?.program.names().get(index as usize) else {
        return Ok(std::ptr::null());
    };
    given::write(len, name.name.len());
    given::write(count, name.groups.len() as i32);
    for (to, group) in given::slice_mut(name.groups.len(), groups).iter_mut().zip(&name.groups) {
        *to = *group as i32;
    }
    Ok(name.name.as_ptr().cast())
}

/// The prepared String and an index in it, if these bytes are the rest of it from that index on. The bytes' address in
/// C keeps the String alive; if it is dead, its cell belongs to another object and the comparison fails.
fn rest_of_prepared(cx: &Cx, start: usize, len: usize) -> Option<(Str, usize)> {
    let (prepared, first, all) = PREPARED.get();
    let base = start.checked_sub(first)?;
    let string = Str::from_value(Value(prepared)).filter(|_| base <= all && base + len == all)?;
    let bytes = string.bytes(cx);
    (bytes.as_ptr() as usize == first && bytes.len() == all).then_some((string, base))
}

/// Searches bytes, forward (`way` 0), backward (1) or at `from` only (2), and sets the positions of `count` groups.
/// Returns whether there is a match. Bytes of the prepared String are not copied.
#[expect(clippy::too_many_arguments, reason = "the parameters of Onigmo's function")]
pub fn beni_onig_run(
    cx: &mut Cx,
    pattern: Value,
    start: *const c_char,
    len: i64,
    from: i64,
    way: i32,
    count: i32,
    begins: *mut i64,
    ends: *mut i64,
) -> R<i32> {
    let (string, base) = match rest_of_prepared(cx, start as usize, len as usize) {
        Some(found) => found,
        None => {
            let encoding = Str::of(search::data(cx, &pattern)?.source).encoding();
            let copy = make::string(cx, given::bytes(start, len), encoding);
            (Str::of(copy), 0)
        }
    };
    let way = match way {
        0 => search::Direction::Forward,
        1 => search::Direction::Backward,
        _ => search::Direction::Here,
    };
    let mut captures = regexp::Captures::new();
    let found = search::run_in(cx, pattern, string, base, from.max(0) as usize, way, &mut captures)?;
    for group in 0..if found { count as usize } else { 0 } {
        let span = captures.get(group).map_or((-1, -1), |(a, b)| (a as i64, b as i64));
        given::write(begins.wrapping_add(group), span.0);
        given::write(ends.wrapping_add(group), span.1);
    }
    Ok(found as i32)
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
