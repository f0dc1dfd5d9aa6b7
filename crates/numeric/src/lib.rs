//! Ruby's numbers as pure algorithms, without a `Value` and without unsafe code.
//!
//! Children: [`big`] (integers of any size).
#![forbid(unsafe_code)]

pub mod big;
