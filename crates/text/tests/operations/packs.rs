//! Array#pack and String#unpack, with values written as `i:` integers, `f:` floats, `s:` strings and `nil`.

use text::pack::{self, Count, Integers, Item, Kind, Mode, PackError, Parser, Unpacker};

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let format = arguments.first()?;
    let result = match operation {
        "pack" => pack(format, &arguments[1..]).map(|bytes| vec![bytes]),
        "unpack" => unpack(format, &arguments[1]),
        _ => return None,
    };
    Some(result.unwrap_or_else(|error| vec![error.message(format).into_bytes()]))
}

fn integer(value: &[u8]) -> i128 {
    std::str::from_utf8(&value[2..]).unwrap().parse().unwrap()
}

fn pack(format: &[u8], values: &[Vec<u8>]) -> Result<Vec<u8>, PackError> {
    let mut parser = Parser::new(Mode::Pack, format);
    let (mut out, mut values) = (Vec::new(), values.iter());
    while let Some(directive) = parser.next_directive()? {
        let times = match directive.count {
            Count::None => 1,
            Count::Number(count) => count,
            Count::Star => values.len(),
        };
        let length = if directive.count == Count::Star { 0 } else { times };
        match directive.kind {
            Kind::Forward => pack::pack_fill(0, length, &mut out)?,
            Kind::Back => {
                let len = out.len().checked_sub(length).ok_or(PackError::XOutside)?;
                out.truncate(len);
            }
            Kind::Absolute => out.resize(length, 0),
            Kind::Align { size, .. } => out.resize(out.len().div_ceil(size) * size, 0),
            kind @ (Kind::Text(_)
            | Kind::Bits { .. }
            | Kind::Hex { .. }
            | Kind::Uu
            | Kind::Base64
            | Kind::QuotedPrintable) => {
                let value = values.next().ok_or(PackError::TooFewArguments)?;
                let bytes = if value == b"nil" { b"" } else { &value[2..] };
                armored(kind, bytes, directive.count, &mut out)?;
            }
            kind => {
                for _ in 0..times {
                    let value = values.next().ok_or(PackError::TooFewArguments)?;
                    number(kind, value, &mut out)?;
                }
            }
        }
    }
    Ok(out)
}

fn armored(kind: Kind, bytes: &[u8], count: Count, out: &mut Vec<u8>) -> Result<(), PackError> {
    match kind {
        Kind::Text(letter) => pack::pack_text(letter, bytes, count, out),
        Kind::Bits { high_first } => pack::pack_bits(bytes, count, high_first, out),
        Kind::Hex { high_first } => pack::pack_hex(bytes, count, high_first, out),
        _ => {
            pack::pack_armor(kind, bytes, count, out);
            Ok(())
        }
    }
}

fn number(kind: Kind, value: &[u8], out: &mut Vec<u8>) -> Result<(), PackError> {
    match kind {
        Kind::Integer { size, big_endian, .. } => {
            pack::pack_integer(integer(value) as u64, size, big_endian, out);
            Ok(())
        }
        Kind::Float { double, big_endian } => {
            let value = std::str::from_utf8(&value[2..]).unwrap().parse().unwrap();
            pack::pack_float(value, double, big_endian, out);
            Ok(())
        }
        Kind::Utf8 => pack::pack_utf8(integer(value) as i64, out),
        Kind::Ber => {
            let magnitude = integer(value).unsigned_abs().to_le_bytes();
            pack::pack_ber(integer(value) < 0, &magnitude, out)
        }
        Kind::Leb128 { signed } => {
            let magnitude = integer(value).unsigned_abs().to_le_bytes();
            pack::pack_leb128(signed, integer(value) < 0, &magnitude, out)
        }
        other => panic!("{other:?} takes no number"),
    }
}

fn unpack(format: &[u8], data: &[u8]) -> Result<Vec<Vec<u8>>, PackError> {
    let mut unpacker = Unpacker::new(format, data, 0)?;
    let mut values = Vec::new();
    while let Some(item) = unpacker.next_item(data)? {
        values.push(match item {
            Item::Integer(value) => value.to_string().into_bytes(),
            Item::BigInteger { negative, magnitude } => {
                let value = magnitude.iter().rev().fold(0i128, |value, &byte| value << 8 | i128::from(byte));
                (if negative { -value } else { value }).to_string().into_bytes()
            }
            Item::Float(value) => text::number::float_to_s(value).into_bytes(),
            Item::Bytes(bytes) | Item::Ascii(bytes) => bytes,
            Item::Part(part) => data[part].to_vec(),
            Item::Nil(count) => {
                values.extend(std::iter::repeat_n(b"nil".to_vec(), count));
                continue;
            }
            Item::Pointer(..) => b"pointer".to_vec(),
        });
    }
    Ok(values)
}

#[test]
fn integers_are_taken_in_pieces() {
    let data: Vec<u8> = (0..=255).cycle().take(1_030).collect();
    let mut unpacker = Unpacker::new(b"n*C", &data, 0).unwrap();
    let first = unpacker.next_item(&data).unwrap();
    let mut counts = Vec::new();
    let mut last = None;
    let mut integers = Integers::default();
    while unpacker.take_integers(&data, &mut integers) {
        counts.push(integers.count());
        let each = integers.each(|n| {
            last = Some(n);
            Ok::<(), ()>(())
        });
        each.unwrap();
    }
    assert_eq!((first, last), (Some(Item::Integer(1)), Some(Ok(0x0405))));
    assert_eq!(counts, [256, 256, 2]);
    assert_eq!(unpacker.next_item(&data).unwrap(), Some(Item::Nil(1)));
}
