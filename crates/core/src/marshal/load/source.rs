//! Bytes from a String or a stream. A stream is not read beyond the minimal end of the dump.

use abi::Value;
use memory::{Grow, ToVector};
use object::{string::Str, symbol::table::intern_text};
use runtime::{Cx, R, call, convert, error::ErrorClass};

/// The maximum number of bytes per read from a stream.
const CHUNK: usize = 8192;

pub struct Source {
    /// A String, or a stream with `getbyte` and `read`.
    from: Value,
    is_stream: bool,
    /// The number of consumed bytes of the String or the buffer.
    offset: usize,
    buffer: Vec<u8>,
    /// The minimal number of bytes that must follow: each element of an Array in progress has at least one.
    readable: i64,
}

impl Source {
    pub fn of_string(from: Value) -> Source {
        Source { from, is_stream: false, offset: 0, buffer: Vec::new(), readable: 0 }
    }

    pub fn of_stream(from: Value) -> Source {
        Source { is_stream: true, ..Source::of_string(from) }
    }

    pub fn byte(&mut self, cx: &mut Cx) -> R<u8> {
        if !self.is_stream {
            let Some(byte) = Str::of(self.from).byte(self.offset) else { return Err(too_short(cx)) };
            self.offset += 1;
            return Ok(byte);
        }
        if self.offset == self.buffer.len() {
            if self.readable <= 0 {
                return self.stream_byte(cx);
            }
            let most = self.ahead(0);
            self.buffer = self.read(cx, most, most)?;
            self.offset = 0;
        }
        self.offset += 1;
        Ok(self.buffer[self.offset - 1])
    }

    fn stream_byte(&mut self, cx: &mut Cx) -> R<u8> {
        let getbyte = intern_text(cx, "getbyte");
        let v = call::send(cx, self.from, getbyte, &[])?;
        if v.is_nil() {
            return Err(cx.raise(ErrorClass::EOFError, "end of file reached"));
        }
        Ok(convert::to_i64(cx, v)? as u8)
    }

    /// The number of bytes to read at once if `more` bytes must follow.
    fn ahead(&self, more: i64) -> usize {
        usize::try_from(self.readable.saturating_add(more)).unwrap_or(0).min(CHUNK)
    }

    /// Reads bytes from the stream; ArgumentError for fewer than `least`.
    fn read(&mut self, cx: &mut Cx, count: usize, least: usize) -> R<Vec<u8>> {
        let read = intern_text(cx, "read");
        let v = call::send(cx, self.from, read, &[Value::fixnum(count as i64)])?;
        if v.is_nil() {
            return Err(too_short(cx));
        }
        let v = convert::to_str(cx, v)?;
        if v.len() < least || v.len() > count {
            return Err(too_short(cx));
        }
        Ok(v.to_vector())
    }

    /// Bytes preceded by their length.
    pub fn bytes(&mut self, cx: &mut Cx) -> R<Vec<u8>> {
        let length = self.long(cx)?;
        self.take(cx, length)
    }

    pub fn take(&mut self, cx: &mut Cx, length: i64) -> R<Vec<u8>> {
        let Ok(length) = usize::try_from(length) else {
            return Err(cx.argument_error("negative string size (or size too big)"));
        };
        if self.is_stream {
            return self.take_from_stream(cx, length);
        }
        let from = Str::of(self.from);
        let bytes = from.bytes(cx);
        match self.offset.checked_add(length).and_then(|end| bytes.get(self.offset..end)) {
            Some(taken) => {
                let taken = taken.to_vector();
                self.offset += length;
                Ok(taken)
            }
            None => Err(too_short(cx)),
        }
    }

    fn take_from_stream(&mut self, cx: &mut Cx, length: usize) -> R<Vec<u8>> {
        let there = self.buffer.len() - self.offset;
        if length == 0 {
            return Ok(Vec::new());
        }
        if length <= there {
            self.offset += length;
            return Ok(self.buffer[self.offset - length..self.offset].to_vector());
        }
        let mut taken = self.buffer[self.offset..].to_vector();
        let missing = length - there;
        let count = if self.readable > 0 || there > 0 { missing.max(self.ahead(1)) } else { missing };
        let more = self.read(cx, count, missing)?;
        taken.append_slice(&more[..missing]);
        self.buffer = more;
        self.offset = missing;
        Ok(taken)
    }

    /// A number; TypeError if it has more than eight bytes.
    pub fn long(&mut self, cx: &mut Cx) -> R<i64> {
        let first = self.byte(cx)? as i8;
        let (count, negative) = match first {
            0 => return Ok(0),
            5.. => return Ok(i64::from(first) - 5),
            ..=-5 => return Ok(i64::from(first) + 5),
            1..=4 => (first, false),
            _ => (-first, true),
        };
        let mut n: i64 = if negative { -1 } else { 0 };
        for i in 0..count {
            let byte = i64::from(self.byte(cx)?);
            n = n & !(0xff << (8 * i)) | byte << (8 * i);
        }
        Ok(n)
    }

    /// A number of elements of at least `size` bytes each; ArgumentError for a negative one.
    pub fn count(&mut self, cx: &mut Cx, size: i64) -> R<i64> {
        let count = self.long(cx)?;
        if count < 0 {
            return Err(cx.argument_error("negative length"));
        }
        if count.checked_mul(size).and_then(|bytes| bytes.checked_add(self.readable)).is_none() {
            return Err(cx.argument_error("marshaled data too big"));
        }
        Ok(count)
    }

    /// The number of elements, at most `count`, to reserve space for in advance.
    pub fn room(&self, count: i64) -> usize {
        let left =
            if self.is_stream { CHUNK } else { Str::of(self.from).len() - self.offset.min(Str::of(self.from).len()) };
        usize::try_from(count).unwrap_or(0).min(left)
    }

    /// Adds (or removes) a number of bytes that must follow.
    pub fn expect(&mut self, bytes: i64) {
        self.readable = self.readable.saturating_add(bytes);
    }
}

#[cold]
pub fn too_short(cx: &mut Cx) -> runtime::Unwind {
    cx.argument_error("marshal data too short")
}
