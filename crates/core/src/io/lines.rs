//! Reading lines.

use std::{convert::Infallible, sync::LazyLock};

use memory::ToVector;
use object::{cell, native, string::Str};
use runtime::{Args, Cx, R, Value, call, convert, error::OrRaise, make, special};
use text::{
    CharLen, CodeRange, EncodingId,
    transcode::{Converter, Limits, Options, Outcome, convert as convert_text},
};

use super::{
    data::{self, IoData},
    mode::option,
    read::{self, end_of_file},
};

/// The separator, the limit and the `chomp` flag for reading lines.
#[derive(Clone, Debug)]
pub struct Lines {
    /// `None`: no separator, the whole contents are one line.
    pub separator: Option<Vec<u8>>,
    /// The encoding in which the search must skip separators that begin inside of a character; `None` if no separator
    /// can.
    whole_in: Option<EncodingId>,
    pub paragraph: bool,
    pub limit: Option<usize>,
    pub chomp: bool,
}

/// `(separator = $/, limit = nil, chomp: false)` of a method of a stream.
fn arguments(cx: &mut Cx, io: Value, list: &[Value], keywords: Option<Value>) -> R<Lines> {
    let chomp = option(cx, keywords, "chomp").truthy();
    let mut separator = Value::UNDEF;
    let mut limit = Value::NIL;
    match list {
        [] => {}
        [one] if one.is_nil() => separator = Value::NIL,
        [one] => match convert::try_str(cx, *one)? {
            Some(s) => separator = s.value(),
            None => limit = *one,
        },
        [first, second, ..] => {
            separator = if first.is_nil() { Value::NIL } else { convert::to_str(cx, *first)?.value() };
            limit = *second;
        }
    }
    let is_default = separator.is_undef();
    if is_default {
        separator = cx.root(runtime::Root::InputSeparator);
    }
    let limit = if limit.is_nil() { None } else { usize::try_from(convert::to_i64(cx, limit)?).ok() };
    let paragraph = cell::is(separator, abi::Type::String) && Str::of(separator).is_empty();
    let (separator, whole_in) = match cell::is(separator, abi::Type::String) {
        true if paragraph => (Some(b"\n\n".to_vector()), None),
        true => {
            let (separator, whole_in) = in_stream(cx, io, Str::of(separator), is_default)?;
            (Some(separator), whole_in)
        }
        false => (None, None),
    };
    Ok(Lines { separator, whole_in, paragraph, limit, chomp })
}

/// `IO.__line_arguments(*arguments) → array`: the separator and the limit of a method that has yet to open its file,
/// converted. ArgumentError if there are more, TypeError for other objects.
pub fn line_arguments(cx: &mut Cx, args: Args) -> R {
    let converted = match args.all() {
        [] => return Ok(make::array(cx, &[])),
        [one] => match convert::try_str(cx, *one)? {
            Some(s) => return Ok(make::array(cx, &[s.value()])),
            None => limit_argument(cx, *one)?,
        },
        [separator, limit] => {
            let separator = if separator.is_nil() { Value::NIL } else { convert::to_str(cx, *separator)?.value() };
            let limit = limit_argument(cx, *limit)?;
            return Ok(make::array(cx, &[separator, limit]));
        }
        // The path comes before them.
        more => return Err(cx.arity_error(more.len() + 1, 1, Some(3))),
    };
    Ok(make::array(cx, &[converted]))
}

fn limit_argument(cx: &mut Cx, v: Value) -> R {
    if v.is_nil() { Ok(v) } else { convert::to_i64(cx, v).map(Value::fixnum) }
}

fn has_ascii_newlines(cx: &mut Cx, io: Value) -> R<bool> {
    let external = read::encoding_of(cx, io)?;
    let internal = data::any_data(cx, io)?.internal;
    Ok(external.is_ascii_compatible() && internal.is_none_or(EncodingId::is_ascii_compatible))
}

