//! One step of a conversion in progress.

use super::codec::{Codec, Unit};
use super::converter::PathElement;
use super::error::{ErrorInfo, ErrorKind};
use super::graph::{codec, is_encoder, transcoder_name};
use super::options::Decorator;
use crate::encoding::EncodingId;
use memory::{Grow, ToVector};

/// A step and its pending input.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) element: PathElement,
    codec: Codec,
    /// Input that was read but not converted, from `at` on.
    pub(super) queue: Vec<u8>,
    pub(super) at: usize,
    /// This many bytes of the queue were read only to detect an error before them.
    pub(super) readagain: usize,
    pub(super) finished: bool,
}

impl Step {
    pub(super) fn new(element: PathElement) -> Option<Step> {
        let codec = match element {
            PathElement::Convert(from, to) => codec(from, to)?,
            PathElement::Decorate(decorator) => decorator.codec(),
        };
        Some(Step { element, codec, queue: Vec::new(), at: 0, readagain: 0, finished: false })
    }

    pub(super) fn names(&self) -> (&'static str, &'static str) {
        match self.element {
            PathElement::Convert(from, to) => {
                let decodes = matches!(from, EncodingId::CP50220 | EncodingId::CP50221);
                let docomo = from == EncodingId::SJIS_DOCOMO || to == EncodingId::SJIS_DOCOMO;
                let name = |encoding| match encoding {
                    EncodingId::UTF8_DOCOMO if docomo => "UTF8-DOCOMO",
                    EncodingId::CP51932 if decodes => "cp51932",
                    _ => transcoder_name(encoding),
                };
                (name(from), name(to))
            }
            PathElement::Decorate(decorator) => ("", decorator.name()),
        }
    }

    pub(super) fn is_encoder(&self) -> bool {
        match self.element {
            PathElement::Convert(from, to) => is_encoder(from, to),
            // The quote must precede any inserted text.
            PathElement::Decorate(decorator) => decorator == Decorator::XmlAttributeQuote,
        }
    }

    pub(super) fn has_queued(&self) -> bool {
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

    /// Converts something, or ends if nothing is left; false if it needs more input. `out` is the queue of the next
    /// step, or the final output after the `last` step; `alone` means there are no other steps. At most `room` bytes
    /// are wanted.
    pub(super) fn advance(
        &mut self,
        source: &mut &[u8],
        out: &mut Vec<u8>,
        Pace { ends, room, alone, last }: Pace,
    ) -> Result<bool, ErrorInfo> {
        if self.finished {
            return Ok(false);
        }
        let queued = self.has_queued();
        if (alone || queued && last) && self.copy_ascii(source, out, room) > 0 {
            return Ok(true);
        }
        let input = if queued { &self.queue[self.at..] } else { *source };
        if input.is_empty() {
            if ends {
                self.codec.finish(out);
                self.finished = true;
            }
            return Ok(ends);
        }
        // Without a limit the last step continues; the others pass on their output first, so that errors come in order.
        let continues = last && room == usize::MAX;
        let mut at = 0;
        let unit = loop {
            if continues {
                at += self.codec.run(&input[at..], out);
                if at == input.len() {
                    break Unit::Done(0);
                }
            }
            let unit = self.codec.unit(&input[at..], ends, out);
            let Unit::Done(len) = unit else { break unit };
            at += len;
            if !continues || at == input.len() {
                break unit;
            }
        };
        let rest = &input[at..];
        let (kind, wrong, again) = match unit {
            Unit::Done(_) => {
                self.consume(at, queued, source);
                return Ok(true);
            }
            Unit::NeedMore if !ends => {
                self.consume(at, queued, source);
                if source.is_empty() {
                    return Ok(at > 0);
                }
                // With a pending queue the source is consumed byte by byte, because it is unknown how much belongs to
                // it.
                let count = if queued { 1 } else { source.len() };
                self.queue.append_slice(&source[..count]);
                *source = &source[count..];
                return Ok(true);
            }
            Unit::NeedMore => (ErrorKind::IncompleteInput, rest.len(), 0),
            Unit::Invalid(wrong, again) => (ErrorKind::InvalidByteSequence, wrong, again),
            Unit::Undefined(wrong) => (ErrorKind::UndefinedConversion, wrong, 0),
        };
        let (source_name, destination) = self.names();
        let error = ErrorInfo {
            kind,
            source: source_name,
            destination,
            error_bytes: rest[..wrong].to_vector(),
            readagain_bytes: rest[wrong..wrong + again].to_vector(),
        };
        self.consume(at + wrong, queued, source);
        if !queued {
            self.queue.append_slice(&error.readagain_bytes);
            *source = &source[again..];
        }
        self.readagain = again;
        Err(error)
    }

    fn consume(&mut self, len: usize, queued: bool, source: &mut &[u8]) {
        if queued {
            self.take(len);
        } else {
            *source = &source[len..];
        }
    }

    /// Copies a run of ASCII if the conversion would leave it unchanged; returns its length.
    fn copy_ascii(&mut self, source: &mut &[u8], out: &mut Vec<u8>, room: usize) -> usize {
        if !self.codec.copies_ascii() {
            return 0;
        }
        let queued = self.has_queued();
        let input = if queued { &self.queue[self.at..] } else { *source };
        let input = &input[..input.len().min(room)];
        let len = input.iter().position(|byte| !byte.is_ascii()).unwrap_or(input.len());
        out.append_slice(&input[..len]);
        self.consume(len, queued, source);
        len
    }
}

/// The conditions under which a step runs.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// Whether nothing follows the step's input.
    pub(super) ends: bool,
    /// The room in the output, in bytes.
    pub(super) room: usize,
    /// Whether there is no other step.
    pub(super) alone: bool,
    /// Whether there is no step after this one.
    pub(super) last: bool,
}
