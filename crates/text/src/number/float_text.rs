//! Floats as shortest decimal text: Float#to_s.

/// A positive finite float as decimal digits: 0.d₁d₂d₃… × 10^`point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// ASCII digits, the first and last of them not zero (for 0.0 a single zero).
    pub digits: Vec<u8>,
    /// The position of the decimal point, counted from before the first digit.
    pub point: i32,
}

/// The fewest digits that parse back to the absolute value of `value`, which must be finite.
pub fn decimal(value: f64) -> Decimal {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value.abs());
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    let Some(first) = all.iter().position(|&digit| digit != b'0') else {
        return Decimal { digits: vec![b'0'], point: 1 };
    };
    let last = all.iter().rposition(|&digit| digit != b'0').unwrap_or(first);
    let point = whole.len() as i32 - first as i32 + exponent;
    Decimal { digits: all[first..=last].to_vec(), point }
}

/// `Float#to_s`.
pub fn float_to_s(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let Decimal { digits, point } = decimal(value);
    let digits = String::from_utf8_lossy(&digits);
    let count = digits.len() as i32;
    match point {
        1.. if point < count => {
            let (whole, fraction) = digits.split_at(point as usize);
            format!("{sign}{whole}.{fraction}")
        }
        1..=15 => format!("{sign}{digits}{}.0", "0".repeat((point - count) as usize)),
        -3..=0 => format!("{sign}0.{}{digits}", "0".repeat(-point as usize)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let rest = if rest.is_empty() { "0" } else { rest };
            let exponent = point - 1;
            let exponent_sign = if exponent < 0 { '-' } else { '+' };
            format!("{sign}{first}.{rest}e{exponent_sign}{:02}", exponent.abs())
        }
    }
}
