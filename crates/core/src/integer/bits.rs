//! Bit operations.

use numeric::big::{self, Int};
use runtime::{Args, Cx, R, Value, basic_ops, call, convert, sym};

use super::arithmetic;
use crate::numeric::{
    coerce,
    ops::{self, give, give_result, int},
};

/// `~self → integer`: each bit inverted, in two's complement: `-self - 1`.
pub fn invert(cx: &mut Cx, args: Args) -> R {
    match args.me().as_fixnum() {
        Some(n) => Ok(Value::fixnum(!n)),
        None => arithmetic::sum(cx, big::Int::Fix(-1), int(&args.me()), true),
    }
}

macro_rules! bitwise {
    ($($(#[$documentation:meta])* $name:ident $sym:ident;)*) => {$(
        $(#[$documentation])*
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            let (a, b) = (args.me(), args.at(0));
            if !convert::is_integer(b) {
                return coerce::bitwise(cx, a, sym::$sym, b);
            }
            give(cx, big::$name(int(&a), int(&b)))
        }
    )*};
}

bitwise! {
    /// `self & other → integer`: the bits set in both, in two's complement. TypeError unless `other` is an Integer or
    /// has a `coerce`, and for a Float.
    and AND;
    /// `self | other → integer`: the bits set in either, in two's complement. TypeError as for `&`.
    or OR;
    /// `self ^ other → integer`: the bits set in exactly one, in two's complement. TypeError as for `&`.
    xor XOR;
}

/// `self << width → integer`: multiplied by 2 to the power of `width`; a negative width shifts to the right. RangeError
/// if the result is too long.
pub fn shift_left(cx: &mut Cx, args: Args) -> R {
    let a = args.me();
    let b = convert::to_integer(cx, args.at(0))?;
    if a.both_fixnum(b)
        && let Some(shifted) = basic_ops::shift_left_fixnum(a.fixnum_value(), b.fixnum_value())
    {
        return Ok(shifted);
    }
    give_result(cx, big::shl(int(&a), int(&b)))
}

/// `self >> width → integer`: divided by 2 to the power of `width`, rounded down; a negative width shifts to the left.
/// TypeError unless it is an Integer or has `to_int`.
pub fn shift_right(cx: &mut Cx, args: Args) -> R {
    let a = args.me();
    let b = convert::to_integer(cx, args.at(0))?;
    if a.both_fixnum(b)
        && let Some(shifted) = basic_ops::shift_right_fixnum(a.fixnum_value(), b.fixnum_value())
    {
        return Ok(shifted);
    }
    give_result(cx, big::shr(int(&a), int(&b)))
}

/// `self[index] → 0 or 1`, `self[offset, length]`, `self[range] → integer`: a bit, or bits as a number, in two's
/// complement; the lowest bit has the index 0, and bits below it are 0.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    let (a, first) = (args.me(), args.at(0));
    if let Some(length) = args.opt(1) {
        if let (Some(offset), Some(length)) = (first.as_fixnum(), length.as_fixnum())
            && let Some(bits) = small_bits(a, offset, length)
        {
            return Ok(bits);
        }
        let offset = convert::to_integer(cx, first)?;
        let length = convert::to_integer(cx, length)?;
        return give_result(cx, big::bit_range(int(&a), int(&offset), Some(int(&length))));
    }
    if let Some(ends) = crate::range::ends::of(cx, first)? {
        return bits_in_range(cx, a, ends);
    }
    if !a.is_fixnum() && !convert::is_integer(first) {
        let index = Value::fixnum(convert::to_i64(cx, first)?);
        return Ok(Value::fixnum(big::bit(int(&a), int(&index)).into()));
    }
    let index = convert::to_integer(cx, first)?;
    Ok(Value::fixnum(big::bit(int(&a), int(&index)).into()))
}

/// The bits of an Integer from `offset` on, if they are a fixnum that is not negative.
fn small_bits(a: Value, offset: i64, length: i64) -> Option<Value> {
    let mask = (1_i64 << u32::try_from(length).ok().filter(|length| *length <= 62)?) - 1;
    let offset = u32::try_from(offset).ok()?;
    let word = match int(&a) {
        big::Int::Fix(n) => n >> offset.min(63),
        big::Int::Big(number) => word_at(number, offset) as i64,
    };
    Some(Value::fixnum(word & mask))
}

