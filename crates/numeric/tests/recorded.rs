//! Floats, `Math` and fractions against figures recorded from CRuby (the version is in the file).

use numeric::big::{self, Error, Half, Int, Integer, never};
use numeric::float::{self, DomainError, Rounded};
use numeric::rational;

const RECORDED: &str = include_str!("data/recorded.txt");

#[test]
fn figures_are_cruby_s() {
    let mut wrong = Vec::new();
    for line in RECORDED.lines().filter(|line| !line.starts_with('#')) {
        let (call, expected) = line.split_once(" => ").unwrap();
        let words: Vec<&str> = call.split(' ').collect();
        let found = answer(words[0], &words[1..]).join(" ");
        if found != expected && !nearly(words[0], &found, expected) {
            wrong.push(format!("{line}, not {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

/// Compares operations for which CRuby uses the C library's results, ignoring differences in the last digits.
fn nearly(operation: &str, found: &str, expected: &str) -> bool {
    const LIBRARY: [&str; 16] = [
        "cbrt", "acos", "asin", "acosh", "atanh", "asinh", "erf", "erfc", "gamma", "lgamma", "log", "log2", "log10",
        "log1p", "atan2", "log_base",
    ];
    let bits = |text: &str| u64::from_str_radix(text.split(' ').next()?, 16).ok();
    let sign = |text: &str| text.split(' ').nth(1).map(str::to_owned);
    LIBRARY.contains(&operation)
        && sign(found) == sign(expected)
        && bits(found).zip(bits(expected)).is_some_and(|(found, expected)| found.abs_diff(expected) <= 8)
}

fn f(text: &str) -> f64 {
    if text == "nan" { f64::NAN } else { f64::from_bits(u64::from_str_radix(text, 16).unwrap()) }
}

fn i(text: &str) -> Integer {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    big::parse_digits(digits.as_bytes(), 10, negative, &mut never).unwrap().unwrap()
}

fn show(value: f64) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{:016x}", value.to_bits()) }
}

fn show_int(value: &Integer) -> String {
    big::to_s(value.as_int(), 10, &mut never).unwrap()
}

fn rounded(value: Result<Rounded, Error>) -> Vec<String> {
    vec![match value {
        Ok(Rounded::Float(value)) => show(value),
        Ok(Rounded::Integer(value)) => show_int(&value),
        Err(error) => exception(&error),
    }]
}

fn exception(error: &Error) -> String {
    match error {
        Error::ZeroDivision => "ZeroDivisionError".to_owned(),
        Error::NotFinite(_) => "FloatDomainError".to_owned(),
        error => error.to_string(),
    }
}

fn fraction(value: Result<rational::Fraction, Error>) -> Vec<String> {
    match value {
        Ok((numerator, denominator)) => vec![show_int(&numerator), show_int(&denominator)],
        Err(error) => vec![exception(&error)],
    }
}

fn math(value: Result<f64, DomainError>) -> Vec<String> {
    vec![value.map_or("Math::DomainError".to_owned(), show)]
}

fn answer(operation: &str, words: &[&str]) -> Vec<String> {
    let x = || f(words[0]);
    let y = || f(words[1]);
    let digits = || words[1].parse::<i32>().unwrap();
    match operation {
        "floor" => rounded(float::floor(x(), digits())),
        "ceil" => rounded(float::ceil(x(), digits())),
        "truncate" => rounded(float::truncate(x(), digits())),
        "round_up" => rounded(float::round(x(), digits(), Half::Up)),
        "round_even" => rounded(float::round(x(), digits(), Half::Even)),
        "round_down" => rounded(float::round(x(), digits(), Half::Down)),
        "rationalize" => fraction(rational::rationalize_float(x())),
        "to_r" => fraction(float::to_fraction(x())),
        "rationalize_prec" => fraction(rational::simplest_between_floats(x().abs() - y(), x().abs() + y())),
        "next" => vec![show(float::next_float(x()))],
        "prev" => vec![show(float::prev_float(x()))],
        "modulo" => vec![float::modulo(x(), y()).map_or_else(|error| exception(&error), show)],
        "divmod" => match float::divmod(x(), y()) {
            Ok((quotient, modulo)) => vec![show_int(&quotient), show(modulo)],
            Err(error) => vec![exception(&error)],
        },
        "floor_div" => match float::floor_div(x(), y()) {
            Ok(quotient) => vec![show_int(&quotient)],
            Err(error) => vec![exception(&error)],
        },
        "fdiv" => vec![show(big::fdiv(i(words[0]).as_int(), i(words[1]).as_int()))],
        _ => math_answer(operation, words),
    }
}

fn math_answer(operation: &str, words: &[&str]) -> Vec<String> {
    let x = || f(words[0]);
    match operation {
        "sqrt" => math(float::sqrt(x())),
        "cbrt" => vec![show(float::cbrt(x()))],
        "acos" => math(float::acos(x())),
        "asin" => math(float::asin(x())),
        "acosh" => math(float::acosh(x())),
        "asinh" => vec![show(float::asinh(x()))],
        "atanh" => math(float::atanh(x())),
        "atan2" => vec![show(float::atan2(x(), f(words[1])))],
        "erf" => vec![show(float::erf(x()))],
        "erfc" => vec![show(float::erfc(x()))],
        "gamma" => math(float::gamma(x())),
        "lgamma" => match float::lgamma(x()) {
            Ok((logarithm, sign)) => vec![show(logarithm), sign.to_string()],
            Err(_) => vec!["Math::DomainError".to_owned()],
        },
        "log" => math(float::log(x())),
        "log2" => math(float::log2(x())),
        "log10" => math(float::log10(x())),
        "log1p" => math(float::log1p(x())),
        "frexp" => {
            let (mantissa, exponent) = float::frexp(x());
            vec![show(mantissa), exponent.to_string()]
        }
        "log_base" => math(float::log_base(i(words[0]).as_int(), i(words[1]).as_int())),
        "big_log" => math(float::log(i(words[0]).as_int())),
        "big_log2" => math(float::log2(i(words[0]).as_int())),
        "big_log10" => math(float::log10(i(words[0]).as_int())),
        "big_log1p" => math(float::log1p(i(words[0]).as_int())),
        operation => panic!("{operation}"),
    }
}

#[test]
fn operands_may_be_floats_or_integers() {
    assert_eq!(float::log_base(8.0, Int::Fix(2)), Ok(3.0));
    assert_eq!(float::pow(-8.0, 1.0 / 3.0), None);
    assert_eq!(float::pow(-2.0, 3.0), Some(-8.0));
    assert_eq!(float::sqrt(-1.0).unwrap_err().to_string(), "Numerical argument is out of domain - sqrt");
}
