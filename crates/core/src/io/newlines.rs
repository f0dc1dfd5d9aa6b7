//! Line ends of streams that convert them: the read buffer as text, and as the bytes that were read.

use memory::Grow;
use runtime::{Cx, R, Value};
use text::encoding::EncodingId;

use super::{
    data::{self, IoData},
    receive::read_once,
};

/// Which line ends in the read buffer are converted.
///
/// Methods that read text convert what is in the buffer; those that read bytes, move or change the mode get the bytes
/// back. Places are indexes into the buffer; those before its reading position are obsolete.
#[derive(Default)]
pub struct Newlines {
    /// Up to where the buffer is text; `None` while it holds bytes.
    up_to: Option<usize>,
    /// The newlines that were converted, and whether each was two bytes.
    places: Vec<(usize, bool)>,
}

impl Newlines {
    /// The buffer is empty now.
    pub fn emptied(&mut self) {
        self.places.clear();
        if let Some(up_to) = &mut self.up_to {
            *up_to = 0;
        }
    }

    /// The bytes before `at` were replaced by `count` others.
    pub fn replaced(&mut self, at: usize, count: usize) {
        self.drop_before(at);
        for (place, _) in &mut self.places {
            *place = *place - at + count;
        }
        if let Some(up_to) = &mut self.up_to {
            *up_to = (*up_to).max(at) - at + count;
        }
    }

    fn drop_before(&mut self, at: usize) {
        let obsolete = self.places.partition_point(|(place, _)| *place < at);
        self.places.drain(..obsolete);
    }
}

impl IoData {
    /// Whether line ends are converted in the bytes that are read, not only after a conversion to another encoding.
    fn converts_newlines(&self) -> bool {
        self.universal && !self.has_newlines_after_conversion()
    }

    /// Whether methods that read text have converted the buffer.
    fn is_text(&self) -> bool {
        self.newlines.up_to.is_some()
    }

    /// Converts the line ends that are not converted yet.
    fn convert_newlines(&mut self) {
        let from = self.newlines.up_to.unwrap_or(0).max(self.read_at);
        let buffer = &mut self.read_buffer;
        let mut at = from + buffer[from..].iter().take_while(|byte| **byte != b'\r').count();
        let mut end = at;
        while at < buffer.len() {
            let is_end = buffer[at] == b'\r';
            let is_long = is_end && buffer.get(at + 1) == Some(&b'\n');
            if is_end {
                self.newlines.places.append_one((end, is_long));
            }
            buffer[end] = if is_end { b'\n' } else { buffer[at] };
            at += 1 + usize::from(is_long);
            end += 1;
        }
        buffer.truncate(end);
        self.newlines.up_to = Some(end);
    }

    /// Gives the buffer back the bytes that were read.
    pub fn show_bytes(&mut self) {
        if self.newlines.up_to.take().is_none() {
            return;
        }
        self.newlines.drop_before(self.read_at);
        let places = std::mem::take(&mut self.newlines.places);
        if places.is_empty() {
            return;
        }
        let mut bytes = memory::with_capacity(self.waiting().len() + places.len());
        let mut at = self.read_at;
        for (place, is_long) in places {
            bytes.append_slice(&self.read_buffer[at..place]);
            bytes.append_slice(if is_long { b"\r\n" } else { b"\r" });
            at = place + 1;
        }
        bytes.append_slice(&self.read_buffer[at..]);
        self.read_buffer = bytes;
        self.read_at = 0;
    }
}

/// Converts what is in the buffer for a method that reads text.
pub fn show_text(cx: &mut Cx, io: Value, function: &str) -> R<()> {
    let data = data::open_data(cx, io)?;
    if data.is_text() || !data.converts_newlines() {
        return Ok(());
    }
    complete(cx, io, function)?;
    data::open_data(cx, io)?.convert_newlines();
    Ok(())
}

/// Converts the bytes that were added to a buffer of text.
pub fn added(cx: &mut Cx, io: Value, function: &str) -> R<()> {
    if !data::open_data(cx, io)?.is_text() {
        return Ok(());
    }
    let completed = complete(cx, io, function);
    let data = data::any_data(cx, io)?;
    match completed {
        Ok(()) if data.is_text() => data.convert_newlines(),
        Ok(()) => {}
        // What is not converted must not be taken for text.
        Err(_) => data.show_bytes(),
    }
    completed
}

/// Reads the byte after a carriage return at the end of the buffer: it may belong to the line end.
fn complete(cx: &mut Cx, io: Value, function: &str) -> R<()> {
    while data::open_data(cx, io)?.waiting().last() == Some(&b'\r') {
        let next = read_once(cx, io, 1, function)?;
        if next.is_empty() {
            break;
        }
        data::open_data(cx, io)?.read_buffer.append_slice(&next);
    }
    Ok(())
}

/// `\r\n` and `\r` become `\n`, in units of the encoding's shortest characters.
pub fn universal_newlines(bytes: &[u8], encoding: EncodingId) -> Vec<u8> {
    let size = encoding.min_char_len();
    // The place of the byte of an ASCII character in its unit.
    let low = if matches!(encoding, EncodingId::UTF_16LE | EncodingId::UTF_32LE) { 0 } else { size - 1 };
    let is = |unit: &[u8], ascii: u8| {
        let is_byte = |(i, byte): (usize, &u8)| *byte == if i == low { ascii } else { 0 };
        unit.len() == size && unit.iter().enumerate().all(is_byte)
    };
    let mut out = memory::with_capacity(bytes.len());
    let mut units = bytes.chunks(size).peekable();
    while let Some(unit) = units.next() {
        let start = out.len();
        out.append_slice(unit);
        if is(unit, b'\r') {
            out[start + low] = b'\n';
            units.next_if(|next| is(next, b'\n'));
        }
    }
    out
}
