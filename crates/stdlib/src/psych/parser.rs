//! Psych::Parser: YAML as events for a handler.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use libyaml_safer::{Encoding, Error, Event, EventData, Mark, Parser, ScalarStyle};
use memory::Grow;
use object::{Known, Sym, shape::ivars, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Unwind, Value, call, convert, define, error, library, make, panics};
use text::EncodingId;

use super::styles::ENCODINGS;

const METHODS: &[Method] =
    &[Method::new("_native_parse(handler, yaml, path)", parse).private(), Method::new("mark", mark)];

pub fn define(cx: &mut Cx, psych: Value) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, psych, "Parser", object)?;
    define::define_methods(cx, class, METHODS);
    for (name, encoding) in ENCODINGS {
        let name = intern_text(cx, name);
        define::set_constant(cx, class, name, Value::fixnum(encoding as i64));
    }
    crate::require(cx, "psych/syntax_error")
}

/// `_native_parse(handler, yaml, path) → parser`: reads YAML from a String or an IO and calls the handler's methods for
/// each event. Psych::SyntaxError for anything else.
fn parse(cx: &mut Cx, args: Args) -> R {
    let (me, handler, path) = (args.me(), args.at(0), args.at(2));
    let yaml = text_of(cx, args.at(1))?;
    let (mut bytes, encoding) = input(cx, yaml)?;
    let lines = end_line(&mut bytes);
    let mut parser = Parser::new();
    parser.set_input(Pieces(&bytes));
    parser.set_encoding(encoding);
    let names = Names::new(cx);
    let mut reached = Mark::default();
    loop {
        // The library does not handle every input: some tags make it panic.
        let mut event = match panics::contained(|| parser.parse()) {
            Some(Ok(event)) => event,
            Some(Err(error)) => return Err(syntax_error(cx, path, &Fault::from(&error))),
            None => return Err(syntax_error(cx, path, &Fault::at(reached, "could not understand what follows"))),
        };
        reached = event.end_mark;
        if let Some(lines) = lines {
            take_line_end(&mut event, lines);
        }
        names.set_mark(cx, me, event.end_mark);
        let ended = matches!(event.data, EventData::StreamEnd);
        names.call_handler(cx, handler, event)?;
        if ended {
            return Ok(me);
        }
    }
}

/// A text that the library reads in pieces as large as libyaml's: it decodes all that it is given at once, into four
/// bytes for each character.
struct Pieces<'t>(&'t [u8]);

const PIECE: usize = 16 << 10;

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.0[..self.0.len().min(PIECE)])
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}

/// Adds a line end to a text that ends in a block scalar or after a backslash, which the library cannot handle; returns
/// the number of lines if it added one.
fn end_line(bytes: &mut Vec<u8>) -> Option<u64> {
    if bytes.last() == Some(&b'\n') || bytes.contains(&0) {
        return None;
    }
    let has_block = bytes.iter().any(|byte| matches!(byte, b'|' | b'>'));
    if !has_block && bytes.last() != Some(&b'\\') {
        return None;
    }
    // A last line of blanks only has no meaning.
    let stem = bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |at| at + 1);
    if stem > 0 && bytes[stem - 1] == b'\n' {
        bytes.truncate(stem);
        return None;
    }
    bytes.append_one(b'\n');
    Some(bytes.iter().filter(|byte| **byte == b'\n').count() as u64)
}

/// Removes the line end that `end_line` added.
fn take_line_end(event: &mut Event, lines: u64) {
    if event.end_mark.line < lines {
        return;
    }
    if let EventData::Scalar { value, style: ScalarStyle::Literal | ScalarStyle::Folded, .. } = &mut event.data
        && value.ends_with('\n')
    {
        value.pop();
    }
}

/// How many bytes a stream is asked for at once.
const CHUNK: i64 = 16 << 10;

/// The text itself, or the remaining data of a stream, whose external encoding only matters if it is UTF-16: otherwise
/// the data must be UTF-8.
fn text_of(cx: &mut Cx, yaml: Value) -> R {
    let read = intern_text(cx, "read");
    if !call::responds(cx, yaml, read, false)? {
        return convert::to_str(cx, yaml).map(Str::value);
    }
    let external = intern_text(cx, "external_encoding");
    let external = call::send(cx, yaml, external, &[])?;
    let encoding = match core_classes::encoding::names::id_of(external) {
        Some(utf16 @ (EncodingId::UTF_16LE | EncodingId::UTF_16BE)) => utf16,
        _ => EncodingId::BINARY,
    };
    let mut bytes = Vec::new();
    loop {
        let chunk = call::send(cx, yaml, read, &[Value::fixnum(CHUNK)])?;
        if chunk.is_nil() {
            break;
        }
        let chunk = convert::to_str(cx, chunk)?;
        if chunk.is_empty() {
            break;
        }
        bytes.append_slice(chunk.bytes(cx));
    }
    Ok(make::string(cx, &bytes, encoding))
}

