//! String#encode: converting a whole string.

use super::converter::{Converter, Limits, Outcome};
use super::direct;
use super::error::{ConverterNotFound, ErrorInfo, ErrorKind};
use super::options::Options;
use crate::encoding::EncodingId;
use crate::scan::{CodeRange, default_replacement, scrub};

/// The reason why a string could not be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError<E> {
    /// No conversion between the encodings exists.
    NotFound(ConverterNotFound),
    /// A character cannot be converted; with the message of the exception.
    Conversion(ErrorInfo, String),
    /// ArgumentError "too big fallback string": the fallback's result cannot be converted either.
    BadFallback,
    /// The fallback failed.
    Fallback(E),
}

/// The fallback, which receives a character that the destination lacks and its encoding, and returns the replacement
/// and its encoding, or nothing.
pub type Fallback<'a, E> = &'a mut dyn FnMut(&[u8], EncodingId) -> Result<Option<(Vec<u8>, EncodingId)>, E>;

/// `String#encode` between two known encodings. `None` if the bytes do not change (but only the encoding).
/// `Options::replace_invalid` repairs strings that are not converted, too.
pub fn encode<E>(
    source: EncodingId,
    destination: EncodingId,
    bytes: &[u8],
    range: CodeRange,
    options: &Options,
    fallback: Option<Fallback<'_, E>>,
) -> Result<Option<Vec<u8>>, EncodeError<E>> {
    let (mut from, mut text) = (source, std::borrow::Cow::Borrowed(bytes));
    if options.decorators.is_empty() {
        if source == destination {
            if !options.replace_invalid {
                return Ok(None);
            }
            let replacement = match &options.replacement {
                Some((bytes, _)) => bytes,
                None => default_replacement(source),
            };
            return Ok(scrub(source, bytes, replacement));
        }
        let ascii = source.is_ascii_compatible() && destination.is_ascii_compatible();
        if ascii && range == CodeRange::SevenBit {
            return Ok(None);
        }
        if let Some(converted) = direct::convert(source, destination, bytes) {
            return Ok(Some(converted));
        }
    } else if !source.is_ascii_compatible() && !destination.is_ascii_compatible() {
        // Decorators operate on ASCII.
        let none = None::<Fallback<'_, E>>;
        from = EncodingId::UTF_8;
        // If there is no such conversion, Ruby treats the text as UTF-8.
        if let Ok(plain) = convert(Some((source, from)), bytes, &Options::default(), none) {
            text = plain.into();
        }
    }
    let ends = (from != destination).then_some((from, destination));
    convert(ends, &text, options, fallback).map(Some)
}

/// Converts between any two encodings; without them, only decorates.
pub fn convert<E>(
    ends: Option<(EncodingId, EncodingId)>,
    bytes: &[u8],
    options: &Options,
    mut fallback: Option<Fallback<'_, E>>,
) -> Result<Vec<u8>, EncodeError<E>> {
    let mut converter = Converter::between(ends, options).map_err(EncodeError::NotFound)?;
    memory::expect_work(bytes.len());
    let mut out = memory::with_capacity(bytes.len() + bytes.len() / 8);
    let mut rest = bytes;
    loop {
        let outcome = converter.convert(&mut rest, &mut out, Limits::default());
        let Outcome::Error(kind) = outcome else { return Ok(out) };
        let Some(error) = converter.last_error().cloned() else { return Ok(out) };
        if kind == ErrorKind::UndefinedConversion
            && let Some(call) = &mut fallback
        {
            let encoding = crate::encoding::find(error.source.as_bytes()).unwrap_or(EncodingId::BINARY);
            let given = call(&error.error_bytes, encoding).map_err(EncodeError::Fallback)?;
            if let Some((bytes, encoding)) = given {
                converter.insert_output(&bytes, Some(encoding)).map_err(|_| EncodeError::BadFallback)?;
                continue;
            }
        }
        let message = converter.error_message().unwrap_or_default();
        return Err(EncodeError::Conversion(error, message));
    }
}
