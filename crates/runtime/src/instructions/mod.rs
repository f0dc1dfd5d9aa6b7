//! The semantics of instructions that the interpreter and compiled code share.
//!
//! `operators`: arithmetic, comparisons and the calls behind them; `index`: `[]` and `[]=`; `literals`: Strings,
//! Arrays, Hashes, Ranges; `ivars`: instance variables; `constants`; `class_variables`;
//! `blocks`: lambdas and `&block` parameters; `leave`: `break` and `return` in a block.

pub mod blocks;
pub mod class_variables;
pub mod constants;
pub mod index;
pub mod ivars;
pub mod leave;
pub mod literals;
pub mod operators;
