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

/// `initialize(string = "", mode = nil) → self`: the frequent case: a String, with a mode that names no encoding.
/// Anything else is left to the Ruby half.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    static FILLED: ivars::Filled = ivars::Filled::new();
    let me = args.me();
    if cell::frozen(me) {
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
    let is_frozen = cell::frozen(string);
    let mode = match args.non_nil(1) {
        None => Some(Mode { readable: true, writable: !is_frozen, appends: false, truncates: false }),
        Some(mode) => Str::from_value(mode).and_then(|mode| Mode::of(mode.bytes(cx))),
    };
    let Some(mode) = mode.filter(|mode| !(is_frozen && mode.writable)) else { return Ok(Value::UNDEF) };
    if mode.truncates && !Str::of(string).is_empty() {
        return Ok(Value::UNDEF);
    }
    let (readable, writable) = (Value::bool(mode.readable), Value::bool(mode.writable));
    let start = Value::fixnum(0);
    let appends = Value::bool(mode.appends);
    let state = make::array(cx, &[string, start, start, appends, Value::NIL, readable, writable]);
    ivars::fill(cx, me, &VARIABLES, [readable, writable, state], &FILLED);
    Ok(me)
}

/// What a mode such as "r+" allows.
#[derive(Clone, Copy)]
struct Mode {
    readable: bool,
    writable: bool,
    appends: bool,
    truncates: bool,
}

impl Mode {
    /// `None` for modes with more letters.
    fn of(text: &[u8]) -> Option<Mode> {
        let (letter, both) = match text {
            [letter] => (letter, false),
            [letter, b'+'] => (letter, true),
            _ => return None,
        };
        let reads = *letter == b'r';
        let (readable, writable) = (both || reads, both || !reads);
        let (appends, truncates) = (*letter == b'a', *letter == b'w');
        (reads || appends || truncates).then_some(Mode { readable, writable, appends, truncates })
    }
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
/// for all cases left to the Ruby half. ArgumentError for a separator in another encoding.
pub fn next_line(cx: &mut Cx, io: Value, separator: Value, limit: Value, chomp: bool) -> R<Option<Value>> {
    let Some(mut separator) = Separator::of(separator) else { return Ok(None) };
    let Some(state) = state(cx, io, sym::STREAM_READABLE).filter(|_| !cell::frozen(io)) else { return Ok(None) };
    let limit = match limit {
        Value::NIL => usize::MAX,
        limit => match convert::to_i64(cx, limit)? {
            0 => return Ok(None),
            limit => usize::try_from(limit).unwrap_or(usize::MAX),
        },
    };
    let Some((string, at)) = place(state) else { return Ok(None) };
    let encoding = encoding_of(state, string);
    if let Separator::Text(text) = separator {
        separator = Separator::Text(fitting(cx, text, encoding)?);
    }
    let bytes = string.bytes(cx);
    if at >= bytes.len() {
        return Ok(Some(Value::NIL));
    }
    let rest = &bytes[at..];
    let rest = &rest[..limited(encoding, rest, limit)];
    let line = match separator {
        Separator::None => Some((0, rest.len(), 0)),
        Separator::Paragraph => paragraph(rest, chomp),
        Separator::Text(text) => Some(up_to(rest, text.bytes(cx), chomp)),
    };
    // Newlines before the end are no paragraph, and remain.
    let Some((start, stop, cut)) = line else { return Ok(Some(Value::NIL)) };
    let (at, stop) = (at + start, at + stop);
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

/// The separator if it can occur in text of an encoding; `$/` itself is converted. ArgumentError for others.
fn fitting(cx: &mut Cx, separator: Str, encoding: EncodingId) -> R<Str> {
    let is_plain = encoding.is_ascii_compatible() && separator.code_range() == CodeRange::SevenBit;
    if separator.encoding() == encoding || is_plain {
        return Ok(separator);
    }
    if separator.value() == cx.root(runtime::Root::InputSeparator) {
        let wanted = encoding::names::object(cx, encoding);
        let encode = intern_text(cx, "encode");
        let converted = call::send_core(cx, separator.value(), encode, &[wanted])?;
        return Ok(Str::from_value(converted).unwrap_or(separator));
    }
    let text = format!("encoding mismatch: {} IO with {} RS", encoding.name(), separator.encoding().name());
    Err(cx.argument_error(&text))
}

/// So many bytes of a text: up to a limit, and to the end of the character there.
fn limited(encoding: EncodingId, bytes: &[u8], limit: usize) -> usize {
    if limit >= bytes.len() {
        return bytes.len();
    }
    match scan::char_start(encoding, bytes, limit) {
        start if start < limit => start + text::encoding::char_len_or_min(encoding, &bytes[start..]),
        start => start,
    }
}

/// Where a line begins and ends, the separator included, and how many bytes at its end are cut off.
type Ends = (usize, usize, usize);

fn up_to(bytes: &[u8], separator: &[u8], chomp: bool) -> Ends {
    let size = separator.len();
    let Some(found) = scan::find(EncodingId::BINARY, bytes, separator, 0) else { return (0, bytes.len(), 0) };
    let carriage_return = size == 1 && found > 0 && bytes[found - 1] == b'\r';
    (0, found + size, if chomp { size + usize::from(carriage_return) } else { 0 })
}

/// The next paragraph, which ends with an empty line; `None` if there are only newlines.
fn paragraph(bytes: &[u8], chomp: bool) -> Option<Ends> {
    let start = bytes.iter().position(|byte| *byte != b'\n')?;
    let newline = |from: usize| match bytes[from..] {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    };
    let mut stop = start;
    while let Some(found) = scan::find(EncodingId::BINARY, bytes, b"\n", stop) {
        stop = found + 1;
        if newline(stop) == 0 {
            continue;
        }
        while newline(stop) > 0 {
            stop += newline(stop);
        }
        let last = if found > start && bytes[found - 1] == b'\r' { found - 1 } else { found };
        return Some((start, stop, if chomp { stop - last } else { 0 }));
    }
    Some((start, bytes.len(), 0))
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
