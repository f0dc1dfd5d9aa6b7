//! Integers, floats, rational and complex numbers.

use std::ffi::{c_char, c_void};

use abi::Value;
use object::{bigint, float, symbol::table::intern_text};
use runtime::{Cx, R, basic_ops, convert, error::OrRaise, make};
use text::number::{parse_float, parse_integer};

use crate::{
    border::{send, send_to},
    given, symbol,
};

/// The number as an Integer that fits the bits; RangeError if it is too large.
fn integer(cx: &mut Cx, v: Value) -> R {
    if v.is_nil() {
        return Err(cx.type_error("no implicit conversion from nil to integer"));
    }
    if v == Value::TRUE || v == Value::FALSE {
        let text = if v == Value::TRUE { "true" } else { "false" };
        return Err(cx.type_error(&format!("no implicit conversion of {text} into Integer")));
    }
    convert::to_integer(cx, v)
}

pub fn rb_num2long(cx: &mut Cx, v: Value) -> R<i64> {
    if let Some(n) = v.as_fixnum() {
        return Ok(n);
    }
    if convert::is_float(v) {
        return convert::to_i64(cx, v);
    }
    let n = integer(cx, v)?;
    convert::to_i64(cx, n)
}

pub fn rb_num2ulong(cx: &mut Cx, v: Value) -> R<u64> {
    if let Some(n) = v.as_fixnum() {
        return Ok(n as u64);
    }
    if let Some(f) = basic_ops::as_float(v) {
        if (-9223372036854775808.0..18446744073709551616.0).contains(&f) {
            return Ok(if f >= 0.0 { f as u64 } else { f as i64 as u64 });
        }
        let shown = text::sprintf::short_float(f);
        return Err(cx.range_error(&format!("float {shown} out of range of integer")));
    }
    let n = integer(cx, v)?;
    let operand = bigint::operand(&n);
    let fits = operand.and_then(|n| n.to_u64().or_else(|| n.to_i64().map(|n| n as u64)));
    fits.ok_or_else(|| cx.range_error("bignum too big to convert into 'unsigned long'"))
}

fn int(cx: &mut Cx, n: i64) -> R<i64> {
    if n == n as i32 as i64 {
        return Ok(n);
    }
    let size = if n < 0 { "small" } else { "big" };
    Err(cx.range_error(&format!("integer {n} too {size} to convert to 'int'")))
}

pub fn rb_num2int(cx: &mut Cx, v: Value) -> R<i64> {
    let n = rb_num2long(cx, v)?;
    int(cx, n)
}

pub fn rb_fix2int(cx: &mut Cx, v: Value) -> R<i64> {
    rb_num2int(cx, v)
}

pub fn rb_num2uint(cx: &mut Cx, v: Value) -> R<u64> {
    let n = rb_num2ulong(cx, v)?;
    let signed = n as i64;
    if signed < i32::MIN as i64 || (signed >= 0 && n > u32::MAX as u64) {
        let size = if signed < 0 { "small" } else { "big" };
        return Err(cx.range_error(&format!("integer {signed} too {size} to convert to 'unsigned int'")));
    }
    Ok(n)
}

fn short(cx: &mut Cx, v: Value, least: i64, most: i64, name: &str) -> R<i64> {
    let n = rb_num2long(cx, v)?;
    if (least..=most).contains(&n) {
        return Ok(n);
    }
    let size = if n < 0 { "small" } else { "big" };
    Err(cx.range_error(&format!("integer {n} too {size} to convert to '{name}'")))
}

pub fn rb_num2short(cx: &mut Cx, v: Value) -> R<i16> {
    Ok(short(cx, v, i16::MIN as i64, i16::MAX as i64, "short")? as i16)
}

pub fn rb_fix2short(cx: &mut Cx, v: Value) -> R<i16> {
    rb_num2short(cx, v)
}

pub fn rb_num2ushort(cx: &mut Cx, v: Value) -> R<u16> {
    Ok(short(cx, v, i16::MIN as i64, u16::MAX as i64, "unsigned short")? as u16)
}

fn no_strings(cx: &mut Cx, v: Value) -> R<()> {
    if object::string::Str::from_value(v).is_some() {
        return Err(cx.type_error("no implicit conversion from string"));
    }
    if v == Value::TRUE || v == Value::FALSE {
        return Err(cx.type_error("no implicit conversion from boolean"));
    }
    if v.is_nil() {
        return Err(cx.type_error("no implicit conversion from nil"));
    }
    Ok(())
}

