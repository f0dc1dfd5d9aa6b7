//! Errors of a conversion, and Ruby's messages for them.

use super::options::Decorator;
use crate::encoding::{EncodingId, codepoint};
use crate::inspect::dump;
use memory::{Grow, ToVector};

/// The kind of the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Encoding::InvalidByteSequenceError.
    InvalidByteSequence,
    /// Encoding::InvalidByteSequenceError with `incomplete_input?`.
    IncompleteInput,
    /// Encoding::UndefinedConversionError.
    UndefinedConversion,
}

/// An error of one step of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorInfo {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The source of the failing step; empty for a decorator.
    pub source: &'static str,
    /// The destination of the failing step.
    pub destination: &'static str,
    /// The invalid bytes, in the source encoding of the step.
    pub error_bytes: Vec<u8>,
    /// Bytes after them that were read to detect the error.
    pub readagain_bytes: Vec<u8>,
}

impl ErrorInfo {
    /// The message of the exception; `source` and `destination` are those of the whole conversion, `path` has the
    /// destination of each step.
    pub fn message(&self, source: &str, destination: &str, path: &[&str]) -> String {
        let shown = |bytes: &[u8]| {
            let mut out = Vec::new();
            dump(EncodingId::BINARY, bytes, &mut out);
            memory::lossy_text(&out)
        };
        let bytes = || shown(&self.error_bytes);
        match self.kind {
            ErrorKind::IncompleteInput => format!("incomplete {} on {}", bytes(), self.source),
            ErrorKind::InvalidByteSequence if self.readagain_bytes.is_empty() => {
                format!("{} on {}", bytes(), self.source)
            }
            ErrorKind::InvalidByteSequence => {
                format!("{} followed by {} on {}", bytes(), shown(&self.readagain_bytes), self.source)
            }
            ErrorKind::UndefinedConversion => {
                let char = match codepoint(EncodingId::UTF_8, &self.error_bytes) {
                    Some((code, _)) if self.source == "UTF-8" => format!("U+{code:04X}"),
                    _ => bytes(),
                };
                if self.source == source && self.destination == destination {
                    return format!("{char} from {source} to {destination}");
                }
                let mut text = format!("{char} to {} in conversion from {source}", self.destination);
                for name in path {
                    text.push_str(" to ");
                    text.push_str(name);
                }
                text
            }
        }
    }
}

/// Encoding::ConverterNotFoundError "code converter not found (%s)".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConverterNotFound {
    /// The text in the brackets.
    pub description: Vec<u8>,
}

impl ConverterNotFound {
    /// The error for the names as the program gave them, either of which may be empty, and for decorators.
    pub fn new(source: &[u8], destination: &[u8], decorators: &[Decorator]) -> ConverterNotFound {
        let mut description = match (source, destination) {
            (b"", name) | (name, b"") => name.to_vector(),
            _ => [source, b" to ", destination].concat(),
        };
        use Decorator::*;
        let known = [
            (UniversalNewline, "universal_newline"),
            (CrLfNewline, "crlf_newline"),
            (CrNewline, "cr_newline"),
            (LfNewline, "lf_newline"),
            (XmlText, "xml_text"),
            (XmlAttributeContent, "xml_attr_content"),
            (XmlAttributeQuote, "xml_attr_quote"),
            (Ampersand, "amp_escape"),
        ];
        let names = known.iter().filter(|(decorator, _)| decorators.contains(decorator));
        let names = names.map(|(_, name)| *name).collect::<Vec<_>>().join(",");
        if !names.is_empty() {
            if !description.is_empty() {
                description.append_slice(b" with ");
            }
            description.append_slice(names.as_bytes());
        }
        if description.is_empty() {
            description.append_slice(b"no-conversion");
        }
        ConverterNotFound { description }
    }
}
