//! What instructions do, where the interpreter and compiled code must agree on it.
//!
//! `operators`: arithmetic, comparisons and the calls behind them; `index`: `[]` and `[]=`; `literals`: strings,
//! arrays, hashes, ranges; `ivars`: instance variables; `constants`.

pub mod constants;
pub mod index;
pub mod ivars;
pub mod literals;
pub mod operators;