pub fn rb_num2ll(cx: &mut Cx, v: Value) -> R<i64> {
    no_strings(cx, v)?;
    rb_num2long(cx, v)
}

pub fn rb_num2ull(cx: &mut Cx, v: Value) -> R<u64> {
    no_strings(cx, v)?;
    rb_num2ulong(cx, v)
}

/// `rb_num2dbl` of what is neither a small Integer nor an immediate Float.
pub fn beni_num2dbl(cx: &mut Cx, v: Value) -> R<f64> {
    if convert::is_float(v) || convert::is_integer(v) || object::class::is_known(cx, v, runtime::Known::Numeric) {
        return convert::to_f64(cx, v);
    }
    let from = runtime::error::describe_for_conversion(cx, v);
    if !v.is_heap() || object::string::Str::from_value(v).is_some() {
        return Err(cx.type_error(&format!("no implicit conversion of {from} into Float")));
    }
    match runtime::call::send_if_responds(cx, v, runtime::sym::TO_F, &[])? {
        Some(made) => convert::to_f64(cx, made),
        None => Err(cx.type_error(&format!("can't convert {from} into Float"))),
    }
}

pub fn rb_int2big(cx: &mut Cx, n: i64) -> R {
    Ok(bigint::from_i64(cx, n))
}

pub fn rb_uint2big(cx: &mut Cx, n: u64) -> R {
    Ok(bigint::from_u64(cx, n))
}

pub fn rb_int2inum(cx: &mut Cx, n: i64) -> R {
    Ok(bigint::from_i64(cx, n))
}

pub fn rb_uint2inum(cx: &mut Cx, n: u64) -> R {
    Ok(bigint::from_u64(cx, n))
}

pub fn rb_ll2inum(cx: &mut Cx, n: i64) -> R {
    Ok(bigint::from_i64(cx, n))
}

pub fn rb_ull2inum(cx: &mut Cx, n: u64) -> R {
    Ok(bigint::from_u64(cx, n))
}

/// The Float, if it is an immediate.
#[inline(always)]
pub fn quick_rb_float_new(_: &mut Cx, f: f64) -> Option<Value> {
    Value::try_flonum(f)
}

pub fn rb_float_new(cx: &mut Cx, f: f64) -> R {
    Ok(float::new(cx, f))
}

pub fn rb_float_new_in_heap(cx: &mut Cx, f: f64) -> R {
    Ok(float::new(cx, f))
}

pub fn rb_float_value(v: Value) -> f64 {
    float::get(v).unwrap_or(0.0)
}

pub fn rb_dbl2big(cx: &mut Cx, f: f64) -> R {
    convert::float_to_integer(cx, f)
}

pub fn rb_big2dbl(cx: &mut Cx, v: Value) -> R<f64> {
    let f = convert::to_f64(cx, v)?;
    if f.is_infinite() {
        runtime::warning::warn_here(cx, "out of Float range")?;
    }
    Ok(f)
}

fn from_big(cx: &mut Cx, v: Value, name: &str) -> R<i64> {
    match bigint::operand(&v).and_then(|n| n.to_i64()) {
        Some(n) => Ok(n),
        None => Err(cx.range_error(&format!("bignum too big to convert into '{name}'"))),
    }
}

fn from_big_unsigned(cx: &mut Cx, v: Value, name: &str) -> R<u64> {
    match bigint::operand(&v).and_then(|n| n.to_u64().or_else(|| n.to_i64().map(|n| n as u64))) {
        Some(n) => Ok(n),
        None => Err(cx.range_error(&format!("bignum too big to convert into '{name}'"))),
    }
}

pub fn rb_big2long(cx: &mut Cx, v: Value) -> R<i64> {
    from_big(cx, v, "long")
}

pub fn rb_big2ulong(cx: &mut Cx, v: Value) -> R<u64> {
    from_big_unsigned(cx, v, "unsigned long")
}

pub fn rb_big2ll(cx: &mut Cx, v: Value) -> R<i64> {
    from_big(cx, v, "long long")
}

pub fn rb_big2ull(cx: &mut Cx, v: Value) -> R<u64> {
    from_big_unsigned(cx, v, "unsigned long long")
}

