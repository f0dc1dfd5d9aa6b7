//! Seconds since 1970 UTC as exact rationals.

use heap::Trace;
use numeric::big::{self, Int};
use object::bigint;
use runtime::{Cx, R, Value, call, convert, error, sym};

use crate::numeric::ops::{self, Kind, give, int, kind};
use crate::rational;

pub const BILLION: i128 = 1_000_000_000;

/// `seconds + (nanos + sub) / 10^9`, where `sub` is at least 0 and below 1: 0 or a Rational.
#[derive(Clone, Copy, Trace)]
pub struct Instant {
    pub seconds: i128,
    pub nanos: u32,
    pub sub: Value,
}

impl Instant {
    pub fn whole(seconds: i128) -> Instant {
        Instant { seconds, nanos: 0, sub: Value::fixnum(0) }
    }

    /// Whether it is a whole number of nanoseconds.
    pub fn is_plain(&self) -> bool {
        ops::is_exact_zero(self.sub)
    }

    /// All nanoseconds; `None` if there are too many.
    pub fn total_nanos(&self) -> Option<i128> {
        self.seconds.checked_mul(BILLION)?.checked_add(self.nanos.into())
    }

    /// From an Integer or Rational of seconds.
    pub fn from_exact(cx: &mut Cx, v: Value) -> R<Instant> {
        if kind(v) == Kind::Integer {
            return Ok(Instant::whole(to_i128(cx, v)?));
        }
        let (n, d) = rational::parts(v);
        if let (Some(n), Some(d)) = (n.as_fixnum(), d.as_fixnum()) {
            let (n, d) = (i128::from(n), i128::from(d));
            let scaled = n.rem_euclid(d) * BILLION;
            if scaled % d == 0 {
                return Ok(Instant { nanos: (scaled / d) as u32, ..Instant::whole(n.div_euclid(d)) });
            }
        }
        let (seconds, rest) = divmod(cx, int(&n), int(&d))?;
        let seconds = to_i128(cx, seconds)?;
        let scaled = match big::mul(int(&rest), Int::Fix(1_000_000_000)) {
            Ok(n) => give(cx, n)?,
            Err(e) => return Err(ops::raise(cx, e)),
        };
        let (nanos, rest) = divmod(cx, int(&scaled), int(&d))?;
        let nanos = nanos.as_fixnum().unwrap_or(0) as u32;
        let sub = if ops::is_exact_zero(rest) { rest } else { rational::new(cx, rest, d)? };
        Ok(Instant { seconds, nanos, sub })
    }

    /// From Fixnums: seconds, and a fraction of a second in units of which `units`, at most a billion, make a second.
    pub fn from_fixnums(seconds: Value, fraction: Value, units: i64) -> Option<Instant> {
        let nanos = i128::from(fraction.as_fixnum()?) * (BILLION / i128::from(units));
        Instant::whole(seconds.as_fixnum()?.into()).plus_nanos(nanos)
    }

    /// The seconds as an Integer or Rational.
    pub fn to_exact(self, cx: &mut Cx) -> R {
        let seconds = bigint::from_i128(cx, self.seconds);
        let fraction = self.fraction(cx)?;
        if ops::is_exact_zero(fraction) { Ok(seconds) } else { ops::add(cx, fraction, seconds) }
    }

    /// The fraction of the second: 0 or a Rational.
    pub fn fraction(self, cx: &mut Cx) -> R {
        if self.nanos == 0 && self.is_plain() {
            return Ok(Value::fixnum(0));
        }
        let nanos = ops::add(cx, Value::fixnum(self.nanos.into()), self.sub)?;
        if ops::is_exact_zero(nanos) {
            return Ok(nanos);
        }
        let nanos = if kind(nanos) == Kind::Integer { rational::whole(cx, nanos) } else { nanos };
        rational::div(cx, nanos, Value::fixnum(1_000_000_000))
    }

