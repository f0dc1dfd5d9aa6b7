//! `Float` and `Math`: the functions that differ from Rust's.
//!
//! Children: `division` (floored), `rounding` (to digits), `parts` (exact decomposition, neighbours), `functions`
//! (`Math`).

mod division;
mod functions;
mod parts;
mod rounding;

pub use division::{divmod, floor_div, modulo};
pub use functions::{
    DomainError, Operand, acos, acosh, asin, asinh, atan2, atanh, cbrt, erf, erfc, frexp, gamma, hypot, ldexp, lgamma,
    log, log_base, log1p, log2, log10, pow, sqrt,
};
pub(crate) use parts::decode;
pub use parts::{next_float, prev_float, to_fraction};
pub(crate) use rounding::round_quotient;
pub use rounding::{Rounded, ceil, floor, round, truncate};
