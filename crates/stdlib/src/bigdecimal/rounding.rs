//! round, floor, ceil, truncate, fix, frac.

use numeric::decimal::{self, Decimal, Rounding};
use runtime::{Args, Cx, R, Value, convert, keys};

use super::{
    convert::integer,
    modes,
    value::{give, not_finite, of, or_raise},
};

/// Whole numbers as Integers; FloatDomainError for special values.
fn whole(cx: &mut Cx, me: &Decimal, places: i64, mode: Rounding) -> R {
    match me {
        Decimal::Nan | Decimal::Infinite { .. } => Err(not_finite(cx, me)),
        me => integer(cx, &me.rounded(places, mode)),
    }
}

/// `round → integer`, `round(places, mode = nil) → bigdecimal`: the nearest number with `places` decimal places; `mode`
/// or `half:` selects how ties are rounded, by default the current mode. FloatDomainError for NaN and infinities
/// without places.
pub fn round(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    let half = if args.keywords().is_none() {
        Value::UNDEF
    } else {
        let half = object::symbol::table::intern_text(cx, "half");
        keys::only_keywords(cx, args.keywords(), &[half])?;
        keys::keyword(cx, args.keywords(), half)
    };
    let places = match args.opt(0) {
        Some(v) => convert::to_i64(cx, v)?,
        None => 0,
    };
    if let Some(mode) = args.opt(1) {
        let mode = match object::Sym::from_value(mode) {
            None => {
                let number = convert::to_integer(cx, mode)?;
                modes::rounding_of(cx, number)?
            }
            Some(_) => modes::rounding_of(cx, mode)?,
        };
        return give(cx, me.rounded(places, mode));
    }
    if !half.is_undef() {
        let mode = modes::half(cx, half)?;
        return give(cx, me.rounded(places, mode));
    }
    if places > 0 { give(cx, me.rounded(places, modes::rounding())) } else { whole(cx, me, places, modes::rounding()) }
}

fn directed(cx: &mut Cx, args: Args, mode: Rounding) -> R {
    let me = of(cx, args.me_ref())?;
    match args.opt(0) {
        None => whole(cx, me, 0, mode),
        Some(places) => {
            let places = convert::to_i64(cx, places)?;
            give(cx, me.rounded(places, mode))
        }
    }
}

/// `floor → integer`, `floor(places) → bigdecimal`: the largest number with `places` decimal places that is not above
/// the receiver. FloatDomainError for NaN and infinities without places.
pub fn floor(cx: &mut Cx, args: Args) -> R {
    directed(cx, args, Rounding::Floor)
}

/// `ceil → integer`, `ceil(places) → bigdecimal`: the smallest number with `places` decimal places that is not below
/// the receiver. FloatDomainError for NaN and infinities without places.
pub fn ceil(cx: &mut Cx, args: Args) -> R {
    directed(cx, args, Rounding::Ceiling)
}

/// `truncate → integer`, `truncate(places) → bigdecimal`: the digits after `places` decimal places dropped.
/// FloatDomainError for NaN and infinities without places.
pub fn truncate(cx: &mut Cx, args: Args) -> R {
    directed(cx, args, Rounding::Down)
}

/// `fix → bigdecimal`: the number without the digits after the decimal point.
pub fn fix(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    give(cx, me.rounded(0, Rounding::Down))
}

/// `frac → bigdecimal`: the digits after the decimal point, with the sign.
pub fn frac(cx: &mut Cx, args: Args) -> R {
    let me = of(cx, args.me_ref())?;
    if me.finite().is_none() {
        return Ok::<Value, _>(args.me());
    }
    let fraction = or_raise(cx, decimal::add(me, &me.rounded(0, Rounding::Down).negated()))?;
    // A zero has the sign of the number.
    give(cx, fraction.with_sign(me.is_negative()))
}
