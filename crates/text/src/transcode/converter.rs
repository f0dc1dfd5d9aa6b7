//! Encoding::Converter: converting text incrementally.

use super::error::{ConverterNotFound, ErrorInfo, ErrorKind};
use super::graph::{is_encoder, search_path};
use super::options::{Decorator, Options, Undefined};
use super::step::{Pace, Step};
use crate::encoding::{self, EncodingId};
use memory::Grow;

/// A step of a conversion path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathElement {
    /// From one encoding to another.
    Convert(EncodingId, EncodingId),
    /// A decorator.
    Decorate(Decorator),
}

/// How a call of [`Converter::convert`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The source is used up, and more may come.
    SourceBufferEmpty,
    /// There is no room for the next byte.
    DestinationBufferFull,
    /// Output was written, and `after_output` was requested.
    AfterOutput,
    /// Everything is converted.
    Finished,
    /// See [`Converter::last_error`].
    Error(ErrorKind),
}

impl Outcome {
    /// The symbol that `primitive_convert` returns.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::SourceBufferEmpty => "source_buffer_empty",
            Outcome::DestinationBufferFull => "destination_buffer_full",
            Outcome::AfterOutput => "after_output",
            Outcome::Finished => "finished",
            Outcome::Error(ErrorKind::InvalidByteSequence) => "invalid_byte_sequence",
            Outcome::Error(ErrorKind::IncompleteInput) => "incomplete_input",
            Outcome::Error(ErrorKind::UndefinedConversion) => "undefined_conversion",
        }
    }
}

/// The limits of a call of [`Converter::convert`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// At most this many bytes are appended.
    pub bytes: Option<usize>,
    /// Whether more source will follow in another call.
    pub partial_input: bool,
    /// Whether to stop when output was written and source is left.
    pub after_output: bool,
}

/// A conversion in progress.
#[derive(Clone, Debug)]
pub struct Converter {
    source: Option<EncodingId>,
    destination: Option<EncodingId>,
    pub(super) steps: Vec<Step>,
    /// Output that was not delivered yet.
    pub(super) ready: Vec<u8>,
    pub(super) last_error: Option<ErrorInfo>,
    replace_invalid: bool,
    undefined: Undefined,
    pub(super) replacement: Option<(Vec<u8>, Option<EncodingId>)>,
}

impl Converter {
    /// A converter between encodings by name (both may be empty, for decorators only).
    pub fn open(source: &[u8], destination: &[u8], options: &Options) -> Result<Converter, ConverterNotFound> {
        let missing = || ConverterNotFound::new(source, destination, &options.decorators);
        // A decorator's name as the destination of nothing: `Converter.new("", "xml_text_escape")`.
        let alone = Decorator::from_name(destination).filter(|_| source.is_empty());
        let destination = if alone.is_some() { source } else { destination };
        let ends = match (encoding::find(source), encoding::find(destination)) {
            (None, None) if source.is_empty() && destination.is_empty() => None,
            (Some(from), Some(to)) => Some((from, to)),
            _ => return Err(missing()),
        };
        Converter::with_options(ends, alone, options).ok_or_else(missing)
    }

    /// A converter between two encodings; without them, for decorators only.
    pub fn between(ends: Option<(EncodingId, EncodingId)>, options: &Options) -> Result<Converter, ConverterNotFound> {
        Converter::with_options(ends, None, options).ok_or_else(|| {
            let (source, destination) = ends.map_or(("", ""), |(from, to)| (from.name(), to.name()));
            ConverterNotFound::new(source.as_bytes(), destination.as_bytes(), &options.decorators)
        })
    }

    fn with_options(
        ends: Option<(EncodingId, EncodingId)>,
        first: Option<Decorator>,
        options: &Options,
    ) -> Option<Converter> {
        let steps = match ends {
            Some((from, to)) => search_path(from, to)?,
            None => Vec::new(),
        };
        if options.contradict() {
            return None;
        }
        let mut path: Vec<_> = steps.into_iter().map(|(from, to)| PathElement::Convert(from, to)).collect();
        for &decorator in first.iter().chain(&options.decorators) {
            decorate(&mut path, decorator);
        }
        let mut converter = Converter::from_path(&path)?;
        (converter.source, converter.destination) = ends.unzip();
        converter.replace_invalid = options.replace_invalid;
        converter.undefined = options.undefined;
        if let Some((bytes, encoding)) = &options.replacement {
            converter.set_replacement(bytes, *encoding).ok()?;
        }
        Some(converter)
    }

