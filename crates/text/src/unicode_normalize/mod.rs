//! NFC, NFD, NFKC and NFKD.

use memory::Grow;
use unicode_normalization::{
    IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfd_quick, is_nfkc_quick, is_nfkd_quick,
};

use crate::encoding::{EncodingId, codepoint, encode_codepoint};
use crate::scan::chars;

/// A normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Form {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

/// Why a string cannot be normalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalizeError {
    /// ArgumentError "invalid byte sequence in %s".
    InvalidByteSequence,
    /// Encoding::CompatibilityError "Unicode Normalization not appropriate for %s".
    NotUnicode,
}

impl Form {
    /// The form with that name (`:nfc`…); else ArgumentError "Invalid normalization form %s.".
    pub fn from_name(name: &str) -> Option<Form> {
        Some(match name {
            "nfc" => Form::Nfc,
            "nfd" => Form::Nfd,
            "nfkc" => Form::Nfkc,
            "nfkd" => Form::Nfkd,
            _ => return None,
        })
    }

    fn apply(self, text: &str) -> String {
        match self {
            Form::Nfc => memory::collect_text(text.nfc()),
            Form::Nfd => memory::collect_text(text.nfd()),
            Form::Nfkc => memory::collect_text(text.nfkc()),
            Form::Nfkd => memory::collect_text(text.nfkd()),
        }
    }

    fn quick(self, text: &str) -> IsNormalized {
        match self {
            Form::Nfc => is_nfc_quick(text.chars()),
            Form::Nfd => is_nfd_quick(text.chars()),
            Form::Nfkc => is_nfkc_quick(text.chars()),
            Form::Nfkd => is_nfkd_quick(text.chars()),
        }
    }
}

/// The room for a copy and the result, whose buffer may double.
const GROWTH: usize = 4;

/// `String#unicode_normalize` in a Unicode encoding. (US-ASCII text is already normal. So is all of ISO-8859-1 for NFC;
/// the caller transcodes it for the other forms, like all encodings that can be converted to Unicode.)
pub fn normalize(encoding: EncodingId, bytes: &[u8], form: Form) -> Result<Vec<u8>, NormalizeError> {
    memory::expect(bytes.len().saturating_mul(GROWTH));
    let text = decode(encoding, bytes)?;
    if form.quick(&text) == IsNormalized::Yes {
        return Ok(memory::copy(bytes));
    }
    let normal = form.apply(&text);
    if encoding.is_utf8() {
        return Ok(normal.into_bytes());
    }
    let mut out = memory::with_capacity(bytes.len());
    for char in normal.chars() {
        encode_codepoint(encoding, u32::from(char), &mut out).map_err(|_| NormalizeError::NotUnicode)?;
    }
    Ok(out)
}

/// `String#unicode_normalized?`.
pub fn is_normalized(encoding: EncodingId, bytes: &[u8], form: Form) -> Result<bool, NormalizeError> {
    let text = decode(encoding, bytes)?;
    Ok(match form.quick(&text) {
        IsNormalized::Yes => true,
        IsNormalized::No => false,
        IsNormalized::Maybe => form.apply(&text) == text,
    })
}

fn decode(encoding: EncodingId, bytes: &[u8]) -> Result<String, NormalizeError> {
    if encoding.is_utf8() || encoding == EncodingId::US_ASCII {
        let text = std::str::from_utf8(bytes).map_err(|_| NormalizeError::InvalidByteSequence)?;
        return Ok(memory::copy_text(text));
    }
    if !encoding.is_unicode() {
        return Err(NormalizeError::NotUnicode);
    }
    let mut text = String::new();
    for char in chars(encoding, bytes) {
        let code = codepoint(encoding, char).and_then(|(code, _)| char::from_u32(code));
        text.append_one(code.ok_or(NormalizeError::InvalidByteSequence)?);
    }
    Ok(text)
}