/// The bytes of the separator in the stream's external encoding, and the value of `Lines::whole_in`. ArgumentError for
/// a separator in an encoding other than that of the lines.
fn in_stream(cx: &mut Cx, io: Value, separator: Str, is_default: bool) -> R<(Vec<u8>, Option<EncodingId>)> {
    let external = read::encoding_of(cx, io)?;
    let read = data::any_data(cx, io)?.internal.unwrap_or(external);
    let is_ascii = separator.code_range() == CodeRange::SevenBit;
    let bytes = separator.to_vector();
    // The byte of a control character never occurs inside of another character; in UTF-8 this holds for all characters.
    let is_control = bytes.first().is_none_or(|byte| *byte < b' ') && external.is_ascii_compatible();
    let whole_in = (!is_control && !external.is_single_byte() && external != EncodingId::UTF_8).then_some(external);
    if is_ascii && read.is_ascii_compatible() && external.is_ascii_compatible() {
        return Ok((bytes, whole_in));
    }
    let mut own = separator.encoding();
    if own != read && !(is_ascii && read.is_ascii_compatible()) {
        if !(is_default && is_ascii) {
            let message = format!("encoding mismatch: {} IO with {} RS", read.name(), own.name());
            return Err(cx.argument_error(&message));
        }
        own = EncodingId::UTF_8;
    }
    if own == external || (is_ascii && external.is_ascii_compatible()) {
        return Ok((bytes, whole_in));
    }
    let options = Options::default();
    let converted = convert_text::<Infallible>(Some((own, external)), &bytes, &options, None);
    Ok((converted.unwrap_or(bytes), whole_in))
}

/// The end of the first separator that ends after `from`.
fn find(haystack: &[u8], lines: &Lines, from: usize) -> Option<usize> {
    let separator = lines.separator.as_ref()?;
    let mut start = from.saturating_sub(separator.len().checked_sub(1)?);
    loop {
        let found = text::scan::find(EncodingId::BINARY, haystack, separator, start)?;
        if lines.whole_in.is_none_or(|encoding| text::scan::char_start(encoding, haystack, found) == found) {
            return Some(found + separator.len());
        }
        start = found + 1;
    }
}

/// The next line's bytes, and whether the limit has cut it; `None` at the end.
fn next_piece(cx: &mut Cx, io: Value, lines: &Lines) -> R<Option<(Vec<u8>, bool)>> {
    data::text_reader(cx, io)?;
    if lines.limit == Some(0) {
        return Ok(Some((Vec::new(), true)));
    }
    if lines.paragraph {
        skip_newlines(cx, io)?;
    }
    let mut searched = 0;
    let mut measure = Measure::of(cx, io, lines)?;
    loop {
        let data = data::open_data(cx, io)?;
        let waiting = data.waiting();
        let most = if measure.is_some() { None } else { lines.limit };
        let found = find(&waiting[..waiting.len().min(most.unwrap_or(usize::MAX))], lines, searched);
        let end = match (found, most) {
            (None, Some(limit)) if waiting.len() >= limit => Some(limit),
            (end, _) => end,
        };
        let end = match &mut measure {
            Some(measure) => measure.reach(&waiting[..end.unwrap_or(waiting.len())]).or(end),
            None => end,
        };
        let is_cut = end.is_some() && end != found;
        if let Some(mut end) = end {
            if most == Some(end) {
                end = whole_character(cx, io, end)?;
            }
            let data = data::open_data(cx, io)?;
            let mut line = data.take(end);
            chomp(&mut line, lines);
            if lines.paragraph {
                skip_newlines(cx, io)?;
            }
            return Ok(Some((line, is_cut)));
        }
        searched = waiting.len();
        if !data::fill(cx, io)? {
            let data = data::open_data(cx, io)?;
            let count = data.waiting().len();
            if count == 0 {
                return Ok(None);
            }
            let mut line = data.take(count);
            chomp(&mut line, lines);
            return Ok(Some((line, false)));
        }
    }
}

/// Finds how many bytes are a given number of bytes after the conversion to the internal encoding: limits count these.
struct Measure {
    converter: Converter,
    limit: usize,
    /// The bytes that were converted, and what they became.
    source: usize,
    converted: usize,
}

