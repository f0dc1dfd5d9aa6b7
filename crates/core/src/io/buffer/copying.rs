//! Copies between buffers and strings or other buffers, and masks.

use ::memory::ToVector;
use runtime::{Args, Cx, Method, R, Value, convert, make};
use text::encoding::EncodingId;

use super::{
    check_range, lifetime,
    memory::{self, Memory, allocate, flags_for, state, with_bytes, with_bytes_mut},
    natural, part,
};

pub const METHODS: &[Method] = &[
    Method::new("copy(source, offset = 0, length = nil, source_offset = 0)", copy),
    Method::new("get_string(offset = 0, length = nil, encoding = nil)", get_string),
    Method::new("set_string(string, offset = 0, length = nil, source_offset = 0)", set_string),
    Method::new("clear(value = 0, offset = 0, length = nil)", clear),
    Method::new("<=>(other)", compare),
    // `&`, `|`, `^`: a new buffer with the bytes combined with those of the mask, which repeats. MaskError for an empty
    // mask.
    Method::new("&(mask)", |cx, args| masked(cx, args, |a, b| a & b)),
    Method::new("|(mask)", |cx, args| masked(cx, args, |a, b| a | b)),
    Method::new("^(mask)", |cx, args| masked(cx, args, |a, b| a ^ b)),
    Method::new("~", not),
    // `and!`, `or!`, `xor!`: the same in place. MaskError also if the mask's memory overlaps the buffer's.
    Method::new("and!(mask)", |cx, args| mask_in_place(cx, args, |a, b| a & b)),
    Method::new("or!(mask)", |cx, args| mask_in_place(cx, args, |a, b| a | b)),
    Method::new("xor!(mask)", |cx, args| mask_in_place(cx, args, |a, b| a ^ b)),
    Method::new("not!", not_in_place),
];

/// Copies a part of `source`, given by the arguments after the first; returns the number of bytes.
fn copy_from(cx: &mut Cx, args: Args, source: &[u8]) -> R {
    let offset = match args.opt(1) {
        Some(v) => natural(cx, v, "Offset")?,
        None => 0,
    };
    let from = match args.opt(3) {
        Some(v) => natural(cx, v, "Offset")?,
        None => 0,
    };
    if from > source.len() {
        return Err(cx.argument_error("The given source offset is bigger than the source itself!"));
    }
    let length = match args.non_nil(2) {
        Some(v) => natural(cx, v, "Length")?,
        None => source.len() - from,
    };
    memory::check_writable(cx, args.me())?;
    check_range(cx, args.me(), offset, length)?;
    let Some(bytes) = from.checked_add(length).and_then(|end| source.get(from..end)) else {
        return Err(cx.argument_error("The computed source range exceeds the size of the source buffer!"));
    };
    with_bytes_mut(cx, args.me(), |own| own[offset..offset + length].copy_from_slice(bytes))?;
    Ok(Value::fixnum(length as i64))
}

/// `copy(source, offset = 0, length = nil, source_offset = 0) → integer`: copies bytes of another buffer to `offset`,
/// and returns their number. ArgumentError if they do not fit, IO::Buffer::AccessError for a read-only buffer.
fn copy(cx: &mut Cx, args: Args) -> R {
    let source = with_bytes(cx, args.at(0), <[u8]>::to_vector)?;
    copy_from(cx, args, &source)
}

/// `set_string(string, offset = 0, length = nil, source_offset = 0) → integer`: copies bytes of a String to `offset`,
/// and returns their number. ArgumentError if they do not fit.
fn set_string(cx: &mut Cx, args: Args) -> R {
    let text = args.str(cx, 0)?;
    let source = text.to_vector();
    copy_from(cx, args, &source)
}

/// `get_string(offset = 0, length = nil, encoding = nil) → string`: a copy of a part as a String, BINARY unless an
/// encoding is given. ArgumentError for a part beyond the end.
fn get_string(cx: &mut Cx, args: Args) -> R {
    let (offset, length) = part(cx, args.me(), args.opt(0), args.opt(1))?;
    with_bytes(cx, args.me(), |_| ())?;
    let encoding = match args.opt(2) {
        Some(v) => crate::encoding::names::from_value(cx, v)?,
        None => EncodingId::BINARY,
    };
    check_range(cx, args.me(), offset, length)?;
    let bytes = with_bytes(cx, args.me(), |own| own[offset..offset + length].to_vector())?;
    Ok(make::string(cx, &bytes, encoding))
}

