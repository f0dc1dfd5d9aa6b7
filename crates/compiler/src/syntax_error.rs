//! Errors as Ruby prints them: a header, and the lines of source with a mark under each place.

use memory::{Grow, ToVector};
use ruby_prism::ParseResult;
use text::EncodingId;
use text::encoding::char_len_or_min;

use crate::compiler::CompileError;
use crate::node::Span;
use crate::options::Options;

/// The class that the runtime raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    SyntaxError,
    /// An unknown encoding in a magic comment.
    ArgumentError,
    /// `-x`, and no Ruby script in the input.
    LoadError,
    /// Nested too deeply.
    SystemStackError,
}

#[derive(Clone, Debug)]
pub struct SyntaxErrors {
    pub kind: ErrorKind,
    /// The whole message, in the source's encoding.
    pub message: Vec<u8>,
    pub path: String,
    /// Line of the first error.
    pub line: i32,
    /// Warnings that were found before the error, as in `Unit::warnings`.
    pub warnings: Vec<(String, bool)>,
}

/// The number of columns of a long line that are kept on either side of a mark.
const TRUNCATE: usize = 30;

/// A message longer than this is cut off: with thousands of errors in one long line, each would repeat the line.
const LONGEST: usize = 100_000;

struct Mark {
    message: Vec<u8>,
    line: i32,
    from: usize,
    to: usize,
    order: usize,
}

pub(crate) fn from_prism(result: &ParseResult<'_>, options: &Options) -> SyntaxErrors {
    let snippet = Snippet::new(result, options);
    let errors: Vec<(Vec<u8>, Span)> =
        memory::collect(result.errors().map(|e| (e.message().to_vector(), e.location().into())));
    let mut made = snippet.format(&errors);
    made.warnings = crate::warnings::of(result, options);
    made
}

pub(crate) fn from_compiler(errors: &[CompileError], result: &ParseResult<'_>, options: &Options) -> SyntaxErrors {
    if let Some(deep) = errors.iter().find(|e| e.too_deep) {
        let mut made = from_message(&deep.message, options);
        (made.kind, made.line) = (ErrorKind::SystemStackError, deep.line);
        return made;
    }
    let snippet = Snippet::new(result, options);
    let first = &errors[0];
    if first.span == (Span { start: 0, end: 0 }) {
        let mut made = from_message(&format!("{}:{}: {}", options.path, first.line, first.message), options);
        made.line = first.line;
        return made;
    }
    let marks: Vec<(Vec<u8>, Span)> = memory::collect(errors.iter().map(|e| (e.message.clone().into_bytes(), e.span)));
    snippet.format(&marks)
}

pub(crate) fn from_message(message: &str, options: &Options) -> SyntaxErrors {
    SyntaxErrors {
        kind: ErrorKind::SyntaxError,
        message: message.into(),
        path: options.path.clone(),
        line: options.first_line,
        warnings: Vec::new(),
    }
}

struct Snippet<'a> {
    source: &'a [u8],
    lines: &'a [u32],
    options: &'a Options,
    encoding: EncodingId,
}

impl<'a> Snippet<'a> {
    fn new(result: &'a ParseResult<'_>, options: &'a Options) -> Snippet<'a> {
        let encoding =
            EncodingId::from_index(crate::parse::source_encoding(result, options)).unwrap_or(EncodingId::UTF_8);
        Snippet { source: result.source(), lines: result.line_offsets(), options, encoding }
    }

    fn format(&self, errors: &[(Vec<u8>, Span)]) -> SyntaxErrors {
        let mut marks: Vec<Mark> =
            memory::collect(errors.iter().enumerate().map(|(order, (message, span))| self.mark(message, *span, order)));
        let mut made = SyntaxErrors {
            kind: ErrorKind::SyntaxError,
            message: Vec::new(),
            path: self.options.path.clone(),
            line: marks.first().map_or(self.options.first_line, |m| m.line),
            warnings: Vec::new(),
        };
        let path = self.options.path.as_bytes();
        for (index, (message, span)) in errors.iter().enumerate() {
            if message == b"no Ruby script found in input" {
                (made.kind, made.message) = (ErrorKind::LoadError, message.clone());
                return made;
            }
            if message.starts_with(b"unknown or invalid encoding in the magic comment") {
                made.kind = ErrorKind::ArgumentError;
                made.line = marks[index].line;
                made.message = [path, format!(":{}: ", made.line).as_bytes(), message].concat();
                if self.is_utf_8(*span) {
                    made.message.append_one(b'\n');
                    let only = [marks.swap_remove(index)];
                    self.write_marks(&only, false, &mut made.message);
                }
                return made;
            }
        }
        let plural = if marks.len() > 1 { "s" } else { "" };
        made.message = [path, format!(":{}: syntax error{plural} found\n", made.line).as_bytes()].concat();
        if errors.iter().all(|(_, span)| self.is_utf_8(*span)) {
            marks.sort_by_key(|m| (m.line, m.from, std::cmp::Reverse(m.order)));
            self.write_marks(&marks, true, &mut made.message);
        } else {
            let lines: Vec<Vec<u8>> = memory::collect(
                marks.iter().map(|m| memory::concat(&[path, format!(":{}: ", m.line).as_bytes(), &m.message])),
            );
            for (i, line) in lines.iter().enumerate() {
                if i > 0 {
                    made.message.append_one(b'\n');
                }
                made.message.append_slice(line);
            }
        }
        made
    }

    fn mark(&self, message: &[u8], span: Span, order: usize) -> Mark {
        let (index, from) = self.line_and_column(span.start);
        let (last, column) = self.line_and_column(span.end);
        let mut to = if last == index { column } else { (self.start(index + 1) - self.start(index)).saturating_sub(1) };
        if to == from {
            to += 1;
        }
        Mark { message: message.to_vector(), line: self.options.first_line.wrapping_add(index as i32), from, to, order }
    }

    fn line_and_column(&self, offset: u32) -> (usize, usize) {
        let index = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        (index, offset as usize - self.start(index))
    }

    fn start(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.source.len(), |o| (*o as usize).min(self.source.len()))
    }