/// The bytes in UTF-8, and the encoding that is passed to the library.
fn input(cx: &mut Cx, yaml: Value) -> R<(Vec<u8>, Encoding)> {
    let known = match Str::of(yaml).encoding() {
        EncodingId::UTF_8 | EncodingId::US_ASCII | EncodingId::BINARY => Encoding::Utf8,
        _ => {
            let (encode, utf8) = (intern_text(cx, "encode"), make::text(cx, "UTF-8"));
            let yaml = call::send(cx, yaml, encode, &[utf8])?;
            return Ok((without_mark(convert::to_str(cx, yaml)?.to_vector()), Encoding::Utf8));
        }
    };
    Ok((without_mark(Str::of(yaml).to_vector()), known))
}

/// The library counts a byte order mark as a column, so that the first line would be indented.
fn without_mark(mut bytes: Vec<u8>) -> Vec<u8> {
    let mark = "\u{FEFF}".as_bytes();
    if bytes.starts_with(mark) {
        bytes.drain(..mark.len());
    }
    bytes
}

/// The data of a Psych::SyntaxError.
struct Fault<'a> {
    mark: Mark,
    offset: i64,
    problem: &'a str,
    context: Option<&'a str>,
}

impl<'a> Fault<'a> {
    fn at(mark: Mark, problem: &'a str) -> Fault<'a> {
        Fault { mark, offset: 0, problem, context: None }
    }
}

impl<'a> From<&'a Error> for Fault<'a> {
    fn from(error: &'a Error) -> Fault<'a> {
        // libyaml reports the start of the context; for a problem without a context it reports the position of the
        // problem, but only in the scanner.
        let mark = error.context_mark().or_else(|| match error.kind() {
            libyaml_safer::ErrorKind::Scanner => error.problem_mark(),
            _ => None,
        });
        Fault {
            mark: mark.unwrap_or_default(),
            offset: problem_offset(error),
            problem: error.problem(),
            context: error.context(),
        }
    }
}

/// `Psych::SyntaxError.new(path, line, column, offset, problem, context)`
fn syntax_error(cx: &mut Cx, path: Value, fault: &Fault) -> Unwind {
    match build_syntax_error(cx, path, fault) {
        Ok(exception) => error::raise_exception(cx, exception),
        Err(unwind) => unwind,
    }
}

fn build_syntax_error(cx: &mut Cx, path: Value, fault: &Fault) -> R {
    let class = library::error_class(cx, &["Psych", "SyntaxError"])?;
    let problem = make::string(cx, fault.problem.as_bytes(), EncodingId::US_ASCII);
    let context = match fault.context {
        Some(context) => make::string(cx, context.as_bytes(), EncodingId::US_ASCII),
        None => Value::NIL,
    };
    let (line, column) = (number(fault.mark.line + 1), number(fault.mark.column + 1));
    let new = intern_text(cx, "new");
    call::send(cx, class, new, &[path, line, column, Value::fixnum(fault.offset), problem, context])
}

/// The byte offset of invalid input: the library reports it only in its message.
fn problem_offset(error: &Error) -> i64 {
    if error.kind() != libyaml_safer::ErrorKind::Reader {
        return 0;
    }
    let shown = error.to_string();
    let after = shown.split_once("(offset ").map_or("", |(_, after)| after);
    let digits = after.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
    digits.parse().unwrap_or(0)
}

fn number(n: u64) -> Value {
    Value::fixnum(n as i64)
}

/// `mark → mark`: the index, the line and the column at which the last event ended.
fn mark(cx: &mut Cx, args: Args) -> R {
    let names = Names::new(cx);
    let parts = names.mark.map(|name| ivars::get(cx, args.me(), name));
    let parts = parts.map(|part| part.or(Value::fixnum(0)));
    let mark = library::loaded(cx, &["Psych", "Parser", "Mark"])?;
    let new = intern_text(cx, "new");
    call::send(cx, mark, new, &parts)
}

/// The names of the handler's methods and of the parser's hidden variables.
struct Names {
    mark: [Sym; 3],
    event_location: Sym,
    start_stream: Sym,
    end_stream: Sym,
    start_document: Sym,
    end_document: Sym,
    alias: Sym,
    scalar: Sym,
    start_sequence: Sym,
    end_sequence: Sym,
    start_mapping: Sym,
    end_mapping: Sym,
}

impl Names {
    fn new(cx: &mut Cx) -> Names {
        let mut name = |text: &str| intern_text(cx, text);
        Names {
            mark: ["__mark_index", "__mark_line", "__mark_column"].map(&mut name),
            event_location: name("event_location"),
            start_stream: name("start_stream"),
            end_stream: name("end_stream"),
            start_document: name("start_document"),
            end_document: name("end_document"),
            alias: name("alias"),
            scalar: name("scalar"),
            start_sequence: name("start_sequence"),
            end_sequence: name("end_sequence"),
            start_mapping: name("start_mapping"),
            end_mapping: name("end_mapping"),
        }
    }

