//! inspect and hexdump.

use ::memory::Grow;
use runtime::{Args, Cx, Method, R, Value, convert, error, make};

use super::{
    check_range,
    memory::{self, is_valid, state, with_bytes},
    part,
};

pub const METHODS: &[Method] = &[
    Method::new("to_s", to_s),
    Method::new("inspect", inspect),
    Method::new("hexdump(offset = 0, length = nil, width = 16)", hexdump),
];

const WIDTH: usize = 16;
/// The largest number of bytes in a line of `hexdump`.
const MAXIMUM_WIDTH: i64 = 1024;
/// The number of bytes that `inspect` shows.
const MOST: usize = 256;

const FLAGS: &[(u32, &str)] = &[
    (memory::EXTERNAL, "EXTERNAL"),
    (memory::INTERNAL, "INTERNAL"),
    (memory::MAPPED, "MAPPED"),
    (memory::FILE, "FILE"),
    (memory::SHARED, "SHARED"),
    (memory::LOCKED, "LOCKED"),
    (memory::PRIVATE, "PRIVATE"),
    (memory::READONLY, "READONLY"),
];

/// `#<IO::Buffer 0x… +size FLAGS>`
fn headline(cx: &mut Cx, buffer: Value) -> R<String> {
    let address = if is_valid(buffer) { with_bytes(cx, buffer, |own| own.as_ptr() as usize)? } else { 0 };
    let class = error::class_name_of(cx, buffer);
    let own = state(cx, buffer)?;
    let address = if own.is_null() { 0 } else { address };
    let mut text = format!("#<{class} 0x{address:016x}+{}", own.size);
    if own.is_null() {
        text.push_str(" NULL");
    }
    for (_, name) in FLAGS.iter().filter(|(flag, _)| own.flags & flag != 0) {
        text.append_one(' ');
        text.push_str(name);
    }
    if !own.source.is_nil() {
        text.push_str(" SLICE");
    }
    if !is_valid(buffer) {
        text.push_str(" INVALID");
    }
    text.append_one('>');
    Ok(text)
}

/// `to_s → string`: the class, the address, the length and the flags, without the bytes.
fn to_s(cx: &mut Cx, args: Args) -> R {
    let text = headline(cx, args.me())?;
    Ok(make::described(cx, &text))
}

/// Lines of `width` bytes from `offset` on; a line break precedes the first one unless it `begins` the text.
fn dump(text: &mut String, bytes: &[u8], offset: usize, width: usize, mut begins: bool) {
    for (i, row) in bytes[offset..].chunks(width).enumerate() {
        if !std::mem::take(&mut begins) {
            text.append_one('\n');
        }
        text.push_str(&format!("0x{:08x} ", offset + i * width));
        for byte in row {
            text.push_str(&format!(" {byte:02x}"));
        }
        text.push_str(&::memory::repeated("   ", width - row.len()));
        text.append_one(' ');
        text.append_from(row.iter().map(|b| if (32..127).contains(b) { *b as char } else { '.' }));
    }
}

/// `inspect → string`: `to_s`, then a hexadecimal dump of the first bytes.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let mut text = headline(cx, args.me())?;
    if is_valid(args.me()) {
        with_bytes(cx, args.me(), |own| {
            dump(&mut text, &own[..own.len().min(MOST)], 0, WIDTH, false);
            if own.len() > MOST {
                text.push_str(&format!("\n(and {} more bytes not printed)", own.len() - MOST));
            }
        })?;
    }
    Ok(make::described(cx, &text))
}

/// `hexdump(offset = 0, length = nil, width = 16) → string or nil`: offsets, bytes in hexadecimal and as characters,
/// `width` bytes per line; nil for a buffer without memory.
fn hexdump(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let (offset, length) = part(cx, me, args.opt(0), args.opt(1))?;
    let width = match args.opt(2) {
        Some(v) => {
            let width = convert::to_i64(cx, v)?;
            if width < 0 {
                return Err(cx.argument_error("Width can't be negative!"));
            }
            if width < 1 {
                return Err(cx.argument_error("Width must be at least 1!"));
            }
            if width > MAXIMUM_WIDTH {
                return Err(cx.argument_error(&format!("Width must be at most {MAXIMUM_WIDTH}!")));
            }
            width as usize
        }
        None => WIDTH,
    };
    check_range(cx, me, offset, length)?;
    if !is_valid(me) || state(cx, me)?.is_null() {
        return Ok(Value::NIL);
    }
    let mut text = String::new();
    with_bytes(cx, me, |own| dump(&mut text, &own[..offset + length], offset, width, true))?;
    Ok(make::text(cx, &text))
}
