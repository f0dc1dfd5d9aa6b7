//! OpenSSL, on crates in Rust. Children: `algorithms` (the digests by name), `digest` (Digest, HMAC), `kdf` (key
//! derivation, random bytes), `cipher`, `asn1`, `pkey`, `ssl`; X.509 is in Ruby.

mod algorithms;
mod asn1;
mod cipher;
mod digest;
mod kdf;
mod pkey;
mod ssl;

use object::Known;
use runtime::{Cx, Method, R, Unwind, Value, convert, define, internal, library, make, ruby_half};
use text::EncodingId;

/// Loads Ruby halves, one after another.
macro_rules! load {
    ($cx:expr, $($half:literal),* $(,)?) => {
        $(internal::load($cx, ruby_half!($half))?;)*
    };
}

/// Classes and modules of OpenSSL, their methods and singleton methods.
const METHODS: &[(&str, &[Method], &[Method])] = &[
    ("Digest", digest::METHODS, digest::SINGLETON),
    ("HMAC", digest::HMAC, digest::HMAC_SINGLETON),
    ("Cipher", cipher::METHODS, cipher::SINGLETON),
    ("KDF", &[], kdf::METHODS),
    ("Random", &[], kdf::RANDOM),
    ("ASN1", &[], asn1::METHODS),
    ("PKey", &[], pkey::METHODS),
    ("SSL", &[], ssl::METHODS),
];

/// `openssl.so`
pub fn define(cx: &mut Cx) -> R<()> {
    crate::require(cx, "digest")?;
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "OpenSSL")?;
    define::define_singleton_methods(cx, module, kdf::MODULE);
    load!(
        cx, "openssl/openssl", "openssl/bn", "openssl/config", "openssl/asn1/classes", "openssl/pkey/pkey",
        "openssl/ssl/ssl"
    );
    for (name, methods, singleton) in METHODS {
        let class = library::loaded(cx, &["OpenSSL", name])?;
        define::define_methods(cx, class, methods);
        define::define_singleton_methods(cx, class, singleton);
    }
    load!(
        cx,
        "openssl/asn1/encode",
        "openssl/asn1/decode",
        "openssl/pkey/form",
        "openssl/pkey/rsa",
        "openssl/pkey/ec",
        "openssl/pkey/group",
        "openssl/pkey/finite",
        "openssl/x509/codes",
        "openssl/x509/name",
        "openssl/x509/extension",
        "openssl/x509/factory",
        "openssl/x509/certificate",
        "openssl/x509/request",
        "openssl/x509/crl",
        "openssl/x509/store",
        "openssl/x509/context",
        "openssl/pkcs12",
        "openssl/pkcs7/infos",
        "openssl/pkcs7/pkcs7",
        "openssl/ocsp/request",
        "openssl/ocsp/response",
        "openssl/timestamp/request",
        "openssl/timestamp/response",
        "openssl/hidden",
        "openssl/absent",
        "openssl/ssl/context",
        "openssl/ssl/socket",
        "openssl/ssl/session",
    );
    Ok(())
}

/// An error of OpenSSL's.
fn fail(cx: &mut Cx, class: &str, message: &str) -> Unwind {
    let message = make::text(cx, message);
    library::raise(cx, &["OpenSSL", class], &[message])
}

/// An error of a class or module of OpenSSL's.
fn fail_in(cx: &mut Cx, scope: &str, class: &str, message: &str) -> Unwind {
    let message = make::text(cx, message);
    library::raise(cx, &["OpenSSL", scope, class], &[message])
}

fn binary(cx: &mut Cx, bytes: &[u8]) -> Value {
    make::string(cx, bytes, EncodingId::BINARY)
}

/// A name: text without null bytes.
fn c_text(cx: &mut Cx, v: Value) -> R<String> {
    let string = convert::to_str(cx, v)?;
    let bytes = string.bytes(cx);
    if bytes.contains(&0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    Ok(memory::lossy_text(bytes))
}
