//! The conversion of `Float()`, which coercion to Floats needs.

use abi::Type;
use object::{cell, float};
use runtime::{Cx, Known, R, Value, call, convert, error, sym};

/// The Float of a number or of a String with a number: TypeError or ArgumentError otherwise.
pub fn kernel_float(cx: &mut Cx, v: Value) -> R {
    if !cell::is(v, Type::String) {
        if v.is_heap()
            && !object::class::is_known(cx, v, Known::Numeric)
            && let Some(f) = call::send_if_responds(cx, v, sym::TO_F, &[])?
        {
            if float::is(f) {
                return Ok(f);
            }
            let (from, got) = (error::class_name_of(cx, v), error::class_name_of(cx, f));
            return Err(cx.type_error(&format!("can't convert {from} to Float ({from}#to_f gives {got})")));
        }
        let f = convert::to_f64(cx, v)?;
        return Ok(float::new(cx, f));
    }
    let bytes = object::string::Str::of(v).to_vector();
    if bytes.contains(&0) {
        return Err(cx.argument_error("string for Float contains null byte"));
    }
    match text::number::parse_float_strict(&bytes) {
        Some(f) => Ok(float::new(cx, f)),
        None => {
            let shown = call::inspect_text(cx, v)?;
            Err(cx.argument_error(&format!("invalid value for Float(): {shown}")))
        }
    }
}