/// The word of a number in two's complement that begins with the bit at `offset`.
fn word_at(number: big::BigRef, offset: u32) -> u64 {
    let limbs = number.limbs;
    // A negative number is the complement of its magnitude, plus one: the carry passes zeros at the low end.
    let first = if number.negative { limbs.iter().position(|limb| *limb != 0).unwrap_or(0) } else { 0 };
    let limb = |at: usize| {
        let limb = limbs.get(at).copied().unwrap_or(0);
        match number.negative {
            false => limb,
            true if at < first => 0,
            true if at == first => limb.wrapping_neg(),
            true => !limb,
        }
    };
    let (at, shift) = (offset as usize / 64, offset % 64);
    if shift == 0 { limb(at) } else { limb(at) >> shift | limb(at + 1) << (64 - shift) }
}

fn bits_in_range(cx: &mut Cx, a: Value, (begin, end, exclusive): (Value, Value, bool)) -> R {
    if begin.is_nil() {
        if end.is_nil() {
            return Err(ops::raise(cx, big::Error::InfiniteBits));
        }
        let end = convert::to_integer(cx, end)?;
        if int(&end).is_negative() {
            return Ok(Value::fixnum(0));
        }
        let count = int(&end).to_u64().map_or(u64::MAX, |n| n.saturating_add(u64::from(!exclusive)));
        if big::low_bits_zero(int(&a), count) {
            return Ok(Value::fixnum(0));
        }
        return Err(ops::raise(cx, big::Error::InfiniteBits));
    }
    if let (Some(first), Some(last)) = (begin.as_fixnum(), end.as_fixnum())
        && first <= last
        && let Some(bits) = small_bits(a, first, (last - first).saturating_add(i64::from(!exclusive)))
    {
        return Ok(bits);
    }
    let begin = convert::to_integer(cx, begin)?;
    if end.is_nil() {
        return give_result(cx, big::shr(int(&a), int(&begin)));
    }
    let end = convert::to_integer(cx, end)?;
    match call::compare(cx, begin, end)? {
        std::cmp::Ordering::Equal if exclusive => Ok(Value::fixnum(0)),
        std::cmp::Ordering::Equal => Ok(Value::fixnum(big::bit(int(&a), int(&begin)).into())),
        std::cmp::Ordering::Greater => give_result(cx, big::shr(int(&a), int(&begin))),
        std::cmp::Ordering::Less => {
            let length = big::sub(int(&end), int(&begin));
            let length = if exclusive { length } else { big::add(length.as_int(), Int::Fix(1)) };
            give_result(cx, big::bit_range(int(&a), int(&begin), Some(length.as_int())))
        }
    }
}

/// `allbits?(mask) → true or false`: whether all bits of `mask` are set, in two's complement.
pub fn all_bits(cx: &mut Cx, args: Args) -> R {
    let mask = convert::to_integer(cx, args.at(0))?;
    let common = big::and(int(&args.me()), int(&mask));
    Ok(Value::bool(big::eq(common.as_int(), int(&mask))))
}

/// `anybits?(mask) → true or false`: whether any bit of `mask` is set, in two's complement.
pub fn any_bits(cx: &mut Cx, args: Args) -> R {
    let mask = convert::to_integer(cx, args.at(0))?;
    Ok(Value::bool(!big::and(int(&args.me()), int(&mask)).as_int().is_zero()))
}

/// `nobits?(mask) → true or false`: whether no bit of `mask` is set, in two's complement.
pub fn no_bits(cx: &mut Cx, args: Args) -> R {
    let mask = convert::to_integer(cx, args.at(0))?;
    Ok(Value::bool(big::and(int(&args.me()), int(&mask)).as_int().is_zero()))
}

/// `bit_length → integer`: the number of bits of the two's complement without the sign bit; 0 for 0 and -1.
pub fn bit_length(_: &mut Cx, args: Args) -> R {
    if let Some(n) = args.me().as_fixnum() {
        return Ok(Value::fixnum(64 - i64::from((n ^ (n >> 63)).leading_zeros())));
    }
    Ok(Value::fixnum(big::bit_length(int(&args.me())) as i64))
}

/// `bit_count → integer`: the number of bits that are set. ArgumentError for negative numbers.
pub fn bit_count(cx: &mut Cx, args: Args) -> R {
    match big::bit_count(int(&args.me())) {
        Ok(count) => Ok(Value::fixnum(count as i64)),
        Err(e) => Err(ops::raise(cx, e)),
    }
}

/// `size → integer`: the number of bytes of a machine word, or of the words of a big integer.
pub fn size(_: &mut Cx, args: Args) -> R {
    let me = args.me();
    let bytes = if me.is_fixnum() { 8 } else { int(&me).magnitude_bits().div_ceil(8) };
    Ok(Value::fixnum(bytes as i64))
}
