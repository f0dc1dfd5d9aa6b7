//! Ruby's numbers as pure algorithms, without a `Value` and without unsafe code.
//!
//! Children: [`big`] (integers of any size), [`decimal`] (`BigDecimal`), [`float`] (`Float` and `Math`), [`rational`],
//! [`complex`], [`random`].
#![forbid(unsafe_code)]

pub mod big;
pub mod complex;
pub mod decimal;
pub mod float;
pub mod random;
pub mod rational;
