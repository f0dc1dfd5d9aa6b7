//! Operations on numbers as text.

use text::number::{self, ComplexText, DecimalText, IntegerError, IntegerText, NumberText, RationalText};

use super::{int, shown};

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let text = arguments.first().map(Vec::as_slice).unwrap_or_default();
    let integer_result = |result: Result<IntegerText, IntegerError>| match result {
        Ok(found) => integer(&found),
        Err(IntegerError::InvalidRadix) => "invalid radix".to_owned(),
        Err(IntegerError::Invalid) => "invalid".to_owned(),
    };
    let answer = match operation {
        "Integer" => integer_result(number::parse_integer_strict(text, int(&arguments[1]))),
        "to_i" => integer_result(number::parse_integer(text, int(&arguments[1]))),
        "Float" => number::parse_float_strict(text).map_or("invalid".to_owned(), number::float_to_s),
        "to_f" => number::float_to_s(number::parse_float(text)),
        "Rational" => number::parse_rational_strict(text).map_or("invalid".to_owned(), |found| rational(&found)),
        "to_r" => rational(&number::parse_rational(text)),
        "Complex" => number::parse_complex_strict(text).map_or("invalid".to_owned(), |found| complex(&found)),
        "to_c" => complex(&number::parse_complex(text)),
        "float_to_s" => {
            let bits = u64::from_str_radix(std::str::from_utf8(text).unwrap(), 16).unwrap();
            number::float_to_s(f64::from_bits(bits))
        }
        _ => return None,
    };
    Some(vec![shown(answer)])
}

fn integer(found: &IntegerText) -> String {
    match found {
        IntegerText::Small(value) => value.to_string(),
        IntegerText::Big { negative, radix, digits } => {
            let mut value = 0i128;
            for digit in digits {
                let digit = i128::from(char::from(*digit).to_digit(*radix).unwrap());
                value = value.checked_mul(i128::from(*radix)).unwrap().checked_add(digit).unwrap();
            }
            if *negative { (-value).to_string() } else { value.to_string() }
        }
    }
}

/// Numerator and denominator in lowest terms, within 128 bits.
fn rational(found: &RationalText) -> String {
    let scale = |decimal: &DecimalText| -> (i128, i128) {
        let digits: i128 = String::from_utf8_lossy(&decimal.digits).parse().unwrap();
        let power = 10i128.pow(u32::try_from(decimal.exponent.abs()).unwrap());
        if decimal.exponent < 0 { (digits, power) } else { (digits * power, 1) }
    };
    let (mut top, mut bottom) = scale(&found.numerator);
    if let Some(denominator) = &found.denominator {
        let (over, under) = scale(denominator);
        if over == 0 {
            return "divided by 0".to_owned();
        }
        top *= under;
        bottom *= over;
    }
    let (mut a, mut b) = (top, bottom);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let sign = if found.negative { -1 } else { 1 };
    format!("{}/{}", sign * top / a, bottom / a)
}

fn complex(found: &ComplexText) -> String {
    let part = |number: &NumberText| match number {
        NumberText::Integer(value) => integer(value),
        NumberText::Float(value) => number::float_to_s(*value),
        NumberText::Rational(value) => rational(value),
    };
    match found {
        ComplexText::Rectangular { real, imaginary } => {
            format!("{} {}", part(real), part(imaginary))
        }
        ComplexText::Polar { .. } => "polar".to_owned(),
    }
}
