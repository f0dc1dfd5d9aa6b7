//! Powers modulo an odd number of a few limbs, in arrays on the native stack: the library's allocations, copies and
//! loops over slices take several times as long as these short products.

use dashu_int::UBig;

/// The bits of a sliding window over the exponent; the powers with odd exponents of so many bits are computed first.
const WINDOW: u64 = 4;
const ODD_POWERS: usize = 1 << (WINDOW - 1);

/// `start ** exponent` for a start below the odd modulus; `None` for moduli of one limb and for longer ones.
pub(super) fn power(start: &UBig, exponent: &UBig, modulus: &UBig) -> Option<UBig> {
    Some(match modulus.as_words().len() {
        2 => Ring::<2>::new(modulus).power(start, exponent),
        3 => Ring::<3>::new(modulus).power(start, exponent),
        4 => Ring::<4>::new(modulus).power(start, exponent),
        5 => Ring::<5>::new(modulus).power(start, exponent),
        6 => Ring::<6>::new(modulus).power(start, exponent),
        7 => Ring::<7>::new(modulus).power(start, exponent),
        8 => Ring::<8>::new(modulus).power(start, exponent),
        9 => Ring::<9>::new(modulus).power(start, exponent),
        _ => return None,
    })
}

// Loops over indices: the compiler leaves calls in loops over several iterators here, as the recorded profile does not
// know this code.

/// Residues in Montgomery's form: a number times `2 ** (64 * N)`.
struct Ring<const N: usize> {
    modulus: [u64; N],
    /// What the modulus's lowest limb times this is −1 for.
    inverse: u64,
    /// `2 ** (128 * N)`, which brings a number into the form.
    square: [u64; N],
}

fn limbs<const N: usize>(number: &UBig) -> [u64; N] {
    let mut limbs = [0; N];
    let words = number.as_words();
    limbs[..words.len()].copy_from_slice(words);
    limbs
}

impl<const N: usize> Ring<N> {
    fn new(modulus: &UBig) -> Ring<N> {
        let square = limbs(&((UBig::ONE << (128 * N)) % modulus));
        let modulus: [u64; N] = limbs(modulus);
        // Each of Newton's steps doubles the bits that are right, of which an odd number itself has three.
        let lowest = modulus[0];
        let inverse =
            (0..5).fold(lowest, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(lowest.wrapping_mul(inverse))));
        Ring { modulus, inverse: inverse.wrapping_neg(), square }
    }

    fn power(&self, start: &UBig, exponent: &UBig) -> UBig {
        let mut one = [0; N];
        one[0] = 1;
        let start = self.product(&limbs(start), &self.square);
        let square = self.product(&start, &start);
        let mut odd_powers = [start; ODD_POWERS];
        for place in 1..ODD_POWERS {
            odd_powers[place] = self.product(&odd_powers[place - 1], &square);
        }
        let mut power = self.product(&one, &self.square);
        let words = exponent.as_words();
        let bit = |place: u64| words[(place / 64) as usize] >> (place % 64) & 1;
        let mut left = words.last().map_or(0, |last| 64 * words.len() as u64 - u64::from(last.leading_zeros()));
        while left > 0 {
            if bit(left - 1) == 0 {
                power = self.product(&power, &power);
                left -= 1;
                continue;
            }
            // The longest window that ends in a set bit.
            let end = (left.saturating_sub(WINDOW)..left).find(|place| bit(*place) == 1).unwrap_or(left - 1);
            let window = (end..left).rev().fold(0, |window, place| {
                power = self.product(&power, &power);
                window << 1 | bit(place)
            });
            power = self.product(&power, &odd_powers[(window / 2) as usize]);
            left = end;
        }
        UBig::from_words(&self.product(&power, &one))
    }

    /// The product of two residues: after each limb of `b`, a multiple of the modulus makes the lowest limb zero.
    #[inline]
    fn product(&self, a: &[u64; N], b: &[u64; N]) -> [u64; N] {
        let mut sum = [0; N];
        let mut above = 0;
        for factor in b {
            let mut carry = 0;
            for place in 0..N {
                (sum[place], carry) = a[place].carrying_mul_add(*factor, sum[place], carry);
            }
            let (high, is_over) = carry.overflowing_add(above);
            let multiple = sum[0].wrapping_mul(self.inverse);
            let (_, mut carry) = self.modulus[0].carrying_mul_add(multiple, sum[0], 0);
            for place in 1..N {
                (sum[place - 1], carry) = self.modulus[place].carrying_mul_add(multiple, sum[place], carry);
            }
            let (high, is_over_again) = high.overflowing_add(carry);
            sum[N - 1] = high;
            above = u64::from(is_over) + u64::from(is_over_again);
        }
        self.below_modulus(sum, above)
    }

    /// Subtracts the modulus once if the number, with one more limb, is not below it.
    #[inline]
    fn below_modulus(&self, sum: [u64; N], above: u64) -> [u64; N] {
        let mut difference = [0; N];
        let mut is_borrowed = false;
        for place in 0..N {
            (difference[place], is_borrowed) = sum[place].borrowing_sub(self.modulus[place], is_borrowed);
        }
        if above == 0 && is_borrowed { sum } else { difference }
    }
}