    fn is_utf_8(&self, span: Span) -> bool {
        let (first, _) = self.line_and_column(span.start);
        let (last, _) = self.line_and_column(span.end);
        std::str::from_utf8(&self.source[self.start(first)..self.start(last + 1)]).is_ok()
    }

    fn width(&self, at: usize) -> usize {
        self.source
            .get(at..)
            .filter(|rest| !rest.is_empty())
            .map_or(1, |rest| char_len_or_min(self.encoding, rest).max(1))
    }

    /// The lines with errors, two lines around each, and the marks.
    fn write_marks(&self, marks: &[Mark], with_messages: bool, out: &mut Vec<u8>) {
        let magnitude = |line: i32| if line < 0 { (line as i64).abs() * 10 } else { line as i64 };
        let largest = marks.first().map_or(0, |m| magnitude(m.line)).max(marks.last().map_or(0, |m| magnitude(m.line)));
        let digits = largest.to_string().len().clamp(1, 5);
        let divider = format!("  {}\n", &"~~~~~~~~"[..(digits + 4).min(8)]);
        // Lines are counted from the first one, because a program may choose the number of the first line so large that
        // line numbers wrap around.
        let mut last_line = -1;
        let mut cut_at = 0;
        for (index, mark) in marks.iter().enumerate() {
            if out.len() > LONGEST {
                out.append_slice(b"  ...\n");
                return;
            }
            let line = self.line_from_first(mark);
            if line - last_line > 1 {
                if line - last_line > 2 {
                    if index != 0 && line - last_line > 3 {
                        out.append_slice(divider.as_bytes());
                    }
                    self.write_line(line - 2, "  ", digits, 0, 0, out);
                }
                self.write_line(line - 1, "  ", digits, 0, 0, out);
            }
            if index == 0 || line != last_line {
                cut_at = mark.from;
                let to =
                    marks[index..].iter().take_while(|m| m.line == mark.line).map(|m| m.to).max().unwrap_or(mark.to);
                self.write_line(line, "> ", digits, mark.from, to, out);
            }
            self.write_mark(mark, digits, cut_at, with_messages, out);
            last_line = line;
            let next = match marks.get(index + 1) {
                Some(next) => self.line_from_first(next),
                None => {
                    let after = self.lines.len() as i64;
                    if self.start(self.lines.len() - 1) == self.source.len() { after - 1 } else { after }
                }
            };
            for _ in 0..2 {
                if next - last_line > 1 {
                    last_line += 1;
                    self.write_line(last_line, "  ", digits, 0, 0, out);
                }
            }
        }
    }

    /// The number of lines from the first line of the source to a mark.
    fn line_from_first(&self, mark: &Mark) -> i64 {
        i64::from(mark.line.wrapping_sub(self.options.first_line) as u32)
    }

    /// Writes the line that is `line` lines after the first.
    fn write_line(&self, line: i64, lead: &str, digits: usize, from: usize, to: usize, out: &mut Vec<u8>) {
        let index = line.max(0) as usize;
        let line = self.options.first_line.wrapping_add(line as i32);
        let (mut start, mut end) = (self.start(index), self.start(index + 1));
        out.append_slice(format!("{lead}{line:digits$} | ").as_bytes());
        let truncated = to != 0 && (end - start) as i64 - to as i64 >= TRUNCATE as i64;
        if truncated {
            let limit = start + to + TRUNCATE;
            end = start;
            while end < limit && end + self.width(end) <= limit {
                end += self.width(end);
            }
        }
        if from >= TRUNCATE {
            out.append_slice(b"... ");
            start += from;
        }
        out.append_slice(&self.source[start.min(end)..end]);
        if truncated {
            out.append_slice(b" ...\n");
        } else if end == self.source.len() && end > 0 && self.source[end - 1] != b'\n' {
            out.append_one(b'\n');
        }
    }

    fn write_mark(&self, mark: &Mark, digits: usize, cut_at: usize, with_message: bool, out: &mut Vec<u8>) {
        let start = self.start(self.line_from_first(mark) as usize);
        if start == self.source.len() {
            out.append_one(b'\n');
        }
        out.append_slice(format!("  {:digits$} | ", "").as_bytes());
        let mut column = 0;
        if cut_at >= TRUNCATE {
            out.append_slice(b"    ");
            column = cut_at;
        }
        while column < mark.from {
            out.append_one(b' ');
            column += self.width(start + column);
        }
        out.append_one(b'^');
        column += self.width(start + column);
        while column < mark.to {
            out.append_one(b'~');
            column += self.width(start + column);
        }
        if with_message {
            out.append_one(b' ');
            out.append_slice(&mark.message);
        }
        out.append_one(b'\n');
    }
}
