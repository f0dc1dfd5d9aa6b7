//! Fast paths for bytes, characters, lines and writing; the Ruby half does the rest.
//!
//! The state is an Array, documented at the top of the Ruby half.

use std::sync::atomic::AtomicU32;

use abi::Flags;
use core_classes::{encoding, string::modify};
use object::{array::Arr, cell, shape::ivars, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, R, Sym, Unwind, Value, call, convert, error::ErrorClass, error::OrRaise, make, sym};
use text::{CodeRange, EncodingId, scan};

const STRING: usize = 0;
const POSITION: usize = 1;
const LINE_NUMBER: usize = 2;
const APPENDS: usize = 3;
const ENCODING: usize = 4;

/// Shorter parts are copied.
const SHARED_FROM: usize = 4096;

/// The variables that `initialize` sets, in this order.
const VARIABLES: [Sym; 3] = [sym::STREAM_READABLE, sym::STREAM_WRITABLE, sym::STREAM_STATE];

/// The most recently seen shape of streams.
static SHAPE: AtomicU32 = AtomicU32::new(u32::MAX);

/// The state of a stream that is open for reading (or writing).
fn state(cx: &mut Cx, io: Value, open_for: Sym) -> Option<Arr> {
    if let Some([readable, writable, state]) = ivars::leading(cx, io, &VARIABLES, &SHAPE) {
        let is_open = if open_for == sym::STREAM_READABLE { readable } else { writable };
        return Arr::from_value(state).filter(|_| is_open.or(Value::NIL).truthy());
    }
    if !ivars::get(cx, io, open_for).or(Value::NIL).truthy() {
        return None;
    }
    Arr::from_value(ivars::get(cx, io, sym::STREAM_STATE))
}

fn readable(cx: &mut Cx, io: Value) -> R<Arr> {
    match state(cx, io, sym::STREAM_READABLE) {
        Some(state) => Ok(state),
        None => Err(io_error(cx, "not opened for reading")),
    }
}

#[cold]
fn io_error(cx: &mut Cx, message: &str) -> Unwind {
    cx.raise(ErrorClass::IOError, message)
}

fn field(state: Arr, index: usize) -> Value {
    state.get(index).unwrap_or(Value::NIL)
}

fn set(cx: &mut Cx, state: Arr, index: usize, v: usize) -> R<()> {
    state.set(cx, index, Value::fixnum(v as i64)).or_raise(cx)
}

/// The String, unless it was removed, and the position in it, which may be beyond its end.
fn place(state: Arr) -> Option<(Str, usize)> {
    let string = Str::from_value(field(state, STRING))?;
    // Only `pos=` sets a position that is not a Fixnum: one that no String reaches.
    let position = field(state, POSITION).as_fixnum().unwrap_or(isize::MAX as i64);
    Some((string, usize::try_from(position).ok()?))
}

fn encoding_of(state: Arr, string: Str) -> EncodingId {
    encoding::names::id_of(field(state, ENCODING)).unwrap_or_else(|| string.encoding())
}

/// `initialize(string = "", mode = nil) → self`: the frequent case: a String to read and, unless it is frozen, to
/// write. Anything else is left to the Ruby half.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    static FILLED: ivars::Filled = ivars::Filled::new();
    let me = args.me();
    if args.len() > 1 || cell::frozen(me) {
        return Ok(Value::UNDEF);
    }
    let string = match args.opt(0) {
        None => {
            let encoding = cx.vm().default_external;
            make::string(cx, b"", encoding)
        }
        Some(string) if Str::from_value(string).is_some() => string,
        Some(_) => return Ok(Value::UNDEF),
    };
    let writable = Value::bool(!cell::frozen(string));
    let start = Value::fixnum(0);
    let state = make::array(cx, &[string, start, start, Value::FALSE, Value::NIL, Value::TRUE, writable]);
    ivars::fill(cx, me, &VARIABLES, [Value::TRUE, writable, state], &FILLED);
    Ok(me)
}

