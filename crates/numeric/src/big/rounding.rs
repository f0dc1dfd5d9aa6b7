//! Rounding to powers of ten: `Integer#floor(-2)` and its siblings.

use super::arithmetic::{add, divmod, modulo, mul, neg, sub};
use super::compare::cmp;
use super::integer::{Error, Int, Integer, never};
use super::power::pow;
use std::cmp::Ordering;

/// `half:` of the `round` methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Half {
    /// Away from zero, the default.
    #[default]
    Up,
    Even,
    /// Towards zero.
    Down,
}

/// The power of ten for this many digits before the point, or `None` if it certainly exceeds twice the number.
fn step(a: Int, ndigits: i64) -> Option<Integer> {
    let places = ndigits.unsigned_abs();
    // 10^places has more than 3.32 * places bits.
    if places as f64 * 3.32 > a.magnitude_bits() as f64 + 4.0 {
        return None;
    }
    pow(Int::Fix(10), Int::Fix(places as i64), &mut never).ok()
}

/// The number and the power of ten, if both fit words.
fn small(a: Int, ndigits: i64) -> Option<(i64, i64)> {
    let places = u32::try_from(ndigits.checked_neg()?).ok()?;
    Some((a.to_i64()?, *POWERS.get(places as usize)?))
}

/// The powers of ten that fit words.
const POWERS: [i64; 19] = {
    let mut powers = [1; 19];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = powers[i - 1] * 10;
        i += 1;
    }
    powers
};

fn step_or_error(ndigits: i64) -> Result<Integer, Error> {
    let places = i64::try_from(ndigits.unsigned_abs()).map_err(|_| Error::ExponentTooLarge)?;
    pow(Int::Fix(10), Int::Fix(places), &mut never)
}

/// `a.floor(ndigits)`; digits after the point change nothing.
pub fn floor(a: Int, ndigits: i64) -> Result<Integer, Error> {
    if ndigits >= 0 {
        return Ok(a.to_integer());
    }
    if let Some((n, step)) = small(a, ndigits)
        && let Some(floor) = n.checked_sub(n.rem_euclid(step))
    {
        return Ok(Integer::from(floor));
    }
    let step = match step(a, ndigits) {
        Some(step) => step,
        None if !a.is_negative() => return Ok(Integer::Fix(0)),
        None => return Ok(neg(step_or_error(ndigits)?.as_int())),
    };
    Ok(sub(a, modulo(a, step.as_int())?.as_int()))
}

/// `a.ceil(ndigits)`.
pub fn ceil(a: Int, ndigits: i64) -> Result<Integer, Error> {
    if ndigits < 0
        && let Some((n, step)) = small(a, ndigits)
        && let rest = n.rem_euclid(step)
        && let Some(ceil) = n.checked_add(if rest > 0 { step - rest } else { 0 })
    {
        return Ok(Integer::from(ceil));
    }
    let step = match step(a, ndigits) {
        _ if ndigits >= 0 => return Ok(a.to_integer()),
        Some(step) => step,
        None if a.is_negative() || a.is_zero() => return Ok(Integer::Fix(0)),
        None => return step_or_error(ndigits),
    };
    let rest = modulo(a, step.as_int())?;
    if matches!(rest, Integer::Fix(0)) {
        return Ok(a.to_integer());
    }
    Ok(add(a, sub(step.as_int(), rest.as_int()).as_int()))
}

/// `a.truncate(ndigits)`.
pub fn truncate(a: Int, ndigits: i64) -> Result<Integer, Error> {
    if a.is_negative() { ceil(a, ndigits) } else { floor(a, ndigits) }
}

/// Whether a number is rounded up. `order` compares the remainder with its distance to the next step.
fn rounds_up(order: Ordering, half: Half, odd: bool) -> bool {
    match (order, half) {
        (Ordering::Less, _) | (Ordering::Equal, Half::Down) => false,
        (Ordering::Greater, _) | (Ordering::Equal, Half::Up) => true,
        (Ordering::Equal, Half::Even) => odd,
    }
}

/// `a.round(ndigits, half:)`.
pub fn round(a: Int, ndigits: i64, half: Half) -> Result<Integer, Error> {
    if ndigits >= 0 {
        return Ok(a.to_integer());
    }
    if a.is_negative() {
        return Ok(neg(round(neg(a).as_int(), ndigits, half)?.as_int()));
    }
    if let Some((n, step)) = small(a, ndigits) {
        let (quotient, rest) = (n / step, n % step);
        let up = rounds_up(rest.cmp(&(step - rest)), half, quotient % 2 != 0);
        if let Some(rounded) = (quotient + i64::from(up)).checked_mul(step) {
            return Ok(Integer::from(rounded));
        }
    }
    let Some(step) = step(a, ndigits) else { return Ok(Integer::Fix(0)) };
    let (quotient, rest) = divmod(a, step.as_int())?;
    let gap = sub(step.as_int(), rest.as_int());
    let up = rounds_up(cmp(rest.as_int(), gap.as_int()), half, quotient.as_int().is_odd());
    let quotient = if up { add(quotient.as_int(), Int::Fix(1)) } else { quotient };
    mul(quotient.as_int(), step.as_int())
}