    /// A converter along a given path; `None` if a step does not exist.
    pub fn from_path(path: &[PathElement]) -> Option<Converter> {
        let steps = path.iter().map(|&element| Step::new(element)).collect::<Option<Vec<_>>>()?;
        let mut ends = path.iter().filter_map(|element| match element {
            PathElement::Convert(from, to) => Some((*from, *to)),
            PathElement::Decorate(_) => None,
        });
        let first = ends.next();
        let last = ends.next_back().or(first);
        Some(Converter {
            source: first.map(|(from, _)| from),
            destination: last.map(|(_, to)| to),
            steps,
            ready: Vec::new(),
            last_error: None,
            replace_invalid: false,
            undefined: Undefined::Raise,
            replacement: None,
        })
    }

    /// The source encoding.
    pub fn source_encoding(&self) -> Option<EncodingId> {
        self.source
    }

    /// The destination encoding.
    pub fn destination_encoding(&self) -> Option<EncodingId> {
        self.destination
    }

    /// Its steps.
    pub fn path(&self) -> Vec<PathElement> {
        self.steps.iter().map(|step| step.element).collect()
    }

    /// The error that the last call ended with.
    pub fn last_error(&self) -> Option<&ErrorInfo> {
        self.last_error.as_ref()
    }

    /// The message of the exception for the last error.
    pub fn error_message(&self) -> Option<String> {
        let name = |encoding: Option<EncodingId>| encoding.map_or("", EncodingId::name);
        let error = self.last_error.as_ref()?;
        let steps = self.steps.iter().filter(|step| matches!(step.element, PathElement::Convert(..)));
        let path: Vec<&str> = steps.map(|step| step.names().1).collect();
        Some(error.message(name(self.source), name(self.destination), &path))
    }

    /// Converts `source`, removing what it has consumed, and appends to `out`. Errors that the options replace do not
    /// end the call.
    pub fn convert(&mut self, source: &mut &[u8], out: &mut Vec<u8>, limits: Limits) -> Outcome {
        let end = limits.bytes.map(|bytes| out.len() + bytes);
        loop {
            let outcome = self.run(source, out, end, limits);
            let replaced = match outcome {
                Outcome::Error(ErrorKind::UndefinedConversion) => match self.undefined {
                    Undefined::Raise => false,
                    Undefined::Replace => self.insert_replacement(),
                    Undefined::HexReference => self.insert_hex_reference(),
                },
                Outcome::Error(_) => self.replace_invalid && self.insert_replacement(),
                _ => false,
            };
            if !replaced {
                return outcome;
            }
        }
    }

    fn run(&mut self, source: &mut &[u8], out: &mut Vec<u8>, end: Option<usize>, limits: Limits) -> Outcome {
        self.last_error = None;
        let start = out.len();
        loop {
            let room = end.map_or(usize::MAX, |end| end - out.len());
            let count = room.min(self.ready.len());
            out.append_from(self.ready.drain(..count));
            if !self.ready.is_empty() {
                return Outcome::DestinationBufferFull;
            }
            if self.steps.is_empty() && limits.after_output && out.len() > start {
                return Outcome::AfterOutput;
            }
            let used_up = self.steps.iter().all(|step| step.finished);
            if used_up && (!self.steps.is_empty() || source.is_empty() && !limits.partial_input) {
                return Outcome::Finished;
            }
            if limits.after_output && out.len() > start && !self.has_queued() {
                return Outcome::AfterOutput;
            }
            let mut room = end.map_or(usize::MAX, |end| end - out.len());
            if self.steps.is_empty() && room == 0 && !source.is_empty() {
                return Outcome::DestinationBufferFull;
            }
            if limits.after_output {
                room = room.min(1);
            }
            match self.advance(source, limits.partial_input, room) {
                Ok(true) => {}
                Ok(false) => return Outcome::SourceBufferEmpty,
                Err(error) => {
                    let kind = error.kind;
                    self.last_error = Some(error);
                    out.append_from(self.ready.drain(..room.min(self.ready.len())));
                    return Outcome::Error(kind);
                }
            }
        }
    }

