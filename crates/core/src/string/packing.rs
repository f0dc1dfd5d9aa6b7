//! Array#pack, String#unpack and unpack1.

use memory::Grow;
use object::{array::Arr, bigint, float, string::Str};
use runtime::{Args, Cx, R, Unwind, Value, call, convert, error::ErrorClass, error::OrRaise, keys, make, sym};
use text::{
    EncodingId,
    pack::{self, Count, Directive, Integers, Item, Kind, Mode, PackError, Parser, ResultEncoding, Unpacker},
};

use super::{
    modify::{self, argument, modifiable},
    pointers,
};

fn raise(cx: &mut Cx, error: PackError, format: &[u8]) -> Unwind {
    if error == PackError::NoMemory {
        return cx.no_memory();
    }
    let message = error.message(format);
    if error.is_range_error() { cx.range_error(&message) } else { cx.argument_error(&message) }
}

/// A copy of the format, which cannot change during packing.
fn format_of(cx: &mut Cx, v: Value) -> R<Str> {
    let format = argument(cx, v)?;
    if !format.encoding().is_ascii_compatible() {
        let message = format!("ASCII incompatible encoding: {}", format.encoding().name());
        return Err(cx.raise(ErrorClass::CompatibilityError, &message));
    }
    Ok(format.frozen_dup(cx))
}

/// The elements to pack, the position among them, and the output.
struct Packer {
    elements: Arr,
    next: usize,
    out: Vec<u8>,
    /// The number of bytes that were in the buffer before.
    base: usize,
    /// The Strings whose addresses are packed.
    associated: Value,
}

/// `Array#pack(format, buffer: nil) → string`: the elements as bytes, according to the directives, appended to
/// `buffer`. ArgumentError for too few elements and unknown directives, TypeError for a wrong element. Ruby:
/// doc/language/packed_data.rdoc.
pub fn pack(cx: &mut Cx, args: Args) -> R {
    let name = sym::BUFFER;
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let buffer = keys::keyword(cx, args.keywords(), name);
    let format = format_of(cx, args.at(0))?;
    let buffer = if buffer.is_undef() || buffer.is_nil() {
        None
    } else if Str::from_value(buffer).is_some() {
        Some(modifiable(cx, buffer)?)
    } else {
        let class = runtime::error::class_name_of(cx, buffer);
        return Err(cx.type_error(&format!("buffer must be String, not {class}")));
    };
    let out = buffer.map_or(Vec::new(), |buffer| buffer.to_vector());
    let mut packer = Packer { elements: Arr::of(args.me()), next: 0, base: out.len(), out, associated: Value::NIL };
    // Conversions of elements run the program's methods, which may change the format.
    let given = Str::from_value(args.at(0));
    let text = format.held(cx);
    let mut parser = Parser::new(Mode::Pack, &text);
    loop {
        let directive = match parser.next_directive() {
            Ok(Some(directive)) => directive,
            Ok(None) => break,
            Err(error) => return Err(raise(cx, error, &text)),
        };
        packer.directive(cx, directive, format)?;
        if given.is_some_and(|given| given.len() != text.len()) {
            return Err(cx.runtime_error("format string modified"));
        }
    }
    let encoding = match parser.encoding() {
        ResultEncoding::UsAscii => EncodingId::US_ASCII,
        ResultEncoding::Utf8 => EncodingId::UTF_8,
        ResultEncoding::Binary => EncodingId::BINARY,
    };
    let Some(buffer) = buffer else {
        let packed = modify::of_list(cx, packer.out, encoding)?;
        pointers::associate(cx, packed, packer.associated);
        return Ok(packed);
    };
    let buffer = modifiable(cx, buffer.value())?;
    pointers::associate(cx, buffer.value(), packer.associated);
    buffer.set_bytes(cx, &packer.out).or_raise(cx)?;
    if encoding == EncodingId::UTF_8 {
        buffer.set_encoding(encoding);
    }
    Ok(buffer.value())
}

impl Packer {
    fn take(&mut self, cx: &mut Cx) -> R {
        match self.elements.get(self.next) {
            Some(v) => {
                self.next += 1;
                Ok(v)
            }
            None => Err(cx.argument_error("too few arguments")),
        }
    }

    /// The number of elements that a directive consumes.
    fn times(&self, count: Count) -> usize {
        match count {
            Count::None => 1,
            Count::Star => self.elements.len().saturating_sub(self.next),
            Count::Number(n) => n,
        }
    }

