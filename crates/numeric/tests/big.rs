//! Integers of any size. Expected figures that are not identities come from CRuby 4.0.

use numeric::big::{self, BigRef, Digits, Error, Half, Int, Integer, never};
use std::cmp::Ordering;

fn n(text: &str) -> Integer {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    big::parse_digits(digits.as_bytes(), 10, negative, &mut never).unwrap().unwrap()
}

fn s(value: &Integer) -> String {
    big::to_s(value.as_int(), 10, &mut never).unwrap()
}

fn binary(operation: fn(Int, Int) -> Integer, a: &str, b: &str) -> String {
    s(&operation(n(a).as_int(), n(b).as_int()))
}

fn fallible(operation: fn(Int, Int) -> Result<Integer, Error>, a: &str, b: &str) -> String {
    operation(n(a).as_int(), n(b).as_int()).map_or_else(|error| error.to_string(), |value| s(&value))
}

const SAMPLES: [&str; 19] = [
    "0",
    "1",
    "-1",
    "2",
    "-7",
    "10",
    "4611686018427387903",
    "4611686018427387904",
    "-4611686018427387904",
    "-4611686018427387905",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "-18446744073709551616",
    "340282366920938463463374607431768211456",
    "-340282366920938463463374607431768211457",
    "123456789012345678901234567890123456789012345678901234567890",
    "-99999999999999999999999999999999999999999999999999999999999999999999999999999",
];

#[test]
fn results_are_fixnums_exactly_where_ruby_has_fixnums() {
    assert_eq!(n("4611686018427387903"), Integer::Fix(big::FIXNUM_MAX));
    assert!(matches!(n("4611686018427387904"), Integer::Big(_)));
    assert_eq!(n("-4611686018427387904"), Integer::Fix(big::FIXNUM_MIN));
    assert!(matches!(n("-4611686018427387905"), Integer::Big(_)));
    let Integer::Big(value) = n("-36893488147419103233") else { panic!() };
    assert!(value.negative());
    assert_eq!(value.limbs(), [1, 2]);
    assert_eq!(binary(big::sub, "18446744073709551616", "18446744073709551615"), "1");
    assert_eq!(big::neg(n("4611686018427387904").as_int()), Integer::Fix(big::FIXNUM_MIN));
}

#[test]
fn identities_hold_for_every_pair() {
    for a in SAMPLES {
        for b in SAMPLES {
            let (x, y) = (n(a), n(b));
            let (x, y) = (x.as_int(), y.as_int());
            let sum = big::add(x, y);
            assert_eq!(s(&big::sub(sum.as_int(), y)), a);
            let product = big::mul(x, y).unwrap();
            assert_eq!(product, big::mul(y, x).unwrap());
            if b == "0" {
                assert_eq!(big::divmod(x, y), Err(Error::ZeroDivision));
            } else {
                assert_eq!(s(&big::div(product.as_int(), y).unwrap()), a);
                let (quotient, modulo) = big::divmod(x, y).unwrap();
                assert!(modulo.as_int().is_zero() || modulo.as_int().is_negative() == y.is_negative());
                assert_eq!(s(&big::add(big::mul(quotient.as_int(), y).unwrap().as_int(), modulo.as_int())), a);
                let rest = big::remainder(x, y).unwrap();
                assert!(rest.as_int().is_zero() || rest.as_int().is_negative() == x.is_negative());
                let up = big::ceildiv(x, y).unwrap();
                let expected = big::neg(big::div(big::neg(x).as_int(), y).unwrap().as_int());
                assert_eq!(up, expected);
            }
            // a ^ b == (a | b) - (a & b)
            let both = big::and(x, y);
            assert_eq!(big::xor(x, y), big::sub(big::or(x, y).as_int(), both.as_int()));
            assert_eq!(big::not(big::and(x, y).as_int()), big::or(big::not(x).as_int(), big::not(y).as_int()));
            assert_eq!(big::cmp(x, y), big::cmp(big::sub(x, y).as_int(), Int::Fix(0)));
            assert_eq!(big::eq(x, y), a == b);
        }
    }
}