    fn has_queued(&self) -> bool {
        self.steps.iter().skip(1).any(Step::has_queued)
    }

    /// Makes progress in the last step that can; false if more source is needed.
    fn advance(&mut self, source: &mut &[u8], partial: bool, room: usize) -> Result<bool, ErrorInfo> {
        let last = self.steps.len().saturating_sub(1);
        for index in (1..self.steps.len()).rev() {
            let ends = self.steps[index - 1].finished;
            let (step, out) = self.step(index);
            if step.advance(&mut &b""[..], out, Pace { ends, room, alone: false, last: index == last })? {
                return Ok(true);
            }
        }
        if self.steps.is_empty() {
            let (taken, rest) = source.split_at(source.len().min(room));
            self.ready.append_slice(taken);
            *source = rest;
            return Ok(!taken.is_empty());
        }
        let ends = !partial && (source.is_empty() || !self.steps[0].has_queued());
        let pace = Pace { ends, room, alone: last == 0, last: last == 0 };
        let (step, out) = self.step(0);
        step.advance(source, out, pace)
    }

    /// A step, and its output buffer.
    fn step(&mut self, index: usize) -> (&mut Step, &mut Vec<u8>) {
        let (until, later) = self.steps.split_at_mut(index + 1);
        let out = match later.first_mut() {
            Some(next) => &mut next.queue,
            None => &mut self.ready,
        };
        (&mut until[index], out)
    }

    /// `putback`: returns at most `count` bytes of source that were read only to detect the last error.
    pub fn putback(&mut self, count: Option<usize>) -> Vec<u8> {
        let Some(step) = self.steps.first_mut() else { return Vec::new() };
        let count = count.unwrap_or(usize::MAX).min(step.readagain);
        let end = step.at + step.readagain;
        step.readagain -= count;
        step.queue.drain(end - count..end).collect()
    }

    /// How many bytes `putback` can return.
    pub fn putbackable(&self) -> usize {
        self.steps.first().map_or(0, |step| step.readagain)
    }

    /// Adds a decorator as the first step that works on the source's text, or the last one that works on the
    /// destination's; only before anything was converted. False if there is no such step.
    pub fn add_decorator(&mut self, decorator: Decorator, at_first: bool) -> bool {
        let Some(step) = Step::new(PathElement::Decorate(decorator)) else { return false };
        let at = match self.steps.first().map(|step| step.element) {
            Some(PathElement::Convert(from, to)) if at_first => usize::from(!is_encoder(from, to)),
            _ if at_first => 0,
            _ => match self.steps.last().map(|step| step.element) {
                Some(PathElement::Convert(from, to)) if is_encoder(from, to) => self.steps.len() - 1,
                _ => self.steps.len(),
            },
        };
        self.steps.insert(at, step);
        true
    }

    /// Removes the decorators that convert line ends.
    pub fn remove_newline_decorators(&mut self) {
        use Decorator::{CrLfNewline, CrNewline, LfNewline, UniversalNewline};
        self.steps.retain(|step| match step.element {
            PathElement::Decorate(decorator) => {
                !matches!(decorator, UniversalNewline | CrLfNewline | CrNewline | LfNewline)
            }
            PathElement::Convert(..) => true,
        });
    }
}

/// Inserts a decorator: at the end, or before a step that writes an encoding that is not ASCII compatible.
pub fn decorate(path: &mut Vec<PathElement>, decorator: Decorator) {
    let before_last = matches!(
        path.last(),
        Some(&PathElement::Convert(from, to)) if is_encoder(from, to)
    );
    let at = if before_last { path.len() - 1 } else { path.len() };
    path.insert(at, PathElement::Decorate(decorator));
}