    fn directive(&mut self, cx: &mut Cx, directive: Directive, format: Str) -> R<()> {
        let Directive { kind, count } = directive;
        let packed = match kind {
            Kind::Text(letter) => {
                let text = self.text(cx)?;
                pack::pack_text(letter, text.bytes(cx), count, &mut self.out)
            }
            Kind::Bits { high_first } => {
                let text = self.text(cx)?;
                pack::pack_bits(text.bytes(cx), count, high_first, &mut self.out)
            }
            Kind::Hex { high_first } => {
                let text = self.text(cx)?;
                pack::pack_hex(text.bytes(cx), count, high_first, &mut self.out)
            }
            Kind::Uu | Kind::Base64 => {
                let v = self.take(cx)?;
                let text = argument(cx, v)?;
                pack::pack_armor(kind, text.bytes(cx), count, &mut self.out);
                Ok(())
            }
            Kind::QuotedPrintable => {
                let v = self.take(cx)?;
                let text = convert::to_s(cx, v)?;
                pack::pack_armor(kind, text.bytes(cx), count, &mut self.out);
                Ok(())
            }
            Kind::Integer { .. } | Kind::Float { .. } | Kind::Utf8 | Kind::Ber | Kind::Leb128 { .. } => {
                let mut result = Ok(());
                for _ in 0..self.times(count) {
                    let v = self.take(cx)?;
                    result = self.number(cx, kind, v)?;
                    if result.is_err() {
                        break;
                    }
                }
                result
            }
            Kind::Pointer { structure } => {
                for _ in 0..if structure { 1 } else { self.times(count) } {
                    let length = if structure { fixed(count) } else { 0 };
                    self.pointer(cx, length)?;
                }
                Ok(())
            }
            Kind::Forward => pack::pack_fill(0, fixed(count), &mut self.out),
            Kind::Back => self.shrink(fixed(count)),
            Kind::Absolute => {
                let to = fixed(count);
                match to.checked_sub(self.out.len()) {
                    Some(more) => pack::pack_fill(0, more, &mut self.out),
                    None => self.shrink(self.out.len() - to),
                }
            }
            Kind::Align { size, from_start } => {
                let at = self.out.len() - if from_start { 0 } else { self.base.min(self.out.len()) };
                let padding = if size == 0 { 0 } else { at.next_multiple_of(size) - at };
                pack::pack_fill(0, padding, &mut self.out)
            }
            Kind::Position => Ok(()),
        };
        packed.map_err(|error| {
            let text = format.to_vector();
            raise(cx, error, &text)
        })
    }

    /// The address of a String that has at least `length` bytes, or of nil.
    fn pointer(&mut self, cx: &mut Cx, length: usize) -> R<()> {
        let v = self.take(cx)?;
        let address = if v.is_nil() {
            0
        } else {
            let s = argument(cx, v)?;
            if s.len() < length {
                return Err(cx.argument_error(&format!("too short buffer for P({} for {length})", s.len())));
            }
            pointers::note(cx, &mut self.associated, s)
        };
        self.out.append_from((address as usize).to_ne_bytes());
        Ok(())
    }

    fn shrink(&mut self, by: usize) -> Result<(), PackError> {
        match self.out.len().checked_sub(by) {
            Some(len) => {
                self.out.truncate(len);
                Ok(())
            }
            None => Err(PackError::XOutside),
        }
    }

    /// A String, or an empty one for nil.
    fn text(&mut self, cx: &mut Cx) -> R<Str> {
        let v = self.take(cx)?;
        if v.is_nil() {
            return Ok(Str::empty(cx, EncodingId::BINARY));
        }
        argument(cx, v)
    }

    fn number(&mut self, cx: &mut Cx, kind: Kind, v: Value) -> R<Result<(), PackError>> {
        if let Kind::Float { double, big_endian } = kind {
            let f = to_float(cx, v)?;
            pack::pack_float(f, double, big_endian, &mut self.out);
            return Ok(Ok(()));
        }
        if let (Kind::Integer { size, big_endian, .. }, Some(n)) = (kind, v.as_fixnum()) {
            pack::pack_integer(n as u64, size, big_endian, &mut self.out);
            return Ok(Ok(()));
        }
        let v = convert::to_integer(cx, v)?;
        let Some(n) = bigint::operand(&v) else { return Ok(Ok(())) };
        Ok(match kind {
            Kind::Integer { size, big_endian, .. } => {
                pack::pack_integer(numeric::big::low_u64(n), size, big_endian, &mut self.out);
                Ok(())
            }
            Kind::Utf8 => {
                let Some(code) = n.to_i64() else {
                    return Err(cx.range_error("bignum too big to convert into 'long'"));
                };
                pack::pack_utf8(code, &mut self.out)
            }
            Kind::Ber => pack::pack_ber(n.is_negative(), &numeric::big::magnitude_le_bytes(n), &mut self.out),
            Kind::Leb128 { signed } => {
                pack::pack_leb128(signed, n.is_negative(), &numeric::big::magnitude_le_bytes(n), &mut self.out)
            }
            _ => Ok(()),
        })
    }
}

/// The number of a count; `*` means 0.
fn fixed(count: Count) -> usize {
    match count {
        Count::None => 1,
        Count::Star => 0,
        Count::Number(n) => n,
    }
}

fn to_float(cx: &mut Cx, v: Value) -> R<f64> {
    if let Some(f) = float::get(v) {
        return Ok(f);
    }
    convert::to_f64(cx, v)
}