#[test]
fn division_follows_ruby() {
    assert_eq!(fallible(big::div, "-7", "2"), "-4");
    assert_eq!(fallible(big::modulo, "-7", "2"), "1");
    assert_eq!(fallible(big::remainder, "-7", "2"), "-1");
    assert_eq!(fallible(big::modulo, "18446744073709551616", "-3"), "-2");
    assert_eq!(fallible(big::div, "-4611686018427387904", "-1"), "4611686018427387904");
    assert_eq!(fallible(big::div, "1", "0"), "divided by 0");
    assert_eq!(fallible(big::ceildiv, "7", "2"), "4");
}

#[test]
fn gcd_lcm_and_roots() {
    assert_eq!(binary(big::gcd, "0", "0"), "0");
    assert_eq!(binary(big::gcd, "-12", "18"), "6");
    assert_eq!(binary(big::gcd, "36893488147419103232", "-48"), "16");
    assert_eq!(fallible(big::lcm, "-4611686018427387904", "3"), "13835058055282163712");
    let root = |text| big::isqrt(n(text).as_int()).map(|root| s(&root));
    assert_eq!(root("24").unwrap(), "4");
    assert_eq!(root("10000000000000000000000000000000000000000").unwrap(), "100000000000000000000");
    assert_eq!(root("-1"), Err(Error::NegativeRoot));
}

fn power(base: &str, exponent: &str) -> Result<String, Error> {
    big::pow(n(base).as_int(), n(exponent).as_int(), &mut never).map(|power| s(&power))
}

#[test]
fn powers_end_where_ruby_ends_them() {
    assert_eq!(power("2", "64").unwrap(), "18446744073709551616");
    assert_eq!(power("-2", "63").unwrap(), "-9223372036854775808");
    assert_eq!(power("0", "0").unwrap(), "1");
    assert_eq!(power("-1", "4611686018427387905").unwrap(), "-1");
    assert_eq!(power("100000000", "1000000000"), Err(Error::ExponentTooLarge));
    assert_eq!(power("2", "18446744073709551616"), Err(Error::ExponentTooLarge));
    let long = big::pow(Int::Fix(2), Int::Fix(40_000_000), &mut never).unwrap();
    assert_eq!(big::bit_length(long.as_int()), 40_000_001);
    let odd = big::pow(Int::Fix(-6), Int::Fix(700_001), &mut never).unwrap();
    let expected = big::mul(big::pow(Int::Fix(36), Int::Fix(350_000), &mut never).unwrap().as_int(), Int::Fix(-6));
    assert_eq!(odd, expected.unwrap());
    assert_eq!(big::pow(Int::Fix(3), Int::Fix(10_000_000), &mut || true), Err(Error::Interrupted));
}

#[test]
fn modular_powers_have_the_sign_of_the_modulus() {
    let powmod = |base: &str, exponent: &str, modulus: &str| {
        big::powmod(n(base).as_int(), n(exponent).as_int(), n(modulus).as_int()).map(|power| s(&power))
    };
    assert_eq!(powmod("2", "61", "5843009213693951").unwrap(), "3697379018277258");
    assert_eq!(powmod("2", "64", "5843009213693954").unwrap(), "363986077738838");
    assert_eq!(powmod("2", "5", "-12").unwrap(), "-4");
    assert_eq!(powmod("-2", "5", "12").unwrap(), "4");
    assert_eq!(powmod("2", "5", "1").unwrap(), "0");
    assert_eq!(powmod("2", "0", "-1").unwrap(), "0");
    assert_eq!(powmod("2", "5", "0"), Err(Error::ZeroDivision));
    assert_eq!(powmod("2", "-5", "7"), Err(Error::NegativeExponent));
    assert_eq!(
        powmod("3", "1000000000000000000000", "340282366920938463463374607431768211456").unwrap(),
        reference_power()
    );
}