/// `self.pos = position → position`: the frequent case: a small number, of a stream that is not frozen.
pub fn set_position(cx: &mut Cx, args: Args) -> R {
    let state = Arr::from_value(ivars::get(cx, args.me(), sym::STREAM_STATE)).filter(|_| !cell::frozen(args.me()));
    let position = args.at(0).as_fixnum().and_then(|position| usize::try_from(position).ok());
    let (Some(state), Some(position)) = (state, position) else { return Ok(Value::UNDEF) };
    set(cx, state, POSITION, position)?;
    Ok(args.at(0))
}

/// `rewind → 0`: moves to the start and sets `lineno` to 0; a frozen stream is left to the Ruby half.
pub fn rewind(cx: &mut Cx, args: Args) -> R {
    let io = args.me();
    let Some(state) = Arr::from_value(ivars::get(cx, io, sym::STREAM_STATE)).filter(|_| !cell::frozen(io)) else {
        return Ok(Value::UNDEF);
    };
    set(cx, state, POSITION, 0)?;
    set(cx, state, LINE_NUMBER, 0)?;
    Ok(Value::fixnum(0))
}

/// `eof? → true or false`: whether nothing is left to read; unusual cases, such as a closed stream, are left to the
/// Ruby half.
pub fn is_eof(cx: &mut Cx, args: Args) -> R {
    let state = state(cx, args.me(), sym::STREAM_READABLE);
    Ok(state.and_then(place).map_or(Value::UNDEF, |(string, at)| Value::bool(at >= string.len())))
}

/// `read(length) → string or nil`: all remaining bytes, or at most `length` of them.
pub fn read(cx: &mut Cx, args: Args) -> R {
    let Some(state) = state(cx, args.me(), sym::STREAM_READABLE).filter(|_| !cell::frozen(args.me())) else {
        return Ok(Value::UNDEF);
    };
    let Some((string, at)) = place(state).filter(|(string, at)| *at < string.len()) else {
        return Ok(Value::UNDEF);
    };
    let left = string.len() - at;
    if let Some(buffer) = args.opt(1) {
        return read_into(cx, state, args.at(0), buffer);
    }
    let (length, encoding) = match args.non_nil(0) {
        None => (left, encoding_of(state, string)),
        Some(length) => match length.as_fixnum().and_then(|length| usize::try_from(length).ok()) {
            Some(length) if length > 0 => (length.min(left), EncodingId::BINARY),
            _ => return Ok(Value::UNDEF),
        },
    };
    // Long parts share the string's bytes.
    let part = if length > SHARED_FROM {
        let part = string.slice(cx, at, length).or_raise(cx)?;
        part.set_encoding(encoding);
        part
    } else {
        string.copied(cx, at..at + length, encoding).or_raise(cx)?
    };
    set(cx, state, POSITION, at + length)?;
    Ok(part.value())
}

/// Reads at most `length` bytes into a String, which keeps its encoding; unusual arguments are left to the Ruby half.
fn read_into(cx: &mut Cx, state: Arr, length: Value, buffer: Value) -> R {
    let Some((string, at)) = place(state) else { return Ok(Value::UNDEF) };
    let length = length.as_fixnum().and_then(|length| usize::try_from(length).ok()).filter(|length| *length > 0);
    let is_fixed = |buffer: Str| cell::header(buffer.value()).flags() & (Flags::FROZEN | Flags::CHILLED) != 0;
    let buffer = Str::from_value(buffer).filter(|buffer| *buffer != string && !is_fixed(*buffer));
    let (Some(length), Some(buffer)) = (length, buffer) else { return Ok(Value::UNDEF) };
    let end = at + length.min(string.len() - at);
    let part = string.copied(cx, at..end, EncodingId::BINARY).or_raise(cx)?;
    let encoding = buffer.encoding();
    buffer.replace(cx, part).or_raise(cx)?;
    buffer.set_encoding(encoding);
    set(cx, state, POSITION, end)?;
    Ok(buffer.value())
}