pub fn rb_big2str(cx: &mut Cx, v: Value, base: i32) -> R {
    send(cx, v, "to_s", &[Value::fixnum(base as i64)])
}

pub fn rb_fix2str(cx: &mut Cx, v: Value, base: i32) -> R {
    send(cx, v, "to_s", &[Value::fixnum(base as i64)])
}

pub fn rb_big_norm(_: &mut Cx, v: Value) -> Value {
    v
}

pub fn rb_big_sign(_: &mut Cx, v: Value) -> i32 {
    !bigint::operand(&v).is_some_and(|n| n.is_negative()) as i32
}

pub fn rb_cstr_to_inum(cx: &mut Cx, text: *const c_char, base: i32, strict: i32) -> R {
    if strict == 0 {
        return crate::string::integer(cx, parse_integer(given::text(text), base.into()), base);
    }
    let text = make::string(cx, given::text(text), text::EncodingId::US_ASCII);
    crate::string::rb_str_to_inum(cx, text, base, strict)
}

pub fn rb_cstr2inum(cx: &mut Cx, text: *const c_char, base: i32) -> R {
    rb_cstr_to_inum(cx, text, base, (base == 0) as i32)
}

pub fn rb_cstr_to_dbl(cx: &mut Cx, text: *const c_char, strict: i32) -> R<f64> {
    if strict == 0 {
        return Ok(parse_float(given::text(text)));
    }
    let text = make::string(cx, given::text(text), text::EncodingId::US_ASCII);
    crate::string::rb_str_to_dbl(cx, text, strict)
}

pub fn rb_int_positive_pow(cx: &mut Cx, n: i64, exponent: u64) -> R {
    let (n, exponent) = (bigint::from_i64(cx, n), bigint::from_u64(cx, exponent));
    send(cx, n, "**", &[exponent])
}

fn coerced(cx: &mut Cx, a: Value, b: Value, must: bool) -> R<Option<(Value, Value)>> {
    let name = intern_text(cx, "coerce");
    if !must && !runtime::call::responds(cx, b, name, true)? {
        return Ok(None);
    }
    if must && !runtime::call::responds(cx, b, name, true)? {
        let is = runtime::error::describe_for_conversion(cx, b);
        let shown = if b.is_immediate() { runtime::call::inspect_text(cx, b)? } else { is };
        let class = runtime::error::class_name_of(cx, a);
        return Err(cx.type_error(&format!("{shown} can't be coerced into {class}")));
    }
    let pair = runtime::call::send(cx, b, name, &[a])?;
    match object::array::Arr::from_value(pair) {
        Some(pair) if pair.len() == 2 => Ok(pair.get(0).zip(pair.get(1))),
        None if pair.is_nil() && !must => Ok(None),
        _ => Err(cx.type_error("coerce must return [x, y]")),
    }
}

pub fn rb_num_coerce_bin(cx: &mut Cx, a: Value, b: Value, id: u64) -> R {
    match coerced(cx, a, b, true)? {
        Some((a, b)) => runtime::call::send(cx, a, symbol::sym(id), &[b]),
        None => Ok(Value::NIL),
    }
}

pub fn rb_num_coerce_bit(cx: &mut Cx, a: Value, b: Value, id: u64) -> R {
    rb_num_coerce_bin(cx, a, b, id)
}

pub fn rb_num_coerce_cmp(cx: &mut Cx, a: Value, b: Value, id: u64) -> R {
    match coerced(cx, a, b, false)? {
        Some((a, b)) => runtime::call::send(cx, a, symbol::sym(id), &[b]),
        None => Ok(Value::NIL),
    }
}

pub fn rb_num_coerce_relop(cx: &mut Cx, a: Value, b: Value, id: u64) -> R {
    let result = match coerced(cx, a, b, false)? {
        Some((x, y)) => runtime::call::send(cx, x, symbol::sym(id), &[y])?,
        None => Value::NIL,
    };
    if result.is_nil() { Err(runtime::call::comparison_failed(cx, a, b)) } else { Ok(result) }
}

pub fn rb_rational_new(cx: &mut Cx, a: Value, b: Value) -> R {
    send_to(cx, "Kernel", "Rational", &[a, b])
}