/// 3^(10^21) mod 2^128.
/// Square and multiply, with a division after each step.
fn slow_powmod(base: &Integer, exponent: &Integer, modulus: &Integer) -> Integer {
    let reduced = |n: Integer| big::modulo(n.as_int(), modulus.as_int()).unwrap();
    let times = |a: &Integer, b: &Integer| reduced(big::mul(a.as_int(), b.as_int()).unwrap());
    let base = reduced(base.clone());
    (0..big::bit_length(exponent.as_int())).rev().fold(reduced(Integer::Fix(1)), |power, place| {
        let square = times(&power, &power);
        if big::bit(exponent.as_int(), Int::Fix(place as i64)) == 1 { times(&square, &base) } else { square }
    })
}

#[test]
fn modular_powers_with_moduli_of_every_kind() {
    let two_to = |bits: i64| big::shl(Int::Fix(1), Int::Fix(bits)).unwrap();
    let product = |a: Integer, b: i64| big::mul(a.as_int(), Int::Fix(b)).unwrap();
    let sum = |a: Integer, b: i64| big::add(a.as_int(), Int::Fix(b));
    let exponents = ["0", "1", "5", "31", "32", "63", "64", "65", "1000003", "123456789012345678901234567890"];
    for bits in [31, 32, 33, 61, 63, 64, 65, 127, 128, 129, 300, 520, 8200] {
        for (twos, odd) in [(0, 3), (0, 5), (1, 7), (1, 1), (20, 11), (64, 9), (100, 1), (200, 13)] {
            // An odd number times a power of two, of either sign.
            let odd = product(sum(two_to(bits - 1), if odd == 1 { 0 } else { odd }), 1);
            let modulus = big::mul(odd.as_int(), two_to(twos).as_int()).unwrap();
            for base in ["-7", "2", "6", "1000000007", "-340282366920938463463374607431768211457"] {
                for exponent in if bits > 1000 { &exponents[..8] } else { &exponents[..] } {
                    let (base, exponent) = (n(base), n(exponent));
                    let power = big::powmod(base.as_int(), exponent.as_int(), modulus.as_int()).unwrap();
                    assert_eq!(s(&power), s(&slow_powmod(&base, &exponent, &modulus)), "{bits} {twos}");
                }
            }
        }
    }
}

#[test]
fn divisions_by_short_numbers() {
    for a in SAMPLES {
        for b in ["1", "-1", "2", "-7", "10", "4294967295", "-4294967295", "4294967296", "1000000007"] {
            let (quotient, rest) = big::divmod(n(a).as_int(), n(b).as_int()).unwrap();
            let back = big::add(big::mul(quotient.as_int(), n(b).as_int()).unwrap().as_int(), rest.as_int());
            assert_eq!(s(&back), a, "{a} {b}");
            assert_eq!(s(&rest), fallible(big::modulo, a, b));
            assert!(rest.as_int().is_zero() || rest.as_int().is_negative() == b.starts_with('-'), "{a} {b}");
            let is_below = big::cmp(big::abs(rest.as_int()).as_int(), big::abs(n(b).as_int()).as_int());
            assert_eq!(is_below, Ordering::Less, "{a} {b}");
        }
    }
}

fn reference_power() -> String {
    let mut result = 1u128;
    let mut base = 3u128;
    let mut exponent = 1_000_000_000_000_000_000_000u128;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result.to_string()
}

#[test]
fn shifts() {
    assert_eq!(fallible(big::shl, "1", "64"), "18446744073709551616");
    assert_eq!(fallible(big::shl, "-1", "64"), "-18446744073709551616");
    assert_eq!(fallible(big::shr, "-18446744073709551617", "64"), "-2");
    assert_eq!(fallible(big::shr, "-1", "36893488147419103232"), "-1");
    assert_eq!(fallible(big::shl, "18446744073709551616", "-36893488147419103232"), "0");
    assert_eq!(fallible(big::shl, "0", "36893488147419103232"), "0");
    assert_eq!(fallible(big::shl, "1", "147573952589676412928"), "shift width too big");
    assert_eq!(fallible(big::shl, "1", "1099511627776"), "failed to allocate memory");
    assert_eq!(fallible(big::shr, "-1", "-1099511627776"), "failed to allocate memory");
}

