//! Arithmetic of DSA and DH: constant-time exponentiation, and primes.

use crypto_bigint::{
    BoxedUint, Odd,
    modular::{BoxedMontyForm, BoxedMontyParams},
};
use crypto_primes::Flavor;
use getrandom::SysRng;
use rsa::rand_core::UnwrapErr;
use runtime::{Args, Cx, R, Value, concurrency::thread::blocking, convert};

use super::{bytes, optional};

/// `__power(base, exponent, modulus) → string or nil`: the power modulo a number, in a time that does not depend on the
/// exponent; nil for an even modulus.
pub fn power(cx: &mut Cx, args: Args) -> R {
    let (base, exponent, modulus) = (bytes(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    let made = blocking(cx, || {
        let modulus: Odd<BoxedUint> = Odd::new(BoxedUint::from_be_slice_vartime(&modulus)).into_option()?;
        let base = BoxedUint::from_be_slice_vartime(&base);
        let base = base.rem_vartime(modulus.as_nz_ref());
        let parameters = BoxedMontyParams::new(modulus);
        let exponent = BoxedUint::from_be_slice_vartime(&exponent);
        Some(BoxedMontyForm::new(base, &parameters).pow(&exponent).retrieve().to_be_bytes_trimmed_vartime().into_vec())
    });
    optional(cx, made)
}

/// `__prime(bits, safe) → string or nil`: a random prime of exactly `bits` bits, with `safe` one whose half is prime
/// too; nil for too few bits.
pub fn prime(cx: &mut Cx, args: Args) -> R {
    let bits = convert::to_i64(cx, args.at(0))?;
    let flavor = if args.at(1).truthy() { Flavor::Safe } else { Flavor::Any };
    let Ok(bits @ 4..=16384) = u32::try_from(bits) else { return Ok(Value::NIL) };
    let prime: BoxedUint = blocking(cx, || crypto_primes::random_prime(&mut UnwrapErr(SysRng), flavor, bits));
    optional(cx, Some(prime.to_be_bytes_trimmed_vartime().into_vec()))
}
