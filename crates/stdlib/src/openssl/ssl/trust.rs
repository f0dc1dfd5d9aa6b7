//! Certificates in the handshake: this module checks that a signature fits the presented certificate. Whether the
//! certificate is trusted is decided in Ruby, which has the stores, callbacks and names, before anything is sent that
//! the certificate protects.

use memory::ToVector;
use std::sync::{Arc, Mutex, PoisonError};

use rustls::{
    CertificateError, CipherSuite, DigitallySignedStruct, DistinguishedName, Error, SignatureAlgorithm,
    SignatureScheme,
    client::{
        ResolvesClientCert,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::{
        ClientHello, ResolvesServerCert,
        danger::{ClientCertVerified, ClientCertVerifier},
    },
    sign::CertifiedKey,
};

use super::presented;

/// Checks signatures alone.
#[derive(Debug)]
pub struct Signatures {
    pub provider: Arc<CryptoProvider>,
    /// See [`super::settings::Settings::asking`].
    pub asking: i64,
    pub authorities: Vec<DistinguishedName>,
}

impl ServerCertVerifier for Signatures {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        match verify_tls12_signature(message, certificate, signed, algorithms) {
            Err(error) if is_unread(&error) => presented::verify_tls12(message, certificate, signed, algorithms),
            result => result,
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        match verify_tls13_signature(message, certificate, signed, algorithms) {
            Err(error) if is_unread(&error) => presented::verify_tls13(message, certificate, signed, algorithms),
            result => result,
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

impl ClientCertVerifier for Signatures {
    fn offer_client_auth(&self) -> bool {
        self.asking > 0
    }

    fn client_auth_mandatory(&self) -> bool {
        self.asking > 1
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.authorities
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ServerCertVerifier::verify_tls12_signature(self, message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ServerCertVerifier::verify_tls13_signature(self, message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ServerCertVerifier::supported_verify_schemes(self)
    }
}

/// Whether an error is about the certificate itself rather than about the signature.
fn is_unread(error: &Error) -> bool {
    match error {
        Error::InvalidCertificate(CertificateError::BadSignature) => false,
        Error::InvalidCertificate(reason) => !matches!(
            reason,
            CertificateError::UnsupportedSignatureAlgorithmContext { .. }
                | CertificateError::UnsupportedSignatureAlgorithmForPublicKeyContext { .. }
        ),
        _ => false,
    }
}

/// The first key whose signature schemes the peer supports.
#[derive(Debug)]
pub struct Keys {
    keys: Vec<Arc<CertifiedKey>>,
    authorities: Authorities,
}

/// The names of the authorities whose certificates a server requests.
pub type Authorities = Arc<Mutex<Vec<Vec<u8>>>>;

impl Keys {
    pub fn new(keys: Vec<Arc<CertifiedKey>>, authorities: Authorities) -> Keys {
        Keys { keys, authorities }
    }

    fn fitting(&self, schemes: &[SignatureScheme], suites: Option<&[CipherSuite]>) -> Option<Arc<CertifiedKey>> {
        let fits = |key: &&Arc<CertifiedKey>| {
            key.key.choose_scheme(schemes).is_some() && suites.is_none_or(|suites| has_suite(key, suites))
        };
        self.keys.iter().find(fits).cloned()
    }
}

/// Before TLS 1.3 a cipher suite also determines the kind of the key.
fn has_suite(key: &CertifiedKey, suites: &[CipherSuite]) -> bool {
    let of_rsa = key.key.algorithm() == SignatureAlgorithm::RSA;
    suites.iter().any(|suite| match u16::from(*suite) {
        0x1301..=0x1303 => true,
        0xc02f | 0xc030 | 0xcca8 => of_rsa,
        0xc02b | 0xc02c | 0xcca9 => !of_rsa,
        _ => false,
    })
}

impl ResolvesServerCert for Keys {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.fitting(hello.signature_schemes(), Some(hello.cipher_suites()))
    }
}

impl ResolvesClientCert for Keys {
    fn resolve(&self, authorities: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let mut stored = self.authorities.lock().unwrap_or_else(PoisonError::into_inner);
        *stored = authorities.iter().map(|name| name.to_vector()).collect();
        self.fitting(schemes, None)
    }

    /// Returns true even without certificates, so that the resolver is called and receives the server's request.
    fn has_certs(&self) -> bool {
        true
    }
}
