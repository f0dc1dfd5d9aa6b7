//! Marshal.dump. Children: `objects` (the format of each kind of object), `hidden` (objects with hidden state),
//! `variables` (instance variables and encodings), `classes` (class names, extended modules).

mod classes;
mod hidden;
mod objects;
mod variables;

use abi::Value;
use memory::Grow;
use object::{Sym, hash, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, R, call, convert, make};
use text::encoding::EncodingId;

use super::format::{self, write_long};
pub use hidden::{SET_TABLE, refuse_dump};

/// Above this size the buffer is written to the stream.
const CHUNK: usize = 8192;

/// A dump in progress. It is on the native stack, where the collector finds its tables.
struct Dumper {
    bytes: Vec<u8>,
    /// The output stream, or nil.
    port: Value,
    /// The number of each symbol that was written.
    symbols: Value,
    symbol_count: i64,
    /// The number of each object that was written.
    objects: Value,
    object_count: i64,
    /// The String with each encoding's name, which is numbered like other objects of the dump.
    encodings: Value,
    /// Objects whose `_dump` result is being written.
    user_defined: Value,
    /// Objects that are written in place of others, with these; nil if there are none.
    stand_ins: Value,
}

/// `Marshal.dump(object, io = nil, limit = -1) → string or io`: the object and everything it refers to in binary form,
/// written to `io` if one is given. TypeError for an object that cannot be dumped, ArgumentError beyond `limit` levels.
/// Ruby: doc/language/marshal.rdoc.
pub fn dump(cx: &mut Cx, args: Args) -> R {
    let (mut port, mut limit) = (Value::NIL, -1);
    match (args.opt(1), args.opt(2)) {
        (Some(io), Some(most)) => {
            if !most.is_nil() {
                limit = convert::to_i32(cx, most)?;
            }
            if io.is_nil() {
                return Err(io_needed(cx));
            }
            port = io;
        }
        (Some(most), None) if most.is_fixnum() => limit = convert::to_i32(cx, most)?,
        (Some(io), None) => {
            if io.is_nil() {
                return Err(io_needed(cx));
            }
            port = io;
        }
        _ => {}
    }
    if !port.is_nil() {
        prepare_port(cx, port)?;
    }
    let mut dumper = Dumper {
        bytes: vec![format::MAJOR, format::MINOR],
        port,
        symbols: hash::new_identity(cx),
        symbol_count: 0,
        objects: hash::new_identity(cx),
        object_count: 0,
        encodings: hash::new_identity(cx),
        user_defined: hash::new_identity(cx),
        stand_ins: Value::NIL,
    };
    dumper.object(cx, args.at(0), limit)?;
    if port.is_nil() {
        return Ok(make::string_of_list(cx, dumper.bytes, EncodingId::BINARY));
    }
    dumper.hand_over(cx)?;
    Ok(port)
}

fn prepare_port(cx: &mut Cx, port: Value) -> R<()> {
    let (write, binmode) = (intern_text(cx, "write"), intern_text(cx, "binmode"));
    if !call::responds(cx, port, write, false)? {
        return Err(io_needed(cx));
    }
    call::send_if_responds(cx, port, binmode, &[])?;
    Ok(())
}

pub fn io_needed(cx: &mut Cx) -> runtime::Unwind {
    cx.type_error("instance of IO needed")
}

impl Dumper {
    /// Writes the buffer to the stream.
    fn hand_over(&mut self, cx: &mut Cx) -> R<()> {
        let write = intern_text(cx, "write");
        let bytes = std::mem::take(&mut self.bytes);
        let text = make::string(cx, &bytes, EncodingId::BINARY);
        call::send(cx, self.port, write, &[text])?;
        Ok(())
    }

    fn byte(&mut self, byte: u8) {
        memory::reserve(&mut self.bytes, 1);
        self.bytes.append_one(byte);
    }

    /// Writes a count or length. TypeError beyond 32 bits.
    fn long(&mut self, cx: &mut Cx, n: usize) -> R<()> {
        let Ok(n) = i32::try_from(n) else { return Err(cx.type_error("long too big to dump")) };
        write_long(&mut self.bytes, n);
        Ok(())
    }

    /// Writes bytes, preceded by their length.
    fn sized(&mut self, cx: &mut Cx, bytes: &[u8]) -> R<()> {
        self.long(cx, bytes.len())?;
        memory::reserve(&mut self.bytes, bytes.len());
        self.bytes.append_slice(bytes);
        Ok(())
    }

    /// Writes the bytes of a String, preceded by their length.
    fn sized_string(&mut self, cx: &mut Cx, string: Value) -> R<()> {
        let string = Str::of(string);
        self.long(cx, string.len())?;
        memory::reserve(&mut self.bytes, string.len());
        self.bytes.append_slice(string.bytes(cx));
        Ok(())
    }

    fn symbol(&mut self, cx: &mut Cx, name: Sym) -> R<()> {
        let number = hash::identity_get(self.symbols, name.value());
        if !number.is_undef() {
            self.byte(format::SYMBOL_LINK);
            return self.long(cx, number.fixnum_value() as usize);
        }
        let text = name.name(cx);
        let encoding = variables::Encoding::beyond_ascii(Str::of(text));
        if encoding.is_some() {
            self.byte(format::VARIABLES);
        }
        self.byte(format::SYMBOL);
        self.sized_string(cx, text)?;
        hash::identity_store(cx, self.symbols, name.value(), Value::fixnum(self.symbol_count));
        self.symbol_count += 1;
        self.lone_encoding(cx, encoding)
    }

    /// Writes a symbol given as text.
    fn symbol_named(&mut self, cx: &mut Cx, name: &str) -> R<()> {
        let name = intern_text(cx, name);
        self.symbol(cx, name)
    }

    /// Assigns the next number to the object.
    fn remember(&mut self, cx: &mut Cx, v: Value) {
        hash::identity_store(cx, self.objects, v, Value::fixnum(self.object_count));
        self.object_count += 1;
    }
}
