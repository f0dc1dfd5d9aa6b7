//! OpenSSL::PKey: the arithmetic of keys; their formats are in Ruby. Numbers are passed as big-endian bytes. Children:
//! `rsa`, `curves` (EC), `messages` (common signatures), `edwards` (Ed25519, X25519), `discrete` (DSA, DH, primes).

mod curves;
mod discrete;
mod edwards;
mod messages;
mod rsa;

use runtime::{Args, Cx, Method, R, Value, convert};

/// Private singleton methods of PKey.
pub const METHODS: &[Method] = &[
    Method::new("__rsa_generate(bits, exponent)", rsa::generate).private(),
    Method::new("__rsa_key(n, e, d, p, q)", rsa::key).private(),
    Method::new("__rsa_private(key, input)", rsa::private).private(),
    Method::new("__rsa_public(n, e, input)", rsa::public).private(),
    Method::new("__rsa_decrypt(key, padding, digest, mask_digest, label, input)", rsa::decrypt).private(),
    Method::new("__ec_public(curve, scalar)", curves::public).private(),
    Method::new("__ec_multiply(curve, point, scalar)", curves::multiply).private(),
    Method::new("__ec_add(curve, point, other)", curves::add).private(),
    Method::new("__ec_expand(curve, point)", curves::expand).private(),
    Method::new("__ec_generate(curve)", curves::generate).private(),
    Method::new("__ec_sign(curve, scalar, digest)", curves::sign).private(),
    Method::new("__ec_verify(curve, point, digest, signature)", curves::verify).private(),
    Method::new("__rsa_signer(n, e, d, p, q, dmp1, dmq1, iqmp)", messages::rsa_signer).private(),
    Method::new("__ec_signer(curve, scalar, point)", messages::ec_signer).private(),
    Method::new("__sign_message(signer, padding, digest, message)", messages::sign).private(),
    Method::new("__rsa_accepts?(n, e, padding, digest, message, signature)", messages::rsa_accepts).private(),
    Method::new("__ec_accepts?(curve, digest, point, message, signature)", messages::ec_accepts).private(),
    Method::new("__ed25519_public(seed)", edwards::public).private(),
    Method::new("__ed25519_sign(seed, message)", edwards::sign).private(),
    Method::new("__ed25519_verify(key, message, signature)", edwards::verify).private(),
    Method::new("__x25519(scalar, point)", edwards::x25519).private(),
    Method::new("__power(base, exponent, modulus)", discrete::power).private(),
    Method::new("__prime(bits, safe)", discrete::prime).private(),
];

/// The bytes of an argument.
fn bytes(cx: &mut Cx, args: Args, i: usize) -> R<Vec<u8>> {
    let string = convert::to_str(cx, args.at(i))?;
    Ok(string.to_vector())
}

fn text(cx: &mut Cx, args: Args, i: usize) -> R<String> {
    Ok(memory::lossy_text(&bytes(cx, args, i)?))
}

/// The result, or nil if the input was invalid.
fn optional(cx: &mut Cx, bytes: Option<Vec<u8>>) -> R {
    Ok(match bytes {
        Some(bytes) => super::binary(cx, &bytes),
        None => Value::NIL,
    })
}
