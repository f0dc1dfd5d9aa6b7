//! Fractions and complex numbers. Expected figures come from CRuby 4.1dev.

use numeric::big::{BigRef, Error, Half, Int, Integer};
use numeric::{complex, rational};
use std::f64::consts::PI;

const fn fix(n: i64) -> Int<'static> {
    Int::Fix(n)
}

fn pair(numerator: i64, denominator: i64) -> (Integer, Integer) {
    (Integer::Fix(numerator), Integer::Fix(denominator))
}

#[test]
fn fractions_are_reduced_and_rounded() {
    assert_eq!(rational::reduce(fix(6), fix(-4)), Ok(pair(-3, 2)));
    assert_eq!(rational::reduce(fix(0), fix(-4)), Ok(pair(0, 1)));
    assert_eq!(rational::reduce(fix(1), fix(0)), Err(Error::ZeroDivision));
    assert_eq!(rational::round(fix(7), fix(2), Half::Even), Ok(Integer::Fix(4)));
    assert_eq!(rational::round(fix(5), fix(2), Half::Even), Ok(Integer::Fix(2)));
    assert_eq!(rational::round(fix(-5), fix(2), Half::Up), Ok(Integer::Fix(-3)));
    assert_eq!(rational::round(fix(-5), fix(2), Half::Down), Ok(Integer::Fix(-2)));
    assert_eq!(rational::cmp((fix(1), fix(3)), (fix(2), fix(6))), Ok(std::cmp::Ordering::Equal));
    assert_eq!(rational::to_f64(fix(1), fix(3)), 1.0 / 3.0);
}

#[test]
fn the_simplest_fraction_in_an_interval() {
    assert_eq!(rational::simplest_between((fix(301), fix(100)), (fix(321), fix(100))), Ok(pair(16, 5)));
    assert_eq!(rational::simplest_between((fix(313), fix(100)), (fix(315), fix(100))), Ok(pair(22, 7)));
    assert_eq!(rational::simplest_between((fix(1), fix(2)), (fix(3), fix(2))), Ok(pair(1, 1)));
}

#[test]
fn complex_arithmetic_keeps_signs_and_directions() {
    assert_eq!(complex::mul((1.5, 2.5), (-2.0, 0.5)), (-4.25, -4.25));
    assert_eq!(complex::mul((0.0, 1.0), (f64::INFINITY, 0.0)), (0.0, f64::INFINITY));
    assert_eq!(complex::div((1.0, 2.0), (3.0, -4.0)), (-0.2, 0.4));
    assert_eq!(complex::from_polar(2.0, PI), (-2.0, 0.0));
    assert_eq!(complex::from_polar(2.0, 1.0), (1.0806046117362795, 1.682941969615793));
    assert_eq!(complex::from_polar_pi(2f64.sqrt(), 0.5), (0.0, Some(2f64.sqrt())));
    assert_eq!(complex::from_polar_pi(2f64.powf(1.5), 1.5), (0.0, Some(-(2f64.powf(1.5)))));
    assert_eq!(complex::from_polar_pi(8.0, 3.0), (-8.0, None));
    let (real, imaginary) = complex::from_polar_pi(2.0, 1.0 / 3.0);
    assert_eq!((real, imaginary), (1.0000000000000002, Some(1.7320508075688772)));
    assert_eq!(complex::sqrt((-4.0, -0.0)), (0.0, -2.0));
    assert_eq!(complex::abs((3.0, 4.0)), 5.0);
}

/// Fractions of fixnums have a fast path.
#[test]
fn fractions_of_fixnums_are_reduced_like_others() {
    const NUMBERS: [i64; 9] = [0, 1, -1, 6, -10, 1 << 40, i64::MAX, i64::MIN, i64::MIN + 2];
    for n in NUMBERS {
        for d in NUMBERS.into_iter().filter(|d| *d != 0) {
            let limbs = [n.unsigned_abs()];
            let long = Int::Big(BigRef { negative: n < 0, limbs: &limbs });
            assert_eq!(rational::reduce(Int::Fix(n), Int::Fix(d)), rational::reduce(long, Int::Fix(d)), "{n}/{d}");
        }
    }
}

#[test]
fn results_of_arithmetic_are_those_of_the_plain_formulas_reduced() {
    use numeric::big;
    // Numbers with common divisors, some of several words.
    let large = big::pow(fix(6), fix(60), &mut big::never).unwrap();
    let larger = big::mul(large.as_int(), fix(35)).unwrap();
    let numbers = [0, 1, -1, 12, -35, 1 << 61].map(Integer::Fix);
    let numbers: Vec<Int> = numbers.iter().chain([&large, &larger]).map(Integer::as_int).collect();
    let mut fractions = Vec::new();
    for n in &numbers {
        for d in numbers.iter().filter(|d| !d.is_zero()) {
            fractions.push(rational::reduce(*n, *d).unwrap());
        }
    }
    let mul = |a: Int, b: Int| big::mul(a, b).unwrap();
    for (an, ad) in &fractions {
        let (an, ad) = (an.as_int(), ad.as_int());
        for (bn, bd) in &fractions {
            let (bn, bd) = (bn.as_int(), bd.as_int());
            let (left, right, below) = (mul(an, bd), mul(bn, ad), mul(ad, bd));
            let reduced = |n: &Integer, d: &Integer| rational::reduce(n.as_int(), d.as_int());
            let (a, b) = ((an, ad), (bn, bd));
            assert_eq!(rational::sum(a, b), reduced(&big::add(left.as_int(), right.as_int()), &below));
            assert_eq!(rational::difference(a, b), reduced(&big::sub(left.as_int(), right.as_int()), &below));
            assert_eq!(rational::product(a, b), reduced(&mul(an, bn), &below));
            assert_eq!(rational::quotient(a, b), reduced(&left, &right));
        }
    }
}
