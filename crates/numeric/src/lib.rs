//! Ruby's numbers as pure algorithms, without a `Value` and without unsafe code.
//!
//! Children: [`big`] (integers of any size), [`digits`] (the text of small ones), [`decimal`] (`BigDecimal`), [`float`]
//! (`Float` and `Math`), [`rational`], [`complex`], [`random`].
#![forbid(unsafe_code)]

#[macro_use]
extern crate memory;

pub mod big;
pub mod complex;
pub mod decimal;
pub mod digits;
pub mod float;
pub mod random;
pub mod rational;
