//! Signatures of whole messages with keys of the usual kinds, by the crate `ring`: several times as fast as the crates
//! that sign digests, which do the rest. Each function tells when `ring` does not cover a case; then they are asked.

use heap::Trace;
use memory::ToVector;
use object::{
    Known,
    native::{self, NativeData},
};
use ring::{
    rand::SystemRandom,
    rsa::{KeyPairComponents, PublicKeyComponents},
    signature::{
        self, ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1,
        ECDSA_P384_SHA384_ASN1_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm, RsaEncoding, RsaKeyPair, RsaParameters,
        UnparsedPublicKey, VerificationAlgorithm,
    },
};
use runtime::{Args, Cx, R, Value, concurrency::thread::blocking};

use super::{bytes, optional, text};

/// A private key of `ring`.
#[derive(Trace)]
struct Signer(#[trace(skip)] Private);

enum Private {
    Rsa(RsaKeyPair),
    Curve(EcdsaKeyPair),
}

impl NativeData for Signer {
    object::one_vtable!(Signer);
}

fn keep(cx: &mut Cx, key: Option<Private>) -> Value {
    let Some(key) = key else { return Value::FALSE };
    let class = cx.class(Known::Object);
    native::new(cx, class, Box::new(Signer(key)))
}

/// `__rsa_signer(n, e, d, p, q, dmp1, dmq1, iqmp) → signer or false`: the key of these numbers; false if `ring` does
/// not use such a key: it needs 2048 to 4096 bits and an exponent from 65537 on.
pub fn rsa_signer(cx: &mut Cx, args: Args) -> R {
    let mut parts = Vec::new();
    for i in 0..8 {
        parts.push(bytes(cx, args, i)?);
    }
    let [n, e, d, p, q, dmp1, dmq1, iqmp] = parts.as_slice() else { return Ok(Value::FALSE) };
    let public_key = PublicKeyComponents { n, e };
    let key = KeyPairComponents { public_key, d, p, q, dP: dmp1, dQ: dmq1, qInv: iqmp };
    let key = RsaKeyPair::from_components(&key).ok().map(Private::Rsa);
    Ok(keep(cx, key))
}

/// `__ec_signer(curve, scalar, point) → signer or false`: a private key; false for another curve than P-256 and P-384,
/// or if the numbers do not fit each other.
pub fn ec_signer(cx: &mut Cx, args: Args) -> R {
    let (curve, scalar, point) = (text(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    let algorithm: &EcdsaSigningAlgorithm = match curve.as_str() {
        "prime256v1" => &ECDSA_P256_SHA256_ASN1_SIGNING,
        "secp384r1" => &ECDSA_P384_SHA384_ASN1_SIGNING,
        _ => return Ok(Value::FALSE),
    };
    let key = EcdsaKeyPair::from_private_key_and_public_key(algorithm, &scalar, &point, &SystemRandom::new());
    Ok(keep(cx, key.ok().map(Private::Curve)))
}

/// `__sign_message(signer, padding, digest, message) → string or nil`: the signature of a message; nil for another
/// digest. Elliptic curves have no padding, and one digest each.
pub fn sign(cx: &mut Cx, args: Args) -> R {
    let (padding, digest, message) = (text(cx, args, 1)?, text(cx, args, 2)?, bytes(cx, args, 3)?);
    let Some(Signer(key)) = native::get::<Signer>(args.at_ref(0)) else { return Ok(Value::NIL) };
    let done = match key {
        Private::Rsa(key) => match encoding(&padding, &digest) {
            Some(encoding) => blocking(cx, || sign_rsa(key, encoding, &message)),
            None => None,
        },
        Private::Curve(key) => key.sign(&SystemRandom::new(), &message).ok().map(|made| made.as_ref().to_vector()),
    };
    optional(cx, done)
}

fn sign_rsa(key: &RsaKeyPair, encoding: &'static dyn RsaEncoding, message: &[u8]) -> Option<Vec<u8>> {
    let mut made = memory::filled(0, key.public().modulus_len());
    key.sign(encoding, &SystemRandom::new(), message, &mut made).ok()?;
    Some(made)
}

fn encoding(padding: &str, digest: &str) -> Option<&'static dyn RsaEncoding> {
    Some(match (padding, digest) {
        ("pkcs1", "SHA256") => &signature::RSA_PKCS1_SHA256,
        ("pkcs1", "SHA384") => &signature::RSA_PKCS1_SHA384,
        ("pkcs1", "SHA512") => &signature::RSA_PKCS1_SHA512,
        ("pss", "SHA256") => &signature::RSA_PSS_SHA256,
        ("pss", "SHA384") => &signature::RSA_PSS_SHA384,
        ("pss", "SHA512") => &signature::RSA_PSS_SHA512,
        _ => return None,
    })
}

/// `__rsa_accepts?(n, e, padding, digest, message, signature) → true or false`: whether a signature is valid; false
/// also for keys and digests that `ring` does not cover.
pub fn rsa_accepts(cx: &mut Cx, args: Args) -> R {
    let (n, e) = (bytes(cx, args, 0)?, bytes(cx, args, 1)?);
    let (padding, digest) = (text(cx, args, 2)?, text(cx, args, 3)?);
    let (message, signature) = (bytes(cx, args, 4)?, bytes(cx, args, 5)?);
    let parameters: &RsaParameters = match (padding.as_str(), digest.as_str()) {
        ("pkcs1", "SHA1") => &signature::RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY,
        ("pkcs1", "SHA256") => &signature::RSA_PKCS1_2048_8192_SHA256,
        ("pkcs1", "SHA384") => &signature::RSA_PKCS1_2048_8192_SHA384,
        ("pkcs1", "SHA512") => &signature::RSA_PKCS1_2048_8192_SHA512,
        ("pss", "SHA256") => &signature::RSA_PSS_2048_8192_SHA256,
        ("pss", "SHA384") => &signature::RSA_PSS_2048_8192_SHA384,
        ("pss", "SHA512") => &signature::RSA_PSS_2048_8192_SHA512,
        _ => return Ok(Value::FALSE),
    };
    let key = PublicKeyComponents { n, e };
    Ok(Value::bool(key.verify(parameters, &message, &signature).is_ok()))
}

/// `__ec_accepts?(curve, digest, point, message, signature) → true or false`: whether a signature in DER is valid;
/// false also for other curves and digests than P-256 with SHA-256 and P-384 with SHA-384.
pub fn ec_accepts(cx: &mut Cx, args: Args) -> R {
    let (curve, digest, point) = (text(cx, args, 0)?, text(cx, args, 1)?, bytes(cx, args, 2)?);
    let (message, signature) = (bytes(cx, args, 3)?, bytes(cx, args, 4)?);
    let algorithm: &dyn VerificationAlgorithm = match (curve.as_str(), digest.as_str()) {
        ("prime256v1", "SHA256") => &ECDSA_P256_SHA256_ASN1,
        ("secp384r1", "SHA384") => &ECDSA_P384_SHA384_ASN1,
        _ => return Ok(Value::FALSE),
    };
    Ok(Value::bool(UnparsedPublicKey::new(algorithm, point).verify(&message, &signature).is_ok()))
}