/// The value of an item of the data, which is the receiver or a copy of it.
fn item_value(cx: &mut Cx, me: Value, data: Str, item: Item) -> R {
    Ok(match item {
        Item::Integer(n) => bigint::from_i128(cx, n),
        Item::BigInteger { negative, magnitude } => {
            let magnitude = numeric::big::from_le_bytes(&magnitude, false);
            let n = if negative { numeric::big::neg(magnitude.as_int()) } else { magnitude };
            bigint::integer(cx, n).or_raise(cx)?
        }
        Item::Float(f) => float::new(cx, f),
        Item::Part(part) => data.copied(cx, part, EncodingId::BINARY).or_raise(cx)?.value(),
        Item::Bytes(bytes) => modify::of_list(cx, bytes, EncodingId::BINARY)?,
        Item::Ascii(bytes) => modify::of_list(cx, bytes, EncodingId::US_ASCII)?,
        Item::Nil(_) => Value::NIL,
        Item::Pointer(0, _) => Value::NIL,
        Item::Pointer(address, length) => pointers::follow(cx, me, address, length)?,
    })
}

/// Calls `each` with the data and its items until it returns false.
fn each_item(cx: &mut Cx, args: Args, each: impl FnMut(&mut Cx, Str, Item) -> R<bool>) -> R<()> {
    each_in_bulk(cx, args, each, |_, _, _| Ok(false))
}

/// Like `each_item`, after `integers` was asked whether it takes the next integers of a directive at once.
fn each_in_bulk(
    cx: &mut Cx,
    args: Args,
    mut each: impl FnMut(&mut Cx, Str, Item) -> R<bool>,
    mut integers: impl FnMut(&mut Cx, &mut Unpacker, Str) -> R<bool>,
) -> R<()> {
    let name = sym::OFFSET;
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let offset = keys::keyword(cx, args.keywords(), name);
    let offset = if offset.is_undef() { 0 } else { convert::to_i64(cx, offset)? };
    if offset < 0 {
        return Err(cx.argument_error("offset can't be negative"));
    }
    let format = format_of(cx, args.at(0))?;
    // A block may change the format and the data. Without one no Ruby code runs, and the data is read where it is: if a
    // frozen String shared it, the next `setbyte` would copy all of it.
    let me = Str::of(args.me());
    let data = if args.block(cx).is_none() { me } else { me.frozen_dup(cx) };
    let text = format.held(cx);
    let mut unpacker = match Unpacker::new(&text, data.bytes(cx), offset) {
        Ok(unpacker) => unpacker,
        Err(error) => return Err(raise(cx, error, &text)),
    };
    loop {
        if integers(cx, &mut unpacker, data)? {
            continue;
        }
        match unpacker.next_item(data.bytes(cx)) {
            Ok(Some(item)) => {
                if !each(cx, data, item)? {
                    return Ok(());
                }
            }
            Ok(None) => return Ok(()),
            Err(error) => return Err(raise(cx, error, &text)),
        }
    }
}

/// `unpack(format, offset: 0) { |value| } → array or nil`: the values of the bytes from `offset` on, according to the
/// directives; nil if too few are left. With a block it yields them. ArgumentError for unknown directives. Ruby:
/// doc/language/packed_data.rdoc.
pub fn unpack(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if !block.is_none() {
        each_item(cx, args, |cx, data, item| {
            // Values that are missing at the end are not yielded.
            if !matches!(item, Item::Nil(_)) {
                let v = item_value(cx, args.me(), data, item)?;
                call::yield_one(cx, block, v)?;
            }
            Ok(true)
        })?;
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    let each = |cx: &mut Cx, data: Str, item: Item| {
        if let Item::Nil(times) = item {
            let length = Arr::of(list).len().checked_add(times);
            match length {
                Some(length) => Arr::of(list).extend_with_nil(cx, length).or_raise(cx)?,
                None => return Err(cx.no_memory()),
            }
            return Ok(true);
        }
        let v = item_value(cx, args.me(), data, item)?;
        make::push(cx, list, v);
        Ok(true)
    };
    let mut integers = Integers::default();
    each_in_bulk(cx, args, each, |cx, unpacker, data| {
        if !unpacker.take_integers(data.bytes(cx), &mut integers) {
            return Ok(false);
        }
        let list = Arr::of(list);
        list.reserve(cx, integers.count()).or_raise(cx)?;
        let (mut some, mut count) = ([Value::NIL; 32], 0);
        integers.each(|number| {
            if count == some.len() {
                list.append(cx, &some).or_raise(cx)?;
                count = 0;
            }
            some[count] = match number {
                Ok(number) => bigint::from_i64(cx, number),
                Err(number) => bigint::from_i128(cx, number),
            };
            count += 1;
            Ok(())
        })?;
        list.append(cx, &some[..count]).or_raise(cx)?;
        Ok(true)
    })?;
    Ok(list)
}

/// `unpack1(format, offset: 0) → object`: the first value that `unpack` would return, nil without one.
pub fn unpack1(cx: &mut Cx, args: Args) -> R {
    let mut first = Value::NIL;
    each_item(cx, args, |cx, data, item| {
        first = item_value(cx, args.me(), data, item)?;
        Ok(false)
    })?;
    Ok(first)
}