impl Measure {
    /// `None` if there is no limit or no conversion.
    fn of(cx: &mut Cx, io: Value, lines: &Lines) -> R<Option<Measure>> {
        let external = read::encoding_of(cx, io)?;
        let data = data::any_data(cx, io)?;
        let (Some(limit), Some(internal), conversion) = (lines.limit, data.internal, data.conversion) else {
            return Ok(None);
        };
        let options = read::conversion_options(cx, conversion)?;
        let converter = Converter::between(Some((external, internal)), &options);
        Ok(converter.ok().map(|converter| Measure { converter, limit, source: 0, converted: 0 }))
    }

    /// The first bytes that are whole characters and enough for the limit; `None` if all are not enough.
    fn reach(&mut self, bytes: &[u8]) -> Option<usize> {
        let limits = Limits { partial_input: true, after_output: true, ..Limits::default() };
        loop {
            let (mut rest, mut out) = (bytes.get(self.source..)?, Vec::new());
            let outcome = self.converter.convert(&mut rest, &mut out, limits);
            self.source = bytes.len() - rest.len();
            self.converted += out.len();
            match outcome {
                // Reading these bytes raises the error.
                Outcome::Error(_) => return Some(self.source),
                _ if self.converted >= self.limit => return Some(self.source),
                Outcome::SourceBufferEmpty | Outcome::Finished => return None,
                Outcome::AfterOutput | Outcome::DestinationBufferFull => {}
            }
        }
    }
}

/// The number of bytes to read for a limit, which must not split a character. Broken text may always seem to lack a
/// byte: of that, some bytes more are read.
fn whole_character(cx: &mut Cx, io: Value, limit: usize) -> R<usize> {
    const MOST_MORE: usize = 16;
    let encoding = read::encoding_of(cx, io)?;
    let data = data::open_data(cx, io)?;
    if encoding.is_single_byte() {
        return Ok(limit);
    }
    if data.waiting().len() < limit.saturating_add(MOST_MORE) {
        data::fill(cx, io)?;
    }
    let waiting = data::open_data(cx, io)?.waiting();
    let is_whole = |end: usize| {
        let start = text::scan::char_start(encoding, &waiting[..end], end - 1);
        !matches!(text::encoding::char_len(encoding, &waiting[start..end]), CharLen::NeedMore(_))
    };
    let most = waiting.len().min(limit.saturating_add(MOST_MORE));
    Ok((limit..most).find(|end| is_whole(*end)).unwrap_or(most))
}

/// How many line feeds the bytes begin with.
fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| **byte == b'\n').count()
}

fn skip_newlines(cx: &mut Cx, io: Value) -> R<()> {
    loop {
        let data = data::open_data(cx, io)?;
        let count = newlines(data.waiting());
        data.advance(count);
        if !data.waiting().is_empty() || !data::fill(cx, io)? {
            return Ok(());
        }
    }
}

fn chomp(line: &mut Vec<u8>, lines: &Lines) {
    if lines.chomp {
        line.truncate(chomped(line, lines));
    }
}

/// The length of a line without its line end.
fn chomped(line: &[u8], lines: &Lines) -> usize {
    let Some(separator) = &lines.separator else { return line.len() };
    if lines.paragraph {
        return line.len() - line.iter().rev().take_while(|byte| **byte == b'\n').count();
    }
    match line.strip_suffix(&separator[..]) {
        Some([rest @ .., b'\r']) if separator == b"\n" => rest.len(),
        Some(rest) => rest.len(),
        None => line.len(),
    }
}