#[test]
fn single_bits_and_ranges() {
    for text in SAMPLES {
        let value = n(text);
        for index in [0, 1, 61, 62, 63, 64, 65, 127, 128, 129, 190, 1000] {
            let shifted = big::shr(value.as_int(), Int::Fix(index)).unwrap();
            let expected = big::and(shifted.as_int(), Int::Fix(1));
            assert_eq!(Integer::Fix(big::bit(value.as_int(), Int::Fix(index)).into()), expected, "{text}[{index}]");
        }
        let length = big::bit_length(value.as_int());
        let magnitude = if value.as_int().is_negative() { big::not(value.as_int()) } else { value.clone() };
        assert_eq!(length, magnitude.as_int().magnitude_bits());
    }
    assert_eq!(big::bit(Int::Fix(-1), n("36893488147419103232").as_int()), 1);
    assert_eq!(big::bit(Int::Fix(5), Int::Fix(-1)), 0);
    let range = |text: &str, offset, len: Option<i64>| {
        big::bit_range(n(text).as_int(), Int::Fix(offset), len.map(Int::Fix)).map(|bits| s(&bits))
    };
    assert_eq!(range("240", 4, Some(4)).unwrap(), "15");
    assert_eq!(range("-18446744073709551616", 63, Some(2)).unwrap(), "2");
    assert_eq!(range("240", 4, Some(i64::MAX)).unwrap(), "15");
    assert_eq!(range("-1", 4, Some(i64::MAX)), Err(Error::OutOfMemory));
    assert_eq!(range("240", 4, Some(-1)).unwrap(), "15");
    assert_eq!(range("240", 4, None).unwrap(), "15");
    assert!(big::low_bits_zero(n("36893488147419103232").as_int(), 65));
    assert!(!big::low_bits_zero(n("36893488147419103232").as_int(), 66));
    assert_eq!(big::bit_count(n("36893488147419103235").as_int()), Ok(3));
    assert_eq!(big::bit_count(Int::Fix(-1)), Err(Error::NegativeBitCount));
}

#[test]
fn text_in_every_radix() {
    for text in SAMPLES {
        for radix in 2..=36 {
            let value = n(text);
            let written = big::to_s(value.as_int(), radix, &mut never).unwrap();
            let (negative, digits) = written.strip_prefix('-').map_or((false, &written[..]), |digits| (true, digits));
            let parsed = big::parse_digits(digits.as_bytes(), radix as u32, negative, &mut never);
            assert_eq!(parsed, Ok(Some(value)), "{text} in radix {radix}");
        }
    }
    assert_eq!(big::to_s(n("18446744073709551616").as_int(), 36, &mut never).unwrap(), "3w5e11264sgsg");
    assert_eq!(big::to_s(Int::Fix(1), 37, &mut never), Err(Error::InvalidRadix(37)));
    assert_eq!(big::parse_digits(b"12a", 10, false, &mut never), Ok(None));
    assert_eq!(big::parse_digits(b"", 10, false, &mut never), Ok(None));
    assert_eq!(big::parse_digits(b"1_0000000000000", 10, false, &mut never), Ok(None));
}

#[test]
fn decimal_text_of_a_few_limbs() {
    // Parts of zeros in the middle and at the end, and the longest number that is converted without the library.
    let longest = format!("{}", (dashu_int::UBig::ONE << 512) - dashu_int::UBig::ONE);
    let beyond = format!("{}", dashu_int::UBig::ONE << 512);
    let zeros = format!("1{}", "0".repeat(36));
    let middle = format!("-12{}7{}", "0".repeat(17), "0".repeat(18));
    for text in [&longest, &beyond, &zeros, &middle, "1000000000000000000000000000000000000001"] {
        assert_eq!(s(&n(text)), *text);
    }
    assert_eq!(big::to_s(Int::Big(BigRef { negative: false, limbs: &[0, 0] }), 10, &mut never).unwrap(), "0");
}