/// `clear(value = 0, offset = 0, length = nil) → self`: sets the bytes of a part to the low byte of `value`.
/// IO::Buffer::AccessError for a read-only buffer.
fn clear(cx: &mut Cx, args: Args) -> R {
    let value = match args.opt(0) {
        Some(v) => convert::to_i64(cx, v)? as u8,
        None => 0,
    };
    let (offset, length) = part(cx, args.me(), args.opt(1), args.opt(2))?;
    memory::check_writable(cx, args.me())?;
    check_range(cx, args.me(), offset, length)?;
    with_bytes_mut(cx, args.me(), |own| own[offset..offset + length].fill(value))?;
    Ok(args.me())
}

/// `self <=> other → integer`: compares the sizes, then the first two bytes that differ, whose difference it returns.
/// TypeError unless `other` is a buffer.
fn compare(cx: &mut Cx, args: Args) -> R {
    let other = with_bytes(cx, args.at(0), <[u8]>::to_vector)?;
    let order = with_bytes(cx, args.me(), |own| match own.len().cmp(&other.len()) {
        std::cmp::Ordering::Equal => {
            own.iter().zip(&other).find(|(a, b)| a != b).map_or(0, |(a, b)| i64::from(*a) - i64::from(*b))
        }
        order => order as i64,
    })?;
    Ok(Value::fixnum(order))
}

/// The bytes of a mask; MaskError if it is empty.
fn mask_bytes(cx: &mut Cx, mask: Value) -> R<Vec<u8>> {
    if state(cx, mask)?.size == 0 {
        return Err(memory::raise(cx, memory::MASK_ERROR, "Zero-length mask given!"));
    }
    with_bytes(cx, mask, <[u8]>::to_vector)
}

/// A new IO::Buffer with these bytes.
fn new_buffer(cx: &mut Cx, bytes: Vec<u8>) -> R {
    let mut made = allocate(cx, bytes.len(), flags_for(bytes.len()))?;
    if let Memory::Own(own) = &mut made.memory {
        *own = bytes;
    }
    let class = cx.root(memory::CLASS);
    Ok(lifetime::instance(cx, class, made))
}

fn masked(cx: &mut Cx, args: Args, combine: fn(u8, u8) -> u8) -> R {
    let mask = mask_bytes(cx, args.at(0))?;
    let bytes = with_bytes(cx, args.me(), |own| {
        ::memory::collect(own.iter().zip(mask.iter().cycle()).map(|(a, b)| combine(*a, *b)))
    })?;
    new_buffer(cx, bytes)
}

/// `~self → buffer`: a new buffer with all bits inverted.
fn not(cx: &mut Cx, args: Args) -> R {
    let bytes = with_bytes(cx, args.me(), |own| ::memory::collect(own.iter().map(|b| !b)))?;
    new_buffer(cx, bytes)
}

fn mask_in_place(cx: &mut Cx, args: Args, combine: fn(u8, u8) -> u8) -> R {
    let mask = mask_bytes(cx, args.at(0))?;
    if overlap(cx, args.me(), args.at(0))? {
        return Err(memory::raise(cx, memory::MASK_ERROR, "Mask overlaps source buffer!"));
    }
    with_bytes_mut(cx, args.me(), |own| {
        own.iter_mut().zip(mask.iter().cycle()).for_each(|(a, b)| *a = combine(*a, *b));
    })?;
    Ok(args.me())
}

/// Whether two buffers have bytes in common.
fn overlap(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    let (a, b) = (with_bytes(cx, a, <[u8]>::as_ptr_range)?, with_bytes(cx, b, <[u8]>::as_ptr_range)?);
    Ok(a.start < b.end && b.start < a.end)
}

/// `not! → self`: inverts all bits in place. IO::Buffer::AccessError for a read-only buffer.
fn not_in_place(cx: &mut Cx, args: Args) -> R {
    with_bytes_mut(cx, args.me(), |own| own.iter_mut().for_each(|b| *b = !*b))?;
    Ok(args.me())
}
