//! Inserting text into the output of a conversion: replacements, references, `insert_output`.

use super::converter::{Converter, Limits, Outcome, PathElement};
use super::error::{ErrorInfo, ErrorKind};
use super::graph::is_encoder;
use super::options::Options;
use crate::encoding::{self, EncodingId, codepoint};
use memory::{Grow, ToVector};

impl Converter {
    /// The encoding in which text can be inserted into the output; `None` for any.
    pub fn insert_encoding(&self) -> Option<EncodingId> {
        self.steps.iter().rev().find_map(|step| match step.element {
            PathElement::Convert(from, to) if is_encoder(from, to) => Some(from),
            PathElement::Convert(_, to) => Some(to),
            PathElement::Decorate(_) => None,
        })
    }

    /// `insert_output`: inserts text at this point; an error if it cannot be converted.
    pub fn insert_output(&mut self, bytes: &[u8], encoding: Option<EncodingId>) -> Result<(), ErrorInfo> {
        let bytes = self.for_insertion(bytes, encoding)?;
        match self.steps.last_mut() {
            Some(last) if last.is_encoder() => {
                last.queue.splice(last.at..last.at, bytes);
            }
            _ => self.ready.append_from(bytes),
        }
        Ok(())
    }

    fn for_insertion(&self, bytes: &[u8], encoding: Option<EncodingId>) -> Result<Vec<u8>, ErrorInfo> {
        match (encoding, self.insert_encoding()) {
            (Some(from), Some(to)) if from != to => convert_plainly(bytes, from, to),
            _ => Ok(bytes.to_vector()),
        }
    }

    /// `replacement`: the replacement for characters that cannot be converted, and its encoding.
    pub fn replacement(&self) -> (Vec<u8>, EncodingId) {
        match &self.replacement {
            Some((bytes, encoding)) => (bytes.clone(), encoding.unwrap_or(EncodingId::BINARY)),
            None if self.insert_encoding() == Some(EncodingId::UTF_8) => ("\u{FFFD}".into(), EncodingId::UTF_8),
            None => (b"?".to_vector(), EncodingId::US_ASCII),
        }
    }

    /// `replacement=`; an error if it cannot be converted itself.
    pub fn set_replacement(&mut self, bytes: &[u8], encoding: EncodingId) -> Result<(), ErrorInfo> {
        let bytes = self.for_insertion(bytes, Some(encoding))?;
        self.replacement = Some((bytes, self.insert_encoding().or(Some(encoding))));
        Ok(())
    }

    pub(super) fn insert_replacement(&mut self) -> bool {
        let (bytes, encoding) = self.replacement();
        self.insert_output(&bytes, Some(encoding)).is_ok()
    }

    pub(super) fn insert_hex_reference(&mut self) -> bool {
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

/// Converts without any options.
fn convert_plainly(bytes: &[u8], source: EncodingId, destination: EncodingId) -> Result<Vec<u8>, ErrorInfo> {
    let failed = || ErrorInfo {
        kind: ErrorKind::UndefinedConversion,
        source: source.name(),
        destination: destination.name(),
        error_bytes: bytes.to_vector(),
        readagain_bytes: Vec::new(),
    };
    let ascii = source.is_ascii_compatible() && destination.is_ascii_compatible();
    if ascii && bytes.is_ascii() {
        return Ok(bytes.to_vector());
    }
    let mut converter = Converter::between(Some((source, destination)), &Options::default()).map_err(|_| failed())?;
    memory::expect_work(bytes.len());
    let (mut rest, mut out) = (bytes, Vec::new());
    match converter.convert(&mut rest, &mut out, Limits::default()) {
        Outcome::Finished => Ok(out),
        _ => Err(converter.last_error.take().unwrap_or_else(failed)),
    }
}