#[test]
fn long_text_goes_there_and_back_in_steps() {
    let digits: String = (0..500_000u64).map(|i| char::from(b'0' + (i * i % 97 % 10) as u8)).collect();
    let digits = format!("7{}{digits}", "0".repeat(100_000));
    let value = big::parse_digits(digits.as_bytes(), 10, true, &mut never).unwrap().unwrap();
    assert_eq!(s(&value), format!("-{digits}"));
    assert_eq!(big::to_s(value.as_int(), 10, &mut || true), Err(Error::Interrupted));
    assert_eq!(big::parse_digits(digits.as_bytes(), 10, true, &mut || true), Err(Error::Interrupted));
    let Digits::Small(list) = big::digits(big::abs(value.as_int()).as_int(), Int::Fix(10), &mut never).unwrap() else {
        panic!()
    };
    let text: String = list.iter().rev().map(|&digit| char::from(b'0' + digit as u8)).collect();
    assert_eq!(text, digits);
}

#[test]
fn digits_in_small_and_big_bases() {
    let digits = |text: &str, base: &str| big::digits(n(text).as_int(), n(base).as_int(), &mut never);
    assert_eq!(digits("0", "10"), Ok(Digits::Small(vec![0])));
    assert_eq!(digits("12345", "100"), Ok(Digits::Small(vec![45, 23, 1])));
    assert_eq!(digits("18446744073709551623", "4294967296"), Ok(Digits::Small(vec![7, 0, 1])));
    assert_eq!(
        digits("100000000000000000000000000000000000002", "10000000000"),
        Ok(Digits::Small(vec![2, 0, 0, 100000000]))
    );
    assert_eq!(
        digits("680564733841876926926749214863536422912", "36893488147419103232"),
        Ok(Digits::Big(vec![Integer::Fix(0), n("18446744073709551616")]))
    );
    assert_eq!(digits("-1", "10"), Err(Error::NegativeDigits));
    assert_eq!(digits("1", "1"), Err(Error::InvalidRadix(1)));
    assert_eq!(digits("1", "-2"), Err(Error::NegativeRadix));
}

#[test]
fn floats_are_the_nearest_ones() {
    let float = |text| big::to_f64(n(text).as_int());
    assert_eq!(float("18446744073709551616"), 18446744073709551616.0);
    // Halfway between two floats: to even, unless lower digits follow.
    assert_eq!(float("36893488147419107328"), 36893488147419103232.0);
    assert_eq!(float("36893488147419107329"), 36893488147419111424.0);
    assert_eq!(float("-36893488147419115520"), -36893488147419119616.0);
    let huge = big::pow(Int::Fix(-10), Int::Fix(309), &mut never).unwrap();
    assert_eq!(big::to_f64(huge.as_int()), f64::NEG_INFINITY);
    let largest = big::from_f64(f64::MAX).unwrap();
    assert_eq!(big::to_f64(largest.as_int()), f64::MAX);
    let limit = big::shl(Int::Fix(1), Int::Fix(1024)).unwrap();
    let half = big::sub(limit.as_int(), big::shl(Int::Fix(1), Int::Fix(970)).unwrap().as_int());
    assert_eq!(big::to_f64(half.as_int()), f64::INFINITY);
    assert_eq!(big::to_f64(big::sub(half.as_int(), Int::Fix(1)).as_int()), f64::MAX);
    for value in [1e300, -1.5, 9.3e18, i64::MIN as f64, 4611686018427387904.0, 0.0] {
        assert_eq!(big::to_f64(big::from_f64(value).unwrap().as_int()), value.trunc());
    }
    assert!(big::from_f64(f64::NAN).is_err());
    assert_eq!(big::from_f64(f64::NEG_INFINITY).unwrap_err().to_string(), "-Infinity");
}

#[test]
fn integers_and_floats_compare_exactly() {
    let cmp = |text: &str, float: f64| big::cmp_f64(n(text).as_int(), float);
    assert_eq!(cmp("9007199254740993", 9007199254740992.0), Some(Ordering::Greater));
    assert_eq!(cmp("9223372036854775807", 9223372036854775808.0), Some(Ordering::Less));
    assert_eq!(cmp("9223372036854775808", 9223372036854775808.0), Some(Ordering::Equal));
    assert_eq!(cmp("-1", -1.5), Some(Ordering::Greater));
    assert_eq!(cmp("1", 1.5), Some(Ordering::Less));
    assert_eq!(cmp("0", -0.0), Some(Ordering::Equal));
    assert_eq!(cmp("0", -0.5), Some(Ordering::Greater));
    assert_eq!(cmp("0", f64::NAN), None);
    assert_eq!(cmp("123456789012345678901234567890", f64::INFINITY), Some(Ordering::Less));
    assert_eq!(cmp("-123456789012345678901234567890", 1e10), Some(Ordering::Less));
    assert_eq!(cmp("1", 1e300), Some(Ordering::Less));
}