pub fn rb_rational_raw(cx: &mut Cx, a: Value, b: Value) -> R {
    let is_negative = send(cx, b, "<", &[Value::fixnum(0)])?.truthy();
    let (a, b) = if is_negative { (send(cx, a, "-@", &[])?, send(cx, b, "-@", &[])?) } else { (a, b) };
    Ok(make::pair(cx, runtime::Known::Rational, a, b))
}

pub fn rb_complex_raw(cx: &mut Cx, a: Value, b: Value) -> R {
    Ok(make::pair(cx, runtime::Known::Complex, a, b))
}

pub fn rb_dbl_complex_new(cx: &mut Cx, a: f64, b: f64) -> R {
    let (a, b) = (float::new(cx, a), float::new(cx, b));
    Ok(make::pair(cx, runtime::Known::Complex, a, b))
}

/// Flags for the order of words and of the bytes in them, in the data that C passes or receives.
const MSWORD_FIRST: i32 = 0x01;
const MSBYTE_FIRST: i32 = 0x10;
const NATIVE_BYTES: i32 = 0x40;
const TWO_COMPLEMENT: i32 = 0x80;
const NEGATIVE: i32 = 0x200;

/// Writes little-endian bytes as words.
fn put_words(bytes: &[u8], to: *mut c_void, count: usize, size: usize, flags: i32) {
    let to = given::slice_mut(count * size, to.cast::<u8>());
    let msbyte = flags & MSBYTE_FIRST != 0 && flags & NATIVE_BYTES == 0;
    for word in 0..count {
        let place = if flags & MSWORD_FIRST != 0 { count - 1 - word } else { word };
        for byte in 0..size {
            let at = if msbyte { size - 1 - byte } else { byte };
            to[place * size + at] = bytes[word * size + byte];
        }
    }
}

fn get_words(from: *const c_void, count: usize, size: usize, flags: i32) -> Vec<u8> {
    let from = given::slice(count * size, from.cast::<u8>());
    let msbyte = flags & MSBYTE_FIRST != 0 && flags & NATIVE_BYTES == 0;
    let mut bytes = vec![0; count * size];
    for word in 0..count {
        let place = if flags & MSWORD_FIRST != 0 { count - 1 - word } else { word };
        for byte in 0..size {
            let at = if msbyte { size - 1 - byte } else { byte };
            bytes[word * size + byte] = from[place * size + at];
        }
    }
    bytes
}

/// The bytes of the magnitude in little-endian order, and whether the number is negative.
fn magnitude(v: Value) -> (Vec<u8>, bool) {
    bigint::operand(&v).map_or((Vec::new(), false), |n| {
        let mut bytes = numeric::big::magnitude_le_bytes(n);
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        (bytes, n.is_negative())
    })
}

/// Returns the sign; doubled if the words cannot hold the number.
pub fn rb_integer_pack(
    cx: &mut Cx,
    v: Value,
    words: *mut c_void,
    count: usize,
    size: usize,
    nails: usize,
    flags: i32,
) -> R<i32> {
    if nails != 0 {
        return Err(cx.not_implemented("rb_integer_pack() with nails"));
    }
    let v = convert::to_integer(cx, v)?;
    let (mut bytes, is_negative) = magnitude(v);
    let room = count * size;
    let mut overflows = bytes.len() > room;
    if flags & TWO_COMPLEMENT != 0 && is_negative {
        bytes.resize(room.max(bytes.len()), 0);
        let mut carry = true;
        for byte in &mut bytes {
            (*byte, carry) = (!*byte).overflowing_add(carry as u8);
        }
        overflows = {
            let (magnitude, _) = magnitude(v);
            let one_more = magnitude.len() == room + 1
                && magnitude.last() == Some(&1)
                && magnitude[..room].iter().all(|b| *b == 0);
            magnitude.len() > room && !one_more
        };
    }
    bytes.resize(room.max(bytes.len()), if flags & TWO_COMPLEMENT != 0 && is_negative { 0xff } else { 0 });
    put_words(&bytes[..room], words, count, size, flags);
    let sign = if is_negative { -1 } else { !magnitude(v).0.is_empty() as i32 };
    Ok(if overflows { 2 * sign } else { sign })
}

