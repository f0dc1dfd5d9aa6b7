//! Per-thread modes: exceptional results, rounding, and the limit of digits.

use std::cell::Cell;
use std::thread::LocalKey;

use numeric::decimal::{Decimal, Rounding};
use object::{Sym, cell, string::Str};
use runtime::{Args, Cx, R, Value, call, convert, error::ErrorClass};

pub const INFINITY: i64 = 1;
pub const NAN: i64 = 2;
pub const ZERO_DIVIDE: i64 = 16;
pub const ROUND_MODE: i64 = 256;
const ALL: i64 = 255;

thread_local! {
    static EXCEPTIONS: Cell<i64> = const { Cell::new(0) };
    static ROUNDING: Cell<Rounding> = const { Cell::new(Rounding::HalfUp) };
    static LIMIT: Cell<u64> = const { Cell::new(0) };
    /// The run of the native thread in which they were last used.
    static RUN: Cell<u64> = const { Cell::new(0) };
}

/// A mode of this thread: a native thread that runs another one begins with the defaults.
fn own<T>(mode: &'static LocalKey<Cell<T>>) -> &'static LocalKey<Cell<T>> {
    let run = host::thread::run();
    if RUN.replace(run) != run {
        EXCEPTIONS.set(0);
        ROUNDING.set(Rounding::HalfUp);
        LIMIT.set(0);
    }
    mode
}

pub fn rounding() -> Rounding {
    own(&ROUNDING).get()
}

/// A sum or product with no more digits than the limit.
pub fn limited(decimal: Decimal) -> Decimal {
    match own(&LIMIT).get() {
        0 => decimal,
        digits => decimal.rounded_to_digits(digits, rounding()),
    }
}

/// Raises FloatDomainError if the mode requires it.
pub fn check(cx: &mut Cx, decimal: &Decimal) -> R<()> {
    let flag = match decimal {
        Decimal::Nan => NAN,
        Decimal::Infinite { .. } => INFINITY,
        _ => return Ok(()),
    };
    if own(&EXCEPTIONS).get() & flag == 0 { Ok(()) } else { Err(super::value::not_finite(cx, decimal)) }
}

/// Raises FloatDomainError for a division by zero if the mode requires it.
pub fn check_zero_division(cx: &mut Cx) -> R<()> {
    if own(&EXCEPTIONS).get() & ZERO_DIVIDE == 0 {
        return Ok(());
    }
    Err(cx.raise(ErrorClass::FloatDomainError, "Divide by zero"))
}

/// `BigDecimal.double_fig → 16`: the number of decimal digits of a Float.
pub fn double_figures(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(16))
}

/// `BigDecimal.limit(digits = nil) → integer`: sets the number of digits to which results are rounded, 0 for unlimited;
/// returns the previous one. ArgumentError for a negative one.
pub fn limit(cx: &mut Cx, args: Args) -> R {
    let before = own(&LIMIT).get();
    if let Some(digits) = args.opt(0).filter(|v| !v.is_nil()) {
        let Ok(digits) = u64::try_from(convert::to_i64(cx, digits)?) else {
            return Err(cx.argument_error("argument must be positive"));
        };
        own(&LIMIT).set(digits);
    }
    Ok(Value::fixnum(before as i64))
}

/// `BigDecimal.mode(which, value = nil) → integer`: which of NaN, infinities, overflow and underflow raise, or the
/// rounding mode; sets it if a value is given. TypeError for an unknown `which`, ArgumentError for an unknown value.
pub fn mode(cx: &mut Cx, args: Args) -> R {
    let which = convert::to_i64(cx, args.at(0))?;
    let value = args.opt(1).unwrap_or(Value::NIL);
    if which & ALL != 0 {
        match value {
            Value::NIL => {}
            Value::TRUE => own(&EXCEPTIONS).set(own(&EXCEPTIONS).get() | (which & ALL)),
            Value::FALSE => own(&EXCEPTIONS).set(own(&EXCEPTIONS).get() & !which),
            _ => return Err(cx.argument_error("second argument must be true or false")),
        }
        return Ok(Value::fixnum(own(&EXCEPTIONS).get()));
    }
    if which & ROUND_MODE != 0 {
        if !value.is_nil() {
            let mode = rounding_of(cx, value)?;
            own(&ROUNDING).set(mode);
        }
        return Ok(Value::fixnum(rounding() as i64));
    }
    Err(cx.type_error("first argument for BigDecimal.mode invalid"))
}

/// A rounding mode by number or name.
pub fn rounding_of(cx: &mut Cx, v: Value) -> R<Rounding> {
    let name = if let Some(symbol) = Sym::from_value(v) {
        symbol.to_text(cx)
    } else if cell::is(v, abi::Type::String) {
        Str::of(v).to_text()
    } else {
        let number = convert::to_i64(cx, v)?;
        return match Rounding::from_number(number) {
            Some(mode) => Ok(mode),
            None => Err(cx.argument_error(&format!("invalid rounding mode ({number})"))),
        };
    };
    match rounding_named(&name) {
        Some(mode) => Ok(mode),
        None => Err(cx.argument_error(&format!("invalid rounding mode ({name})"))),
    }
}

fn rounding_named(name: &str) -> Option<Rounding> {
    Some(match name.to_ascii_lowercase().as_str() {
        "up" => Rounding::Up,
        "down" | "truncate" => Rounding::Down,
        "half_up" | "default" => Rounding::HalfUp,
        "half_down" => Rounding::HalfDown,
        "half_even" | "banker" => Rounding::HalfEven,
        "ceiling" | "ceil" => Rounding::Ceiling,
        "floor" => Rounding::Floor,
        _ => return None,
    })
}

/// `half:` of `round`: "up", "down" or "even".
pub fn half(cx: &mut Cx, v: Value) -> R<Rounding> {
    if v.is_nil() {
        return Ok(rounding());
    }
    let name = match Sym::from_value(v) {
        Some(symbol) => symbol.to_text(cx),
        None => {
            let s = convert::to_str(cx, v)?;
            s.to_text()
        }
    };
    match rounding_named(&format!("half_{name}")) {
        Some(mode) => Ok(mode),
        None => Err(cx.argument_error(&format!("invalid rounding mode ({name})"))),
    }
}

fn saved<T: Copy>(cx: &mut Cx, args: Args, mode: &'static LocalKey<Cell<T>>) -> R {
    let before = mode.get();
    let block = args.block(cx);
    let result = call::yield_values(cx, block, &[]);
    mode.set(before);
    result
}

/// `BigDecimal.save_exception_mode { } → object`: calls the block, and restores the exception mode afterwards.
pub fn save_exceptions(cx: &mut Cx, args: Args) -> R {
    saved(cx, args, own(&EXCEPTIONS))
}

/// `BigDecimal.save_rounding_mode { } → object`: calls the block, and restores the rounding mode afterwards.
pub fn save_rounding(cx: &mut Cx, args: Args) -> R {
    saved(cx, args, own(&ROUNDING))
}

/// `BigDecimal.save_limit { } → object`: calls the block, and restores the limit of digits afterwards.
pub fn save_limit(cx: &mut Cx, args: Args) -> R {
    saved(cx, args, own(&LIMIT))
}