/// `getbyte → integer or nil`: the next byte; nil at the end. IOError unless the stream is open for reading.
pub fn getbyte(cx: &mut Cx, args: Args) -> R {
    let state = readable(cx, args.me())?;
    let Some((string, at)) = place(state) else { return Ok(Value::NIL) };
    let Some(byte) = string.byte(at) else { return Ok(Value::NIL) };
    set(cx, state, POSITION, at + 1)?;
    Ok(Value::fixnum(byte.into()))
}

/// `getc → string or nil`: the next character in the encoding of the stream; nil at the end. IOError unless it is open
/// for reading.
pub fn getc(cx: &mut Cx, args: Args) -> R {
    let state = readable(cx, args.me())?;
    let Some((string, at)) = place(state) else { return Ok(Value::NIL) };
    let Some(rest) = string.bytes(cx).get(at..).filter(|rest| !rest.is_empty()) else { return Ok(Value::NIL) };
    let encoding = encoding_of(state, string);
    let length = text::encoding::char_len_or_min(encoding, rest).clamp(1, rest.len());
    let char = string.copied(cx, at..at + length, encoding).or_raise(cx)?.value();
    set(cx, state, POSITION, at + length)?;
    Ok(char)
}

/// `__line(separator, limit, chomp) → string or nil`: the next line for `gets`; nil at the end.
pub fn line(cx: &mut Cx, args: Args) -> R {
    if let Some(line) = next_line(cx, args.me(), args.at(0), args.at(1), args.at(2).truthy())? {
        return Ok(line);
    }
    let name = intern_text(cx, "__any_line");
    call::send_private(cx, args.me(), name, args.all())
}

/// `__lines(separator, limit, chomp) → array`: all remaining lines.
pub fn lines(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    loop {
        let line = line(cx, args)?;
        if line.is_nil() {
            return Ok(list);
        }
        make::push(cx, list, line);
        cx.safepoint()?;
    }
}

/// `readlines(*arguments, chomp: false) → array`: the frequent case: all remaining lines, without arguments.
pub fn readlines(cx: &mut Cx, args: Args) -> R {
    if !args.is_empty() {
        return Ok(Value::UNDEF);
    }
    let separator = cx.root(runtime::Root::InputSeparator);
    let Some(first) = next_line(cx, args.me(), separator, Value::NIL, false)? else { return Ok(Value::UNDEF) };
    let list = make::array(cx, &[]);
    let mut line = first;
    while !line.is_nil() {
        make::push(cx, list, line);
        cx.safepoint()?;
        line = match next_line(cx, args.me(), separator, Value::NIL, false)? {
            Some(line) => line,
            // A signal's handler has changed the stream.
            None => {
                let name = intern_text(cx, "__any_line");
                call::send_private(cx, args.me(), name, &[separator, Value::NIL, Value::FALSE])?
            }
        };
    }
    Ok(list)
}

/// `ungetc(char) → nil`: the frequent case: a text that needs no conversion, put back over as many bytes or at the
/// start.
pub fn ungetc(cx: &mut Cx, args: Args) -> R {
    let state = state(cx, args.me(), sym::STREAM_READABLE);
    let (Some(state), Some(char)) = (state, Str::from_value(args.at(0))) else { return Ok(Value::UNDEF) };
    let Some((string, at)) = place(state).filter(|(string, at)| *at <= string.len()) else { return Ok(Value::UNDEF) };
    let is_fixed = cell::header(string.value()).flags() & (Flags::FROZEN | Flags::CHILLED) != 0;
    let fits = char.encoding() == string.encoding() && encoding_of(state, string) == string.encoding();
    let size = char.len();
    if is_fixed || !fits || size == 0 || (at > 0 && at < size) {
        return Ok(Value::UNDEF);
    }
    let from = at.saturating_sub(size);
    super::overwrite_part(cx, string, from, at - from, char)?;
    set(cx, state, POSITION, from)?;
    Ok(Value::NIL)
}

