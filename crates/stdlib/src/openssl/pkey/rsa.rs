//! RSA, with the crate `rsa`: private operations are blinded and checked.

use crypto_bigint::BoxedUint;
use getrandom::SysRng;
use heap::Trace;
use memory::Grow;
use object::{
    Known,
    native::{self, NativeData},
};
use rsa::{
    Oaep, Pkcs1v15Encrypt, RsaPrivateKey, RsaPublicKey, hazmat,
    rand_core::UnwrapErr,
    traits::{PaddingScheme, PrivateKeyParts, PublicKeyParts},
};
use runtime::{Args, Cx, R, Value, concurrency::thread::blocking, convert, make};

use super::{bytes, optional, text};
use crate::openssl::binary;

/// A private key with its precomputed values.
#[derive(Trace)]
struct Key(#[trace(skip)] RsaPrivateKey);

impl NativeData for Key {
    object::one_vtable!(Key);
}

fn number(bytes: &[u8]) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(bytes)
}

fn digits(number: &BoxedUint) -> Box<[u8]> {
    number.to_be_bytes_trimmed_vartime()
}

/// The number in as many bytes as the modulus has.
fn filled(number: &BoxedUint, size: usize) -> Option<Vec<u8>> {
    let digits = digits(number);
    let zeros = size.checked_sub(digits.len())?;
    let mut out = memory::filled(0, zeros);
    out.append_slice(&digits);
    Some(out)
}

/// `__rsa_generate(bits, exponent) → [n, e, d, p, q] or nil`: a new random key; nil if there is none of this size and
/// exponent.
pub fn generate(cx: &mut Cx, args: Args) -> R {
    let bits = convert::to_i64(cx, args.at(0))?;
    let exponent = number(&bytes(cx, args, 1)?);
    let Ok(bits @ 512..=16384) = usize::try_from(bits) else { return Ok(Value::NIL) };
    let made = blocking(cx, || RsaPrivateKey::new_with_exp_unchecked(&mut UnwrapErr(SysRng), bits, exponent));
    let Ok(key) = made else { return Ok(Value::NIL) };
    let [p, q] = key.primes() else { return Ok(Value::NIL) };
    let numbers = make::array(cx, &[]);
    for part in [key.n().as_ref(), key.e(), key.d(), p, q] {
        let part = binary(cx, &digits(part));
        make::push(cx, numbers, part);
    }
    Ok(numbers)
}

/// `__rsa_key(n, e, d, p, q) → key or nil`: the key of these numbers; nil if they are inconsistent. Missing primes are
/// computed from the exponents.
pub fn key(cx: &mut Cx, args: Args) -> R {
    let mut parts = Vec::new();
    for i in 0..5 {
        parts.push(if args.at(i).is_nil() { None } else { Some(number(&bytes(cx, args, i)?)) });
    }
    let (Some(n), Some(e), Some(d)) = (parts[0].take(), parts[1].take(), parts[2].take()) else {
        return Ok(Value::NIL);
    };
    let primes: Vec<BoxedUint> = parts.into_iter().flatten().collect();
    match RsaPrivateKey::from_components_with_large_exponent(n, e, d, primes) {
        Ok(key) => {
            let class = cx.class(Known::Object);
            Ok(native::new(cx, class, Box::new(Key(key))))
        }
        Err(_) => Ok(Value::NIL),
    }
}

/// `__rsa_private(key, input) → string or nil`: the number to the power of the private exponent, without padding; nil
/// if it is not below the modulus. RFC 8017.
pub fn private(cx: &mut Cx, args: Args) -> R {
    let input = bytes(cx, args, 1)?;
    let Some(Key(key)) = native::get::<Key>(args.at_ref(0)) else { return Ok(Value::NIL) };
    let done = blocking(cx, || {
        let input = BoxedUint::from_be_slice(&input, key.n_bits_precision()).ok()?;
        let output = hazmat::rsa_decrypt_and_check(key, Some(&mut SysRng), &input).ok()?;
        filled(&output, key.size())
    });
    optional(cx, done)
}

/// `__rsa_public(n, e, input) → string or nil`: the number to the power of the public exponent, without padding; nil if
/// it is not below the modulus. RFC 8017.
pub fn public(cx: &mut Cx, args: Args) -> R {
    let (n, e, input) = (bytes(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    optional(cx, raise_to(&n, &e, &input))
}

fn raise_to(n: &[u8], e: &[u8], input: &[u8]) -> Option<Vec<u8>> {
    let key = RsaPublicKey::new_with_size_limits(number(n), number(e), 0..=16_384).ok()?;
    let input = BoxedUint::from_be_slice(input, key.n_bits_precision()).ok()?;
    if input >= *key.n().as_ref() {
        return None;
    }
    filled(&hazmat::rsa_encrypt(&key, &input).ok()?, key.size())
}

/// `__rsa_decrypt(key, padding, digest, mask_digest, label, input) → string or nil`: the decrypted input for the
/// paddings whose removal must not be observable: PKCS #1 1.5 and OAEP. RFC 8017.
pub fn decrypt(cx: &mut Cx, args: Args) -> R {
    let (padding, digest, mask) = (text(cx, args, 1)?, text(cx, args, 2)?, text(cx, args, 3)?);
    let (label, input) = (bytes(cx, args, 4)?, bytes(cx, args, 5)?);
    let Some(Key(key)) = native::get::<Key>(args.at_ref(0)) else { return Ok(Value::NIL) };
    if padding == "pkcs1" {
        let done = blocking(cx, || key.decrypt(Pkcs1v15Encrypt, &input).ok());
        return optional(cx, done);
    }
    macro_rules! oaep {
        ($digest:ty, $mask:ty) => {
            open(key, Oaep::<$digest, $mask>::new_with_mgf_hash_and_label(label), &input)
        };
    }
    let done = match (digest.as_str(), mask.as_str()) {
        ("SHA1", "SHA1") => oaep!(sha1::Sha1, sha1::Sha1),
        ("SHA224", "SHA224") => oaep!(sha2::Sha224, sha2::Sha224),
        ("SHA256", "SHA256") => oaep!(sha2::Sha256, sha2::Sha256),
        ("SHA384", "SHA384") => oaep!(sha2::Sha384, sha2::Sha384),
        ("SHA512", "SHA512") => oaep!(sha2::Sha512, sha2::Sha512),
        ("SHA256", "SHA1") => oaep!(sha2::Sha256, sha1::Sha1),
        ("SHA384", "SHA1") => oaep!(sha2::Sha384, sha1::Sha1),
        ("SHA512", "SHA1") => oaep!(sha2::Sha512, sha1::Sha1),
        _ => return Err(cx.not_implemented(&format!("OAEP with {digest} and a mask by {mask} is not supported"))),
    };
    optional(cx, done)
}

fn open(key: &RsaPrivateKey, padding: impl PaddingScheme, input: &[u8]) -> Option<Vec<u8>> {
    key.decrypt(padding, input).ok()
}
