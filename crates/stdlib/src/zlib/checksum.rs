//! CRC-32 and Adler-32.

use object::{bigint, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, call, convert, make};

/// How many bytes of a stream are read at once.
const CHUNK: i64 = 8192;

pub const METHODS: &[Method] = &[
    Method::new("crc32(string = nil, start = 0)", crc32).borrows(0),
    Method::new("adler32(string = nil, start = 1)", adler32).borrows(0),
    Method::new("crc32_combine(first, second, length)", crc32_combine),
    Method::new("adler32_combine(first, second, length)", adler32_combine),
    Method::new("crc_table", crc_table),
];

/// The low 32 bits of any Integer.
fn low(cx: &mut Cx, v: Value) -> R<u32> {
    let v = convert::to_integer(cx, v)?;
    let fits = bigint::operand(&v).is_some_and(|n| n.to_i64().is_some() || n.to_u64().is_some());
    if !fits {
        return Err(cx.range_error("bignum too big to convert into 'unsigned long'"));
    }
    Ok(bigint::operand(&v).map_or(0, numeric::big::low_u64) as u32)
}

fn number(n: u32) -> Value {
    Value::fixnum(n.into())
}

/// `Zlib.crc32(string = nil, start = 0) → integer`: the cyclic redundancy check of the bytes, continued from `start`.
/// RFC 1952.
fn crc32(cx: &mut Cx, args: Args) -> R {
    sum(cx, args, 0, crc_of)
}

/// `Zlib.adler32(string = nil, start = 1) → integer`: Adler's checksum of the bytes, continued from `start`. RFC 1950.
fn adler32(cx: &mut Cx, args: Args) -> R {
    sum(cx, args, 1, zlib_rs::adler32::adler32)
}

/// The CRC-32 of more bytes.
pub fn crc_of(sum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(sum);
    hasher.update(bytes);
    hasher.finalize()
}

fn sum(cx: &mut Cx, args: Args, first: u32, of: fn(u32, &[u8]) -> u32) -> R {
    let start = match args.opt(1) {
        Some(v) => low(cx, v)?,
        None => first,
    };
    match args.non_nil(0) {
        Some(v) if core_classes::io::data::is_io(v) => of_stream(cx, v, start, of),
        Some(v) => {
            let string = convert::to_str(cx, v)?;
            Ok(number(of(start, string.bytes(cx))))
        }
        None => Ok(number(if args.opt(1).is_some() { start } else { first })),
    }
}

/// The checksum of the remaining data of a stream.
fn of_stream(cx: &mut Cx, io: Value, start: u32, of: fn(u32, &[u8]) -> u32) -> R {
    let read = intern_text(cx, "read");
    let mut sum = start;
    loop {
        let chunk = call::send(cx, io, read, &[Value::fixnum(CHUNK)])?;
        if chunk.is_nil() {
            return Ok(number(sum));
        }
        sum = of(sum, convert::to_str(cx, chunk)?.bytes(cx));
    }
}

/// `Zlib.crc32_combine(first, second, length) → integer`: the check of two concatenated texts, from the checks of both
/// and the length of the second.
fn crc32_combine(cx: &mut Cx, args: Args) -> R {
    let (first, second) = (low(cx, args.at(0))?, low(cx, args.at(1))?);
    let length = convert::to_i64(cx, args.at(2))?;
    Ok(number(combined_crc(first, second, length.max(0) as u64)))
}

/// `Zlib.adler32_combine(first, second, length) → integer`: the checksum of two concatenated texts, from the checksums
/// of both and the length of the second. RFC 1950.
fn adler32_combine(cx: &mut Cx, args: Args) -> R {
    let (first, second) = (low(cx, args.at(0))?, low(cx, args.at(1))?);
    let length = convert::to_i64(cx, args.at(2))?;
    Ok(number(zlib_rs::adler32::adler32_combine(first, second, length.max(0) as u64)))
}

/// Shifts the first sum past the second text: appending zeros is linear, so that repeated doubling gives any length in
/// few steps.
fn combined_crc(first: u32, second: u32, length: u64) -> u32 {
    // The effect of appending one zero bit on each bit of a sum.
    let mut step = [0u32; 32];
    step[0] = 0xedb8_8320;
    for (bit, column) in step.iter_mut().enumerate().skip(1) {
        *column = 1 << (bit - 1);
    }
    let times = |matrix: &[u32; 32], sum: u32| {
        (0..32).filter(|bit| sum >> bit & 1 == 1).fold(0, |result, bit| result ^ matrix[bit])
    };
    let square = |matrix: &[u32; 32]| matrix.map(|column| times(matrix, column));
    for _ in 0..3 {
        step = square(&step);
    }
    let mut sum = first;
    let mut rest = length;
    while rest > 0 {
        if rest & 1 == 1 {
            sum = times(&step, sum);
        }
        step = square(&step);
        rest >>= 1;
    }
    sum ^ second
}

/// `Zlib.crc_table → array`: the 256 numbers of the table that `crc32` uses.
fn crc_table(cx: &mut Cx, _: Args) -> R {
    let table = make::array(cx, &[]);
    for entry in zlib_rs::crc32::get_crc_table() {
        make::push(cx, table, number(*entry));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combines_sums() {
        let (a, b) = (b"hello ", b"world, and more");
        let whole = zlib_rs::crc32::crc32(0, b"hello world, and more");
        let combined = combined_crc(zlib_rs::crc32::crc32(0, a), zlib_rs::crc32::crc32(0, b), b.len() as u64);
        assert_eq!(combined, whole);
    }
}