/// The next line up to a separator (nil: none, empty: a paragraph) with at most `limit` bytes, nil at the end; `None`
/// for all cases left to the Ruby half.
pub fn next_line(cx: &mut Cx, io: Value, separator: Value, limit: Value, chomp: bool) -> R<Option<Value>> {
    let Some(separator) = Separator::of(separator) else { return Ok(None) };
    let Some(state) = state(cx, io, sym::STREAM_READABLE).filter(|_| !cell::frozen(io)) else { return Ok(None) };
    let Some((string, at)) = place(state) else { return Ok(None) };
    let encoding = encoding_of(state, string);
    if !encoding.is_ascii_compatible()
        && (!limit.is_nil() || !matches!(separator, Separator::Text(text) if text.encoding() == encoding))
    {
        return Ok(None);
    }
    let limit = match limit {
        Value::NIL => usize::MAX,
        limit => match limit.as_fixnum().and_then(|limit| usize::try_from(limit).ok()) {
            Some(limit) if limit > 0 => limit,
            _ => return Ok(None),
        },
    };
    let bytes = string.bytes(cx);
    if at >= bytes.len() {
        return Ok(Some(Value::NIL));
    }
    let line = match separator {
        Separator::None => Some(Line { start: at, stop: limited(encoding, bytes, at, limit), cut: 0 }),
        Separator::Paragraph => paragraph(bytes, at, limit, chomp),
        Separator::Text(text) => {
            let most = limited(encoding, bytes, at, limit);
            Some(up_to(&bytes[..most], at, text.bytes(cx), chomp))
        }
    };
    let Some(Line { start: at, stop, cut }) = line else {
        let end = bytes.len();
        set(cx, state, POSITION, end)?;
        return Ok(Some(Value::NIL));
    };
    let line = modify::part(cx, string, at, stop - cut)?;
    if encoding != string.encoding() {
        Str::of(line).set_encoding(encoding);
    }
    set(cx, state, POSITION, stop)?;
    let number = field(state, LINE_NUMBER).as_fixnum().unwrap_or(0);
    state.set(cx, LINE_NUMBER, Value::fixnum(number + 1)).or_raise(cx)?;
    Ok(Some(line))
}

/// What ends a line.
#[derive(Clone, Copy)]
enum Separator {
    None,
    Paragraph,
    Text(Str),
}

impl Separator {
    fn of(v: Value) -> Option<Separator> {
        if v.is_nil() {
            return Some(Separator::None);
        }
        let text = Str::from_value(v)?;
        Some(if text.is_empty() { Separator::Paragraph } else { Separator::Text(text) })
    }
}

/// A line from the byte `start` to `stop`, where the next one begins, without the last `cut` bytes.
struct Line {
    start: usize,
    stop: usize,
    cut: usize,
}

/// The end of a line without a separator: after `limit` bytes, or some more if a character would be divided.
fn limited(encoding: EncodingId, bytes: &[u8], at: usize, limit: usize) -> usize {
    let most = limit.min(bytes.len() - at) + at;
    let is_valid = |end: usize| scan::code_range(encoding, &bytes[at..end]) != CodeRange::Broken;
    (most..(most + 7).min(bytes.len())).find(|end| is_valid(*end)).unwrap_or(if most + 7 <= bytes.len() {
        most
    } else {
        bytes.len()
    })
}

fn up_to(bytes: &[u8], at: usize, separator: &[u8], chomp: bool) -> Line {
    let size = separator.len();
    match scan::find(EncodingId::BINARY, bytes, separator, at) {
        None => Line { start: at, stop: bytes.len(), cut: 0 },
        Some(found) => {
            let carriage_return = separator == b"\n" && found > at && bytes[found - 1] == b'\r';
            let cut = if chomp { size + usize::from(carriage_return) } else { 0 };
            Line { start: at, stop: found + size, cut }
        }
    }
}

