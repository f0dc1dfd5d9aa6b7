//! Elliptic curves: one generic function, instantiated for each curve.

use ecdsa::{EcdsaCurve, Signature, hazmat};
use elliptic_curve::{
    AffinePoint, CurveArithmetic, FieldBytes, FieldBytesSize, NonZeroScalar, PrimeField, ProjectivePoint, Scalar,
    group::Curve as _,
    sec1::{FromSec1Point, ModulusSize, Sec1Point, ToSec1Point},
};
use memory::ToVector;
use runtime::{Args, Cx, R, Value};

use super::{bytes, optional, text};

/// The operation. Points are encoded according to SEC 1, the point at infinity as a zero byte.
enum Step<'a> {
    /// The point of a private key.
    Public(&'a [u8]),
    Multiply(&'a [u8], &'a [u8]),
    Add(&'a [u8], &'a [u8]),
    /// A point in uncompressed form; None if it is not on the curve.
    Expand(&'a [u8]),
    /// A new private key.
    Generate,
    /// The two numbers of a signature, concatenated.
    Sign(&'a [u8], &'a [u8]),
    /// A point, the signed digest, the signature; an empty result if it is valid.
    Verify(&'a [u8], &'a [u8], &'a [u8]),
}

fn run(curve: &str, step: Step) -> Option<Vec<u8>> {
    match curve {
        "prime256v1" => on::<p256::NistP256>(step),
        "secp384r1" => on::<p384::NistP384>(step),
        "secp521r1" => on::<p521::NistP521>(step),
        "secp256k1" => on::<k256::Secp256k1>(step),
        _ => None,
    }
}

fn on<C>(step: Step) -> Option<Vec<u8>>
where
    C: EcdsaCurve + CurveArithmetic,
    AffinePoint<C>: FromSec1Point<C> + ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    match step {
        Step::Public(scalar) => encoded::<C>(ProjectivePoint::<C>::mul_by_generator(&*secret::<C>(scalar)?)),
        Step::Multiply(at, scalar) => encoded::<C>(point::<C>(at)? * self::scalar::<C>(scalar)?),
        Step::Add(at, other) => encoded::<C>(point::<C>(at)? + point::<C>(other)?),
        Step::Expand(at) => encoded::<C>(point::<C>(at)?),
        Step::Generate => Some(random::<C>()?.to_repr().to_vector()),
        Step::Sign(scalar, digest) => {
            let key = secret::<C>(scalar)?;
            loop {
                if let Ok((signature, _)) = hazmat::sign_prehashed::<C>(&key, &random::<C>()?, digest) {
                    return Some(signature.to_bytes().to_vector());
                }
            }
        }
        Step::Verify(at, digest, signature) => {
            let signature = Signature::<C>::from_slice(signature).ok()?;
            hazmat::verify_prehashed::<C>(&point::<C>(at)?, digest, &signature).ok()?;
            Some(Vec::new())
        }
    }
}

use elliptic_curve::group::Group as _;

fn field<C: CurveArithmetic>(bytes: &[u8]) -> Option<FieldBytes<C>> {
    let mut field = FieldBytes::<C>::default();
    let zeros = field.len().checked_sub(bytes.len())?;
    field[zeros..].copy_from_slice(bytes);
    Some(field)
}

fn scalar<C: CurveArithmetic>(bytes: &[u8]) -> Option<Scalar<C>> {
    Scalar::<C>::from_repr(field::<C>(bytes)?).into_option()
}

fn secret<C: CurveArithmetic>(bytes: &[u8]) -> Option<NonZeroScalar<C>> {
    NonZeroScalar::<C>::from_repr(field::<C>(bytes)?).into_option()
}

/// Repeats until the number is below the order, so that all numbers are equally likely.
fn random<C: CurveArithmetic>() -> Option<NonZeroScalar<C>> {
    let unused = (8 - Scalar::<C>::NUM_BITS % 8) % 8;
    loop {
        let mut bytes = FieldBytes::<C>::default();
        host::random::fill(&mut bytes).ok()?;
        bytes[0] &= 0xff >> unused;
        if let Some(scalar) = NonZeroScalar::<C>::from_repr(bytes).into_option() {
            return Some(scalar);
        }
    }
}

fn point<C>(bytes: &[u8]) -> Option<ProjectivePoint<C>>
where
    C: CurveArithmetic,
    AffinePoint<C>: FromSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    let point = Sec1Point::<C>::from_bytes(bytes).ok()?;
    AffinePoint::<C>::from_sec1_point(&point).into_option().map(Into::into)
}

fn encoded<C>(point: ProjectivePoint<C>) -> Option<Vec<u8>>
where
    C: CurveArithmetic,
    AffinePoint<C>: ToSec1Point<C>,
    FieldBytesSize<C>: ModulusSize,
{
    Some(point.to_affine().to_sec1_point(false).as_bytes().to_vector())
}

/// `__ec_public(curve, scalar) → string or nil`: the public point of a secret scalar on a curve, uncompressed; nil for
/// an unknown curve or a scalar out of range.
pub fn public(cx: &mut Cx, args: Args) -> R {
    let (curve, scalar) = (text(cx, args, 0)?, bytes(cx, args, 1)?);
    optional(cx, run(&curve, Step::Public(&scalar)))
}

/// `__ec_multiply(curve, point, scalar) → string or nil`: a point times a scalar, uncompressed; nil for an unknown
/// curve, a scalar out of range or a point that is not on the curve.
pub fn multiply(cx: &mut Cx, args: Args) -> R {
    let (curve, point, scalar) = (text(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    optional(cx, run(&curve, Step::Multiply(&point, &scalar)))
}

/// `__ec_add(curve, point, other) → string or nil`: the sum of two points, uncompressed; nil for an unknown curve or a
/// point that is not on it.
pub fn add(cx: &mut Cx, args: Args) -> R {
    let (curve, point, other) = (text(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    optional(cx, run(&curve, Step::Add(&point, &other)))
}

/// `__ec_expand(curve, point) → string or nil`: a point, compressed or not, in uncompressed form; nil for one that is
/// not on the curve.
pub fn expand(cx: &mut Cx, args: Args) -> R {
    let (curve, point) = (text(cx, args, 0)?, bytes(cx, args, 1)?);
    optional(cx, run(&curve, Step::Expand(&point)))
}

/// `__ec_generate(curve) → string or nil`: a random secret scalar; nil for an unknown curve.
pub fn generate(cx: &mut Cx, args: Args) -> R {
    let curve = text(cx, args, 0)?;
    optional(cx, run(&curve, Step::Generate))
}

/// `__ec_sign(curve, scalar, digest) → string or nil`: the ECDSA signature of a digest, both numbers concatenated; nil
/// for an unknown curve or a scalar out of range. FIPS 186-5.
pub fn sign(cx: &mut Cx, args: Args) -> R {
    let (curve, scalar, digest) = (text(cx, args, 0)?, bytes(cx, args, 1)?, bytes(cx, args, 2)?);
    optional(cx, run(&curve, Step::Sign(&scalar, &digest)))
}

/// `__ec_verify(curve, point, digest, signature) → true or false`: whether an ECDSA signature in the format of
/// `__ec_sign` is valid for the digest and the public point; also false for malformed ones.
pub fn verify(cx: &mut Cx, args: Args) -> R {
    let (curve, point) = (text(cx, args, 0)?, bytes(cx, args, 1)?);
    let (digest, signature) = (bytes(cx, args, 2)?, bytes(cx, args, 3)?);
    Ok(Value::bool(run(&curve, Step::Verify(&point, &digest, &signature)).is_some()))
}