    /// Computed like CRuby's Floats: exact nanoseconds divided once.
    pub fn to_f64(self, cx: &mut Cx) -> R<f64> {
        if self.nanos == 0 && self.is_plain() {
            return Ok(self.seconds as f64);
        }
        match self.total_nanos() {
            Some(nanos) if self.is_plain() => Ok(nanos as f64 / 1e9),
            _ => {
                let exact = self.to_exact(cx)?;
                convert::to_f64(cx, exact)
            }
        }
    }

    /// `self + nanos`, for a number of nanoseconds of at most a few thousand years.
    pub fn plus_nanos(self, nanos: i128) -> Option<Instant> {
        let total = i128::from(self.nanos) + nanos;
        // Division of 64 bits is a machine instruction.
        if let Ok(total) = i64::try_from(total) {
            const BILLION: i64 = self::BILLION as i64;
            let seconds = self.seconds.checked_add(total.div_euclid(BILLION).into())?;
            return Some(Instant { seconds, nanos: total.rem_euclid(BILLION) as u32, ..self });
        }
        let seconds = self.seconds.checked_add(total.div_euclid(BILLION))?;
        Some(Instant { seconds, nanos: total.rem_euclid(BILLION) as u32, ..self })
    }

    /// `self + v` for an Integer or Rational of seconds.
    pub fn plus(self, cx: &mut Cx, v: Value) -> R<Instant> {
        if let Some(n) = v.as_fixnum()
            && let Some(seconds) = self.seconds.checked_add(n.into())
        {
            return Ok(Instant { seconds, ..self });
        }
        let exact = self.to_exact(cx)?;
        let sum = ops::add(cx, exact, v)?;
        Instant::from_exact(cx, sum)
    }
}

fn divmod(cx: &mut Cx, a: Int, b: Int) -> R<(Value, Value)> {
    match big::divmod(a, b) {
        Ok((quotient, rest)) => {
            let quotient = give(cx, quotient)?;
            Ok((quotient, give(cx, rest)?))
        }
        Err(e) => Err(ops::raise(cx, e)),
    }
}

/// The nanoseconds of a number of seconds, if the float is exactly that many and they are few.
pub fn float_nanos(seconds: f64) -> Option<i128> {
    // A billion is 2^9 * 5^9, so that a number with more than nine binary places is not a whole number of nanoseconds.
    let scaled = seconds * 512.0;
    (scaled.fract() == 0.0 && scaled.abs() < 9e15).then_some(scaled as i128 * 1_953_125)
}

/// RangeError for more seconds than calendars support.
pub fn to_i128(cx: &mut Cx, v: Value) -> R<i128> {
    let n = int(&v);
    if let Int::Fix(n) = n {
        return Ok(n.into());
    }
    if n.magnitude_bits() > 126 {
        return Err(cx.range_error("bignum too big to convert into 'time_t'"));
    }
    let bytes = big::to_le_bytes(n, 16);
    Ok(<[u8; 16]>::try_from(bytes.as_slice()).map_or(0, i128::from_le_bytes))
}

/// The Integer or Rational for an argument that denotes an exact number: TypeError "can't convert String into an exact
/// number".
pub fn exact_number(cx: &mut Cx, v: Value) -> R {
    let canonical = |v: Value| match kind(v) {
        Kind::Rational if rational::parts(v).1 == Value::fixnum(1) => rational::parts(v).0,
        _ => v,
    };
    match kind(v) {
        Kind::Integer => return Ok(v),
        Kind::Rational => return Ok(canonical(v)),
        Kind::Float => {
            let exact = crate::float::exact(cx, ops::real(v))?;
            return Ok(canonical(exact));
        }
        _ => {}
    }
    if !v.is_nil() && !object::cell::is(v, abi::Type::String) {
        if let Some(r) = call::send_if_responds(cx, v, sym::TO_R, &[])? {
            if call::responds(cx, v, sym::TO_INT, false)? && matches!(kind(r), Kind::Integer | Kind::Rational) {
                return Ok(canonical(r));
            }
        } else if let Some(n) = call::send_if_responds(cx, v, sym::TO_INT, &[])?
            && kind(n) == Kind::Integer
        {
            return Ok(n);
        }
    }
    let from = error::describe_for_conversion(cx, v);
    Err(cx.type_error(&format!("can't convert {from} into an exact number")))
}