pub fn rb_integer_unpack(cx: &mut Cx, words: *const c_void, count: usize, size: usize, nails: usize, flags: i32) -> R {
    if nails != 0 {
        return Err(cx.not_implemented("rb_integer_unpack() with nails"));
    }
    let mut bytes = get_words(words, count, size, flags);
    let is_signed = flags & TWO_COMPLEMENT != 0;
    if is_signed && flags & NEGATIVE != 0 {
        bytes.push(0xff);
    } else if !is_signed {
        bytes.push(0);
    }
    let n = numeric::big::from_le_bytes(&bytes, is_signed);
    let n = if !is_signed && flags & NEGATIVE != 0 { numeric::big::neg(n.as_int()) } else { n };
    bigint::integer(cx, n).or_raise(cx)
}

pub fn rb_big_pack(cx: &mut Cx, v: Value, to: *mut u64, count: i64) -> R<()> {
    let flags = TWO_COMPLEMENT | NATIVE_BYTES;
    rb_integer_pack(cx, v, to.cast(), count.max(0) as usize, 8, 0, flags).map(drop)
}

pub fn rb_big_unpack(cx: &mut Cx, from: *mut u64, count: i64) -> R {
    rb_integer_unpack(cx, from.cast(), count.max(0) as usize, 8, 0, TWO_COMPLEMENT | NATIVE_BYTES)
}

pub fn rb_absint_size(cx: &mut Cx, v: Value, zeros: *mut i32) -> R<usize> {
    let v = convert::to_integer(cx, v)?;
    let (bytes, _) = magnitude(v);
    given::write(zeros, bytes.last().map_or(0, |byte| byte.leading_zeros() as i32));
    Ok(bytes.len())
}

pub fn rb_absint_numwords(cx: &mut Cx, v: Value, bits: usize, zeros: *mut usize) -> R<usize> {
    let v = convert::to_integer(cx, v)?;
    let (bytes, _) = magnitude(v);
    let used = bytes.len() * 8 - bytes.last().map_or(0, |byte| byte.leading_zeros() as usize);
    let words = used.div_ceil(bits.max(1));
    given::write(zeros, words * bits - used);
    Ok(words)
}

pub fn rb_absint_singlebit_p(cx: &mut Cx, v: Value) -> R<i32> {
    let v = convert::to_integer(cx, v)?;
    let (bytes, _) = magnitude(v);
    Ok((bytes.iter().map(|b| b.count_ones()).sum::<u32>() == 1) as i32)
}

pub fn rb_dbl_complex_new_polar_pi(cx: &mut Cx, abs: f64, angle: f64) -> R {
    let (abs, angle) = (float::new(cx, abs), float::new(cx, angle * std::f64::consts::PI));
    send_to(cx, "Complex", "polar", &[abs, angle])
}

fn random(cx: &mut Cx, name: &str, arguments: &[Value]) -> R {
    send_to(cx, "Random", name, arguments)
}

pub fn rb_genrand_int32(cx: &mut Cx) -> R<u32> {
    let n = random(cx, "rand", &[Value::fixnum(1 << 32)])?;
    Ok(n.as_fixnum().unwrap_or(0) as u32)
}

pub fn rb_genrand_real(cx: &mut Cx) -> R<f64> {
    let f = random(cx, "rand", &[])?;
    convert::to_f64(cx, f)
}

pub fn rb_reset_random_seed(_: &mut Cx) {}

pub fn rb_random_bytes(cx: &mut Cx, generator: Value, count: i64) -> R {
    send(cx, generator, "bytes", &[Value::fixnum(count)])
}

pub fn rb_random_int32(cx: &mut Cx, generator: Value) -> R<u32> {
    let n = send(cx, generator, "rand", &[Value::fixnum(1 << 32)])?;
    Ok(convert::to_i64(cx, n)? as u32)
}

pub fn rb_random_real(cx: &mut Cx, generator: Value) -> R<f64> {
    let f = send(cx, generator, "rand", &[])?;
    convert::to_f64(cx, f)
}

pub fn rb_genrand_ulong_limited(cx: &mut Cx, limit: u64) -> R<u64> {
    let most = bigint::from_u64(cx, limit);
    let most = send(cx, most, "+", &[Value::fixnum(1)])?;
    let n = random(cx, "rand", &[most])?;
    rb_num2ulong(cx, n)
}

pub fn rb_random_ulong_limited(cx: &mut Cx, generator: Value, limit: u64) -> R<u64> {
    let most = bigint::from_u64(cx, limit);
    let most = send(cx, most, "+", &[Value::fixnum(1)])?;
    let n = send(cx, generator, "rand", &[most])?;
    rb_num2ulong(cx, n)
}
