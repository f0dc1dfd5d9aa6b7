//! Encoding::Converter: converting text piece by piece.

use super::codec::{Codec, Unit};
use super::error::{ConverterNotFound, ErrorInfo, ErrorKind};
use super::graph::{codec, is_encoder, search_path, transcoder_name};
use super::options::{Decorator, Options, Undefined};
use crate::encoding::{self, EncodingId, codepoint};

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
    /// Something was written, and the caller wanted to know.
    AfterOutput,
    /// All is converted.
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

/// How far a call of [`Converter::convert`] goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// At most so many bytes are appended.
    pub bytes: Option<usize>,
    /// More source will come after this.
    pub partial_input: bool,
    /// Stop when something was written and source is left.
    pub after_output: bool,
}

#[derive(Clone, Debug)]
struct Step {
    element: PathElement,
    codec: Codec,
    /// Input that was taken but not converted, from `at` on.
    queue: Vec<u8>,
    at: usize,
    /// So many bytes of the queue were read only to see an error before them.
    readagain: usize,
    finished: bool,
}

impl Step {
    fn new(element: PathElement) -> Option<Step> {
        let codec = match element {
            PathElement::Convert(from, to) => codec(from, to)?,
            PathElement::Decorate(decorator) => decorator.codec(),
        };
        Some(Step { element, codec, queue: Vec::new(), at: 0, readagain: 0, finished: false })
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self.element {
            PathElement::Convert(from, to) => {
                let decodes = matches!(from, EncodingId::CP50220 | EncodingId::CP50221);
                let to = if decodes { "cp51932" } else { transcoder_name(to) };
                (transcoder_name(from), to)
            }
            PathElement::Decorate(decorator) => ("", decorator.name()),
        }
    }

    fn is_encoder(&self) -> bool {
        match self.element {
            PathElement::Convert(from, to) => is_encoder(from, to),
            // The quote must come before anything that is put in.
            PathElement::Decorate(decorator) => decorator == Decorator::XmlAttributeQuote,
        }
    }

    fn has_queued(&self) -> bool {
        self.at < self.queue.len()
    }

    fn take(&mut self, len: usize) {
        self.readagain = self.readagain.saturating_sub(len);
        self.at += len;
        if self.at == self.queue.len() {
            self.queue.clear();
            self.at = 0;
        }
    }
}

/// A conversion under way.
#[derive(Clone, Debug)]
pub struct Converter {
    source: Option<EncodingId>,
    destination: Option<EncodingId>,
    steps: Vec<Step>,
    /// Output that was not handed over yet.
    ready: Vec<u8>,
    last_error: Option<ErrorInfo>,
    replace_invalid: bool,
    undefined: Undefined,
    replacement: Option<(Vec<u8>, Option<EncodingId>)>,
}

impl Converter {
    /// A converter between encodings by name (both may be empty, for decorators alone).
    pub fn open(source: &[u8], destination: &[u8], options: &Options) -> Result<Converter, ConverterNotFound> {
        let missing = || ConverterNotFound::new(source, destination, &options.decorators);
        let (from, to) = (encoding::find(source), encoding::find(destination));
        let mut path: Vec<PathElement> = match (from, to) {
            (None, None) if source.is_empty() && destination.is_empty() => Vec::new(),
            (Some(from), Some(to)) => search_path(from, to)
                .ok_or_else(missing)?
                .into_iter()
                .map(|(from, to)| PathElement::Convert(from, to))
                .collect(),
            _ => return Err(missing()),
        };
        if options.contradict() {
            return Err(missing());
        }
        for &decorator in &options.decorators {
            decorate(&mut path, decorator);
        }
        let mut converter = Converter::from_path(&path).ok_or_else(missing)?;
        (converter.source, converter.destination) = (from, to);
        converter.replace_invalid = options.replace_invalid;
        converter.undefined = options.undefined;
        if let Some((bytes, encoding)) = &options.replacement {
            converter.set_replacement(bytes, *encoding).map_err(|_| missing())?;
        }
        Ok(converter)
    }

    /// A converter along a given path; `None` where a step does not exist.
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

    /// What it converts from.
    pub fn source_encoding(&self) -> Option<EncodingId> {
        self.source
    }

    /// What it converts to.
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

