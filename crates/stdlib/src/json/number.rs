//! Numbers of JSON: one pass over the digits, which are converted while they are read.

/// A number at the start of a text.
pub struct Number {
    /// The number of its bytes.
    pub length: usize,
    pub is_negative: bool,
    /// Whether it has a fraction or an exponent.
    pub is_float: bool,
    /// All digits as one integer, if they are few enough.
    digits: Option<u64>,
    /// The power of ten that `digits` is multiplied by.
    power: i32,
}

/// So many decimal digits always fit into 64 bits.
const MOST_DIGITS: usize = 19;

impl Number {
    /// The number at the start; `None` if it is invalid.
    pub fn read(text: &[u8]) -> Option<Number> {
        let is_negative = text.first() == Some(&b'-');
        let start = usize::from(is_negative);
        let mut digits = 0;
        let mut at = read_digits(text, start, &mut digits);
        let whole = at - start;
        if whole == 0 || (whole > 1 && text[start] == b'0') {
            return None;
        }
        let mut number = Number { length: at, is_negative, is_float: false, digits: None, power: 0 };
        let mut count = whole;
        if text.get(at) == Some(&b'.') {
            let from = at + 1;
            at = read_digits(text, from, &mut digits);
            if at == from {
                return None;
            }
            count += at - from;
            // A text of more digits than this has no small mantissa.
            number.power = -((at - from).min(1 << 20) as i32);
            number.is_float = true;
        }
        if let Some(b'e' | b'E') = text.get(at) {
            let (end, exponent) = read_exponent(text, at + 1)?;
            at = end;
            number.power = number.power.saturating_add(exponent);
            number.is_float = true;
        }
        number.length = at;
        number.digits = (count <= MOST_DIGITS).then_some(digits);
        Some(number)
    }

    /// The value of an integer of at most 63 bits.
    #[inline]
    pub fn integer(&self) -> Option<i64> {
        let number = i64::try_from(self.digits?).ok()?;
        Some(if self.is_negative { -number } else { number })
    }

    /// The nearest float, where it can be computed from 128 bits.
    #[inline]
    pub fn float(&self) -> Option<f64> {
        let number = scaled(self.digits?, self.power)?;
        Some(if self.is_negative { -number } else { number })
    }
}

/// Length and value of an integer of few digits; `None` for other numbers.
#[inline(always)]
pub fn small_integer(text: &[u8]) -> Option<(usize, i64)> {
    const MOST: usize = 9;
    let start = usize::from(text.first() == Some(&b'-'));
    let (mut at, mut number) = (start, 0u32);
    while let Some(digit @ b'0'..=b'9') = text.get(at) {
        if at - start == MOST {
            return None;
        }
        number = number * 10 + u32::from(digit - b'0');
        at += 1;
    }
    let is_padded = at - start > 1 && text[start] == b'0';
    if at == start || is_padded || matches!(text.get(at), Some(b'e' | b'E' | b'.')) {
        return None;
    }
    Some((at, if start == 1 { -i64::from(number) } else { i64::from(number) }))
}

/// Powers of ten that are exact as floats.
const EXACT_TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The float nearest to `digits * 10 ** power`; `None` for powers that are too large.
#[inline]
fn scaled(digits: u64, power: i32) -> Option<f64> {
    let size = power.unsigned_abs();
    if digits < 1 << 53 && size < EXACT_TENS.len() as u32 {
        // Both are exact, so that one operation rounds correctly.
        let ten = EXACT_TENS[size as usize];
        return Some(if power < 0 { digits as f64 / ten } else { digits as f64 * ten });
    }
    let ten = 10u64.checked_pow(size)?;
    if power >= 0 {
        return Some((u128::from(digits) * u128::from(ten)) as f64);
    }
    if let Some(number) = multiplied(digits, size, ten) {
        return Some(number);
    }
    // The quotient has 62 or 63 bits, the lowest of which is set if there is a remainder: enough to round correctly to
    // 53 bits. `digits` is not zero, `ten` has at least four bits.
    let shift = (ten.ilog2() + 62) - digits.ilog2();
    let dividend = u128::from(digits) << shift;
    let quotient = (dividend / u128::from(ten)) as u64;
    let inexact = u128::from(quotient) * u128::from(ten) != dividend;
    // A power of two, by which multiplying is exact.
    let scale = f64::from_bits(u64::from(1023 - shift) << 52);
    Some((quotient | u64::from(inexact)) as f64 * scale)
}

/// For each power of ten that fits a word, the 64 bits of its reciprocal, rounded up.
const RECIPROCALS: [u64; 20] = {
    let mut reciprocals = [0; 20];
    let mut power = 1;
    while power < reciprocals.len() {
        let ten = 10u64.pow(power as u32);
        reciprocals[power] = ((1u128 << (64 + ten.ilog2())) / ten as u128 + 1) as u64;
        power += 1;
    }
    reciprocals
};