/// The next paragraph, which ends with an empty line; `None` if only newlines are left.
fn paragraph(bytes: &[u8], at: usize, limit: usize, chomp: bool) -> Option<Line> {
    let at = at + bytes[at..].iter().position(|byte| *byte != b'\n')?;
    let bytes = &bytes[..limit.min(bytes.len() - at) + at];
    let newline = |from: usize| match bytes[from..] {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    let mut from = at;
    while let Some(found) = scan::find(EncodingId::BINARY, bytes, b"\n", from) {
        from = found + 1;
        if newline(from) == 0 {
            continue;
        }
        while newline(from) > 0 {
            from += newline(from);
        }
        let last = if found > at && bytes[found - 1] == b'\r' { found - 1 } else { found };
        return Some(Line { start: at, stop: from, cut: if chomp { from - last } else { 0 } });
    }
    Some(Line { start: at, stop: bytes.len(), cut: 0 })
}

/// `write(*strings) → integer`: writes the results of `to_s` of the objects at the position and returns the number of
/// bytes. IOError unless the stream is open for writing.
pub fn write(cx: &mut Cx, args: Args) -> R {
    let mut written = 0;
    for v in args.all() {
        written += put(cx, args.me(), *v)?;
    }
    Ok(Value::fixnum(written as i64))
}

/// The stream's state; IOError unless it is open for writing.
fn writable(cx: &mut Cx, io: Value) -> R<Arr> {
    match state(cx, io, sym::STREAM_WRITABLE) {
        Some(state) => Ok(state),
        None => Err(io_error(cx, "not opened for writing")),
    }
}

fn put(cx: &mut Cx, io: Value, v: Value) -> R<usize> {
    cx.check_frozen(io)?;
    writable(cx, io)?;
    let mut v = convert::to_s(cx, v)?;
    // `to_s` may have changed the stream.
    let state = writable(cx, io)?;
    let Some((string, _)) = place(state) else { return Ok(0) };
    let encoding = encoding_of(state, string);
    let fits = v.encoding() == encoding
        || matches!(encoding, EncodingId::BINARY | EncodingId::US_ASCII)
        || (encoding.is_ascii_compatible() && v.is_ascii());
    if !fits {
        let name = intern_text(cx, "__encoded");
        let encoding = encoding::object(cx, encoding);
        let encoded = call::send_private(cx, io, name, &[v.value(), encoding])?;
        v = convert::to_str(cx, encoded)?;
    }
    // The conversion may have changed the stream too.
    let state = writable(cx, io)?;
    let Some((string, at)) = place(state) else { return Ok(0) };
    if cell::frozen(string.value()) {
        return Err(io_error(cx, "not modifiable string"));
    }
    let size = v.len();
    if size == 0 {
        return Ok(0);
    }
    modify::warn_if_chilled(cx, string.value())?;
    let at = if field(state, APPENDS).truthy() { string.len() } else { at };
    if at == string.len() {
        if encoding == EncodingId::US_ASCII && !v.is_ascii() && string.is_ascii() {
            // Text beyond ASCII gives the string its encoding.
            string.set_encoding(v.encoding());
        }
        string.append_part(cx, v, 0..v.len(), range_in(string, v)).or_raise(cx)?;
    } else {
        super::overwrite_part(cx, string, at, size, v)?;
    }
    set(cx, state, POSITION, at + size)?;
    Ok(size)
}

/// `__set_string_encoding(encoding) → nil`: gives the String the encoding, unless it is frozen or a literal that will
/// be.
pub fn set_string_encoding(cx: &mut Cx, args: Args) -> R {
    let encoding = encoding::from_value(cx, args.at(0))?;
    if let Some(state) = state(cx, args.me(), sym::STREAM_WRITABLE)
        && let Some((string, _)) = place(state)
        && cell::header(string.value()).flags() & (Flags::FROZEN | Flags::CHILLED) == 0
    {
        string.set_encoding(encoding);
    }
    Ok(Value::NIL)
}

/// The code range of these bytes within a String.
fn range_in(string: Str, part: Str) -> CodeRange {
    let range = part.known_code_range();
    let same = string.encoding() == part.encoding()
        || (range == CodeRange::SevenBit && string.encoding().is_ascii_compatible());
    if same { range } else { CodeRange::Unknown }
}