    /// Converts `source`, from which it takes what it has used, appending to `out`. Errors that the options let it
    /// replace do not end the call.
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
            out.extend(self.ready.drain(..count));
            if !self.ready.is_empty() {
                return Outcome::DestinationBufferFull;
            }
            let used_up = self.steps.iter().all(|step| step.finished);
            if used_up && (!self.steps.is_empty() || source.is_empty() && !limits.partial_input) {
                return Outcome::Finished;
            }
            if limits.after_output && out.len() > start && !self.has_queued() {
                return Outcome::AfterOutput;
            }
            let room = end.map_or(usize::MAX, |end| end - out.len());
            match self.advance(source, limits.partial_input, room) {
                Ok(true) => {}
                Ok(false) => return Outcome::SourceBufferEmpty,
                Err(error) => {
                    let kind = error.kind;
                    self.last_error = Some(error);
                    out.extend(self.ready.drain(..room.min(self.ready.len())));
                    return Outcome::Error(kind);
                }
            }
        }
    }

    fn has_queued(&self) -> bool {
        self.steps.iter().skip(1).any(Step::has_queued)
    }

    /// Does one thing, in the last step that can; false where nothing can be done without more source.
    fn advance(&mut self, source: &mut &[u8], partial: bool, room: usize) -> Result<bool, ErrorInfo> {
        for index in (1..self.steps.len()).rev() {
            if self.advance_step(index, &mut &b""[..], self.steps[index - 1].finished, room)? {
                return Ok(true);
            }
        }
        if self.steps.is_empty() {
            self.ready.extend_from_slice(source);
            let any = !source.is_empty();
            *source = &source[source.len()..];
            return Ok(any);
        }
        let ends = !partial && (source.is_empty() || !self.steps[0].has_queued());
        self.advance_step(0, source, ends, room)
    }

    fn advance_step(&mut self, index: usize, source: &mut &[u8], ends: bool, room: usize) -> Result<bool, ErrorInfo> {
        let alone = self.steps.len() == 1;
        let (done, later) = self.steps.split_at_mut(index + 1);
        let step = &mut done[index];
        let out = match later.first_mut() {
            Some(next) => &mut next.queue,
            None => &mut self.ready,
        };
        if step.finished {
            return Ok(false);
        }
        let queued = step.has_queued();
        let input = if queued { &step.queue[step.at..] } else { *source };
        if input.is_empty() {
            if ends && source.is_empty() {
                step.codec.finish(out);
                step.finished = true;
            }
            return Ok(ends);
        }
        if step.codec.copies_ascii() && (alone || queued && index > 0) {
            let ascii = input.iter().take(room).position(|byte| !byte.is_ascii());
            let ascii = ascii.unwrap_or(input.len().min(room));
            if ascii > 1 {
                out.extend_from_slice(&input[..ascii]);
                if queued {
                    step.take(ascii)
                } else {
                    *source = &source[ascii..]
                }
                return Ok(true);
            }
        }
        let unit = step.codec.unit(input, ends, out);
        let (kind, wrong, again) = match unit {
            Unit::Done(len) => {
                if queued {
                    step.take(len)
                } else {
                    *source = &source[len..]
                }
                return Ok(true);
            }
            Unit::NeedMore if !ends && queued && source.is_empty() => return Ok(false),
            Unit::NeedMore if !ends => {
                // With something queued the source follows byte by byte: who knows how much belongs to it.
                let count = if queued { 1 } else { source.len() };
                step.queue.extend_from_slice(&source[..count]);
                *source = &source[count..];
                return Ok(true);
            }
            Unit::NeedMore => (ErrorKind::IncompleteInput, input.len(), 0),
            Unit::Invalid(wrong, again) => (ErrorKind::InvalidByteSequence, wrong, again),
            Unit::Undefined(wrong) => (ErrorKind::UndefinedConversion, wrong, 0),
        };
        let (source_name, destination) = step.names();
        let error = ErrorInfo {
            kind,
            source: source_name,
            destination,
            error_bytes: input[..wrong].to_vec(),
            readagain_bytes: input[wrong..wrong + again].to_vec(),
        };
        if queued {
            step.take(wrong);
        } else {
            step.queue.extend_from_slice(&error.readagain_bytes);
            *source = &source[wrong + again..];
        }
        step.readagain = again;
        Err(error)
    }

    /// `putback`: takes back at most `count` bytes of source that were read only to see the last error.
    pub fn putback(&mut self, count: Option<usize>) -> Vec<u8> {
        let Some(step) = self.steps.first_mut() else { return Vec::new() };
        let count = count.unwrap_or(usize::MAX).min(step.readagain);
        let end = step.at + step.readagain;
        step.readagain -= count;
        step.queue.drain(end - count..end).collect()
    }

    /// The encoding in which text can be put into the output; `None` for as it is.
    pub fn insert_encoding(&self) -> Option<EncodingId> {
        self.steps.iter().rev().find_map(|step| match step.element {
            PathElement::Convert(from, to) if is_encoder(from, to) => Some(from),
            PathElement::Convert(_, to) => Some(to),
            PathElement::Decorate(_) => None,
        })
    }

    /// `insert_output`: puts text in at this point; an error where it cannot be converted.
    pub fn insert_output(&mut self, bytes: &[u8], encoding: Option<EncodingId>) -> Result<(), ErrorInfo> {
        let bytes = self.for_insertion(bytes, encoding)?;
        match self.steps.last_mut() {
            Some(last) if last.is_encoder() => {
                last.queue.splice(last.at..last.at, bytes);
            }
            _ => self.ready.extend(bytes),
        }
        Ok(())
    }

    fn for_insertion(&self, bytes: &[u8], encoding: Option<EncodingId>) -> Result<Vec<u8>, ErrorInfo> {
        match (encoding, self.insert_encoding()) {
            (Some(from), Some(to)) if from != to => convert_plainly(bytes, from, to),
            _ => Ok(bytes.to_vec()),
        }
    }

    /// `replacement`: what stands in for characters that cannot be converted, and its encoding.
    pub fn replacement(&self) -> (Vec<u8>, EncodingId) {
        match &self.replacement {
            Some((bytes, encoding)) => (bytes.clone(), encoding.unwrap_or(EncodingId::BINARY)),
            None if self.insert_encoding() == Some(EncodingId::UTF_8) => ("\u{FFFD}".into(), EncodingId::UTF_8),
            None => (b"?".to_vec(), EncodingId::US_ASCII),
        }
    }

    /// `replacement=`; an error where it cannot be converted itself.
    pub fn set_replacement(&mut self, bytes: &[u8], encoding: EncodingId) -> Result<(), ErrorInfo> {
        let bytes = self.for_insertion(bytes, Some(encoding))?;
        self.replacement = Some((bytes, self.insert_encoding().or(Some(encoding))));
        Ok(())
    }

    fn insert_replacement(&mut self) -> bool {
        let (bytes, encoding) = self.replacement();
        self.insert_output(&bytes, Some(encoding)).is_ok()
    }

    fn insert_hex_reference(&mut self) -> bool {
        let Some(error) = &self.last_error else { return false };
        let source = encoding::find(error.source.as_bytes());
        let text = match source {
            Some(EncodingId::UTF_8) => Ok(error.error_bytes.clone()),
            Some(source) => convert_plainly(&error.error_bytes, source, EncodingId::UTF_8),
            None => return false,
        };
        let Ok(text) = text else { return false };
        let mut reference = String::new();
        let mut rest = &text[..];
        while let Some((code, len)) = codepoint(EncodingId::UTF_8, rest) {
            reference.push_str(&format!("&#x{code:X};"));
            rest = &rest[len..];
        }
        self.insert_output(reference.as_bytes(), Some(EncodingId::US_ASCII)).is_ok()
    }
}