/// The float nearest to `digits / ten`, which is 10 to the power of `power`, by one multiplication; `None` if that does
/// not tell how to round, which is rare. `digits` and `power` are not zero.
#[inline]
fn multiplied(digits: u64, power: u32, ten: u64) -> Option<f64> {
    let reciprocal = *RECIPROCALS.get(power as usize)?;
    let zeros = digits.leading_zeros();
    // The true product is less than 2**64 below this one, so that its upper half differs from this one by less than 1.
    let product = ((u128::from(digits << zeros) * u128::from(reciprocal)) >> 64) as u64;
    // Of the 63 or 64 bits a float has 53.
    let half = 1 << (10 - product.leading_zeros());
    if (product & (2 * half - 1)).abs_diff(half) <= 1 {
        return None;
    }
    // A power of two, by which multiplying is exact.
    let scale = f64::from_bits(u64::from(1023 - zeros - ten.ilog2()) << 52);
    Some(product as f64 * scale)
}

/// Appends the decimal digits from `at` on to a number; returns their end.
#[inline(always)]
fn read_digits(text: &[u8], mut at: usize, number: &mut u64) -> usize {
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*eight);
        if !is_eight_digits(word) {
            break;
        }
        *number = number.wrapping_mul(100_000_000).wrapping_add(value_of_eight_digits(word));
        at += 8;
    }
    while let Some(digit @ b'0'..=b'9') = text.get(at) {
        *number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        at += 1;
    }
    at
}

#[inline(always)]
fn is_eight_digits(word: u64) -> bool {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    // Adding six carries out of the low half of a byte above nine.
    (word & HIGH) | (word.wrapping_add(0x0606_0606_0606_0606) & HIGH) >> 4 == 0x3333_3333_3333_3333
}

/// The value of eight digits, the first in the lowest byte: pairs, then fours, then all are combined.
#[inline(always)]
fn value_of_eight_digits(word: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let word = word - 0x3030_3030_3030_3030;
    let word = word * 10 + (word >> 8);
    let first = (word & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let second = (word >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    first.wrapping_add(second) >> 32
}

/// The exponent behind its letter, and its end.
fn read_exponent(text: &[u8], at: usize) -> Option<(usize, i32)> {
    let sign = text.get(at);
    let mut end = at + usize::from(matches!(sign, Some(b'+' | b'-')));
    let from = end;
    let mut exponent: i32 = 0;
    while let Some(digit @ b'0'..=b'9') = text.get(end) {
        exponent = exponent.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
        end += 1;
    }
    (end > from).then_some((end, if sign == Some(&b'-') { -exponent } else { exponent }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        let length = |text: &str| Number::read(text.as_bytes()).map(|number| (number.length, number.is_float));
        for (text, expected) in [
            ("0", Some((1, false))),
            ("-12,", Some((3, false))),
            ("1.50]", Some((4, true))),
            ("1e5 ", Some((3, true))),
            ("1.25E-07}", Some((8, true))),
            ("123456789012345678901234567890", Some((30, false))),
            ("", None),
            ("-", None),
            ("01", None),
            ("1.", None),
            ("1.e3", None),
            ("1e", None),
            ("1e+", None),
        ] {
            assert_eq!(length(text), expected, "{text}");
        }
    }

    #[test]
    fn small_integers() {
        for (text, expected) in [
            ("0", Some((1, 0))),
            ("-0,", Some((2, 0))),
            ("12]", Some((2, 12))),
            ("-999999999 ", Some((10, -999_999_999))),
            ("1234567890", None),
            ("01", None),
            ("1.5", None),
            ("1e5", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(small_integer(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn integers() {
        let value = |text: &str| Number::read(text.as_bytes()).unwrap().integer();
        assert_eq!(value("-1234567890123456789"), Some(-1_234_567_890_123_456_789));
        assert_eq!(value("9223372036854775807"), Some(i64::MAX));
        assert_eq!(value("9223372036854775808"), None);
        assert_eq!(value("12345678901234567890"), None);
    }

    /// Floats as the standard library reads them, which rounds correctly.
    #[test]
    fn floats() {
        let mut state = 88_172_645_463_325_252u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let check = |text: &str| {
            let number = Number::read(text.as_bytes()).unwrap();
            assert_eq!(number.length, text.len());
            if let Some(made) = number.float() {
                assert_eq!(made.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            }
        };
        for text in ["0.0", "-0.0", "0e9", "9007199254740993.0", "9007199254740992.5", "0.3", "1e23", "5e-324"] {
            check(text);
        }
        for _ in 0..20_000 {
            let digits = random() >> (random() % 64);
            let text = digits.to_string();
            let point = random() as usize % (text.len() + 1);
            check(&format!("{}.{}0", if point == 0 { "0" } else { &text[..point] }, &text[point..]));
            check(&format!("-{digits}e{}", random() as i64 % 30));
            let float = f64::from_bits(random());
            if float.is_finite() {
                check(&format!("{float:?}").replace('"', ""));
                check(&format!("{:?}", (random() >> 11) as f64 / (1u64 << 53) as f64 * 1000.0));
            }
        }
        // Halves between two floats, and their neighbours.
        for _ in 0..20_000 {
            let half = (random() % (1 << 10)) as u128 | 1;
            let whole = (1u128 << 53) + (random() as u128 & ((1 << 53) - 1));
            check(&format!("{}.{}", whole / 2, half));
            check(&format!("{}.5", whole >> 1));
            check(&format!("{}.25", whole >> 2));
        }
    }
}
