//! Numbers in a buffer: :U8 and :S8, and of 16, 32, 64 and 128 bits :u, :s, :f in little-endian order, :U, :S, :F in
//! big-endian order.

use memory::ToVector;
use object::{Sym, array::Arr, bigint, cell, float, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, convert, error::OrRaise, make};

use super::{
    memory::{with_bytes, with_bytes_mut},
    natural, state,
};

pub const METHODS: &[Method] = &[
    Method::new("get_value(type, offset)", get_value),
    Method::new("get_values(types, offset)", get_values),
    Method::new("set_value(type, offset, value)", set_value),
    Method::new("set_values(types, offset, values)", set_values),
    Method::new("each(type = :U8, offset = 0, count = nil) { |offset, value| }", each),
    Method::new("values(type = :U8, offset = 0, count = nil)", values),
    Method::new("each_byte(offset = 0, count = nil) { |byte| }", each_byte),
];

pub const SINGLETON: &[Method] = &[Method::new("size_of(types)", size_of)];

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Unsigned,
    Signed,
    Float,
}

#[derive(Clone, Copy)]
struct Kind {
    sort: Sort,
    size: usize,
    big: bool,
}

const BYTE: Kind = Kind { sort: Sort::Unsigned, size: 1, big: true };

/// The kind named by a Symbol; ArgumentError for unknown names.
fn kind_of(cx: &mut Cx, v: Value) -> R<Kind> {
    let Some(name) = Sym::from_value(v) else {
        let got = runtime::error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Symbol)")));
    };
    kind_named(name.bytes(cx)).ok_or_else(|| cx.argument_error("Invalid type name!"))
}

fn kind_named(name: &[u8]) -> Option<Kind> {
    let (letter, bits) = name.split_first()?;
    let sort = match letter {
        b'u' | b'U' => Sort::Unsigned,
        b's' | b'S' => Sort::Signed,
        b'f' | b'F' => Sort::Float,
        _ => return None,
    };
    let big = letter.is_ascii_uppercase();
    let size = match (bits, sort, big) {
        (b"8", Sort::Unsigned | Sort::Signed, true) => 1,
        (b"16", Sort::Unsigned | Sort::Signed, _) => 2,
        (b"32", ..) => 4,
        (b"64", ..) => 8,
        (b"128", Sort::Unsigned | Sort::Signed, _) => 16,
        _ => return None,
    };
    Some(Kind { sort, size, big })
}

/// ArgumentError unless a value of that kind fits in `size` bytes.
fn check(cx: &mut Cx, kind: Kind, offset: usize, size: usize) -> R<()> {
    let end = offset.saturating_add(kind.size);
    if end <= size {
        return Ok(());
    }
    Err(cx.argument_error(&format!("Type extends beyond end of buffer! (offset={offset} > size={size})")))
}

fn read(cx: &mut Cx, buffer: Value, kind: Kind, offset: usize) -> R {
    let mut word = [0; 16];
    let missing = with_bytes(cx, buffer, |bytes| match bytes.get(offset..offset.saturating_add(kind.size)) {
        Some(bytes) => {
            word[..kind.size].copy_from_slice(bytes);
            None
        }
        None => Some(bytes.len()),
    })?;
    if let Some(size) = missing {
        check(cx, kind, offset, size)?;
    }
    if kind.big {
        word[..kind.size].reverse();
    }
    if kind.size == 16 {
        let wide = numeric::big::from_le_bytes(&word, kind.sort == Sort::Signed);
        return crate::numeric::ops::give(cx, wide);
    }
    let bits = word[..8].try_into().map_or(0, u64::from_le_bytes);
    let unused = 64 - 8 * kind.size as u32;
    match (kind.sort, kind.size) {
        (Sort::Unsigned, _) => Ok(bigint::from_u64(cx, bits)),
        (Sort::Signed, _) => Ok(bigint::from_i64(cx, (bits << unused) as i64 >> unused)),
        (Sort::Float, 4) => Ok(float::new(cx, f64::from(f32::from_bits(bits as u32)))),
        (Sort::Float, _) => Ok(float::new(cx, f64::from_bits(bits))),
    }
}

/// The bits of a number in that kind; RangeError if it does not fit the next larger C type.
fn bits_of(cx: &mut Cx, kind: Kind, v: Value) -> R<u64> {
    match (kind.sort, kind.size) {
        (Sort::Float, 4) => Ok(u64::from((convert::to_f64(cx, v)? as f32).to_bits())),
        (Sort::Float, _) => Ok(convert::to_f64(cx, v)?.to_bits()),
        (Sort::Unsigned, 8) => word_of(cx, v),
        (Sort::Signed, 8) => Ok(convert::to_i64(cx, v)? as u64),
        (sort, _) => {
            let n = convert::to_i64(cx, v)?;
            let (most, name) =
                if sort == Sort::Signed { (i64::from(i32::MAX), "int") } else { (i64::from(u32::MAX), "unsigned int") };
            if n > most || n < i64::from(i32::MIN) {
                let which = if n < 0 { "small" } else { "big" };
                return Err(cx.range_error(&format!("integer {n} too {which} to convert to '{name}'")));
            }
            Ok(n as u64)
        }
    }
}