/// Where a decorator goes: at the end, but before a step that writes an encoding that is not ASCII compatible.
pub fn decorate(path: &mut Vec<PathElement>, decorator: Decorator) {
    let before_last = matches!(
        path.last(),
        Some(&PathElement::Convert(from, to)) if is_encoder(from, to)
    );
    let at = if before_last { path.len() - 1 } else { path.len() };
    path.insert(at, PathElement::Decorate(decorator));
}

/// Converts without any options.
fn convert_plainly(bytes: &[u8], source: EncodingId, destination: EncodingId) -> Result<Vec<u8>, ErrorInfo> {
    let failed = || ErrorInfo {
        kind: ErrorKind::UndefinedConversion,
        source: source.name(),
        destination: destination.name(),
        error_bytes: bytes.to_vec(),
        readagain_bytes: Vec::new(),
    };
    let ascii = source.is_ascii_compatible() && destination.is_ascii_compatible();
    if ascii && bytes.is_ascii() {
        return Ok(bytes.to_vec());
    }
    let names = (source.name().as_bytes(), destination.name().as_bytes());
    let mut converter = Converter::open(names.0, names.1, &Options::default()).map_err(|_| failed())?;
    let (mut rest, mut out) = (bytes, Vec::new());
    match converter.convert(&mut rest, &mut out, Limits::default()) {
        Outcome::Finished => Ok(out),
        _ => Err(converter.last_error.unwrap_or_else(failed)),
    }
}
