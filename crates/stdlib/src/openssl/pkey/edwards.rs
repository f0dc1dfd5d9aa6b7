//! Ed25519 and X25519.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use memory::ToVector;
use runtime::{Args, Cx, R, Value};

use super::{bytes, optional};

fn key(cx: &mut Cx, args: Args, i: usize) -> R<Option<[u8; 32]>> {
    Ok(bytes(cx, args, i)?.try_into().ok())
}

/// `__ed25519_public(seed) → string or nil`: the public key of a seed; nil unless the seed has 32 bytes. RFC 8032.
pub fn public(cx: &mut Cx, args: Args) -> R {
    let seed = key(cx, args, 0)?;
    optional(cx, seed.map(|seed| SigningKey::from_bytes(&seed).verifying_key().to_bytes().to_vector()))
}

/// `__ed25519_sign(seed, message) → string or nil`: the signature of a message; nil unless the seed has 32 bytes. RFC
/// 8032.
pub fn sign(cx: &mut Cx, args: Args) -> R {
    let (seed, message) = (key(cx, args, 0)?, bytes(cx, args, 1)?);
    optional(cx, seed.map(|seed| SigningKey::from_bytes(&seed).sign(&message).to_bytes().to_vector()))
}

/// `__ed25519_verify(key, message, signature) → true or false`: whether the signature of the message is valid for the
/// public key; also false for malformed ones. RFC 8032.
pub fn verify(cx: &mut Cx, args: Args) -> R {
    let (key, message, signature) = (key(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    let genuine = key.is_some_and(|key| {
        let (Ok(key), Ok(signature)) = (VerifyingKey::from_bytes(&key), Signature::from_slice(&signature)) else {
            return false;
        };
        key.verify(&message, &signature).is_ok()
    });
    Ok(Value::bool(genuine))
}

/// `__x25519(scalar, point) → string or nil`: the point times the scalar, the base point if it is nil; nil if the
/// result is zero. RFC 7748.
pub fn x25519(cx: &mut Cx, args: Args) -> R {
    let scalar = key(cx, args, 0)?;
    let point = if args.at(1).is_nil() { Some(x25519_dalek::X25519_BASEPOINT_BYTES) } else { key(cx, args, 1)? };
    let (Some(scalar), Some(point)) = (scalar, point) else { return Ok(Value::NIL) };
    let shared = x25519_dalek::x25519(scalar, point);
    optional(cx, (shared != [0; 32]).then(|| shared.to_vector()))
}
