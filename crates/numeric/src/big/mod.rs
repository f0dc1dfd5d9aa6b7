//! Integers of any size: Ruby's `Integer` over `dashu-int`.
//!
//! A big integer's limbs live in the collected heap. Operands are therefore borrowed [`Int`]s, and results are owned
//! [`Integer`]s whose limbs the caller copies into its slot. Linear operations (bits, comparison, conversion to a
//! float) read the borrowed limbs; arithmetic copies them into `dashu`, whose API owns its words.
//!
//! **Bounds.** One multiplication, division or conversion inside `dashu` cannot be interrupted. Results that could be
//! too large are therefore refused before they are computed: results of powers, shifts and products are limited to
//! [`MAX_BITS`], and fail with the [`Error`] that Ruby 4.0 raises. Powers, decimal conversion and parsing run in steps
//! and call an `interrupt` closure between them. A single step works on at most the size of its result, so that the
//! longest pause is one multiplication or division of numbers as long as the result (about a second for 100 million
//! digits).
//!
//! Children: `integer` (operands and results), `arithmetic`, `power`, `powmod`, `montgomery`, `bitwise`, `compare`,
//! `float`, `radix` (text and digits), `decimal` (decimal text), `rounding`, `bytes`, `short` (numbers of a few limbs).

mod arithmetic;
mod bitwise;
mod bytes;
mod compare;
pub mod decimal;
mod float;
mod integer;
mod montgomery;
mod power;
mod powmod;
mod radix;
mod rounding;
mod short;

pub(crate) use arithmetic::gcd_u64;
pub use arithmetic::{abs, add, ceildiv, div, divmod, gcd, isqrt, lcm, modulo, mul, neg, remainder, sub};
pub use bitwise::{and, bit, bit_count, bit_length, bit_range, low_bits_zero, not, or, shl, shr, xor};
pub use bytes::{from_le_bytes, from_words_le, low_u64, magnitude_le_bytes, size_in_bytes, to_le_bytes};
pub use compare::{cmp, cmp_f64, eq, eq_f64, hash};
pub use float::{fdiv, from_f64, to_f64, top_53_bits};
pub use integer::{Big, BigRef, Error, FIXNUM_MAX, FIXNUM_MIN, Int, Integer, Interrupt, MAX_BITS, never};
pub use power::{pow, pow_bits_estimate};
pub use powmod::powmod;
pub use radix::{Digits, digits, parse_digits, to_s, to_s_len_estimate};
pub use rounding::{Half, ceil, floor, round, truncate};
pub use short::{ProductRoom, Room, new_product, new_sum, product_in, sum_in};