/// A 64-bit Integer, signed or unsigned.
fn word_of(cx: &mut Cx, v: Value) -> R<u64> {
    let n = convert::to_integer(cx, v)?;
    if n.is_fixnum() {
        return Ok(n.fixnum_value() as u64);
    }
    let (negative, limbs) = (bigint::parts(&n).negative, bigint::parts(&n).limbs.to_vector());
    match limbs[..] {
        [word] if !negative => Ok(word),
        [word] if word <= 1 << 63 => Ok(word.wrapping_neg()),
        _ => Err(cx.range_error("bignum too big to convert into 'unsigned long long'")),
    }
}

/// The bytes of a 128-bit Integer, the least first.
fn wide_of(cx: &mut Cx, kind: Kind, v: Value) -> R<[u8; 16]> {
    let n = convert::to_integer(cx, v)?;
    let n = crate::numeric::ops::int(&n);
    let is_negative = n.is_negative();
    let bits = n.magnitude_bits();
    let fits = match (kind.sort, is_negative) {
        (Sort::Unsigned, false) => bits <= 128,
        (_, true) => bits <= 128,
        (_, false) => bits <= 127,
    };
    let bytes = numeric::big::to_le_bytes(n, 16);
    match <[u8; 16]>::try_from(bytes.as_slice()) {
        Ok(bytes) if fits => Ok(bytes),
        _ => Err(cx.range_error("bignum too big to convert into '128-bit integer'")),
    }
}

fn write(cx: &mut Cx, buffer: Value, kind: Kind, offset: usize, v: Value) -> R<()> {
    let size = state(cx, buffer)?.size;
    check(cx, kind, offset, size)?;
    let mut word = [0; 16];
    if kind.size == 16 {
        word = wide_of(cx, kind, v)?;
    } else {
        word[..8].copy_from_slice(&bits_of(cx, kind, v)?.to_le_bytes());
    }
    if kind.big {
        word[..kind.size].reverse();
    }
    // The conversion of the value may have freed or shrunk the buffer.
    let size = state(cx, buffer)?.size;
    check(cx, kind, offset, size)?;
    with_bytes_mut(cx, buffer, |bytes| {
        if let Some(place) = bytes.get_mut(offset..offset + kind.size) {
            place.copy_from_slice(&word[..kind.size]);
        }
    })
}

/// `get_value(type, offset) → integer or float`: the number of the type at an offset. ArgumentError for an unknown type
/// or an offset beyond the end.
fn get_value(cx: &mut Cx, args: Args) -> R {
    let offset = natural(cx, args.at(1), "Offset")?;
    match kind_of(cx, args.at(0)) {
        Ok(kind) => read(cx, args.me(), kind, offset),
        Err(error) => {
            // The error of a buffer without valid memory comes first.
            with_bytes(cx, args.me(), |_| ())?;
            Err(error)
        }
    }
}

fn array(cx: &mut Cx, v: Value, what: &str) -> R<Arr> {
    Arr::from_value(v).ok_or_else(|| cx.argument_error(&format!("Argument {what} should be an array!")))
}

/// `get_values(types, offset) → array`: consecutive numbers of the types from the offset on. ArgumentError for an
/// unknown type or an offset beyond the end.
fn get_values(cx: &mut Cx, args: Args) -> R {
    let mut offset = natural(cx, args.at(1), "Offset")?;
    with_bytes(cx, args.me(), |_| ())?;
    let kinds = array(cx, args.at(0), "buffer_types")?;
    let list = Arr::with_capacity(cx, kinds.len()).or_raise(cx)?.value();
    let mut i = 0;
    while let Some(name) = kinds.get(i) {
        let kind = kind_of(cx, name)?;
        let value = read(cx, args.me(), kind, offset)?;
        make::push(cx, list, value);
        offset += kind.size;
        i += 1;
    }
    Ok(list)
}

/// `set_value(type, offset, value) → integer`: stores a number of the type at an offset and returns the offset after
/// it. ArgumentError for an unknown type or an offset beyond the end.
fn set_value(cx: &mut Cx, args: Args) -> R {
    let offset = natural(cx, args.at(1), "Offset")?;
    super::memory::check_writable(cx, args.me())?;
    let kind = kind_of(cx, args.at(0))?;
    write(cx, args.me(), kind, offset, args.at(2))?;
    Ok(Value::fixnum((offset + kind.size) as i64))
}

