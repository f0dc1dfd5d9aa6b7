//! OpenSSL::KDF, random numbers, and constant-time comparison.

use runtime::{Args, Cx, Method, R, Value, concurrency::thread::blocking, convert};

use super::{binary, digest::algorithm, fail_in};

/// The methods of KDF; the Ruby half reads the keywords.
pub const METHODS: &[Method] = &[
    Method::new("__pbkdf2_hmac(password, salt, iterations, length, hash)", pbkdf2_hmac).private(),
    Method::new("__scrypt(password, salt, n, r, p, length)", scrypt).private(),
    Method::new("__hkdf(key, salt, info, length, hash)", hkdf).private(),
];
pub const RANDOM: &[Method] =
    &[Method::new("random_bytes(length)", random_bytes), Method::new("pseudo_bytes(length)", random_bytes)];
pub const MODULE: &[Method] = &[Method::new("fixed_length_secure_compare(a, b)", compare).borrows_all()];

fn bytes(cx: &mut Cx, v: Value) -> R<Vec<u8>> {
    let string = convert::to_str(cx, v)?;
    Ok(string.to_vector())
}

fn length(cx: &mut Cx, v: Value) -> R<usize> {
    let length = convert::to_i64(cx, v)?;
    if length > i64::from(i32::MAX) {
        return Err(cx.range_error(&format!("integer {length} too big to convert to 'int'")));
    }
    usize::try_from(length).map_err(|_| cx.argument_error("negative string size (or size too big)"))
}

/// `__pbkdf2_hmac(password, salt, iterations, length, hash) → string`: `KDF.pbkdf2_hmac` with its keywords in order: a
/// key of `length` bytes from a password. KDFError unless iterations are positive. RFC 8018.
fn pbkdf2_hmac(cx: &mut Cx, args: Args) -> R {
    let (password, salt) = (bytes(cx, args.at(0))?, bytes(cx, args.at(1))?);
    let iterations = convert::to_i32(cx, args.at(2))?;
    let length = length(cx, args.at(3))?;
    let algorithm = algorithm(cx, args.at(4))?;
    let Ok(rounds @ 1..) = u32::try_from(iterations) else {
        return Err(fail_in(cx, "KDF", "KDFError", "PKCS5_PBKDF2_HMAC: invalid iteration count"));
    };
    let mut key = memory::filled(0, length);
    if !blocking(cx, || (algorithm.pbkdf2)(&password, &salt, rounds, &mut key)) {
        return Err(fail_in(cx, "KDF", "KDFError", "PKCS5_PBKDF2_HMAC"));
    }
    Ok(binary(cx, &key))
}

/// `__scrypt(password, salt, n, r, p, length) → string`: `KDF.scrypt` with its keywords in order: a key of `length`
/// bytes from a password. KDFError unless `n` is a power of two above 1 and the others fit. RFC 7914.
fn scrypt(cx: &mut Cx, args: Args) -> R {
    let (password, salt) = (bytes(cx, args.at(0))?, bytes(cx, args.at(1))?);
    let (n, r, p) =
        (convert::to_i64(cx, args.at(2))?, convert::to_i64(cx, args.at(3))?, convert::to_i64(cx, args.at(4))?);
    let length = length(cx, args.at(5))?;
    let parameters = match (u64::try_from(n), u32::try_from(r), u32::try_from(p)) {
        (Ok(n), Ok(r), Ok(p)) if n > 1 && n.is_power_of_two() => {
            scrypt::Params::new(n.trailing_zeros() as u8, r, p).ok()
        }
        _ => None,
    };
    let Some(parameters) = parameters else {
        return Err(fail_in(cx, "KDF", "KDFError", "EVP_PBE_scrypt: invalid parameters"));
    };
    let mut key = memory::filled(0, length);
    if length > 0 && blocking(cx, || scrypt::scrypt(&password, &salt, &parameters, &mut key)).is_err() {
        return Err(fail_in(cx, "KDF", "KDFError", "EVP_PBE_scrypt"));
    }
    Ok(binary(cx, &key))
}

/// `__hkdf(key, salt, info, length, hash) → string`: `KDF.hkdf` with its keywords in order: `length` bytes from a key.
/// KDFError for more than 255 digests, ArgumentError for a negative length. RFC 5869.
fn hkdf(cx: &mut Cx, args: Args) -> R {
    let (key, salt, info) = (bytes(cx, args.at(0))?, bytes(cx, args.at(1))?, bytes(cx, args.at(2))?);
    let asked = convert::to_i64(cx, args.at(3))?;
    if asked < 0 {
        return Err(cx.argument_error("length must be non-negative"));
    }
    let length = length(cx, args.at(3))?;
    let algorithm = algorithm(cx, args.at(4))?;
    let mut out = memory::filled(0, length);
    if !(algorithm.hkdf)(&key, &salt, &info, &mut out) {
        return Err(fail_in(cx, "KDF", "KDFError", "EVP_PKEY_derive"));
    }
    Ok(binary(cx, &out))
}

/// `OpenSSL::Random.random_bytes(length)`, `OpenSSL::Random.pseudo_bytes(length) → string`: `length` bytes of the
/// operating system's source of randomness. ArgumentError for a negative length.
fn random_bytes(cx: &mut Cx, args: Args) -> R {
    let mut bytes = memory::filled(0, length(cx, args.at(0))?);
    host::random::fill(&mut bytes).map_err(|errno| cx.system_error(errno, "getrandom(2)"))?;
    Ok(binary(cx, &bytes))
}

/// `OpenSSL.fixed_length_secure_compare(a, b) → true or false`: whether both strings have the same bytes, in a time
/// that does not depend on where they differ. ArgumentError for strings of different lengths.
fn compare(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.str(cx, 0)?, args.str(cx, 1)?);
    let (a, b) = (a, b);
    let (a, b) = (a.bytes(cx), b.bytes(cx));
    if a.len() != b.len() {
        return Err(cx.argument_error("inputs must be of equal length"));
    }
    Ok(Value::bool(subtle::ConstantTimeEq::ct_eq(a, b).into()))
}
