//! Creation of BigDecimals.

use core_classes::{
    complex,
    numeric::ops::{Kind, int, is_exact_zero, kind},
};
use numeric::decimal::{self, Decimal};
use object::{float, symbol::table::intern_text};
use runtime::{Args, Cx, R, Value, convert, error, keys};

use super::{modes, value};

/// `BigDecimal(value, digits = nil, exception: true) → bigdecimal or nil`: the BigDecimal for a number (a Float only
/// with digits) or for a String that is entirely numeric, rounded to `digits` digits. TypeError or ArgumentError for
/// anything else, nil instead with `exception: false`.
pub fn kernel_decimal(cx: &mut Cx, args: Args) -> R {
    let raises = args.keywords().is_none() || {
        let exception = intern_text(cx, "exception");
        keys::only_keywords(cx, args.keywords(), &[exception])?;
        keys::keyword(cx, args.keywords(), exception).or(Value::TRUE).truthy()
    };
    let digits = match args.opt(1).filter(|v| !v.is_nil()) {
        None => None,
        Some(digits) => match u64::try_from(convert::to_i64(cx, digits)?) {
            Ok(digits) => Some(digits),
            Err(_) => return Err(cx.argument_error("negative precision")),
        },
    };
    match converted(cx, args.at(0), digits, raises)? {
        Converted::Itself => Ok(args.at(0)),
        Converted::Decimal(decimal) => value::give(cx, decimal),
        Converted::Nothing => Ok(Value::NIL),
    }
}

enum Converted {
    Itself,
    Decimal(Decimal),
    /// It is not a number, and no exception is wanted.
    Nothing,
}

fn refused(cx: &mut Cx, raises: bool, message: &str) -> R<Converted> {
    if raises { Err(cx.argument_error(message)) } else { Ok(Converted::Nothing) }
}

fn converted(cx: &mut Cx, v: Value, digits: Option<u64>, raises: bool) -> R<Converted> {
    if value::get(&v).is_some() {
        return Ok(Converted::Itself);
    }
    match kind(v) {
        Kind::Integer => Ok(Converted::Decimal(Decimal::from_integer(int(&v)))),
        Kind::Float => of_float(cx, float::get(v).unwrap_or(0.0), digits, raises),
        Kind::Rational => match digits {
            None => refused(cx, raises, "can't omit precision for a Rational."),
            Some(digits) => Ok(Converted::Decimal(value::of_rational(v, digits, modes::rounding()))),
        },
        Kind::Complex => {
            let (real, imaginary) = complex::parts(v);
            if !is_exact_zero(imaginary) {
                return refused(cx, raises, "Unable to make a BigDecimal from non-zero imaginary number");
            }
            converted(cx, real, digits, raises)
        }
        Kind::Other => of_text(cx, v, raises),
    }
}

fn of_float(cx: &mut Cx, f: f64, digits: Option<u64>, raises: bool) -> R<Converted> {
    if !f.is_finite() || f == 0.0 {
        return Ok(Converted::Decimal(value::of_float(f)));
    }
    match digits {
        None => refused(cx, raises, "can't omit precision for a Float."),
        Some(digits) if digits > 16 => refused(cx, raises, "precision too large."),
        Some(0) => Ok(Converted::Decimal(value::of_float(f))),
        Some(digits) => Ok(Converted::Decimal(value::of_float(f).rounded_to_digits(digits, modes::rounding()))),
    }
}

fn of_text(cx: &mut Cx, v: Value, raises: bool) -> R<Converted> {
    let text = if v.is_nil() { None } else { convert::try_str(cx, v)? };
    let Some(text) = text else {
        if !raises {
            return Ok(Converted::Nothing);
        }
        let name = error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("can't convert {name} into BigDecimal")));
    };
    let bytes = text.to_vector();
    if bytes.contains(&0) {
        return refused(cx, raises, "string contains null byte");
    }
    match std::str::from_utf8(&bytes).ok().and_then(decimal::parse) {
        Some(decimal) => Ok(Converted::Decimal(decimal)),
        None => {
            let shown = runtime::call::inspect_text(cx, text.value())?;
            refused(cx, raises, &format!("invalid value for BigDecimal(): {shown}"))
        }
    }
}

/// `BigDecimal.interpret_loosely(text) → bigdecimal`: the number at the start of the text; 0 if there is none.
pub fn interpret_loosely(cx: &mut Cx, args: Args) -> R {
    let text = args.str(cx, 0)?;
    let text = text.to_text();
    value::give(cx, decimal::parse_loosely(&text))
}

/// `BigDecimal._load(dump) → bigdecimal`: reads what `_dump` wrote: a number, a colon and the text. TypeError for
/// anything else.
pub fn load(cx: &mut Cx, args: Args) -> R {
    let text = args.str(cx, 0)?;
    let text = text.to_text();
    let Some((_, number)) = text.split_once(':').filter(|(size, _)| size.bytes().all(|b| b.is_ascii_digit())) else {
        return Err(cx.type_error("marshaled bigdecimal format differed"));
    };
    value::give(cx, decimal::parse_loosely(number))
}