/// `set_values(types, offset, values) → integer`: stores consecutive numbers; returns the offset after the last.
/// ArgumentError unless there are as many values as types; values stored before an error remain.
fn set_values(cx: &mut Cx, args: Args) -> R {
    let kinds = array(cx, args.at(0), "buffer_types")?;
    let values = array(cx, args.at(2), "values")?;
    if kinds.len() != values.len() {
        return Err(cx.argument_error("Argument buffer_types and values should have the same length!"));
    }
    let mut offset = natural(cx, args.at(1), "Offset")?;
    super::memory::check_writable(cx, args.me())?;
    let mut i = 0;
    while let (Some(name), Some(value)) = (kinds.get(i), values.get(i)) {
        let kind = kind_of(cx, name)?;
        write(cx, args.me(), kind, offset, value)?;
        offset += kind.size;
        i += 1;
    }
    Ok(Value::fixnum(offset as i64))
}

/// The offset of the first value and the number of values, given by two arguments.
fn span(cx: &mut Cx, args: Args, at: usize, kind: Kind) -> R<(usize, usize)> {
    let size = with_bytes(cx, args.me(), <[u8]>::len)?;
    let offset = match args.opt(at) {
        Some(v) => natural(cx, v, "Offset")?,
        None => 0,
    };
    let count = match args.non_nil(at + 1) {
        Some(v) => natural(cx, v, "Count")?,
        None => match size.checked_sub(offset) {
            Some(left) => left / kind.size,
            None => return Err(cx.argument_error("The given offset is bigger than the buffer size!")),
        },
    };
    Ok((offset, count))
}

fn kind_argument(cx: &mut Cx, args: Args) -> R<Kind> {
    match args.opt(0) {
        Some(v) => kind_of(cx, v),
        None => Ok(BYTE),
    }
}

/// An Enumerator for a method that was called without a block.
fn enumerator(cx: &mut Cx, args: Args, name: &str) -> R {
    let (method, name) = (intern_text(cx, "to_enum"), intern_text(cx, name));
    let arguments = make::array(cx, &[name.value()]);
    for v in args.all() {
        make::push(cx, arguments, *v);
    }
    runtime::args::spread(cx, Arr::of(arguments), |cx, all| call::send(cx, args.me(), method, all))
}

/// `each(type = :U8, offset = 0, count = nil) { |offset, value| } → self`: yields the offset and the value of each
/// number from `offset` on, at most `count` of them. An Enumerator without a block.
fn each(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "each");
    }
    let kind = kind_argument(cx, args)?;
    let (offset, count) = span(cx, args, 1, kind)?;
    for i in 0..count {
        let at = offset + i * kind.size;
        let value = read(cx, args.me(), kind, at)?;
        call::yield_values(cx, block, &[Value::fixnum(at as i64), value])?;
    }
    Ok(args.me())
}

/// `values(type = :U8, offset = 0, count = nil) → array`: the numbers of the type from `offset` on, at most `count` of
/// them.
fn values(cx: &mut Cx, args: Args) -> R {
    let kind = kind_argument(cx, args)?;
    let (offset, count) = span(cx, args, 1, kind)?;
    let list = make::array(cx, &[]);
    for i in 0..count {
        let value = read(cx, args.me(), kind, offset + i * kind.size)?;
        make::push(cx, list, value);
    }
    Ok(list)
}

/// `each_byte(offset = 0, count = nil) { |byte| } → self`: yields each byte from `offset` on, at most `count` of them.
/// An Enumerator without a block.
fn each_byte(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return enumerator(cx, args, "each_byte");
    }
    let (offset, count) = span(cx, args, 0, BYTE)?;
    if offset.saturating_add(count) > with_bytes(cx, args.me(), <[u8]>::len)? {
        return Err(cx.argument_error("Specified offset+count is bigger than the buffer size!"));
    }
    for i in 0..count {
        let value = read(cx, args.me(), BYTE, offset + i)?;
        call::yield_one(cx, block, value)?;
    }
    Ok(args.me())
}

/// `IO::Buffer.size_of(types) → integer`: the number of bytes of a type, or the sum over an array of types.
/// ArgumentError for an unknown type.
fn size_of(cx: &mut Cx, args: Args) -> R {
    let given = args.at(0);
    if !cell::is(given, abi::Type::Array) {
        return Ok(Value::fixnum(kind_of(cx, given)?.size as i64));
    }
    let mut total = 0;
    let mut i = 0;
    while let Some(name) = Arr::of(given).get(i) {
        total += kind_of(cx, name)?.size as i64;
        i += 1;
    }
    Ok(Value::fixnum(total))
}