    fn set_mark(&self, cx: &mut Cx, me: Value, at: Mark) {
        for (name, value) in self.mark.iter().zip([at.index, at.line, at.column]) {
            ivars::set_hidden(cx, me, *name, number(value));
        }
    }

    /// Calls the handler's method for an event, after reporting its location.
    fn call_handler(&self, cx: &mut Cx, handler: Value, event: Event) -> R<()> {
        let (start, end) = (event.start_mark, event.end_mark);
        let place = [start.line, start.column, end.line, end.column].map(number);
        call::send(cx, handler, self.event_location, &place)?;
        let bool = Value::bool;
        match event.data {
            EventData::StreamStart { encoding } => {
                call::send(cx, handler, self.start_stream, &[Value::fixnum(encoding as i64)])?
            }
            EventData::StreamEnd => call::send(cx, handler, self.end_stream, &[])?,
            EventData::DocumentStart { version_directive, tag_directives, implicit } => {
                let version = make::array(cx, &[]);
                if let Some(directive) = version_directive {
                    make::push(cx, version, Value::fixnum(directive.major.into()));
                    make::push(cx, version, Value::fixnum(directive.minor.into()));
                }
                let tags = make::array(cx, &[]);
                for directive in &tag_directives {
                    let (handle, prefix) = (string(cx, &directive.handle)?, string(cx, &tag_text(&directive.prefix))?);
                    let pair = make::array(cx, &[handle, prefix]);
                    make::push(cx, tags, pair);
                }
                call::send(cx, handler, self.start_document, &[version, tags, bool(implicit)])?
            }
            EventData::DocumentEnd { implicit } => call::send(cx, handler, self.end_document, &[bool(implicit)])?,
            EventData::Alias { anchor } => {
                let anchor = string(cx, &anchor)?;
                call::send(cx, handler, self.alias, &[anchor])?
            }
            EventData::Scalar { anchor, tag, value, plain_implicit, quoted_implicit, style } => {
                let (value, anchor, tag) = (string(cx, &value)?, optional(cx, anchor)?, optional_tag(cx, tag)?);
                let (plain, quoted) = (bool(plain_implicit), bool(quoted_implicit));
                let style = Value::fixnum(style as i64);
                call::send(cx, handler, self.scalar, &[value, anchor, tag, plain, quoted, style])?
            }
            EventData::SequenceStart { anchor, tag, implicit, style } => {
                let (anchor, tag) = (optional(cx, anchor)?, optional_tag(cx, tag)?);
                let style = Value::fixnum(style as i64);
                call::send(cx, handler, self.start_sequence, &[anchor, tag, bool(implicit), style])?
            }
            EventData::SequenceEnd => call::send(cx, handler, self.end_sequence, &[])?,
            EventData::MappingStart { anchor, tag, implicit, style } => {
                let (anchor, tag) = (optional(cx, anchor)?, optional_tag(cx, tag)?);
                let style = Value::fixnum(style as i64);
                call::send(cx, handler, self.start_mapping, &[anchor, tag, bool(implicit), style])?
            }
            EventData::MappingEnd => call::send(cx, handler, self.end_mapping, &[])?,
        };
        Ok(())
    }
}

fn optional(cx: &mut Cx, text: Option<String>) -> R {
    match text {
        Some(text) => string(cx, &text),
        None => Ok(Value::NIL),
    }
}

fn optional_tag(cx: &mut Cx, tag: Option<String>) -> R {
    optional(cx, tag.map(|tag| tag_text(&tag).into_owned()))
}

/// A tag's text: the library makes a character of each byte that is written with `%`, and no other character of a tag
/// is beyond ASCII.
fn tag_text(tag: &str) -> Cow<'_, str> {
    if tag.is_ascii() {
        return Cow::Borrowed(tag);
    }
    let bytes: Option<Vec<u8>> = tag.chars().map(|c| u8::try_from(c).ok()).collect();
    match bytes.map(String::from_utf8) {
        Some(Ok(text)) => Cow::Owned(text),
        _ => Cow::Borrowed(tag),
    }
}

/// A String with text of the document, in the internal encoding if one is set.
fn string(cx: &mut Cx, text: &str) -> R {
    let v = make::text(cx, text);
    if cx.vm().default_internal.is_none() {
        return Ok(v);
    }
    let encode = intern_text(cx, "encode");
    call::send(cx, v, encode, &[])
}