#[test]
fn quotients_as_floats() {
    let fdiv = |a: &str, b: &str| big::fdiv(n(a).as_int(), n(b).as_int());
    assert_eq!(fdiv("1", "3"), 1.0 / 3.0);
    assert_eq!(fdiv("100000000000000000000000000000", "300000000000000000000000000000"), 1.0 / 3.0);
    assert_eq!(fdiv("-1", "0"), f64::NEG_INFINITY);
    assert!(fdiv("0", "0").is_nan());
    let ten = big::pow(Int::Fix(10), Int::Fix(400), &mut never).unwrap();
    let more = big::pow(Int::Fix(10), Int::Fix(399), &mut never).unwrap();
    assert_eq!(big::fdiv(ten.as_int(), more.as_int()), 10.0);
    assert_eq!(big::fdiv(more.as_int(), ten.as_int()), 0.1);
    let tiny = big::pow(Int::Fix(10), Int::Fix(320), &mut never).unwrap();
    assert_eq!(big::fdiv(Int::Fix(-7), tiny.as_int()), -7e-320);
    assert_eq!(big::fdiv(Int::Fix(1), ten.as_int()), 0.0);
    assert_eq!(big::fdiv(ten.as_int(), Int::Fix(7)), f64::INFINITY);
}

#[test]
fn rounding_to_powers_of_ten() {
    let round = |text: &str, places, half| s(&big::round(n(text).as_int(), places, half).unwrap());
    assert_eq!(round("25", -1, Half::Up), "30");
    assert_eq!(round("25", -1, Half::Even), "20");
    assert_eq!(round("25", -1, Half::Down), "20");
    assert_eq!(round("-35", -1, Half::Up), "-40");
    assert_eq!(round("-35", -1, Half::Even), "-40");
    assert_eq!(round("-35", -1, Half::Down), "-30");
    assert_eq!(round("5", -1, Half::Up), "10");
    assert_eq!(round("50000000000000000000000000000001", -32, Half::Down), "100000000000000000000000000000000");
    assert_eq!(round("123", i64::MIN, Half::Up), "0");
    let floor = |text: &str, places| big::floor(n(text).as_int(), places).map(|value| s(&value));
    assert_eq!(floor("18", -1).unwrap(), "10");
    assert_eq!(floor("-18", -1).unwrap(), "-20");
    assert_eq!(floor("-1", -30).unwrap(), "-1000000000000000000000000000000");
    assert_eq!(floor("1", i64::MIN).unwrap(), "0");
    assert_eq!(floor("-1", i64::MIN), Err(Error::ExponentTooLarge));
    assert_eq!(s(&big::ceil(n("1").as_int(), -2).unwrap()), "100");
    assert_eq!(s(&big::ceil(n("0").as_int(), -21).unwrap()), "0"); // CRuby 4.1dev
    let rounded = |text: &str, places| [big::floor, big::ceil].map(|f| s(&f(n(text).as_int(), places).unwrap()));
    assert_eq!(
        rounded("123456789012345678901234567891", -1),
        ["123456789012345678901234567890", "123456789012345678901234567900"]
    );
    assert_eq!(
        rounded("123456789012345678901234567891", -25),
        ["123450000000000000000000000000", "123460000000000000000000000000"]
    );
    assert_eq!(
        rounded("-123456789012345678901234567891", -1),
        ["-123456789012345678901234567900", "-123456789012345678901234567890"]
    );
    assert_eq!(
        rounded("-123456789012345678901234567891", -25),
        ["-123460000000000000000000000000", "-123450000000000000000000000000"]
    );
    assert_eq!(
        rounded("7000000000000000000000000000000", -30),
        ["7000000000000000000000000000000", "7000000000000000000000000000000"]
    );
    assert_eq!(
        rounded("-7000000000000000000000000000000", -30),
        ["-7000000000000000000000000000000", "-7000000000000000000000000000000"]
    );
    assert_eq!(rounded("100000000000000000000000000000", -40), ["0", "10000000000000000000000000000000000000000"]);
    assert_eq!(rounded("-100000000000000000000000000000", -40), ["-10000000000000000000000000000000000000000", "0"]);
    assert_eq!(s(&big::truncate(n("-199").as_int(), -2).unwrap()), "-100");
    assert_eq!(s(&big::ceil(n("18446744073709551616").as_int(), 3).unwrap()), "18446744073709551616");
}

