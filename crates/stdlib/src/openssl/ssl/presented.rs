//! Signatures by the key in a certificate that the TLS library does not read, such as one of X.509 version 1.

use rustls::{
    CertificateError, DigitallySignedStruct, Error,
    client::danger::HandshakeSignatureValid,
    crypto::{WebPkiSupportedAlgorithms, verify_tls13_signature_with_raw_key},
    pki_types::{CertificateDer, SubjectPublicKeyInfoDer},
};

const SEQUENCE: u8 = 0x30;
const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const VERSION: u8 = 0xa0;

/// Checks the signature of a handshake of TLS 1.3.
///
/// # Errors
/// A certificate without a key, or a signature that is not by it.
pub fn verify_tls13(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
    algorithms: &WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    let key = key_of(certificate).ok_or(CertificateError::BadEncoding)?;
    verify_tls13_signature_with_raw_key(message, &SubjectPublicKeyInfoDer::from(key), signed, algorithms)
}

/// Checks the signature of a handshake before TLS 1.3, by the first algorithm of its scheme that fits the key.
///
/// # Errors
/// A certificate without a key, an unknown scheme, or a signature that is not by the key.
pub fn verify_tls12(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
    algorithms: &WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    let (identifier, key) = key_of(certificate).and_then(parts).ok_or(CertificateError::BadEncoding)?;
    let of_scheme = algorithms.mapping.iter().find(|(scheme, _)| *scheme == signed.scheme).map(|(_, list)| *list);
    let fitting = of_scheme.unwrap_or_default().iter().find(|one| one.public_key_alg_id().as_ref() == identifier);
    let algorithm = fitting.ok_or(CertificateError::BadSignature)?;
    match algorithm.verify_signature(key, message, signed.signature()) {
        Ok(()) => Ok(HandshakeSignatureValid::assertion()),
        Err(_) => Err(CertificateError::BadSignature.into()),
    }
}

/// The public key of a certificate with its algorithm, both in DER.
fn key_of(certificate: &[u8]) -> Option<&[u8]> {
    let (_, signed, _) = element(certificate, SEQUENCE)?;
    let (_, mut fields, _) = element(signed, SEQUENCE)?;
    if let Some((_, _, rest)) = element(fields, VERSION) {
        fields = rest;
    }
    // The serial number; then the signature's algorithm, the issuer, the validity and the subject.
    for tag in [INTEGER, SEQUENCE, SEQUENCE, SEQUENCE, SEQUENCE] {
        fields = element(fields, tag)?.2;
    }
    element(fields, SEQUENCE).map(|(whole, ..)| whole)
}

/// The content of the identifier of a key's algorithm, and the bytes of the key.
fn parts(key: &[u8]) -> Option<(&[u8], &[u8])> {
    let (_, fields, _) = element(key, SEQUENCE)?;
    let (_, identifier, rest) = element(fields, SEQUENCE)?;
    let (_, bits, _) = element(rest, BIT_STRING)?;
    match bits {
        [0, bytes @ ..] => Some((identifier, bytes)),
        _ => None,
    }
}

/// The first element of some DER, if it has this tag: the whole element, its content, and what follows.
fn element(der: &[u8], tag: u8) -> Option<(&[u8], &[u8], &[u8])> {
    let (&first, rest) = der.split_first()?;
    let (&length, rest) = rest.split_first()?;
    let (length, rest) = match length {
        0..=0x7f => (length as usize, rest),
        0x81..=0x84 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(length - 0x80))?;
            (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    (first == tag).then(|| (&der[..der.len() - rest.len()], content, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate with one byte per field but the key.
    const CERTIFICATE: &[u8] = b"\x30\x1b\x30\x19\x02\x01\x05\x30\x00\x30\x00\x30\x00\x30\x00\x30\x0c\
        \x30\x05\x06\x01\x2a\x05\x00\x03\x03\x00\xab\xcd";

    #[test]
    fn finds_the_key_with_and_without_a_version() {
        let expected = Some((&b"\x06\x01\x2a\x05\x00"[..], &b"\xab\xcd"[..]));
        assert_eq!(key_of(CERTIFICATE).and_then(parts), expected);
        let mut versioned = CERTIFICATE.to_vec();
        versioned.splice(4..4, *b"\xa0\x03\x02\x01\x02");
        versioned[1] += 5;
        versioned[3] += 5;
        assert_eq!(key_of(&versioned).and_then(parts), expected);
    }

    #[test]
    fn finds_no_key_in_anything_shorter() {
        for length in 0..CERTIFICATE.len() {
            assert_eq!(key_of(&CERTIFICATE[..length]), None, "{length}");
        }
    }
}