/// The next line if the buffer contains all of it and no special case applies.
fn buffered(cx: &mut Cx, io: Value, lines: &Lines) -> R<Option<Value>> {
    if lines.separator.is_none() {
        return Ok(None);
    }
    if lines.limit.is_some() {
        return Ok(None);
    }
    let data = data::text_reader(cx, io)?;
    if data.internal.is_some() {
        return Ok(None);
    }
    let before = if lines.paragraph { newlines(data.waiting()) } else { 0 };
    let Some(end) = find(&data.waiting()[before..], lines, 0) else { return Ok(None) };
    let after = if lines.paragraph { newlines(&data.waiting()[before + end..]) } else { 0 };
    if lines.paragraph && before + end + after == data.waiting().len() {
        // More empty lines may follow.
        return Ok(None);
    }
    data.advance(before);
    let encoding = read::encoding_of(cx, io)?;
    let data = data::any_data(cx, io)?;
    data.line += 1;
    let number = data.line;
    let shown = if lines.chomp { chomped(&data.waiting()[..end], lines) } else { end };
    let line = data::take_text(cx, io, end + after, shown, encoding)?;
    cx.set_root(runtime::Root::LineNumber, Value::fixnum(number));
    Ok(Some(line))
}

/// The next line of a stream whose buffer does not contain its end, unless it is converted or limited: the bytes move
/// to a String, so that they are neither searched nor moved again. nil at the end.
fn long(cx: &mut Cx, io: Value, lines: &Lines) -> R<Option<Value>> {
    let Some(separator) = &lines.separator else { return Ok(None) };
    if lines.limit.is_some() || data::text_reader(cx, io)?.internal.is_some() {
        return Ok(None);
    }
    if lines.paragraph {
        skip_newlines(cx, io)?;
    }
    let encoding = read::encoding_of(cx, io)?;
    let string = Str::empty(cx, encoding);
    // Other separators may begin in one part of the line and end in the next, or look like a part of a character.
    let is_byte = separator.len() == 1 && lines.whole_in.is_none();
    loop {
        let Some(data) = native::get::<IoData>(&io) else { return Ok(None) };
        let (waiting, before) = (data.waiting(), string.len());
        let mut end = if is_byte { find(waiting, lines, 0) } else { None };
        string.append(cx, &waiting[..end.unwrap_or(waiting.len())]).or_raise(cx)?;
        if !is_byte && let Some(found) = find(string.bytes(cx), lines, before) {
            string.truncate(cx, found);
            end = Some(found - before);
        }
        let count = string.len() - before;
        data::any_data(cx, io)?.advance(count);
        if end.is_some() {
            break;
        }
        match data::fill(cx, io) {
            Ok(true) => {}
            Ok(false) if string.is_empty() => return Ok(Some(Value::NIL)),
            Ok(false) => break,
            Err(unwind) => {
                // The next read gets what was read of the line.
                data::any_data(cx, io)?.put_back(&string.to_vector());
                return Err(unwind);
            }
        }
    }
    if lines.chomp {
        let shown = chomped(string.bytes(cx), lines);
        string.truncate(cx, shown);
    }
    if lines.paragraph {
        skip_newlines(cx, io)?;
    }
    string.fit(cx).or_raise(cx)?;
    count_line(cx, io)?;
    Ok(Some(string.value()))
}

/// All that is left as one line; nil at the end.
fn everything(cx: &mut Cx, io: Value) -> R {
    if data::text_reader(cx, io)?.waiting().is_empty() && !data::fill(cx, io)? {
        return Ok(Value::NIL);
    }
    let s = read::all(cx, io)?;
    count_line(cx, io)?;
    Ok(s)
}

fn count_line(cx: &mut Cx, io: Value) -> R<()> {
    let data = data::open_data(cx, io)?;
    data.line += 1;
    let line = data.line;
    cx.set_root(runtime::Root::LineNumber, Value::fixnum(line));
    Ok(())
}

/// The next line as a String; nil at the end. Increments the line number.
pub fn next(cx: &mut Cx, io: Value, lines: &Lines) -> R {
    if let Some(line) = buffered(cx, io, lines)? {
        return Ok(line);
    }
    if lines.separator.is_none() && lines.limit.is_none() {
        return everything(cx, io);
    }
    if let Some(line) = long(cx, io, lines)? {
        return Ok(line);
    }
    match next_piece(cx, io, lines)? {
        None => Ok(Value::NIL),
        Some((bytes, is_cut)) => {
            let s = read::text(cx, io, bytes)?;
            if !is_cut {
                count_line(cx, io)?;
            }
            Ok(s)
        }
    }
}