#[test]
fn bytes() {
    for text in SAMPLES {
        let value = n(text);
        let bytes = big::to_le_bytes(value.as_int(), 64);
        assert_eq!(big::from_le_bytes(&bytes, true), value, "{text}");
        let magnitude = big::magnitude_le_bytes(value.as_int());
        assert_eq!(big::from_le_bytes(&magnitude, false), big::abs(value.as_int()));
    }
    assert_eq!(big::to_le_bytes(Int::Fix(-2), 3), [0xfe, 0xff, 0xff]);
    assert_eq!(big::to_le_bytes(n("-18446744073709551616").as_int(), 10), [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
    assert_eq!(big::from_le_bytes(&[0xff; 9], false), n("4722366482869645213695"));
    assert_eq!(big::low_u64(n("-18446744073709551617").as_int()), u64::MAX);
    assert_eq!(big::size_in_bytes(n("18446744073709551616").as_int()), 16);
}

/// Operands with many leading zeros are computed like long numbers.
#[test]
fn short_numbers_give_the_results_of_long_ones() {
    const LIMBS: [&[u64]; 9] = [
        &[],
        &[1],
        &[u64::MAX],
        &[0, 0, 1],
        &[1, 0, 1 << 63],
        &[u64::MAX, u64::MAX, u64::MAX],
        &[0x0123_4567_89ab_cdef, 0, 0xfedc_ba98_7654_3210, 7],
        &[u64::MAX; 8],
        &[0, 0, 0, 0, 0, 0, 0, 1],
    ];
    type Operation = fn(Int, Int) -> Integer;
    const OPERATIONS: [Operation; 9] = [
        big::add,
        big::sub,
        big::and,
        big::or,
        big::xor,
        |a, b| big::mul(a, b).unwrap(),
        |a, _| big::neg(a),
        |a, _| big::not(a),
        |a, _| big::abs(a),
    ];
    const WIDTHS: [i64; 9] = [0, 1, 63, 64, 65, 128, 200, 511, 512];
    const FACTORS: [i64; 6] = [0, 1, -1, 3, i64::MAX, i64::MIN];
    let signed = || LIMBS.iter().flat_map(|limbs| [(false, *limbs), (true, *limbs)]);
    let longer = |limbs: &[u64]| [limbs, &[0; 20]].concat();
    for (negative, a) in signed() {
        let (long, a) = (longer(a), Int::Big(BigRef { negative, limbs: a }));
        let long = Int::Big(BigRef { negative, limbs: &long });
        for width in WIDTHS.map(Int::Fix) {
            assert_eq!(big::shl(a, width), big::shl(long, width), "{a:?} << {width:?}");
            assert_eq!(big::shr(a, width), big::shr(long, width), "{a:?} >> {width:?}");
        }
        for factor in FACTORS.map(Int::Fix) {
            for (i, operation) in OPERATIONS.iter().enumerate() {
                assert_eq!(operation(a, factor), operation(long, factor), "{i}: {a:?} {factor:?}");
                assert_eq!(operation(factor, a), operation(factor, long), "{i}: {factor:?} {a:?}");
            }
        }
        for (negative, b) in signed() {
            let (long_b, b) = (longer(b), Int::Big(BigRef { negative, limbs: b }));
            let long_b = Int::Big(BigRef { negative, limbs: &long_b });
            for (i, operation) in OPERATIONS.iter().enumerate() {
                assert_eq!(operation(a, b), operation(long, long_b), "{i}: {a:?} {b:?}");
            }
        }
    }
}