/// `gets(separator = $/, limit = nil, chomp: false) → string or nil`: the next line with its separator, at most `limit`
/// bytes, completed to a whole character; nil at the end. It sets `$_`. IOError unless it is open for reading.
pub fn gets(cx: &mut Cx, args: Args) -> R {
    // The frequent case: whole lines, if `$/` is a newline and the stream's encodings extend ASCII.
    static WHOLE: LazyLock<Lines> = LazyLock::new(|| Lines {
        separator: Some(b"\n".to_vector()),
        whole_in: None,
        paragraph: false,
        limit: None,
        chomp: false,
    });
    let is_newline = |v: Value| Str::from_value(v).is_some_and(|separator| separator.is(b"\n"));
    let line = if args.is_empty()
        && args.keywords().is_none()
        && is_newline(cx.root(runtime::Root::InputSeparator))
        && has_ascii_newlines(cx, args.me())?
    {
        next(cx, args.me(), &WHOLE)?
    } else {
        let lines = arguments(cx, args.me(), args.all(), args.keywords())?;
        next(cx, args.me(), &lines)?
    };
    special::set_last_line(cx, line);
    Ok(line)
}

/// `readline(separator = $/, limit = nil, chomp: false) → string`: like `gets`, but EOFError at the end.
pub fn readline(cx: &mut Cx, args: Args) -> R {
    match gets(cx, args)? {
        Value::NIL => Err(end_of_file(cx)),
        line => Ok(line),
    }
}

fn check_limit(cx: &mut Cx, lines: &Lines, method: &str) -> R<()> {
    if lines.limit == Some(0) {
        return Err(cx.argument_error(&format!("invalid limit: 0 for {method}")));
    }
    Ok(())
}

/// `each_line(separator = $/, limit = nil, chomp: false) { |line| … } → self`: yields the remaining lines.
/// ArgumentError for a limit of 0.
pub fn each_line(cx: &mut Cx, args: Args) -> R {
    yield_lines(cx, args, "each_line", |_, _| ())?;
    Ok(args.me())
}

/// `__foreach(separator = $/, limit = nil, chomp: false) { |line| … } → nil`: like `each_line`, with each line in `$_`.
pub fn foreach(cx: &mut Cx, args: Args) -> R {
    yield_lines(cx, args, "foreach", special::set_last_line)?;
    Ok(Value::NIL)
}

/// Yields the remaining lines for a method. `read` is called with each before, and with nil at the end.
fn yield_lines(cx: &mut Cx, args: Args, method: &str, read: impl Fn(&mut Cx, Value)) -> R<()> {
    let lines = arguments(cx, args.me(), args.all(), args.keywords())?;
    data::text_reader(cx, args.me())?;
    check_limit(cx, &lines, method)?;
    let block = args.block(cx);
    loop {
        let line = next(cx, args.me(), &lines)?;
        read(cx, line);
        if line.is_nil() {
            return Ok(());
        }
        call::yield_one(cx, block, line)?;
    }
}

/// `readlines(separator = $/, limit = nil, chomp: false) → array`: all remaining lines, empty at the end. ArgumentError
/// for a limit of 0.
pub fn readlines(cx: &mut Cx, args: Args) -> R {
    let lines = arguments(cx, args.me(), args.all(), args.keywords())?;
    data::text_reader(cx, args.me())?;
    check_limit(cx, &lines, "readlines")?;
    let list = make::array(cx, &[]);
    loop {
        match next(cx, args.me(), &lines)? {
            Value::NIL => return Ok(list),
            line => make::push(cx, list, line),
        }
    }
}

/// `lineno → integer`: the number of lines that have been read, counted from the number that was set. IOError unless
/// the stream is open for reading.
pub fn lineno(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(data::readable(cx, args.me())?.line))
}

/// `lineno=(number) → number`: sets the current line number; the position stays. IOError unless the stream is open for
/// reading.
pub fn set_lineno(cx: &mut Cx, args: Args) -> R {
    data::readable(cx, args.me())?;
    let n = convert::to_i32(cx, args.at(0))?;
    data::open_data(cx, args.me())?.line = n as i64;
    Ok(args.at(0))
}
